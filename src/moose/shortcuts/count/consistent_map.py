"""One map from true to predicted states, and how it is spelled."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

from moose.grounding.atoms import Atom
from moose.shortcuts.problem.constraints import Lens
from moose.shortcuts.problem.problem import Place, Problem
from moose.shortcuts.problem.states import State


@dataclass(frozen=True, eq=False, repr=False)
class ConsistentMap:
    """A map from true to predicted states that agrees with everything that is shown.

    Its text says what it gets wrong: `D3→D5, D5→D3; the rest right`.
    """

    problem: Problem
    lens: Lens
    predicted: Mapping[Atom, bool]

    def __repr__(self) -> str:
        return f"ConsistentMap({self})"

    def __str__(self) -> str:
        return self.text

    def state(self, place: Place) -> State:
        """Return what is predicted of a true state."""
        individual, true = place
        words = self.lens.vocabulary
        return frozenset(name for name in words.latent if self.predicted[self.lens.atom(individual, true, name)])

    @cached_property
    def table(self) -> dict[Place, State]:
        """What is predicted of each state that is shown."""
        return {place: self.state(place) for place in self.problem.places}

    @property
    def is_truth(self) -> bool:
        """Whether everything is read as what it is."""
        return all(true == read for (_, true), read in self.table.items())

    @property
    def wrong(self) -> Fraction:
        """The share of what is seen that is read as something else."""
        return sum(
            (self.problem.frequencies[place] for place, read in self.table.items() if read != place[1]), Fraction(0)
        )

    @cached_property
    def text(self) -> str:
        """The map in words."""
        return spell(self.problem, self.lens, self.table)

    def as_dict(self) -> dict[str, str]:
        """Return what each state is read as, by name."""
        words = self.lens.vocabulary
        return {place_text(self.problem, place): words.text(read) for place, read in self.table.items()}


def spell(problem: Problem, lens: Lens, table: Mapping[Place, State]) -> str:
    """Say what a map gets wrong."""
    words = problem.vocabulary
    if problem.encoder.reads == "whole":
        wrong = [
            f"{place_text(problem, place)}→{words.text(read)}" for place, read in table.items() if read != place[1]
        ]
        total = len(table)
    else:
        wrong, total = _wrong_values(lens, table)
    if not wrong:
        return "the truth"
    return ", ".join(wrong) + ("; the rest right" if len(wrong) < total else "")


def _wrong_values(lens: Lens, table: Mapping[Place, State]) -> tuple[list[str], int]:
    """Spell a map that reads each variable from one: what it takes for what, value by value."""
    words = lens.vocabulary
    lines: dict[str, bool] = {}
    for (individual, true), read in table.items():
        for place, variable in enumerate(words.variables):
            reader = lens.reader(individual, true, place)
            value = read & frozenset(variable)
            source = lens.text(reader)
            is_right = lens.sources[place] == place and value == reader.value
            lines[f"{source}→{words.value_text(variable, value)}"] = is_right
    return [line for line, is_right in lines.items() if not is_right], len(lines)


def place_text(problem: Problem, place: Place) -> str:
    """Spell a state, with its individual where each has its own encoder."""
    individual, state = place
    text = problem.vocabulary.text(state)
    return f"{individual}: {text}" if individual else text
