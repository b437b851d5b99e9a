"""Moose with siblings: -log P(e | T, λ), where learnt odds λ say how many of the classes below a class hold together.

Ours. A hierarchy says what is above a class, and leaves open whether those beside it can hold, too. With every label
known a network learns that from what it sees; with few it must be told, or learn it once for all examples. Each group
of siblings has the factor exp(λ·[some hold] + μ·[several hold]), a soft form of a closed family: the distribution over
worlds is proportional to the product of sigmoids and these factors, on the worlds of the theory alone, exact as ever.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import ClassVar

from moose.circuit.compile.shared_parts import SharedParts
from moose.circuit.tables.compile_tables import TooWide
from moose.grounding.ground import ground
from moose.grounding.task.task import Task
from moose.learning.binding import Binding, bind_clauses
from moose.learning.labels.sibling_counts import Siblings, add_counts, count_columns, find_siblings
from moose.learning.open_weights import OpenPair, SiblingOdds
from moose.methods.base.method import Method
from moose.methods.base.perception import Perception
from moose.methods.ours.moose import MooseModel

MOST_ROWS = 100_000
"""Rows of a circuit up to which classes with several parents are counted; each batch goes through all of them."""


@dataclass(frozen=True, slots=True)
class MooseSiblings(Method):
    """How many siblings hold together is learnt."""

    name: ClassVar[str] = "moose-siblings"

    def model(self, task: Task, perception: Perception, *, seed: int) -> MooseSiblingsModel:
        """Make the model."""
        return MooseSiblingsModel(task, perception, seed=seed)


class MooseSiblingsModel(MooseModel):
    """The network of `moose`, and log odds that all examples share."""

    takes_roles = False

    def __init__(self, task: Task, perception: Perception, *, seed: int) -> None:
        super().__init__(task, perception, seed=seed, head="sigmoid", objective="conditional")
        self.network.open_weights = SiblingOdds(len(self.groups)) if self.groups else None

    @cached_property
    def groups(self) -> tuple[Siblings, ...]:
        """The groups whose members are counted: where all would make the circuit too large, those of trees alone."""
        theory = self.theory(self.task)
        every, of_trees = (find_siblings(theory, one_parent=one_parent) for one_parent in (False, True))
        if every == of_trees:
            return every
        try:
            size = self._bound(theory, every).layer.circuit.statistics.size
        except TooWide:
            return of_trees
        return every if size <= MOST_ROWS else of_trees

    def bind(self, theory: Task, parts: SharedParts | None = None, pairs: Sequence[OpenPair] = ()) -> Binding:
        """Compile a theory with what counts siblings."""
        assert not pairs  # they are found for a softmax alone
        return self._bound(theory, self.groups, parts)

    def _bound(self, theory: Task, groups: Sequence[Siblings], parts: SharedParts | None = None) -> Binding:
        binding = bind_clauses(theory, add_counts(theory, ground(theory), groups), parts)
        return replace(binding, pairs=count_columns(theory, binding.layer.circuit, groups)) if groups else binding
