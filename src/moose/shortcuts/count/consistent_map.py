"""One map from true to predicted states, and how it is spelled."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

from moose.grounding.atoms import Atom
from moose.shortcuts.problem.observations import Lens
from moose.shortcuts.problem.problem import Problem, TrueState
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

    def state(self, true_state: TrueState) -> State:
        """Return what is predicted of a true state."""
        individual, true = true_state
        words = self.lens.vocabulary
        return frozenset(name for name in words.latent if self.predicted[self.lens.atom(individual, true, name)])

    @cached_property
    def table(self) -> dict[TrueState, State]:
        """What is predicted of each state that is shown."""
        return {true_state: self.state(true_state) for true_state in self.problem.true_states}

    @cached_property
    def pairs(self) -> dict[Atom, bool]:
        """What is predicted of each pair of true states, where roles are latent."""
        return {atom: self.predicted[atom] for atom in self.problem.pairs}

    @property
    def is_truth(self) -> bool:
        """Whether everything is read as what it is."""
        return all(true == read for (_, true), read in self.table.items()) and self.pairs == self.problem.pairs

    @property
    def wrong(self) -> Fraction:
        """The share of what is seen that is read as something else."""
        return sum(
            (self.problem.frequencies[true_state] for true_state, read in self.table.items() if read != true_state[1]),
            Fraction(0),
        )

    @cached_property
    def text(self) -> str:
        """The map in words."""
        return spell(self.problem, self.lens, self.table, self.pairs)

    def as_dict(self) -> dict[str, str]:
        """Return what each state is read as, by name."""
        words = self.lens.vocabulary
        return {true_state_text(self.problem, true_state): words.text(read) for true_state, read in self.table.items()}


def spell(
    problem: Problem, lens: Lens, table: Mapping[TrueState, State], pairs: Mapping[Atom, bool] | None = None
) -> str:
    """Say what a map gets wrong; of pairs, which it puts into a role (`succ(D1,D3)`) or leaves out."""
    words = problem.vocabulary
    if problem.encoder.reads == "whole":
        wrong = [
            f"{true_state_text(problem, true_state)}→{words.text(read)}"
            for true_state, read in table.items()
            if read != true_state[1]
        ]
        total = len(table)
    else:
        wrong, total = _wrong_values(lens, table)
    for atom, holds in (pairs or {}).items():
        total += 1
        if holds != problem.pairs[atom]:
            wrong.append(f"{'' if holds else 'not '}{pair_text(atom)}")
    if not wrong:
        return "the truth"
    return ", ".join(wrong) + ("; the rest right" if len(wrong) < total else "")


def _wrong_values(lens: Lens, table: Mapping[TrueState, State]) -> tuple[list[str], int]:
    """Spell a map that reads each variable from one: what it takes for what, value by value."""
    words = lens.vocabulary
    lines: dict[str, bool] = {}
    for (individual, true), read in table.items():
        for index, variable in enumerate(words.variables):
            reader = lens.reader(individual, true, index)
            value = read & frozenset(variable)
            source = lens.text(reader)
            is_right = lens.sources[index] == index and value == reader.value
            lines[f"{source}→{words.value_text(variable, value)}"] = is_right
    return [line for line, is_right in lines.items() if not is_right], len(lines)


def pair_text(atom: Atom) -> str:
    """Spell a role of a pair of true states.

    >>> pair_text(Atom("succ", ("D1", "D2", "succ")))
    'succ(D1,D2)'
    """
    return str(Atom(atom.predicate, atom.arguments[:2]))


def true_state_text(problem: Problem, true_state: TrueState) -> str:
    """Spell a state, with its individual where each has its own encoder."""
    individual, state = true_state
    text = problem.vocabulary.text(state)
    return f"{individual}: {text}" if individual else text
