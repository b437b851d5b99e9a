"""Which changes would remove the shortcuts: step by step, and as few as possible."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from math import comb

from moose.base.errors import LimitReached, MooseError
from moose.grounding.atoms import Atom
from moose.grounding.task.task import Task
from moose.shortcuts.advice.changes import LITERALS, Change, candidates, changed_showing, changed_tasks
from moose.shortcuts.count.count_text import count_text
from moose.shortcuts.count.find_shortcuts import NO_END, ONE_FOR_ALL, Effort, count_maps, solve
from moose.shortcuts.problem.constraints import map_clauses
from moose.shortcuts.problem.observations import Lens
from moose.shortcuts.problem.options import Encoder, Showing
from moose.shortcuts.problem.problem import PartWorlds, Problem, ShownTask, TrueState, make_problem
from moose.shortcuts.problem.states import State
from moose.shortcuts.problem.worlds import SOLVER

MOST_TRIED = 2_000_000
"""Sets of changes among which the smallest that hits all is looked for."""
Changes = frozenset[Change]


@dataclass(frozen=True, slots=True)
class AdviceStep:
    """A change, and how many maps are left after it and all steps before."""

    change: Change
    maps: int


@dataclass(frozen=True, slots=True)
class SkippedChange:
    """A change of which it is not known what it comes to, since that is too large to be counted."""

    change: Change
    reason: str


@dataclass(frozen=True, slots=True)
class Advice:
    """How shortcuts could be removed."""

    maps: int
    """How many maps there are now."""
    steps: tuple[AdviceStep, ...]
    """Greedily: each step is the change that leaves the fewest maps."""
    fewest: tuple[Change, ...] | None
    """The fewest changes that leave no shortcut; none if all of them together do not."""
    maps_left: int
    """How many maps are left after those: counted again, to confirm. If there are none, after all changes together, or
    after the steps where these contradict each other."""
    skipped: tuple[SkippedChange, ...] = ()
    """Changes that were too large, and are left out of account."""
    unfinished: str | None = None
    """Why the fewest changes are not known, where they are too many or too large to be found."""


@dataclass(eq=False)
class Adviser:
    """A task and what is shown of it, and what changes come to; what was found is kept."""

    task: Task
    showing: Showing
    encoder: Encoder
    effort: Effort = NO_END
    tasks: dict[Changes, list[Task]] = field(default_factory=dict)
    worlds: dict[Task, PartWorlds] = field(default_factory=dict)
    problems: dict[Changes, Problem] = field(default_factory=dict)
    counted: dict[Changes, int] = field(default_factory=dict)
    fitting: dict[Changes, bool] = field(default_factory=dict)
    skipped: dict[Change, str] = field(default_factory=dict)

    def problem(self, changes: Changes) -> Problem:
        """Return what is to be solved after some changes."""
        if changes not in self.problems:
            deep = frozenset(change for change in changes if change.kind not in LITERALS or change.kind == "declare")
            if deep not in self.tasks:
                self.tasks[deep] = changed_tasks(self.task, deep)
            showing = changed_showing(self.task, self.showing, changes)
            shown_tasks = [ShownTask(task, showing) for task in self.tasks[deep]]
            self.problems[changes] = make_problem(shown_tasks, self.encoder, self.worlds)
        return self.problems[changes]

    def count(self, changes: Changes) -> int:
        """Count the maps that are left after some changes."""
        if changes not in self.counted:
            self.counted[changes] = count_maps(self.problem(changes), self.effort)
        return self.counted[changes]

    def fits(self, changes: Changes) -> bool:
        """Return whether changes can be made together, and leave every state that is shown now as it is."""
        if changes not in self.fitting:
            shown = set(self.problem(frozenset()).true_states)
            try:
                self.fitting[changes] = shown <= set(self.problem(changes).true_states)
            except LimitReached:
                raise
            except MooseError:  # they contradict each other
                self.fitting[changes] = False
        return self.fitting[changes]

    def tell(self, message: str, share: float) -> None:
        """Say how far the work is."""
        if self.effort.progress is not None:
            self.effort.progress(message, share)

    def possible(self, options: Sequence[Change]) -> list[Change]:
        """Leave out changes that exclude something true; of axioms, which are the user's own words, say so.

        Changes that are too large to be counted are skipped, and that is kept.
        """
        kept = []
        shown = set(self.problem(frozenset()).true_states)
        for option in options:
            try:
                problem = self.problem(frozenset([option]))
                if shown <= set(problem.true_states) and find_map(problem, {}) is not None:
                    kept.append(option)
                elif option.kind == "axiom":
                    raise MooseError("it excludes states that the task shows; it would not be true of them")
            except LimitReached as error:
                self.skipped[option] = str(error)
            except MooseError as error:  # the change cannot be made: a role between nothing, a name that stands twice
                if option.kind == "axiom":
                    raise MooseError(f"the axiom {option.name} cannot be added: {error}") from None
        return kept


def advise(  # noqa: PLR0913  # a task, what is shown of it, and what may be changed
    task: Task,
    showing: Showing,
    *,
    encoder: Encoder = ONE_FOR_ALL,
    axioms: Sequence[str] = (),
    only_literals: bool = False,
    effort: Effort = NO_END,
) -> Advice:
    """Find changes that remove the shortcuts of a task: more literals, roles, families, or axioms that are proposed.

    >>> import moose
    >>> advice = advise(moose.regime("mnist1"), Showing())
    >>> print(*advice.fewest, "leaves", advice.maps_left, "of", advice.maps, "maps")
    show pairs that are known to stand in plus_two leaves 1 of 729 maps
    """
    if encoder.reads == "exchanged":
        raise MooseError("advice is not given for exchanged variables, which no evidence tells apart; read them apart")
    adviser = Adviser(task, showing, encoder, effort)
    true_states = adviser.problem(frozenset()).true_states
    options = candidates(task, showing, true_states, axioms)
    options = adviser.possible([one for one in options if not only_literals or one.kind in LITERALS])
    steps = take_steps(adviser, options)
    counted = [one for one in options if one not in adviser.skipped]
    fewest, unfinished = None, None
    try:
        fewest = find_fewest(adviser, counted)
        chosen = frozenset(counted if fewest is None else fewest)
        if not adviser.fits(chosen):
            chosen = frozenset(step.change for step in steps)
        left = solve(adviser.problem(chosen), effort).maps
    except LimitReached as error:  # the steps remain
        fewest, unfinished = None, str(error)
        left = steps[-1].maps if steps else adviser.count(frozenset())
    skipped = tuple(SkippedChange(*pair) for pair in adviser.skipped.items())
    return Advice(adviser.count(frozenset()), tuple(steps), fewest, left, skipped, unfinished)


def take_steps(adviser: Adviser, options: Sequence[Change]) -> list[AdviceStep]:
    """Make the change that leaves the fewest maps, again and again, until one map is left or none helps."""
    steps: list[AdviceStep] = []
    made: Changes = frozenset()
    maps = adviser.count(made)
    while maps > 1:
        counts = {}
        for index, option in enumerate(option for option in options if option not in made):
            adviser.tell(f"advising: {len(steps)} steps, {count_text(maps)} maps left", index / len(options))
            if option in adviser.skipped:
                continue
            try:
                if adviser.fits(made | {option}):
                    counts[option] = adviser.count(made | {option})
            except LimitReached as error:
                adviser.skipped[option] = str(error)
        best = min(counts, key=lambda option: counts[option], default=None)
        if best is None or counts[best] == maps:
            return steps
        made, maps = made | {best}, counts[best]
        steps.append(AdviceStep(best, maps))
    return steps


def find_fewest(adviser: Adviser, options: Sequence[Change]) -> tuple[Change, ...] | None:
    """Return the fewest changes after which no shortcut is left, those that cost least among equals.

    Every shortcut that survives some changes is grown to the most changes that it survives; whatever removes it holds
    one of the others. So the smallest set that hits all of these is the answer as soon as no shortcut survives it.
    Changes that contradict each other are not chosen together.
    """
    everything = frozenset(options)
    if adviser.fits(everything) and find_shortcut(adviser.problem(everything)) is not None:
        return None
    to_hit: list[Changes] = []
    clashes: list[Changes] = []
    while (chosen := smallest_hitting(options, to_hit, clashes)) is not None:
        adviser.tell(f"looking for the fewest changes: at least {len(chosen)}", 0.0)
        if not adviser.fits(frozenset(chosen)):
            clashes.append(smallest_clash(adviser, chosen))
            continue
        table = find_shortcut(adviser.problem(frozenset(chosen)))
        if table is None:
            return chosen
        to_hit.append(everything - grown(adviser, frozenset(chosen), options, table))
    return None


def grown(adviser: Adviser, chosen: Changes, options: Sequence[Change], table: Mapping[TrueState, State]) -> Changes:
    """Add to changes whatever else a map survives."""
    for option in options:
        more = chosen | {option}
        if option not in chosen and adviser.fits(more) and find_map(adviser.problem(more), table) is not None:
            chosen = more
    return chosen


def smallest_clash(adviser: Adviser, chosen: Sequence[Change]) -> Changes:
    """Return changes that contradict each other, none of which can be left out."""
    clash = frozenset(chosen)
    for option in chosen:
        if not adviser.fits(clash - {option}):
            clash -= {option}
    return clash


def smallest_hitting(
    options: Sequence[Change], to_hit: Sequence[Changes], clashes: Sequence[Changes] = ()
) -> tuple[Change, ...] | None:
    """Return the smallest set with a member of each, of equals the one whose members come first; none if all clash."""
    used = [option for option in options if any(option in one for one in to_hit)]
    for size in range(len(used) + 1):
        if comb(len(used), size) > MOST_TRIED:
            raise LimitReached(f"the fewest of {len(used)} changes are too many to be found; the greedy steps remain")
        for chosen in combinations(used, size):
            if all(not one.isdisjoint(chosen) for one in to_hit) and not any(one <= set(chosen) for one in clashes):
                return chosen
    return None


def find_shortcut(problem: Problem) -> dict[TrueState, State] | None:
    """Return a consistent map that is not the right one, if there is one."""
    return find_map(problem, {}, is_wrong=True)


def find_map(
    problem: Problem, table: Mapping[TrueState, State], *, is_wrong: bool = False
) -> dict[TrueState, State] | None:
    """Return a consistent map that predicts what a table says, and if it is to be, wrong somewhere; found by SAT."""
    from pysat.solvers import Solver

    lens = problem.lenses()[0]
    clauses = map_clauses(problem.parts, problem.observations, lens)
    if clauses is None:
        return None
    positions, fixed = clauses.positions, clauses.fixed
    wanted: list[int] = []
    for true_state, read in table.items():
        for name in problem.vocabulary.latent:
            atom = lens.atom(*true_state, name)
            if atom in positions:
                wanted.append((positions[atom] + 1) * (1 if name in read else -1))
            elif fixed.get(atom, name in read) != (name in read):
                return None
    with Solver(SOLVER, bootstrap_with=[list(clause) for clause in clauses]) as solver:
        if is_wrong and not _is_wrong(problem, lens, fixed):
            solver.add_clause(
                [
                    (positions[atom] + 1) * (-1 if name in true_state[1] else 1)
                    for true_state in problem.true_states
                    for name in problem.vocabulary.latent
                    if (atom := lens.atom(*true_state, name)) in positions
                ]
            )
        if not solver.solve(assumptions=wanted):
            return None
        holds = {
            clauses.atoms[literal - 1] for literal in solver.get_model() or [] if 0 < literal <= len(clauses.atoms)
        }
    holds |= {atom for atom, truth in fixed.items() if truth}
    latent = problem.vocabulary.latent
    return {
        true_state: frozenset(name for name in latent if lens.atom(*true_state, name) in holds)
        for true_state in problem.true_states
    }


def _is_wrong(problem: Problem, lens: Lens, fixed: Mapping[Atom, bool]) -> bool:
    """Return whether what is settled is wrong already: then every map is."""
    return any(
        fixed.get(lens.atom(*true_state, name), name in true_state[1]) != (name in true_state[1])
        for true_state in problem.true_states
        for name in problem.vocabulary.latent
    )
