"""All consistent maps of a problem: how many, which, and how likely each reading is among them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import islice

import numpy as np

from moose.base.errors import MooseError
from moose.base.suggestions import unknown_word
from moose.circuit.circuit import Circuit
from moose.circuit.inference.entailment import is_satisfiable
from moose.circuit.question import whole_number
from moose.grounding.atoms import Atom
from moose.shortcuts.count.cheapest_models import cheapest_models
from moose.shortcuts.count.consistent_map import ConsistentMap, true_state_text
from moose.shortcuts.count.count_text import count_text
from moose.shortcuts.problem.observations import Lens
from moose.shortcuts.problem.problem import Problem, TrueState
from moose.shortcuts.problem.states import State
from moose.shortcuts.problem.worlds import SOLVER, extensions, has_one_member


@dataclass(frozen=True, eq=False)
class Arrangement:
    """The consistent maps that read variables in one way, as the models of a circuit."""

    lens: Lens
    circuit: Circuit

    @cached_property
    def count(self) -> int:
        """How many maps there are."""
        return self.circuit.model_count()

    @cached_property
    def posterior(self) -> Mapping[str, Fraction]:
        """The share of the maps in which each variable holds."""
        return self.circuit.exact_posterior()

    def share(self, true_state: TrueState, concept: str) -> Fraction:
        """Return the share of the maps that predict a concept of a state."""
        return self.posterior[str(self.lens.atom(*true_state, concept))]


@dataclass(frozen=True, eq=False, repr=False)
class Shortcuts:
    r"""Every deterministic map from true to predicted states that agrees with all that is shown.

    >>> import moose
    >>> found = moose.find_shortcuts(moose.regime("mnist1"))
    >>> found.maps, found.shortcuts
    (729, 728)
    >>> found.identifiable
    ('D0', 'D1', 'D2', 'D9')
    >>> print(*found.nearest(3), sep="\n")
    the truth
    D8→D4; the rest right
    D8→D6; the rest right
    """

    problem: Problem
    arrangements: tuple[Arrangement, ...]

    def __repr__(self) -> str:
        return f"Shortcuts(maps={count_text(self.maps)}, shortcuts={count_text(self.shortcuts)})"

    @cached_property
    def maps(self) -> int:
        """How many maps agree with everything, the right one among them."""
        return sum(one.count for one in self.arrangements)

    @property
    def shortcuts(self) -> int:
        """How many of them are wrong somewhere."""
        return self.maps - 1

    @cached_property
    def beliefs(self) -> dict[TrueState, dict[str, Fraction]]:
        """The honest posterior: for each true state, the share of all maps that predict each concept."""
        latent = self.problem.vocabulary.latent
        weights = [(one, Fraction(one.count, self.maps)) for one in self.arrangements]
        return {
            true_state: {
                name: sum((weight * one.share(true_state, name) for one, weight in weights), Fraction(0))
                for name in latent
            }
            for true_state in self.problem.true_states
        }

    @cached_property
    def pair_beliefs(self) -> dict[Atom, Fraction]:
        """For each latent role that is read and each pair of true states: the share of all maps that put it there."""
        weights = [(one, Fraction(one.count, self.maps)) for one in self.arrangements]
        return {
            atom: sum((weight * one.posterior[str(atom)] for one, weight in weights), Fraction(0))
            for atom in self.problem.pairs
        }

    @property
    def identifiable_roles(self) -> tuple[str, ...]:
        """The latent roles that every map predicts of the pairs that are in them, and of no other."""
        wrong = {atom.predicate for atom, share in self.pair_beliefs.items() if share != self.problem.pairs[atom]}
        return tuple(role for role in self.problem.vocabulary.roles if role not in wrong)

    def belief(self, state: str, individual: str | None = None) -> dict[str, Fraction]:
        """Return the honest posterior of one true state: the share of the maps that predict each concept.

        >>> import moose
        >>> found = moose.find_shortcuts(moose.regime("mnist1"))
        >>> {name: str(share) for name, share in found.belief("D3").items() if share}
        {'D3': '1/3', 'D5': '1/3', 'D7': '1/3'}
        """
        return self.beliefs[self.true_state(state, individual)]

    @property
    def identifiable(self) -> tuple[str, ...]:
        """The latent concepts that every map predicts where they hold, and nowhere else; none that can never hold."""
        words = self.problem.vocabulary
        return tuple(
            name
            for name in words.latent
            if name not in words.impossible
            and all(shares[name] == (name in true) for (_, true), shares in self.beliefs.items())
        )

    @property
    def confused(self) -> dict[str, tuple[str, ...]]:
        """For each member of a family, or concept, what some map takes it for; `not C` where it is just missed."""
        words = self.problem.vocabulary
        order = [text for variable in words.variables for name in variable for text in (name, f"not {name}")]
        confusions: dict[str, dict[str, None]] = {}
        is_closed = {one: all(has_one_member(part, one) for part in self.problem.parts) for one in words.families}
        for true_state, shares in self.beliefs.items():
            for variable in words.variables:
                value = true_state[1] & frozenset(variable)
                if variable in words.families:
                    read = [name for name in variable if shares[name] and name not in value]
                    if not is_closed[variable] and self.may_miss(true_state, variable):
                        read += (f"not {name}" for name in value)
                elif 0 < shares[variable[0]] < 1:
                    read = [f"not {variable[0]}" if value else variable[0]]
                else:
                    read = []
                if read:
                    confusions.setdefault(words.value_text(variable, value), {}).update(dict.fromkeys(read))
        return {value: tuple(confusions[value]) for value in sorted(confusions, key=order.index)}

    def may_miss(self, true_state: TrueState, family: Sequence[str]) -> bool:
        """Return whether some map predicts no member of a family of a state."""
        for one in self.arrangements:
            atoms = [one.lens.atom(*true_state, name) for name in family]
            wanted = {one.circuit.positions[atom]: False for atom in atoms if atom in one.circuit.positions}
            is_fixed = any(one.circuit.clauses.fixed.get(atom) for atom in atoms)
            if not is_fixed and is_satisfiable(one.circuit.diagram, wanted):
                return True
        return False

    def true_state(self, state: str, individual: str | None = None) -> TrueState:
        """Find a state that is shown, by its text: `D3`, or `A + B` for one of two concepts.

        Where each individual has its own encoder, it must be named, unless there is one alone.
        """
        owners = list(dict.fromkeys(owner for owner, _ in self.problem.true_states))
        known_names = list(dict.fromkeys(name for part in self.problem.parts for name in part.individuals))
        if individual is not None and individual not in known_names:
            raise unknown_word("an individual", str(individual), known_names)
        if individual is None and len(owners) > 1:
            raise MooseError(f"each individual has its own encoder; say whose state it is: {', '.join(owners)}")
        owner = individual if individual is not None and individual in owners else owners[0]
        for true_state in self.problem.true_states:
            if true_state[0] == owner and self.problem.vocabulary.text(true_state[1]) == state:
                return true_state
        known = [true_state_text(self.problem, true_state) for true_state in self.problem.true_states]
        raise unknown_word("a state that is shown", str(state), known)

    def readings(self, state: str, individual: str | None = None, *, most: int = 64) -> dict[str, Fraction]:
        """Return what a true state may be read as, and by which share of the maps; at most `most`, likeliest first."""
        true_state = self.true_state(state, individual)
        shares: dict[State, Fraction] = {}
        for one in self.arrangements:
            for read, known in possible_states(one, [true_state], most)[true_state].items():
                count = one.circuit.model_count(known)
                shares[read] = shares.get(read, Fraction(0)) + Fraction(count, self.maps)
        words = self.problem.vocabulary
        order = sorted(shares, key=lambda read: (-shares[read], read != true_state[1], words.sort_key(read)))
        return {words.text(read): shares[read] for read in order[:most]}

    def reading_counts(self, *, most: int = 1_000) -> dict[TrueState, int]:
        """Return as how many states each true state may be read; not counted beyond `most`."""
        true_states = self.problem.true_states
        possible = [possible_states(one, true_states, most) for one in self.arrangements]
        return {
            true_state: min(most, len({read for one in possible for read in one[true_state]}))
            for true_state in true_states
        }

    def nearest(self, count: int = 10) -> list[ConsistentMap]:
        """List maps, those that get the fewest states and concepts wrong first; the truth is the very first."""
        most = whole_number(count, what="a number of maps")
        maps: list[tuple[int, ConsistentMap]] = []
        for one in self.arrangements:
            positive, negative = self.costs(one)
            settled = self.settled_cost(one)
            for cost, model in cheapest_models(one.circuit.diagram, positive, negative, most):
                maps.append((cost + settled, self.reading(one, model)))
        maps.sort(key=lambda pair: pair[0])
        return [reading for _, reading in maps[:most]]

    def sample(self, count: int, seed: int) -> list[ConsistentMap]:
        """Draw maps, each as likely as every other; one may come twice."""
        rows, start = whole_number(count, what="a number of maps"), whole_number(seed, what="a seed")
        chooser, *seeds = np.random.SeedSequence(start).spawn(len(self.arrangements) + 1)
        shares = [one.count / self.maps for one in self.arrangements]
        chosen = np.random.default_rng(chooser).choice(len(shares), size=rows, p=shares)
        drawn = [
            iter(one.circuit.sample(int((chosen == index).sum()), int(child.generate_state(1)[0])).tolist())
            for index, (one, child) in enumerate(zip(self.arrangements, seeds))
        ]
        return [self.reading(self.arrangements[index], next(drawn[index])) for index in chosen.tolist()]

    def is_consistent(self, table: Mapping[TrueState, State], pairs: Mapping[Atom, bool] | None = None) -> bool:
        """Return whether a map, given by what it predicts of each state, agrees with all that is shown.

        What it predicts of pairs may be given too; if not, it is enough that something agrees.
        """
        return any(_holds(one, table, pairs or {}) for one in self.arrangements)

    def costs(self, one: Arrangement) -> tuple[list[int], list[int]]:
        """Return what each literal gets wrong, twice over: a wrong member of a family is two wrong literals."""
        size = len(one.circuit.atoms)
        positive, negative = [0] * size, [0] * size
        words = self.problem.vocabulary
        for true_state in self.problem.true_states:
            for name in words.latent:
                position = one.circuit.positions.get(one.lens.atom(*true_state, name))
                if position is not None:
                    wrong = negative if name in true_state[1] else positive
                    wrong[position] += 1 if name in words.in_family else 2
        for atom, is_true in self.problem.pairs.items():
            position = one.circuit.positions.get(atom)
            if position is not None:
                (negative if is_true else positive)[position] += 2
        return positive, negative

    def settled_cost(self, one: Arrangement) -> int:
        """Return what every map of an arrangement gets wrong, in the same measure."""
        words, fixed = self.problem.vocabulary, one.circuit.clauses.fixed
        of_pairs = sum(2 for atom, is_true in self.problem.pairs.items() if fixed.get(atom, is_true) != is_true)
        return of_pairs + sum(
            1 if name in words.in_family else 2
            for true_state in self.problem.true_states
            for name in words.latent
            if fixed.get(one.lens.atom(*true_state, name), name in true_state[1]) != (name in true_state[1])
        )

    def reading(self, one: Arrangement, model: list[bool]) -> ConsistentMap:
        """Return the map that is a model of an arrangement's circuit."""
        predicted: dict[Atom, bool] = dict(zip(one.circuit.atoms, model))
        return ConsistentMap(self.problem, one.lens, predicted | one.circuit.clauses.fixed)


def _holds(one: Arrangement, table: Mapping[TrueState, State], pairs: Mapping[Atom, bool]) -> bool:
    wanted: dict[int, bool] = {}
    for atom, truth in pairs.items():
        position = one.circuit.positions.get(atom)
        if position is not None:
            wanted[position] = truth
        elif one.circuit.clauses.fixed[atom] != truth:
            return False
    latent = one.lens.vocabulary.latent
    for true_state, read in table.items():
        for name in latent:
            atom = one.lens.atom(*true_state, name)
            position = one.circuit.positions.get(atom)
            truth = name in read
            known = one.circuit.clauses.fixed.get(atom) if position is None else wanted.setdefault(position, truth)
            if known is None:
                raise MooseError(
                    f"the map speaks of a state that is not shown: {one.lens.vocabulary.text(true_state[1])}"
                )
            if known != truth:
                return False
    return is_satisfiable(one.circuit.diagram, wanted)


def possible_states(
    one: Arrangement, true_states: Sequence[TrueState], most: int
) -> dict[TrueState, dict[State, dict[Atom, bool]]]:
    """Return what each state may be read as, at most `most` of them, each with the atoms of the circuit that say so."""
    from pysat.solvers import Solver

    words, clauses = one.lens.vocabulary, one.circuit.clauses
    states: dict[TrueState, dict[State, dict[Atom, bool]]] = {}
    with Solver(SOLVER, bootstrap_with=[list(clause) for clause in clauses]) as solver:
        for true_state in true_states:
            atoms = {one.lens.atom(*true_state, name): name for name in words.latent}
            states[true_state] = {
                frozenset(atoms[atom] for atom, truth in values.items() if truth): {
                    atom: truth for atom, truth in values.items() if atom in one.circuit.positions
                }
                for values in islice(extensions(solver, clauses, list(atoms), ()), most)
            }
    return states
