"""What the evidence of each regime allows, by `moose.shortcuts`: how many readings, and what to expect of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

from moose.benchmark.report.model.model import Column, Entry, Line, Quantity, Table
from moose.benchmark.report.model.titles import regime_title
from moose.benchmark.statistics.compare import principal

if TYPE_CHECKING:
    from moose.shortcuts.count.ceiling import Ceiling

NO_BOUND = "no bound"
"""Stands where what is measured is never shown in training, so that evidence says nothing about it."""
MOST_NAMED = 6
NOTE = (
    "Readings are the ways to take the things that training shows for others which all evidence agrees with; "
    "the truth is one of them. What can be expected is the mean over all readings, each being as likely as every "
    "other, and each kind of thing as common as every other: whoever knows theory and evidence alone, and prefers no "
    "reading, has no more on average over what may be true. In the one case that is true it may be more, by luck or "
    "by a habit: who says absent in doubt gains where few concepts hold, as on pizzas C. Where the images to test on "
    "are not even, it moves by about a point. A learner that is honest believes each reading as much as every other; "
    "one that is committed is sure of one of them."
)


@dataclass(frozen=True, slots=True)
class Reach:
    """What can be expected in a regime, of things that training shows."""

    regime: str
    shown: str
    """What evidence says of an instance."""
    maps: int
    """Readings that agree with all evidence, the truth among them."""
    confused: tuple[str, ...]
    """Latent concepts that some reading takes for others, or misses; members of families first."""
    concepts: int
    """How many latent concepts there are."""
    of_atoms: Ceiling
    of_family: Ceiling | None
    """None where no family is latent."""
    is_shown: bool
    """Whether the headline's accuracy is of things that training shows."""

    @property
    def of_accuracy(self) -> Ceiling:
        """What goes with the headline's accuracy."""
        by_family = principal(self.regime).metric == "acc_f"
        return self.of_family if by_family and self.of_family is not None else self.of_atoms

    @property
    def of_decision(self) -> Ceiling:
        """What goes with the calibration of decisions."""
        return self.of_family or self.of_atoms


@cache
def find_reach(regime: str) -> Reach:
    """Count the readings of a regime of the benchmark.

    >>> found = find_reach("mnist1")
    >>> found.maps, found.of_accuracy.accuracy
    (729, 0.6)
    """
    from moose.datasets.base.regimes import find_regime
    from moose.shortcuts.count.ceiling import ceiling
    from moose.shortcuts.count.find_shortcuts import find_shortcuts
    from moose.training.regime_evidence import showing_of, shown_text

    row = find_regime(regime)
    shortcuts = find_shortcuts(row.task, showing_of(row))
    words = shortcuts.problem.vocabulary
    members = [name for family in words.families for name in family]
    ordered = dict.fromkeys((*members, *words.latent))
    return Reach(
        regime=regime,
        shown=shown_text(row),
        maps=shortcuts.maps,
        confused=tuple(name for name in ordered if name not in shortcuts.identifiable),
        concepts=len(words.latent),
        of_atoms=ceiling(shortcuts, of_atoms=True),
        of_family=ceiling(shortcuts, of_atoms=False) if words.families else None,
        is_shown=not row.shows_unseen,
    )


def shortcut_table(regimes: Sequence[str]) -> Table:
    """Return the number of readings and what can be expected, for each regime."""
    accuracy, calibration = "Accuracy", "Calibration error of atoms"
    columns = (
        Column("Evidence"),
        Column("Readings"),
        Column("Confused concepts"),
        Column("To be expected", accuracy, is_higher_better=True),
        Column("Committed", accuracy, is_higher_better=True),
        Column("Honest", calibration, is_higher_better=False),
        Column("Committed", calibration, is_higher_better=False),
    )
    lines = tuple(Line(_title(regime), _entries(find_reach(regime))) for regime in regimes)
    unseen = [regime_title(regime) for regime in regimes if not find_reach(regime).is_shown]
    rest = (
        f" In {', '.join(unseen)} all of this is about the pizzas that training shows; the headline's figures are of "
        "other pizzas there, about which the evidence says nothing, and which nothing here bounds."
        if unseen
        else ""
    )
    return Table("shortcuts", "Readings that the evidence allows", "Regime", columns, lines, NOTE + rest)


def _title(regime: str) -> str:
    return regime_title(regime) if find_reach(regime).is_shown else f"{regime_title(regime)} (pizzas shown)"


def _entries(reach: Reach) -> tuple[Entry, ...]:
    from moose.shortcuts.count.count_text import count_text

    best, atoms = reach.of_accuracy, reach.of_atoms
    fractions = (best.accuracy, best.committed_accuracy, atoms.honest_ece, atoms.committed_ece)
    return (
        reach.shown,
        count_text(reach.maps),
        confused_text(reach),
        *(Quantity(value) for value in fractions),
    )


def confused_text(reach: Reach) -> str:
    """Say how many concepts are confused, and which, as far as one would read."""
    if not reach.confused:
        return "none"
    named, rest = reach.confused[:MOST_NAMED], len(reach.confused) - MOST_NAMED
    more = f" and {rest} more" if rest > 0 else ""
    return f"{len(reach.confused)} of {reach.concepts}: {', '.join(named)}{more}"


# ------------------------------------------------------------------------------------------ lines of other tables


def accuracy_line(regimes: Sequence[str]) -> Line:
    """Return what can be expected of the headline's accuracy."""
    expected = {one: find_reach(one).of_accuracy.accuracy for one in regimes}
    return _line("Expected, no reading preferred", regimes, expected)


def calibration_lines(regimes: Sequence[str], *, of_atoms: bool) -> tuple[Line, ...]:
    """Return what the honest, and those that are sure of one reading, can expect as calibration error."""
    chosen = {one: find_reach(one).of_atoms if of_atoms else find_reach(one).of_decision for one in regimes}
    return (
        _line("Honest about all readings", regimes, {one: ceiling.honest_ece for one, ceiling in chosen.items()}),
        _line("Sure of one reading", regimes, {one: ceiling.committed_ece for one, ceiling in chosen.items()}),
    )


def _line(title: str, regimes: Sequence[str], values: dict[str, float]) -> Line:
    entries = tuple(Quantity(values[one]) if find_reach(one).is_shown else NO_BOUND for one in regimes)
    return Line(title, entries, is_reference=True)
