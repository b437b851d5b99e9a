"""The theory without anything that is known of an instance: what the conditional objective divides by.

WMC(T ∧ e) / WMC(T) is the likelihood of evidence e given the theory T. What is known of an instance (the pairs of roles
that are given, facts, assertions about its individuals) belongs to e: in a T that has it, it would cancel out. So T is
grounded over individuals of which nothing is known. These have nothing to do with each other unless a role is open
between them, so that one of each kind stands for all.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import pairwise

import torch
from torch import Tensor

from moose.base.errors import MooseError
from moose.grounding.task.task import Task
from moose.learning.binding import Binding, bind, latent_columns, latent_families
from moose.learning.heads import HeadName, Sides, WeightMap, make_head
from moose.learning.open_weights import MOST_PAIRS, OpenPair, decided_by_others, open_pairs
from moose.owl.model.expressions import NamedIndividual
from moose.owl.names import Names

Whole = tuple[WeightMap, tuple[OpenPair, ...]]
"""A theory of several individuals together, and what members leave open at each."""
ROW = 3
"""Individuals in a row: enough for a chain of two roles."""


@dataclass(frozen=True, eq=False)
class TheoryAlone:
    """A theory of which nothing is known, in parts: one for each kind of individuals, or one for all together."""

    parts: tuple[WeightMap, ...]
    pairs: tuple[tuple[OpenPair, ...], ...]
    """What members leave open in each part, where that is learnt."""
    of_kind: dict[bytes, int]
    """The part of individuals by the concepts that they have; empty where all are one part."""
    bind_task: Callable[[Task], Binding] = bind
    """Compiles a theory of which no pairs are asked."""
    wholes: dict[tuple[bytes, ...], Whole] = field(default_factory=dict)
    """Where all are one part: that of examples in which some are missing, by the kinds of who is there."""

    @cached_property
    def is_apart(self) -> bool:
        """Whether individuals have nothing to do with each other, and the latent concepts of each are one family."""
        return bool(self.of_kind) and all(map(_is_one_family, self.parts))

    @cached_property
    def _even_shares(self) -> list[tuple[Tensor, Tensor]]:
        return [_shares(part, None) for part in self.parts]

    def part_of(self, task: Task) -> list[int]:
        """Return the part of each individual of a task over the same concepts."""
        return [self.of_kind.get(_kind(task, individual), 0) for individual in range(len(task.individuals))]

    def pairs_of(self, task: Task) -> list[OpenPair]:
        """Return what members leave open at the individuals of a task."""
        if not self.of_kind:
            return list(self.whole(task)[1])
        return [
            pair._replace(individual=individual)
            for individual, part in enumerate(self.part_of(task))
            for pair in self.pairs[part]
        ]

    def open_count(self, task: Task) -> int:
        """Return how many atoms besides the latent ones the theory alone leaves to be weighed."""
        if not self.of_kind:
            return self.whole(task)[0].open_count
        return sum(self.parts[part].open_count for part in self.part_of(task))

    def shares(self, task: Task, log_odds: Tensor | None) -> tuple[Tensor, Tensor] | None:
        """Return log P(member | theory alone) with all members alike, individual × latent concept; and log WMC then.

        A member that leaves much open has many worlds, and by that a large share. Weighed by p / share, each has the
        probability p that the network gives it, whatever it leaves open. -∞ is the share of one that cannot be. None
        where states are no single family.
        """
        if not self.is_apart:
            return None
        found = self._even_shares if log_odds is None else [_shares(part, log_odds) for part in self.parts]
        which = self.part_of(task)
        return torch.stack([found[part][0] for part in which]), torch.stack([found[part][1] for part in which]).sum()

    def whole(self, task: Task) -> Whole:
        """Return the theory of all individuals of a task together: examples may differ in who is there."""
        first = self.parts[0]
        key = _kinds(task)
        if key == _kinds(first.binding.task):
            return first, self.pairs[0]
        if key not in self.wholes:
            blank = _blank(replace(task, roles=dict.fromkeys(first.binding.task.edges, ())))
            bound = self.bind_task(blank)
            plain = WeightMap(bound, make_head(first.head.name, bound))
            self.wholes[key] = _with_pairs(plain) if self.pairs[0] else (plain, ())
        return self.wholes[key]

    def binding_of(self, task: Task) -> Binding | None:
        """Return the circuit of the task that this was made of, if nothing is known of its one individual either."""
        is_known = bool(task.facts) or any(task.edges.values()) or any(task.iris.values())
        return None if is_known or len(task.individuals) > 1 else replace(self.parts[0].binding, task=task)

    def log_total(self, task: Task, sides: Sides, log_odds: Tensor | None, given: Tensor | None = None) -> Tensor:
        """Return log WMC of the theory alone, or with what is given, for what a network says of each example."""
        if not self.of_kind:
            return _log_count(self.whole(task)[0], sides, log_odds, given)
        total = sides.positive.new_zeros(len(sides.positive))
        which = torch.tensor(self.part_of(task))
        for number, part in enumerate(self.parts):
            own = torch.nonzero(which == number).flatten()
            if len(own):
                chosen = Sides(*(side.index_select(1, own).flatten(0, 1).unsqueeze(1) for side in sides))
                known = None if given is None else given.index_select(1, own).flatten(0, 1).unsqueeze(1)
                total = total + torch.unflatten(_log_count(part, chosen, log_odds, known), 0, (-1, len(own))).sum(1)
        return total


def theory_alone(
    task: Task, head: HeadName, *, with_pairs: bool, bind_task: Callable[[Task], Binding] = bind
) -> TheoryAlone:
    """Ground and compile what a task says of individuals of which nothing is known.

    With pairs, what members of latent families leave open is found, unless it is too much to be weighed pair by pair.
    `bind_task` compiles a part of which nothing else is asked.
    """
    if any(role.name not in task.edges for role in task.role_predicates):
        tasks, of_kind = [_blank(task)], dict[bytes, int]()
    else:
        by_kind = kinds_alone(task)
        tasks, of_kind = list(by_kind.values()), {kind: number for number, kind in enumerate(by_kind)}
    maps = [WeightMap(bound, make_head(head, bound)) for bound in map(bind_task, tasks)]
    pairs = [tuple[OpenPair, ...]() for _ in tasks]
    families = latent_families(task)
    if with_pairs and head == "softmax" and families and all(one.binding.is_closed for one in maps):
        pairs = [tuple(open_pairs(one.binding.task, one.binding.layer, families)) for one in maps]
        everywhere = TheoryAlone(tuple(maps), tuple(pairs), of_kind).pairs_of(task)
        if len(everywhere) > MOST_PAIRS:
            pairs = [() for _ in tasks]
        elif of_kind and everywhere and len(task.individuals) > 1:
            related = _related(task, everywhere)
            pairs = [tuple(pair for pair in some if pair.observable not in related) for some in pairs]
        maps = [_weight_map(one.binding.task, head, some) if some else one for one, some in zip(maps, pairs)]
    return TheoryAlone(tuple(maps), tuple(pairs), of_kind, bind_task)


def kinds_alone(task: Task) -> dict[bytes, Task]:
    """Return for each kind of individuals a task with one of them, of which nothing is known."""
    first = {_kind(task, individual): individual for individual in reversed(range(len(task.individuals)))}
    blank = _blank(task)
    return {kind: _only(blank, individual) for kind, individual in first.items()}


def _related(task: Task, pairs: Sequence[OpenPair]) -> set[int]:
    """Find the observables that other individuals decide by known roles.

    Where examples have roles of their own, and the task none, individuals are taken to stand in a row.
    """
    if not any(task.edges.values()):
        row = tuple(pairwise(task.individuals[:ROW]))
        task = replace(task, roles=dict.fromkeys(task.edges, row))
    try:
        layer = bind(task).layer
    except MooseError:  # nothing can stand in such a row
        return set()
    return decided_by_others(task, layer, latent_families(task), pairs)


def _with_pairs(plain: WeightMap) -> Whole:
    """Find what members of latent families leave open, and give that weights."""
    task = plain.binding.task
    pairs = tuple(open_pairs(task, plain.binding.layer, latent_families(task)))
    return (_weight_map(task, plain.head.name, pairs), pairs) if pairs else (plain, pairs)


def _weight_map(task: Task, head: HeadName, pairs: Sequence[OpenPair]) -> WeightMap:
    binding = bind(task, pairs=pairs)
    return WeightMap(binding, make_head(head, binding))


def _blank(task: Task) -> Task:
    """Return a task over as many individuals of the same kinds, of which nothing is known."""
    fresh = {name: name if iri is None else _new_name(task, name) for name, iri in task.iris.items()}
    kinds = {
        name: replace(kind, individuals=[fresh[one] for one in kind.individuals])
        for name, kind in (task.kinds or {}).items()
    }
    return replace(
        task,
        individuals=[fresh[name] for name in task.individuals],
        roles=dict.fromkeys(task.roles or {}, ()),
        facts=(),
        kinds=kinds or None,
    )


def _new_name(task: Task, name: str) -> str:
    names, new = Names(task.ontology), f"any-{name}"
    while new in task.individuals or names.find(NamedIndividual, new) is not None:
        new += "'"
    return new


def _only(task: Task, individual: int) -> Task:
    """Return a task with one of its individuals."""
    name = task.individuals[individual]
    kinds = {
        key: replace(kind, individuals=[one for one in kind.individuals if one == name])
        for key, kind in (task.kinds or {}).items()
    }
    return replace(task, individuals=[name], kinds=kinds or None)


def _kinds(task: Task) -> tuple[bytes, ...]:
    return tuple(_kind(task, individual) for individual in range(len(task.individuals)))


def _kind(task: Task, individual: int) -> bytes:
    flags = (task.has_concept[individual], task.has_family[individual], task.has_input[individual])
    return b"|".join(one.tobytes() for one in flags)


def _is_one_family(part: WeightMap) -> bool:
    """Return whether the latent concepts of the one individual of a part are one closed family with a softmax."""
    task, head = part.binding.task, part.head
    latent = {column for column in latent_columns(task) if task.has_concept[0, column]}
    has_network = bool(task.has_input[0]) and head.is_closed and bool(head.families)
    return has_network and (not latent or latent in [set(family) for family in latent_families(task)])


def _shares(part: WeightMap, log_odds: Tensor | None) -> tuple[Tensor, Tensor]:
    binding = part.binding
    latent = list(latent_columns(binding.task))
    kind = torch.float64 if log_odds is None else log_odds.dtype
    even = torch.zeros(1, 1, len(latent), dtype=kind)
    mask = torch.zeros(1, binding.layer.atom_count, dtype=torch.int8)
    weights = part.log_weights(Sides(even, even), mask, log_odds)
    shares = binding.by_concept(binding.layer.posteriors(weights, mask))[0, 0, latent].nan_to_num(1.0)
    is_impossible = shares <= 0
    logs = shares.masked_fill(is_impossible, 1.0).log().masked_fill(is_impossible, -torch.inf)
    return logs, binding.layer(weights, mask)[0]


def _log_count(part: WeightMap, sides: Sides, log_odds: Tensor | None, given: Tensor | None) -> Tensor:
    mask = torch.zeros(len(sides.positive), part.binding.layer.atom_count, dtype=torch.int8)
    if given is not None:
        mask = part.binding.evidence_mask(given)
    logs: Tensor = part.binding.layer(part.log_weights(sides, mask, log_odds), mask)
    return logs
