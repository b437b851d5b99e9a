"""What changed between two ontologies: what is asserted, what is annotated, and what follows."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from moose.authoring.entities import entities_of
from moose.owl.model.axioms import AnnotationAssertion, Axiom, without_annotations
from moose.owl.model.expressions import NOTHING, Entity
from moose.owl.ontology import Ontology
from moose.saturation.answers.taxonomy import Taxonomy, classify
from moose.saturation.engine.run import Progress

Pair = tuple[str, str]


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
    told_old, told_new = by_meaning(old.axioms), by_meaning(new.axioms)
    both = [axiom for axiom in told_new if axiom in told_old and told_new[axiom] != told_old[axiom]]
    before, after = (classify(old, progress=progress), classify(new, progress=progress)) if infer else (None, None)
    return Difference(
        old=old,
        new=new,
        entities=change(entities_of(old.axioms, old.declarations), entities_of(new.axioms, new.declarations)),
        axioms=change(told_old, told_new),
        axiom_annotations=Change(tuple(told_new[axiom] for axiom in both), tuple(told_old[axiom] for axiom in both)),
        annotations=change(old.annotations.assertions, new.annotations.assertions) if annotations else Change(),
        inferred=Change() if before is None or after is None else inferred_change(before, after),
        was_consistent=None if before is None else before.is_consistent,
        is_consistent=None if after is None else after.is_consistent,
    )


def by_meaning(axioms: Iterable[Axiom]) -> dict[Axiom, Axiom]:
    """Return axioms by what they are without their annotations."""
    return {without_annotations(axiom): axiom for axiom in axioms}


def change(
    old: Iterable[Entity | Axiom | AnnotationAssertion], new: Iterable[Entity | Axiom | AnnotationAssertion]
) -> Change:
    """Compare two collections; each side in its own order."""
    listed_old, listed_new = dict.fromkeys(old), dict.fromkeys(new)
    return Change(
        tuple(one for one in listed_new if one not in listed_old),
        tuple(one for one in listed_old if one not in listed_new),
    )


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
