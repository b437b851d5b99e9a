"""How true a task's theory and evidence are in fuzzy logic: each axiom grounded over the individuals of an example."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations
from typing import Literal, NamedTuple

import torch
from torch import Tensor

from moose.grounding.task.task import Task
from moose.methods.ltn.fuzzy import Aggregator, any_of, for_all, implication, p_mean
from moose.methods.ltn.fuzzy_columns import Block, lay_out_columns
from moose.methods.ltn.fuzzy_outputs import ExistsName, Outputs, chosen, promised_roles
from moose.methods.theory.known_tensors import known_concepts, known_roles
from moose.methods.theory.task_axioms import Conjunction, told_axioms

Over = Literal["batch", "example"]
OVERS: tuple[Over, ...] = ("batch", "example")


@dataclass(frozen=True, slots=True)
class Reading:
    """How formulas are read."""

    over: Over = "batch"
    """What ∀ ranges over: the individuals of all examples together, or of each example by itself."""
    forall: Aggregator = "error"
    exists: ExistsName = "universe"
    p: int = 4
    closure: bool = False


class Satisfaction(NamedTuple):
    """How true everything is."""

    sat: Tensor
    """All axioms and observed literals together: of each example, or one for the batch."""
    axioms: Tensor
    """example × axiom; one row for the batch"""
    evidence: Tensor
    """The truth of each observed literal of the batch."""


class FuzzyTheory:
    """The formulas of a task."""

    def __init__(self, task: Task, reading: Reading) -> None:
        self.task, self.reading = task, reading
        self.told = told = told_axioms(task)
        self.columns = lay_out_columns(told)
        self.subs = self.columns.of((sub for sub, _ in told.inclusions), "left")
        self.sups = self.columns.of((sup for _, sup in told.inclusions), "right")
        self.range_concepts = self.columns.of((concept for _, concept in told.ranges), "right")
        self.names = [role.name for role in task.role_predicates]
        self.witness_roles = promised_roles(told) if reading.exists == "skolem" else []
        self.is_known, self.known = known_roles(task)
        self.facts = known_concepts(task)
        self.pairs, self.families = self._closure()

    def _closure(self) -> tuple[Tensor, list[Tensor]]:
        """Return the pairs of a family's members that nothing told excludes, and the families that have one."""
        task, told = self.task, self.told
        if not self.reading.closure:
            return torch.zeros(0, 2, dtype=torch.int64), []
        columns = {concept.name: column for column, concept in enumerate(task.concepts)}
        families = [[columns[name] for name in family] for family in task.families]
        apart = {told.parts(sub) for sub, sup in told.inclusions if sup == told.bottom}
        pairs = [
            (one, other)
            for family in families
            for one, other in combinations(family, 2)
            if "mutex" in task.closure and apart.isdisjoint((Conjunction(one, other), Conjunction(other, one)))
        ]
        covers = [torch.tensor(family) for family in families if "cover" in task.closure]
        return torch.tensor(pairs, dtype=torch.int64).reshape(-1, 2), covers

    # --------------------------------------------------------------------------------------------------- formulas

    def satisfaction(self, outputs: Outputs, evidence: Tensor) -> Satisfaction:
        """Say how true axioms and evidence are; evidence is example × individual × concept, +1, -1, or 0 for none."""
        truths = outputs.logits.sigmoid()
        axioms = self.axioms(outputs, truths)
        evidence = torch.where(evidence == 0, self.facts, evidence)
        literals, is_observed = self._literals(truths, evidence)
        is_counted = torch.cat([torch.ones_like(axioms, dtype=torch.bool), is_observed], 1)
        formulas = torch.cat([axioms, literals], 1)
        sat = for_all(formulas, self.reading.forall, self.reading.p, where=is_counted)
        return Satisfaction(sat, axioms, torch.where(evidence < 0, 1 - truths, truths)[evidence != 0])

    def _literals(self, truths: Tensor, evidence: Tensor) -> tuple[Tensor, Tensor]:
        """Return the truth of formulas that state evidence, and which of them do.

        For each example they are its literals. For a batch they say that C holds of all of whom that is observed, and
        that it does not hold of all of whom that is.
        """
        if self.reading.over == "example":
            return torch.where(evidence < 0, 1 - truths, truths).flatten(1), (evidence != 0).flatten(1)
        values = torch.cat([truths, 1 - truths], -1).flatten(0, 1).T
        where = torch.cat([evidence > 0, evidence < 0], -1).flatten(0, 1).T
        return for_all(values, self.reading.forall, self.reading.p, where=where)[None], where.any(1)[None]

    def axioms(self, outputs: Outputs, truths: Tensor) -> Tensor:
        """Return the truth of each axiom: example × axiom, or one row for the batch."""
        links = self._links(outputs, truths)
        elements = torch.cat([truths, *self._witnesses(outputs)], 1)
        filled = self.columns.fill(elements, lambda values, block: self._exists(values, links, block))
        ground = [implication(filled.index_select(-1, self.subs), filled.index_select(-1, self.sups)).mT]
        ground += self._range_formulas(filled, links)
        ground += [self._chain_formula(links, *chain) for chain in self.told.chains]
        first, second = truths[..., self.pairs[:, 0]], truths[..., self.pairs[:, 1]]
        ground.append((1 - first * second).mT)
        ground += [any_of(truths.index_select(-1, family))[:, None] for family in self.families]
        return torch.cat([self._for_all(formulas) for formulas in ground], 1)

    def _for_all(self, formulas: Tensor) -> Tensor:
        """Aggregate example × formula × what it is grounded over."""
        if self.reading.over == "batch":
            formulas = formulas.transpose(0, 1).flatten(1)[None]
        return for_all(formulas, self.reading.forall, self.reading.p)

    def _range_formulas(self, filled: Tensor, links: Tensor) -> list[Tensor]:
        """∀x, y. R(x, y) → C(y)"""
        if not self.told.ranges:
            return []
        roles = torch.tensor([role for role, _ in self.told.ranges])
        targets = filled[:, : len(self.task.individuals)].index_select(-1, self.range_concepts).mT[:, :, None]
        return [implication(links.index_select(1, roles), targets).flatten(2)]

    def _chain_formula(self, links: Tensor, chain: tuple[int, ...], role: int) -> Tensor:
        """∀x₀, …, xₙ. R₁(x₀, x₁) ∧ … ∧ Rₙ(xₙ₋₁, xₙ) → S(x₀, xₙ)"""
        first, *others = (links[:, step] for step in chain)
        path = first[:, :, None]  # example × x₀ × all between × the last
        for step in others:
            path = (path[..., None] * step[:, None, None]).flatten(2, 3)
        return implication(path, links[:, role][:, :, None]).flatten(1)[:, None]

    # ------------------------------------------------------------------------------------------ roles and elements

    def _links(self, outputs: Outputs, truths: Tensor) -> Tensor:
        """Return the truth of roles, example × role × individual × individual: 1 or 0 where that is known."""
        known = self.known.to(truths.dtype).expand(len(truths), -1, -1, -1)
        free = [position for position, name in enumerate(self.names) if name not in self.task.edges]
        if not free:
            return known
        predicted = torch.zeros_like(known).index_copy(
            1, torch.tensor(free), torch.stack(chosen(outputs.links, [self.names[position] for position in free]), 1)
        )
        return torch.where(self.is_known, known, predicted)

    def _witnesses(self, outputs: Outputs) -> list[Tensor]:
        return chosen(outputs.witnesses, [self.names[role] for role in self.witness_roles])

    def _exists(self, filled: Tensor, links: Tensor, block: Block) -> Tensor:
        """∃y. R(x, y) ∧ C(y): example × element × concept, for individuals x and then for the witnesses of each role.

        On the right of an axiom a Skolem witness may take the place of y.
        """
        count = len(self.task.individuals)
        fillers = filled.index_select(-1, block.second).mT  # example × concept × element
        inner = fillers[:, :, None, :count]
        if not self.witness_roles:
            return p_mean(links.index_select(1, block.first) * inner, self.reading.p).mT
        own, has_own = self._own_witnesses(fillers, block.first)
        if block.side == "right":
            known = (self.is_known & (self.known > 0)).index_select(0, block.first)
            among = p_mean(inner, self.reading.p, where=known)
            fillers_truth = torch.where(known.any(-1), among, own)
            beyond = torch.ones_like(fillers[:, :, count:])  # a witness has witnesses, of which nothing is said
        else:
            linked = links.index_select(1, block.first) * inner
            where = torch.ones_like(linked, dtype=torch.bool)
            where = torch.cat([where, has_own[:, None, None].expand_as(own[..., None])], -1)
            fillers_truth = p_mean(torch.cat([linked, own[..., None]], -1), self.reading.p, where=where)
            beyond = torch.zeros_like(fillers[:, :, count:])
        return torch.cat([fillers_truth, beyond], -1).mT

    def _own_witnesses(self, fillers: Tensor, roles: Tensor) -> tuple[Tensor, Tensor]:
        """Return the truth of each filler at the witness of each individual, and for which of them there is one.

        That is example × concept × individual, and concept: a role that no right-hand side promises has no witness.
        """
        blocks = fillers.unflatten(-1, (-1, len(self.task.individuals)))  # individuals, then witnesses of each role
        position_of = {role: position for position, role in enumerate(self.witness_roles, start=1)}
        positions = torch.tensor([position_of.get(role, 0) for role in roles.tolist()])
        return blocks[:, torch.arange(len(positions)), positions], positions > 0
