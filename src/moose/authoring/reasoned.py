"""An ontology with what follows from it: asserted and inferred axioms together, as other tools want to read them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace

from moose.authoring.materialise import materialised
from moose.authoring.redundancy import redundant
from moose.base.errors import InconsistentOntology
from moose.owl.model.axioms import Annotation, Axiom, Declaration, EquivalentClasses, SubClassOf, without_annotations
from moose.owl.model.expressions import AnnotationProperty, Class, Literal, ObjectProperty
from moose.owl.names import Names
from moose.owl.ontology import Ontology, with_annotations, with_axioms
from moose.saturation.answers.taxonomy import Taxonomy, classify
from moose.saturation.engine.run import Progress

IS_INFERRED = "http://www.geneontology.org/formats/oboInOwl#is_inferred"
"""The annotation property by which OBO's tools mark what a reasoner has added."""


@dataclass(frozen=True)
class Reasoned:
    """An ontology with its inferred axioms, and what was added and taken away."""

    ontology: Ontology
    taxonomy: Taxonomy = field(repr=False)
    inferred: tuple[Axiom, ...] = field(repr=False)
    """Axioms that follow and were not asserted, in their order; marked if that was asked for."""
    materialised: tuple[Axiom, ...] = field(repr=False)
    """Existential restrictions and role assertions among them."""
    removed: tuple[Axiom, ...] = field(repr=False)
    """Asserted axioms that the others say already."""

    def __repr__(self) -> str:
        return (
            f"Reasoned({len(self.ontology.axioms):,} axioms, {len(self.inferred):,} inferred, "
            f"{len(self.removed):,} removed as redundant)"
        )


def reason(
    ontology: Ontology,
    *,
    reduce: bool = False,
    materialise: Iterable[str | ObjectProperty] = (),
    mark: bool = False,
    progress: Progress | None = None,
) -> Reasoned:
    """Return an ontology with its direct class hierarchy, as `robot reason` does.

    Added are the direct subclass axioms, equivalences and unsatisfiable classes that are not asserted. With `reduce`,
    asserted subclass axioms go that the others say already. `materialise` names object properties r: added are then the
    most specific A ⊑ ∃r.B of classes, and role assertions of individuals. With `mark`, what is added is annotated by
    oboInOwl:is_inferred.

    >>> import moose
    >>> moose.reason(moose.load(moose.PIZZERIA), reduce=True)
    Reasoned(69 axioms, 18 inferred, 1 removed as redundant)
    """
    names = Names(ontology)
    properties = [names.resolve(ObjectProperty, one) if isinstance(one, str) else one for one in materialise]
    taxonomy = classify(ontology, progress=progress)
    if not taxonomy.is_consistent:
        raise InconsistentOntology(
            "expected a consistent ontology, but it has no model, so that everything follows from it; "
            "ask `moose explain FILE --inconsistency` why"
        )
    asserted = {without_annotations(axiom) for axiom in ontology.axioms}
    hierarchy = [axiom for axiom in direct_hierarchy(taxonomy) if axiom not in asserted]
    wanted = list(materialised(taxonomy, properties))
    restrictions = [axiom for axiom in wanted if axiom not in asserted]
    removed = redundant(taxonomy, wanted) if reduce else ()
    gone = set(removed)
    inferred = tuple(marked(axiom) if mark else axiom for axiom in (*hierarchy, *restrictions))
    kept = [axiom for axiom in ontology.axioms if axiom not in gone]
    result = with_axioms(ontology, [*kept, *inferred])
    return Reasoned(
        ontology=with_declared_mark(result) if mark else result,
        taxonomy=taxonomy,
        inferred=inferred,
        materialised=inferred[len(hierarchy) :],
        removed=removed,
    )


def direct_hierarchy(taxonomy: Taxonomy) -> Iterator[Axiom]:
    """Yield the direct hierarchy, equivalences two by two where the ontology does not already say them so."""
    told: defaultdict[object, list[frozenset[object]]] = defaultdict(list)  # by each operand, all that stand with it
    for axiom in taxonomy.ontology.axioms:
        if isinstance(axiom, EquivalentClasses):
            operands = frozenset(axiom.operands)
            for operand in operands:
                told[operand].append(operands)
    for axiom in taxonomy.inferred_axioms():
        if isinstance(axiom, EquivalentClasses):
            first, *others = axiom.operands
            new = (other for other in others if not any(other in operands for operands in told[first]))
            yield from (EquivalentClasses((first, other)) for other in new)
        else:
            yield axiom


def marked(axiom: Axiom) -> Axiom:
    """Return an axiom with the mark of what is inferred."""
    return replace(axiom, annotations=(*axiom.annotations, Annotation(IS_INFERRED, Literal("true"))))


def with_declared_mark(ontology: Ontology) -> Ontology:
    """Declare the annotation property of the mark."""
    declaration, notes = Declaration(AnnotationProperty(IS_INFERRED)), ontology.annotations
    if declaration.entity in ontology.declarations:
        return ontology
    return with_annotations(ontology, replace(notes, declarations=(*notes.declarations, declaration)))


def inferred_equivalences(taxonomy: Taxonomy) -> list[tuple[str, ...]]:
    """Return the sets of named classes that have the same elements and are not asserted to, each sorted."""
    told = [
        {one.iri for one in axiom.operands if isinstance(one, Class)}
        for axiom in taxonomy.ontology.axioms
        if isinstance(axiom, EquivalentClasses)
    ]
    found = []
    for axiom in taxonomy.inferred_axioms():
        if isinstance(axiom, EquivalentClasses):
            names = tuple(sorted(one.iri for one in axiom.operands if isinstance(one, Class)))
            if not any(set(names) <= one for one in told):
                found.append(names)
    return found


def summary(reasoned: Reasoned) -> dict[str, object]:
    """Return what was done, for JSON."""
    counted: Sequence[Axiom] = reasoned.inferred[: len(reasoned.inferred) - len(reasoned.materialised)]
    return {
        "axioms": len(reasoned.ontology.axioms),
        "inferred_subclasses": sum(isinstance(axiom, SubClassOf) for axiom in counted),
        "inferred_equivalences": sum(isinstance(axiom, EquivalentClasses) for axiom in counted),
        "materialised": len(reasoned.materialised),
        "removed": len(reasoned.removed),
    }
