"""Facts, inferences and proofs: what `explain` returns and what the checker reads.

Concepts in a fact are written in one way only: conjunctions flat, without ⊤ and repetition, sorted by their rendering;
`ObjectHasValue(r a)` as ∃r.{a}; `DataHasValue(d v)` as ∃d.{v}; a data range as the target of a data role.
"""

from __future__ import annotations

from dataclasses import dataclass

from moose.owl.model.axioms import Axiom
from moose.owl.model.expressions import ClassExpression, DataProperty, DataRange, ObjectProperty

Concept = ClassExpression | DataRange
Role = ObjectProperty | DataProperty


@dataclass(frozen=True, slots=True)
class Subsumption:
    """C ⊑ D"""

    sub: Concept
    sup: Concept


@dataclass(frozen=True, slots=True)
class Link:
    """C → r → D: every C has an r-successor that is a D."""

    source: Concept
    role: Role
    target: Concept


@dataclass(frozen=True, slots=True)
class RoleInclusion:
    """r ⊑ s"""

    sub: Role
    sup: Role


@dataclass(frozen=True, slots=True)
class NonEmpty:
    """C has an element (in every model, or in every model in which the proof's assumption has one)."""

    concept: Concept


Fact = Subsumption | Link | RoleInclusion | NonEmpty


@dataclass(frozen=True, slots=True)
class Inference:
    """One rule instance: `axioms` are the told axioms that it uses."""

    rule: str
    conclusion: Fact
    premises: tuple[Fact, ...] = ()
    axioms: tuple[Axiom, ...] = ()


@dataclass(frozen=True, slots=True)
class Proof:
    """A derivation of `goal`: every premise is the conclusion of an earlier step, the last step concludes the goal.

    With an `assumption` A, steps may use that A has an element; such a proof can only end in A ⊑ D, which also holds
    where A is empty.
    """

    goal: Fact
    steps: tuple[Inference, ...]
    assumption: ClassExpression | None = None
