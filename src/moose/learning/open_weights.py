"""What members of a family leave open, and how likely it is: a learnt log odds for each pair of member and observable.

A member m that decides an observable o says so in the theory. One that does not leaves o open, and nothing in the
ontology says how often o holds for an m. A new atom m∧o at each individual, true just where both are, carries a weight
exp(λ) for the pair; λ is 0 at first, which is as likely as not. Odds of siblings, which another file defines, are kept
and learnt in the same way.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple, Protocol

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor, nn

from moose.circuit.circuit import Circuit
from moose.grounding.atoms import Atom
from moose.grounding.clauses import Clauses, with_definitions
from moose.grounding.task.task import Task
from moose.layer.layer import WMCLayer

MOST_PAIRS = 4096
"""Atoms that are added at most, over all individuals; where there would be more, all open observables weigh ½."""
ASKED_AT_ONCE = 4096
"""States of two individuals that a circuit is asked about together."""
SPEED = 10.0
"""A log odds is so many times its parameter: it learns faster than the weights of a network by that."""


class OpenPair(NamedTuple):
    """A member and an observable that it leaves open, by position in `task.concepts`, at an individual."""

    individual: int
    member: int
    observable: int


class LearntColumns(Protocol):
    """Where atoms stand in a circuit whose weights are learnt beside a network's."""

    @property
    def columns(self) -> npt.NDArray[np.int64]:
        """The atoms."""

    def choose(self, log_odds: Tensor) -> Tensor:
        """Return the log odds of each of the atoms."""


@dataclass(frozen=True, eq=False)
class PairColumns:
    """Where the atoms of pairs stand in a circuit, and which log odds each has."""

    columns: npt.NDArray[np.int64]
    members: npt.NDArray[np.int64]
    """In `task.concepts`."""
    observables: npt.NDArray[np.int64]

    def choose(self, log_odds: Tensor) -> Tensor:
        """Return the log odds of each of the atoms, from member × observable."""
        return log_odds[self.members, self.observables]


def open_pairs(task: Task, layer: WMCLayer, families: tuple[tuple[int, ...], ...]) -> list[OpenPair]:
    """Find what each member of some families leaves open in a theory, at each individual that has the family.

    The families are positions in `task.concepts`. Individuals of one kind leave the same open, so one of each is asked.
    """
    positions = layer.circuit.positions
    found = dict[bytes, list[tuple[int, int]]]()
    pairs = list[OpenPair]()
    for individual, name in enumerate(task.individuals):
        kind = task.has_concept[individual].tobytes()
        if kind not in found:
            members = [one for family in families for one in family if task.has_concept[individual, one]]
            observed = [
                position
                for position, concept in enumerate(task.concepts)
                if not concept.is_latent and task.has_concept[individual, position]
            ]
            columns = {one: positions.get(Atom(task.concepts[one].name, (name,))) for one in (*members, *observed)}
            found[kind] = _left_open(layer, members, observed, columns)
        pairs += (OpenPair(individual, *pair) for pair in found[kind])
        if len(pairs) > MOST_PAIRS:
            return []
    return pairs


def _left_open(
    layer: WMCLayer, members: list[int], observed: list[int], columns: dict[int, int | None]
) -> list[tuple[int, int]]:
    asked = [(m, o) for m in members for o in observed if columns[m] is not None and columns[o] is not None]
    if not asked or len(asked) > MOST_PAIRS:
        return []
    mask = torch.zeros(2, len(asked), layer.atom_count, dtype=torch.int8)
    for row, (member, observable) in enumerate(asked):
        mask[:, row, columns[member]] = 1
        mask[0, row, columns[observable]], mask[1, row, columns[observable]] = 1, -1
    weights = torch.zeros(1, layer.literal_count, dtype=torch.float64)
    holds, fails = (~layer(weights, side).isneginf() for side in mask)
    return [pair for pair, is_open in zip(asked, (holds & fails).tolist()) if is_open]


def decided_by_others(
    task: Task, layer: WMCLayer, families: tuple[tuple[int, ...], ...], pairs: Sequence[OpenPair]
) -> set[int]:
    """Find the observables that another individual's member decides, although one's own member leaves them open.

    How often such a one holds is for the others to say: a weight of its own would count what they say twice.
    """
    positions = layer.circuit.positions
    column = [[positions.get(Atom(one.name, (name,)), -1) for one in task.concepts] for name in task.individuals]
    members = [(individual, own[one]) for individual, own in enumerate(column) for family in families for one in family]
    asked = [
        (pair.observable, (column[pair.individual][pair.member], column[pair.individual][pair.observable], other))
        for pair in pairs
        for individual, other in members
        if individual != pair.individual
    ]
    rows = [(observable, columns) for observable, columns in asked if min(columns) >= 0]
    related = set[int]()
    for start in range(0, len(rows), ASKED_AT_ONCE):
        some = [row for row in rows[start : start + ASKED_AT_ONCE] if row[0] not in related]
        if some:
            related |= _decided(layer, some)
    return related


def _decided(layer: WMCLayer, rows: Sequence[tuple[int, tuple[int, int, int]]]) -> set[int]:
    mask = torch.zeros(2, len(rows), layer.atom_count, dtype=torch.int8)
    for row, (_, (member, observable, other)) in enumerate(rows):
        mask[:, row, [member, other]] = 1
        mask[0, row, observable], mask[1, row, observable] = 1, -1
    weights = torch.zeros(1, layer.literal_count, dtype=torch.float64)
    holds, fails = (~layer(weights, side).isneginf() for side in mask)
    return {observable for (observable, _), is_one in zip(rows, (holds ^ fails).tolist()) if is_one}


def add_pairs(task: Task, clauses: Clauses, pairs: Sequence[OpenPair]) -> Clauses:
    """Add an atom for each pair, true just where member and observable are.

    What the clauses fix needs no atom: a pair one half of which is false never holds.
    """
    atoms, added = list[Atom](), list[tuple[int, ...]]()
    for pair in pairs:
        member, observable = _atoms(task, pair)
        halves = [clauses.positions.get(atom) for atom in (member, observable)]
        if any(half is None and not clauses.known_truth(atom) for half, atom in zip(halves, (member, observable))):
            continue
        atoms.append(pair_atom(task, pair))
        own, both = len(clauses.atoms) + len(atoms), [half + 1 for half in halves if half is not None]
        added += [(own, *(-half for half in both)), *((-own, half) for half in both)]
    return with_definitions(clauses, atoms, added)


def pair_columns(task: Task, circuit: Circuit, pairs: Sequence[OpenPair]) -> PairColumns:
    """Find the atoms of pairs in a circuit."""
    there = [(circuit.positions.get(pair_atom(task, pair)), pair) for pair in pairs]
    rows = [(column, pair.member, pair.observable) for column, pair in there if column is not None]
    return PairColumns(*np.array(rows, dtype=np.int64).reshape(-1, 3).T)


def pair_atom(task: Task, pair: OpenPair) -> Atom:
    """Return the atom of a pair."""
    member, observable = _atoms(task, pair)
    return Atom(f"{member.predicate}∧{observable.predicate}", member.arguments)


def _atoms(task: Task, pair: OpenPair) -> tuple[Atom, Atom]:
    who = (task.individuals[pair.individual],)
    return Atom(task.concepts[pair.member].name, who), Atom(task.concepts[pair.observable].name, who)


class OpenWeights(nn.Module):
    """The log odds of all pairs, concept × concept as in `task.concepts`.

    Only observables that the evidence both affirms and denies are learnt, and others stay as they are. Of what is never
    denied nothing tells how often it fails: its likelihood is greatest where it always holds, whatever is true.
    """

    is_learnt: Tensor
    is_seen: Tensor
    """affirmed, denied × concept: what the evidence was seen to say."""

    def __init__(self, concepts: int) -> None:
        super().__init__()
        self.scaled = nn.Parameter(torch.zeros(concepts, concepts))
        self.register_buffer("is_learnt", torch.ones(concepts, dtype=torch.bool), persistent=False)
        self.register_buffer("is_seen", torch.zeros(2, concepts, dtype=torch.bool), persistent=False)

    def forward(self) -> Tensor:
        """Return λ, member × observable."""
        return SPEED * torch.where(self.is_learnt, self.scaled, self.scaled.detach())

    def look_at(self, evidence: list[Tensor], *, is_all: bool = True) -> None:
        """Learn of observables that evidence, example × individual × concept, both affirms and denies.

        If it is not all evidence, it is added to what was seen before.
        """
        signs = [torch.stack([(one.flatten(0, -2) == sign).any(0) for one in evidence]).any(0) for sign in (1, -1)]
        seen = torch.stack(signs).to(self.is_seen.device)
        self.is_seen.copy_(seen if is_all else seen | self.is_seen)
        self.is_learnt.copy_(self.is_seen.all(0))


class SiblingOdds(nn.Module):
    """The log odds that some, and that several, of each group of siblings hold: `learning.labels.sibling_counts`."""

    def __init__(self, groups: int) -> None:
        super().__init__()
        self.scaled = nn.Parameter(torch.zeros(2 * groups))

    def forward(self) -> Tensor:
        """Return both of each group in turn."""
        return SPEED * self.scaled
