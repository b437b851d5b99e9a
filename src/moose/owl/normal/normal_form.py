"""The ontology as integers: concepts, roles and told axioms, each told item with the axiom it stands for."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import IntEnum
from functools import cached_property

import numpy as np
import numpy.typing as npt

from moose.owl.model.datatypes import Value, ValueSet
from moose.owl.model.expressions import DataProperty, Individual, Literal, ObjectProperty

Indices = npt.NDArray[np.int32]
Flags = npt.NDArray[np.bool_]

TOP, BOTTOM, LITERAL = 0, 1, 2
NO_AXIOM = -1
"""In place of an axiom: the item holds by the semantics alone."""


class Kind(IntEnum):
    """What a concept id stands for; says what `first` and `second` hold."""

    CLASS = 0  # first: position in `classes`
    CONJUNCTION = 1  # first, second: conjuncts
    SOME = 2  # first: role, second: filler
    SELF = 3  # first: role
    NOMINAL = 4  # first: position in `individuals`
    VALUES = 5  # first: position in `value_sets`


@dataclass(frozen=True, slots=True)
class Table:
    """Told items of one shape, one row each; the last column is the position of the axiom, or NO_AXIOM."""

    rows: Indices

    def column(self, position: int) -> Indices:
        """Return one column."""
        return self.rows[:, position]


@dataclass(frozen=True, slots=True)
class Key:
    """HasKey(C (r…) (d…)) with ids in place of expressions."""

    concept: int
    roles: tuple[int, ...]
    axiom: int


@dataclass(frozen=True, slots=True)
class Union:
    """C ⊑ D₁ ⊔ … ⊔ Dₙ with ids in place of expressions."""

    concept: int
    members: tuple[int, ...]
    axiom: int


@dataclass(frozen=True, eq=False)
class NormalForm:
    """Concepts and roles by number, and what was told of them.

    Ids 0, 1, 2 are ⊤, ⊥ and rdfs:Literal, the ⊤ of data. Roles beyond `roles` are prefixes of longer chains.
    """

    kinds: Indices
    first: Indices
    second: Indices
    is_negative: Flags
    """Occurs on a left-hand side, so it must be recognised: the signature side condition of R∃+ and R⊓+."""
    classes: tuple[str, ...]
    class_concepts: Indices
    individuals: tuple[Individual, ...]
    nominal_concepts: Indices
    value_sets: tuple[ValueSet, ...]
    value_concepts: Indices
    literals: dict[Value, Literal]
    """A literal that each data value was written as."""
    roles: tuple[ObjectProperty | DataProperty, ...]
    role_count: int
    universal_role: int
    """The id of owl:topObjectProperty, or -1."""
    told: Table
    """sub, sup, axiom"""
    disjoint: tuple[tuple[tuple[int, ...], int], ...]
    """Members of a disjointness axiom, and the axiom."""
    inclusions: Table
    """role, super-role, axiom"""
    compositions: Table
    """left role, right role, result, axiom"""
    ranges: Table
    """role, concept, axiom"""
    some_target: Indices
    """∃r.D: the concept D ⊓ ranges of r, where a link leads; else -1."""
    is_subrole: Flags
    """[r, s]: r ⊑* s"""
    keys: tuple[Key, ...]
    functional: Table
    """role, axiom"""
    goals: tuple[tuple[int, int], ...]
    """The two sides of each C ⊑ D that is to be asked."""
    unions: tuple[Union, ...] = ()
    case_of: dict[tuple[int, int], int] = field(default_factory=dict)
    """For C that may be below the left-hand side of a union, and a member D of it: the concept C ⊓ D."""

    def class_number(self, iri: str) -> int | None:
        """Return the concept of a named class, or None for a class that no axiom and no declaration mentions."""
        position = self._class_positions.get(iri)
        return None if position is None else int(self.class_concepts[position])

    @cached_property
    def _class_positions(self) -> dict[str, int]:
        return {iri: position for position, iri in enumerate(self.classes)}
