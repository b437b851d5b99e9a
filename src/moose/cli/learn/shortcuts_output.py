"""What `moose shortcuts` is asked to say, and how it prints that: for programs, and for people."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from moose.base.errors import LimitReached
from moose.cli.common.output import print_json
from moose.shortcuts.count.count_text import count_text

if TYPE_CHECKING:
    from moose.circuit.limits import Limits
    from moose.cli.common.progress import Stage
    from moose.grounding.task.task import Task
    from moose.learning.examples import Examples
    from moose.shortcuts.advice.advise import Advice
    from moose.shortcuts.advice.changes import Change
    from moose.shortcuts.count.approximate import Interval
    from moose.shortcuts.count.find_shortcuts import Effort
    from moose.shortcuts.count.shortcuts import Shortcuts
    from moose.shortcuts.model.examples import Seen
    from moose.shortcuts.problem.options import Encoder, Showing
    from moose.shortcuts.problem.problem import Problem

Answer = tuple[dict[str, object], list[str]]
"""What is to be printed: for programs, and for people."""
REMEDY = "more evidence (`moose shortcuts --advise` names it), or --method moose-honest, no surer than it is"
"""What can be done about shortcuts."""
MOST_READINGS = 20_000
"""Readings that are counted, of all states together, if each has more than twenty; a second or so."""


@dataclass(frozen=True, slots=True)
class Extras:
    """What is to be said besides the count."""

    listed: int
    sampled: int
    advise: bool
    axioms: tuple[str, ...]
    ablate: bool
    symmetries: bool
    seed: int
    picture: Path | None

    def on_tasks(self) -> dict[str, object]:
        """Return what can only be said of all that a task can show."""
        return {"--advise": self.advise, "--ablate": self.ablate}


def effort_of(stage: Stage, limits: Limits) -> Effort:
    """Return how long counting may take, and have the stage tell how far it is."""
    from moose.shortcuts.count.find_shortcuts import Effort

    return Effort(limits, lambda what, share: stage.enter(f"{what}, {share:.0%}"))


def seen_in(examples: Examples) -> Seen:
    """Return what examples show, and what is true of them."""
    from moose.shortcuts.model.examples import Seen

    pairs = (None if one is None else one.numpy() for one in (examples.role_evidence, examples.role_truth))
    return Seen(examples.task, examples.evidence.numpy(), examples.truth.numpy(), *pairs)


def describe(shortcuts: Shortcuts, evidence: str) -> Answer:
    """Say under which evidence, how many maps there are, what is identifiable, and what can be reached."""
    from moose.shortcuts.count.ceiling import ceiling
    from moose.shortcuts.count.consistent_map import pair_text, true_state_text
    from moose.shortcuts.count.verdict import verdict

    reach = ceiling(shortcuts)
    most = max(20, min(1_000, MOST_READINGS // max(1, len(shortcuts.problem.true_states))))
    readings = shortcuts.reading_counts(most=most)
    confused = {value: list(others) for value, others in shortcuts.confused.items()}
    facts: dict[str, object] = {
        "evidence": evidence,
        "maps": shortcuts.maps,
        "shortcuts": shortcuts.shortcuts,
        "verdict": verdict(shortcuts),
        "readings": {true_state_text(shortcuts.problem, place): count for place, count in readings.items()},
        "readings_counted_up_to": most,
        "identifiable": list(shortcuts.identifiable),
        "confused": confused,
        "accuracy_ceiling": reach.accuracy,
        "ceiling": reach.as_dict(),
    }
    if shortcuts.problem.vocabulary.roles:
        facts["identifiable_roles"] = list(shortcuts.identifiable_roles)
        facts["pairs"] = {
            ("" if shortcuts.problem.pairs[atom] else "not ") + pair_text(atom): float(share)
            for atom, share in shortcuts.pair_beliefs.items()
        }
    lines = [
        f"evidence\t{evidence}",
        f"maps\t{count_text(shortcuts.maps)}",
        f"shortcuts\t{count_text(shortcuts.shortcuts)}",
        f"verdict\t{verdict(shortcuts)}",
        f"identifiable\t{', '.join((*shortcuts.identifiable, *shortcuts.identifiable_roles)) or 'nothing'}",
        "confused\twith what each may be read as" if confused else "confused\tnothing",
        *(f"  {value}\t{', '.join(others)}" for value, others in confused.items()),
        f"readings of a state\t{', '.join(_tallied(readings.values(), most))}",
        f"accuracy ceiling\t{reach.accuracy:.4f}",
        f"honest posterior\taccuracy {reach.honest_accuracy:.4f}, ECE {reach.honest_ece:.4f}",
        f"one map at random\taccuracy {reach.committed_accuracy:.4f}, ECE {reach.committed_ece:.4f}",
    ]
    if shortcuts.shortcuts:
        lines.append(f"what helps\t{REMEDY}")
    return facts, lines


def _tallied(counts: Iterable[int], most: int) -> Iterator[str]:
    """Say how many states have how many readings; `most` is how far they were counted."""
    for count, states in sorted(Counter(counts).items()):
        yield f"{count:,}{' or more' * (count >= most)} for {states} state{'s' * (states != 1)}"


def print_facts(facts: dict[str, object]) -> None:
    """Print a JSON object, whose numbers may have more digits than Python writes unless it is told to."""
    longest = sys.get_int_max_str_digits()
    sys.set_int_max_str_digits(0)
    try:
        print_json(facts)
    finally:
        sys.set_int_max_str_digits(longest)


Add = Callable[[dict[str, object], list[str]], None]


def add_symmetries(shortcuts: Shortcuts, effort: Effort) -> Add:
    """Count up to symmetries."""

    def add(facts: dict[str, object], lines: list[str]) -> None:
        from moose.shortcuts.count.symmetry import count_up_to_symmetry

        facts["maps_up_to_symmetry"] = count = count_up_to_symmetry(shortcuts, effort)
        lines.append(f"maps up to symmetry\t{count_text(count)}")

    return add


def add_maps(shortcuts: Shortcuts, *, listed: int, sampled: int, seed: int) -> Add:
    """List and draw maps."""

    def add(facts: dict[str, object], lines: list[str]) -> None:
        for key, title, readings in (
            ("nearest", "nearest to the truth", shortcuts.nearest(listed) if listed else []),
            ("sample", "drawn at random", shortcuts.sample(sampled, seed) if sampled else []),
        ):
            if readings:
                facts[key] = [{"text": one.text, "map": one.as_dict(), "wrong": float(one.wrong)} for one in readings]
                lines.append(title)
                lines += (f"  {one.text}" for one in readings)

    return add


def add_advice(task: Task, showing: Showing, encoder: Encoder, axioms: tuple[str, ...], effort: Effort) -> Add:
    """Say what would remove the shortcuts: of whatever kind, and by literals alone."""

    def add(facts: dict[str, object], lines: list[str]) -> None:
        from moose.shortcuts.advice.advise import advise

        advice_by_kind = {}
        for key, only_literals in (("of_any_kind", False), ("literals_alone", True)):
            advice = advise(
                task,
                showing,
                encoder=encoder,
                axioms=axioms,
                only_literals=only_literals,
                effort=effort,
            )
            advice_by_kind[key] = advice_facts(advice)
            lines.append("advice" if key == "of_any_kind" else "advice, literals alone")
            if advice.maps != facts["maps"]:  # a data set shows less than could be seen of its states
                lines.append(f"  show all that can be observed of each example\tobservation\t{_maps(advice.maps)} left")
            if advice.maps > 1 or advice.maps == facts["maps"]:
                lines += advice_lines(advice)
        facts["advice"] = advice_by_kind

    return add


def advice_facts(advice: Advice) -> dict[str, object]:
    """Return advice for programs."""
    return {
        "maps": advice.maps,
        "steps": [{"change": str(step.change), "needs": step.change.needs, "maps": step.maps} for step in advice.steps],
        "fewest": None if advice.fewest is None else [str(change) for change in advice.fewest],
        "fewest_need": None if advice.fewest is None else [change.needs for change in advice.fewest],
        "maps_left": advice.maps_left,
        "skipped": [{"change": str(one.change), "why": one.reason} for one in advice.skipped],
        "unfinished": advice.unfinished,
    }


def advice_lines(advice: Advice) -> list[str]:
    """Spell advice for people."""
    if advice.maps == 1:
        return ["  nothing is to be done"]
    lines = [
        f"  step {number}\t{step.change}\t{step.change.needs}\t{_maps(step.maps)} left"
        for number, step in enumerate(advice.steps, 1)
    ]
    lines += (f"  skipped\t{one.change}\ttoo large: {one.reason}" for one in advice.skipped)
    if advice.unfinished is not None:
        return [*lines, f"  fewest\tnot known\t{advice.unfinished}"]
    if advice.fewest is None:
        return [*lines, f"  not enough\tall changes that go together leave {_maps(advice.maps_left)}"]
    together = "; ".join(map(str, advice.fewest))
    return [*lines, f"  fewest\t{together}\t{needs_text(advice.fewest)}\tcounted again: {_maps(advice.maps_left)} left"]


def needs_text(changes: Sequence[Change]) -> str:
    """Say what changes ask for.

    >>> from moose.shortcuts.advice.changes import Change
    >>> needs_text([Change("show", "Red"), Change("supervise", "Cat"), Change("supervise", "Dog")])
    '1 observation, 2 labels'
    """
    counts = Counter(change.needs for change in changes)
    return ", ".join(f"{count} {need}{'s' * (count > 1 and need != 'knowledge')}" for need, count in counts.items())


def _maps(count: int) -> str:
    return f"{count_text(count)} map{'s' * (count != 1)}"


def add_ablation(task: Task, showing: Showing, encoder: Encoder, effort: Effort) -> Add:
    """Say what each axiom and clause removes."""

    def add(facts: dict[str, object], lines: list[str]) -> None:
        from dataclasses import asdict

        from moose.shortcuts.advice.ablation import ablate

        rows = ablate(task, showing, encoder=encoder, effort=effort)
        facts["ablation"] = [asdict(row) for row in rows]
        lines.append("without")
        if rows and rows[0].maps - rows[0].removes != facts["maps"]:  # a data set shows less than could be seen
            lines.append(f"  nothing, if everything is shown that can be\t{_maps(rows[0].maps - rows[0].removes)}")
        lines += (f"  {row.kind} {row.name}\t{_maps(row.maps)}" for row in rows if row.removes)
        idle = sum(not row.removes for row in rows)
        lines.append(f"  each of {idle} others\tas many as with it")

    return add


def bounds(problem: Problem, seed: int, error: LimitReached, effort: Effort) -> Answer:
    """Say between which numbers the number of maps lies, when it could not be counted; it may take as long again."""
    from importlib.util import find_spec

    from moose.shortcuts.count.approximate import bound_maps

    if find_spec("pyapproxmc") is None:
        raise LimitReached(f"{error}, which takes `pip install 'moose-el[shortcuts]'`") from None
    interval: Interval | None = None
    for interval in bound_maps(problem, seed=seed, seconds=effort.limits.seconds):
        if effort.progress is not None:
            effort.progress(f"bounding: {count_text(interval.low)} to {count_text(interval.high)} maps", 0.0)
    assert interval is not None
    # The same keys as after a count; what only a count tells is not known.
    unknown = dict.fromkeys(("identifiable", "confused", "accuracy_ceiling"))
    facts: dict[str, object] = {
        "maps": interval.low if interval.is_exact else None,
        "shortcuts": interval.low - 1 if interval.is_exact else None,
        **unknown,
        "interval": {"low": interval.low, "high": interval.high, "confidence": interval.confidence},
    }
    if interval.is_exact:
        return facts, [f"maps\t{count_text(interval.low)}"]
    between = f"between {count_text(interval.low)} and {count_text(interval.high)}"
    return facts, [f"maps\t{between}, with confidence {interval.confidence:g}"]
