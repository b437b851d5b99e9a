"""Find the shortcuts of a task: `find_shortcuts`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from moose.base.errors import InconsistentOntology, LimitReached, MooseError
from moose.circuit.circuit import Circuit
from moose.circuit.compile.compile_circuit import compile_circuit
from moose.circuit.limits import Deadline, Limits
from moose.grounding.atoms import Atom
from moose.grounding.clauses import Clauses
from moose.grounding.task.task import Task
from moose.shortcuts.count.search_compiler import compile_by_search
from moose.shortcuts.count.shortcuts import Arrangement, Shortcuts
from moose.shortcuts.problem.constraints import Equal, map_clauses
from moose.shortcuts.problem.options import Encoder, Showing
from moose.shortcuts.problem.problem import Problem, Progress, ShownTask, make_problem
from moose.shortcuts.problem.worlds import completions, read_pairs

NO_LIMITS = Limits(seconds=None)
EVERYTHING = Showing()
ONE_FOR_ALL = Encoder()


@dataclass(frozen=True, slots=True)
class Effort:
    """How long counting may take, and whom it tells how far it is."""

    limits: Limits = NO_LIMITS
    progress: Progress | None = None


NO_END = Effort()


def find_shortcuts(
    task: Task | Sequence[Task],
    showing: Showing = EVERYTHING,
    *,
    encoder: Encoder = ONE_FOR_ALL,
    effort: Effort = NO_END,
) -> Shortcuts:
    """Find every map from true to predicted latent states that agrees with all that a task can show.

    Of several tasks over the same latent concepts, one encoder must read all.

    >>> import moose
    >>> from moose.shortcuts.problem.options import Showing
    >>> moose.find_shortcuts(moose.regime("mnist1"), Showing(literals="positive"))
    Shortcuts(maps=18,225, shortcuts=18,224)
    >>> moose.find_shortcuts(moose.regime("mnist2"), Showing(concepts=["Prime", "Composite"]))
    Shortcuts(maps=1, shortcuts=0)
    """
    tasks = [task] if isinstance(task, Task) else task
    given: object = tasks  # what a type checker would refuse may still come from a script or a notebook
    if not isinstance(given, list | tuple) or not all(isinstance(one, Task) for one in given):
        raise MooseError(f"expected a task, or a list of tasks, but got {task!r}; make one with moose.Task")
    options: tuple[object, object] = (showing, encoder)
    if not (isinstance(options[0], Showing) and isinstance(options[1], Encoder)):
        raise MooseError(f"expected what is shown as Showing and an Encoder, but got {showing!r} and {encoder!r}")
    return solve(make_problem([ShownTask(one, showing) for one in tasks], encoder), effort)


def solve(problem: Problem, effort: Effort = NO_END) -> Shortcuts:
    """Compile the constraints of a problem, for each way in which variables may be read."""
    shortcuts = solve_or_none(problem, effort)
    if shortcuts is None or not shortcuts.is_consistent(
        {true_state: true_state[1] for true_state in problem.true_states}, problem.pairs
    ):
        raise InconsistentOntology(
            "the right map does not agree with what is shown: the theory that predictions are held against contradicts "
            f"what is true{_first_contradiction(problem)}; check the task, or the truth and evidence of the examples"
        )
    return shortcuts


def _first_contradiction(problem: Problem) -> str:
    """Say where the truth and what is seen of it contradict the theory."""
    for observation in problem.observations:
        truth = {
            Atom(name, (individual,)): name in state
            for individual, state in observation.states
            for name in problem.vocabulary.latent
        }
        part = problem.parts[observation.part]
        truth |= {atom: atom in observation.roles for atom in read_pairs(part.theory, problem.vocabulary.roles)}
        seen = dict(observation.evidence)
        is_possible = all(truth.get(atom, holds) == holds for atom, holds in seen.items()) and any(
            True for _ in completions(part.theory, (), truth | seen)
        )
        if not is_possible:
            literals = ", ".join(sorted(f"{'' if holds else 'not '}{atom}" for atom, holds in seen.items()))
            states = ", ".join(f"{name} is {problem.vocabulary.text(state)}" for name, state in observation.states)
            return f", as where {states} and there is seen: {literals or 'nothing'}"
    return ""


def solve_or_none(problem: Problem, effort: Effort = NO_END, *, equal: Equal = ()) -> Shortcuts | None:
    """Compile the constraints of a problem; none if there is no map that predicts equal concepts together."""
    arrangements: list[Arrangement] = []
    deadline = Deadline.begin(effort.limits)

    def watch(share: float) -> None:
        if effort.limits.seconds is not None and deadline.remaining == 0:
            raise LimitReached(
                f"what is shown was not gone through within the {effort.limits.seconds:g} seconds allowed "
                f"({share:.0%} of it): raise the limit, show less, or count under the evidence of a data set"
            )
        if effort.progress is not None:
            effort.progress("copying the theory", share)

    for lens in problem.lenses():
        clauses = map_clauses(problem.parts, problem.observations, lens, equal=equal, watch=watch)
        if clauses is not None:
            arrangement = Arrangement(lens, make_circuit(clauses, effort))
            if arrangement.count:
                arrangements.append(arrangement)
    return Shortcuts(problem, tuple(arrangements)) if arrangements else None


def make_circuit(clauses: Clauses, effort: Effort = NO_END) -> Circuit:
    """Make a circuit of the constraints of maps: by a search if that is easy, else by the compiler."""
    traced = compile_by_search(clauses)
    if traced is not None:
        return traced
    try:
        # To minimise takes longer than to count: the circuit is asked only a few times.
        return compile_circuit(clauses, minimise=False, limits=effort.limits, progress=effort.progress)
    except LimitReached as error:
        raise LimitReached(f"the maps could not be counted: {error}; or ask for bounds on their number") from None


def count_maps(problem: Problem, effort: Effort = NO_END) -> int:
    """Count the maps of a problem."""
    shortcuts = solve_or_none(problem, effort)
    return 0 if shortcuts is None else shortcuts.maps
