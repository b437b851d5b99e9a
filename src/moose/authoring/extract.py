"""A module of an ontology: the axioms that can matter for some terms, with the annotations of all that they mention."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from moose.authoring.entities import entities_of
from moose.authoring.module_methods import ModuleMethod
from moose.base.errors import MooseError, UnknownName
from moose.base.suggestions import unknown_word
from moose.owl.model.annotations import AnnotationAxioms
from moose.owl.model.axioms import Annotation, Axiom, Declaration
from moose.owl.model.expressions import (
    AnnotationProperty,
    Class,
    DataProperty,
    Datatype,
    Entity,
    NamedIndividual,
    ObjectProperty,
)
from moose.owl.modules.gates import Name
from moose.owl.modules.module_extraction import Modules
from moose.owl.names import Names
from moose.owl.ontology import Ontology, with_annotations, with_axioms


def extract(
    ontology: Ontology,
    terms: Iterable[str | Entity],
    *,
    method: ModuleMethod | str = ModuleMethod.star,
    iri: str | None = None,
) -> Ontology:
    """Return the module of some terms by syntactic locality, as the OWL API extracts it.

    Whatever axiom over the terms follows from the ontology follows from the module, for all of OWL 2. Terms are
    entities, or names: IRIs, CURIEs, short names, labels.

    >>> import moose
    >>> module = moose.extract(moose.load(moose.PIZZERIA), ["Napoli"], method="bot")
    >>> len(module.axioms), moose.classify(module).is_below("Napoli", "Food")
    (51, True)
    """
    chosen = resolve_terms(ontology, terms)
    names = [one for one in chosen if isinstance(one, Class | ObjectProperty | DataProperty | Datatype)]
    positions = module_positions(ontology.axioms, names, read_method(method))
    return restricted(ontology, [ontology.axioms[position] for position in positions], chosen, iri=iri)


def read_method(method: ModuleMethod | str) -> ModuleMethod:
    """Return the kind of module that is meant."""
    if method not in tuple(ModuleMethod):
        raise unknown_word("a kind of module", str(method), tuple(ModuleMethod))
    return ModuleMethod(method)


def resolve_terms(ontology: Ontology, terms: Iterable[str | Entity]) -> list[Entity]:
    """Return the entities that terms stand for, of whatever kind; a name that is several entities stands for each."""
    names = Names(ontology)
    found: dict[Entity, None] = {}
    for term in terms:
        if not isinstance(term, str):
            found[term] = None
            continue
        matches = found_by(names, term)
        if not matches:
            try:
                matches = [names.resolve(Class, term)]
            except UnknownName as unknown:
                raise UnknownName(str(unknown).replace("the name of a class", "the name of a term", 1)) from None
        found.update(dict.fromkeys(matches))
    if not found:
        raise MooseError("expected terms to extract a module of, but got none; name classes or properties")
    return list(found)


def found_by(names: Names, term: str) -> list[Entity]:
    """Return what a name stands for as each kind of entity that can be a term, if the ontology has it."""
    found: list[Entity | None] = [
        names.find(Class, term),
        names.find(ObjectProperty, term),
        names.find(DataProperty, term),
        names.find(Datatype, term),
        names.find(NamedIndividual, term),
    ]
    return [entity for entity in found if entity is not None and names.mentions(entity)]


def module_positions(axioms: Sequence[Axiom], names: Sequence[Name], method: ModuleMethod) -> list[int]:
    """Return the positions of a module's axioms, sorted."""
    if method is not ModuleMethod.star:
        return Modules(axioms, are_others_empty=method is ModuleMethod.bot).module(names)
    positions = list(range(len(axioms)))
    while True:
        before = len(positions)
        for are_others_empty in (True, False):
            inner = Modules([axioms[position] for position in positions], are_others_empty=are_others_empty)
            positions = [positions[one] for one in inner.module(names)]
        if len(positions) == before:
            return positions


def restricted(ontology: Ontology, axioms: Sequence[Axiom], terms: Sequence[Entity], *, iri: str | None) -> Ontology:
    """Return an ontology of some axioms, with declarations and annotations of what they and the terms mention."""
    mentioned = entities_of(axioms, terms)
    iris = {entity.iri for entity in mentioned}
    notes = with_properties(ontology.annotations, iris)
    declared = {told.entity for told in notes.declarations}
    more = tuple(Declaration(entity) for entity in mentioned if entity not in declared)
    header = notes.header if iri is None else ()
    notes = replace(notes, declarations=(*notes.declarations, *more), header=header)
    module = replace(with_axioms(ontology, axioms), imports=(), ignored_imports=(), import_cycles=())
    if iri is not None:
        module = replace(module, iri=iri, version_iri=None)
    return with_annotations(module, notes)


def with_properties(annotations: AnnotationAxioms, iris: set[str]) -> AnnotationAxioms:
    """Return what is said of some IRIs, and of the annotation properties by which it is said or that it points at.

    Those pointed at are subsets, kinds of synonyms, and the properties above a property.
    """
    properties = {told.entity.iri for told in annotations.declarations if isinstance(told.entity, AnnotationProperty)}
    while True:
        notes = annotations.about(iris)
        said = [Annotation(told.property, told.value, told.annotations) for told in notes.assertions]
        used = {iri for note in said for iri in iris_in(note) if iri == note.property or iri in properties}
        if used <= iris:
            return notes
        iris = iris | used


def iris_in(note: Annotation) -> Iterator[str]:
    """Yield the property of an annotation, the IRI that is its value, and those of the annotations on it."""
    yield note.property
    if isinstance(note.value, str):
        yield note.value
    for inner in note.annotations:
        yield from iris_in(inner)
