"""What changed between two ontologies: what is asserted, what is annotated, and what follows."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields, is_dataclass
from typing import Any

from moose.authoring.entities import entities_of
from moose.authoring.same_individuals import same_individuals
from moose.owl.model.anonymous import nodes_in, rename_each
from moose.owl.model.axioms import AnnotationAssertion, Axiom, SubClassOf, annotation_set, without_annotations
from moose.owl.model.expressions import (
    NOTHING,
    Class,
    DataIntersectionOf,
    DataOneOf,
    DataUnionOf,
    Entity,
    Literal,
    ObjectIntersectionOf,
    ObjectOneOf,
    ObjectUnionOf,
)
from moose.owl.ontology import OPERANDS, Ontology
from moose.saturation.answers.taxonomy import Taxonomy, classify
from moose.saturation.engine.run import Progress

Pair = tuple[str, str]
Statement = Entity | Axiom | AnnotationAssertion

SETS: dict[type, str] = {
    **OPERANDS,
    **dict.fromkeys((ObjectIntersectionOf, ObjectUnionOf, DataIntersectionOf, DataUnionOf), "operands"),
    ObjectOneOf: "individuals",
    DataOneOf: "literals",
}
"""The field of each axiom and expression that is a set."""


@dataclass(frozen=True)
class Change:
    """What one side has and the other has not, of one kind: added is new, removed was old."""

    added: tuple[object, ...] = ()
    removed: tuple[object, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.added or self.removed)

    def __len__(self) -> int:
        return len(self.added) + len(self.removed)


@dataclass(frozen=True)
class Difference:
    """What changed from one ontology to another; false where nothing did."""

    old: Ontology = field(repr=False)
    new: Ontology = field(repr=False)
    entities: Change
    """Classes, properties, individuals, datatypes that only one of the two has."""
    axioms: Change
    """Logical axioms, whatever their annotations."""
    axiom_annotations: Change
    """Axioms that both have with other annotations, as they are on each side."""
    annotations: Change
    """Annotation assertions."""
    inferred: Change
    """Pairs (sub, super) of IRIs, direct on their side, that do not follow on the other; owl:Nothing may be above."""
    was_consistent: bool | None = None
    """None where nothing was inferred."""
    is_consistent: bool | None = None

    def __bool__(self) -> bool:
        return any(self.changes().values()) or self.was_consistent != self.is_consistent

    def changes(self) -> Mapping[str, Change]:
        """Return each kind of change by its name."""
        return {
            "entities": self.entities,
            "axioms": self.axioms,
            "axiom annotations": self.axiom_annotations,
            "annotations": self.annotations,
            "inferred": self.inferred,
        }

    def __repr__(self) -> str:
        counts = (f"{name} +{len(one.added):,} -{len(one.removed):,}" for name, one in self.changes().items() if one)
        return f"Difference({', '.join(counts) or 'none'})"


def diff(
    old: Ontology,
    new: Ontology,
    *,
    infer: bool = True,
    annotations: bool = True,
    progress: Progress | None = None,
) -> Difference:
    """Compare two ontologies: asserted axioms, annotations and, if wished, what follows about named classes.

    >>> import moose
    >>> old = moose.load(moose.PIZZERIA)
    >>> new = moose.classify(old).add("Napoli SubClassOf contains some Chilli").ontology
    >>> moose.diff(old, new)
    Difference(axioms +1 -0, inferred +1 -0)
    """
    said_old, said_new = (one.annotations.assertions if annotations else () for one in (old, new))
    axioms_new, said_new = renamed((*old.axioms, *said_old), new.axioms, said_new)
    told_old, told_new = by_meaning(old.axioms), by_meaning(axioms_new)
    both = [axiom for axiom in told_new if axiom in told_old and told_new[axiom] != told_old[axiom]]
    noted_old = [axiom for bare in both for axiom in told_old[bare]]
    noted_new = [axiom for bare in both for axiom in told_new[bare]]
    before, after = (classify(old, progress=progress), classify(new, progress=progress)) if infer else (None, None)
    return Difference(
        old=old,
        new=new,
        entities=change(entities_of(old.axioms, old.declarations), entities_of(new.axioms, new.declarations)),
        axioms=change(told_old, told_new),
        axiom_annotations=change(noted_old, noted_new),
        annotations=change(said_old, said_new),
        inferred=Change() if before is None or after is None else inferred_change(before, after),
        was_consistent=None if before is None else before.is_consistent,
        is_consistent=None if after is None else after.is_consistent,
    )


def renamed(
    old: Sequence[Axiom | AnnotationAssertion], axioms: tuple[Axiom, ...], said: tuple[AnnotationAssertion, ...]
) -> tuple[tuple[Axiom, ...], tuple[AnnotationAssertion, ...]]:
    """Return axioms and annotation assertions with their anonymous individuals named as the old ones that they are."""
    known = set(old)
    unlike = (one for one in (*axioms, *said) if one not in known)
    if not any(node for one in unlike for node in nodes_in(one)):
        return axioms, said
    names = same_individuals(old, (*axioms, *said), with_sorted_sets)
    return tuple(rename_each(axioms, names)), tuple(rename_each(said, names))


def by_meaning(axioms: Iterable[Axiom]) -> dict[Axiom, list[Axiom]]:
    """Return axioms by what they are without their annotations."""
    found: dict[Axiom, list[Axiom]] = {}
    for axiom in axioms:
        found.setdefault(without_annotations(axiom), []).append(axiom)
    return found


def change(old: Iterable[Statement], new: Iterable[Statement]) -> Change:
    """Compare two collections, each side in its own order; neither order nor repetition matters in what is a set."""
    listed_old, listed_new = dict.fromkeys(old), dict.fromkeys(new)
    return Change(tuple(not_in(listed_new, listed_old)), tuple(not_in(listed_old, listed_new)))


def not_in(some: Mapping[Statement, None], others: Mapping[Statement, None]) -> list[Statement]:
    """Return those statements that the others do not say; only what looks different is looked at more closely."""
    unlike = [one for one in some if one not in others]
    wanted = set(map(topic, unlike))
    said = {with_sorted_sets(other) for other in others if topic(other) in wanted}
    return [one for one in unlike if with_sorted_sets(one) not in said]


def topic(statement: Statement) -> tuple[object, ...]:
    """Return what two statements that say the same have in common, and others seldom."""
    match statement:
        case SubClassOf(sub=Class() as sub):
            return SubClassOf, sub
        case AnnotationAssertion(property=named, subject=str() as subject):
            return named, subject
    return (type(statement),)


def with_sorted_sets(value: Any) -> Any:
    """Return a statement with the members of each set in it, annotations among them, in one order."""
    if isinstance(value, tuple):
        return tuple(map(with_sorted_sets, value))
    if not is_dataclass(value) or isinstance(value, type | Literal | Entity):
        return value
    parts = {each.name: with_sorted_sets(getattr(value, each.name)) for each in fields(value)}
    if "annotations" in parts:
        parts["annotations"] = annotation_set(parts["annotations"])
    name = SETS.get(type(value))
    if name is not None:
        parts[name] = tuple(sorted(parts[name], key=repr))
    return type(value)(**parts)


def inferred_change(old: Taxonomy, new: Taxonomy) -> Change:
    """Return the direct subsumptions of each side that do not follow on the other, unsatisfiable classes among them.

    All others that differ follow from these and what both sides have.
    """
    if not (old.is_consistent and new.is_consistent):
        return Change()
    return Change(tuple(gained(old, new)), tuple(gained(new, old)))


def gained(before: Taxonomy, after: Taxonomy) -> list[Pair]:
    """Return the direct subsumptions that follow after and not before."""
    known = set(before.closure_pairs())
    empty = set(before.unsatisfiable)
    pairs = [pair for pair in after.pairs(closure=False) if pair not in known and pair[0] not in empty]
    return sorted([*pairs, *((iri, NOTHING.iri) for iri in after.unsatisfiable if iri not in empty)])
