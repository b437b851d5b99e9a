"""OWL 2 as triples: OWL 2 Mapping to RDF Graphs, table 1 and section 2.2. What RDF cannot say is returned."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

from moose.owl.model import axioms as ax
from moose.owl.model import expressions as model
from moose.owl.model.axioms import Annotations, Document
from moose.owl.model.expressions import OWL, RDF, RDFS, XSD
from moose.owl.model.signature import walk
from moose.owl.syntax.common.written import NO_OWL, Unwritten, one_line
from moose.owl.syntax.functional.write_functional import render
from moose.owl.syntax.rdf import rdf_vocabulary as rdf
from moose.owl.syntax.rdf.writing.node_maker import NodeMaker
from moose.owl.syntax.rdf.writing.tree import Listed, Object, Subject, Tree, cells

TYPES: dict[type, str] = {
    model.AnnotationProperty: OWL + "AnnotationProperty",
    model.Datatype: rdf.RDFS_DATATYPE,
    model.ObjectProperty: OWL + "ObjectProperty",
    model.DataProperty: OWL + "DatatypeProperty",
    model.Class: rdf.OWL_CLASS,
    model.NamedIndividual: OWL + "NamedIndividual",
}
"""In the order in which the names of a document are written."""

_RESERVED: dict[type, frozenset[str]] = {kind: frozenset(names) for kind, names in rdf.BUILT_IN.items()}
_TWO_INVERSES = "RDF has no way to say that two inverses are inverse to each other; say it of the properties themselves"


def as_tree(document: Document) -> tuple[Tree, tuple[Unwritten, ...]]:
    """Return the triples of a document, and what cannot be triples."""
    mapping = _Mapping(Tree(dict(document.prefixes)))
    mapping.header(document)
    for declaration in (*document.declarations, *_undeclared(document)):
        mapping.declare(declaration)
    mapping.tree.subjects = dict(_by_kind(mapping.tree.subjects, mapping.declared))
    for axiom in document.axioms:
        mapping.axiom(axiom)
    for assertion in document.annotation_assertions:
        mapping.nodes.begin(render(assertion))
        subject = mapping.nodes.subject(assertion.subject)
        mapping.say(subject, assertion.property, mapping.nodes.term(assertion.value), assertion.annotations)
    return mapping.tree, tuple(mapping.unwritten)


def _by_kind(
    subjects: dict[Subject, Any], declared: dict[str, int]
) -> Iterator[tuple[Subject, list[tuple[str, Object]]]]:
    """Yield the header, and then the declared names by kind; the annotations of declarations stay with these."""
    header, *names = subjects
    yield header, subjects[header]
    for name in sorted(names, key=lambda one: (declared.get(str(one), -1), str(one))):
        yield name, subjects[name]


def _undeclared(document: Document) -> Iterator[ax.Declaration]:
    """Yield declarations of names that the document uses and nobody declares: in RDF, they say what a name is."""
    declared = {told.entity for told in document.declarations}
    used: set[model.Entity] = set()
    for axiom in document.axioms:
        used.update(part for part in walk(axiom) if type(part) in TYPES)  # type: ignore[misc]  # entities are its keys
        used.update(map(model.AnnotationProperty, _properties(axiom.annotations)))
    used.update(map(model.AnnotationProperty, _properties(document.annotations)))
    for declaration in document.declarations:
        used.update(map(model.AnnotationProperty, _properties(declaration.annotations)))
    for told in document.annotation_assertions:
        used.update(map(model.AnnotationProperty, (told.property, *_properties(told.annotations))))
    for entity in sorted(used - declared, key=lambda entity: (type(entity).__name__, entity.iri)):
        if not _is_reserved(entity):
            yield ax.Declaration(entity)


def _properties(annotations: Annotations) -> Iterator[str]:
    for note in annotations:
        yield note.property
        yield from _properties(note.annotations)


def _is_reserved(entity: model.Entity) -> bool:
    if entity.iri in _RESERVED[type(entity)]:
        return True
    is_word = isinstance(entity, model.AnnotationProperty) and entity.iri.startswith((RDF, RDFS, OWL))
    return is_word or (isinstance(entity, model.Datatype) and entity.iri.startswith(XSD))


@dataclass(slots=True)
class _Mapping:
    """A tree in the making."""

    tree: Tree
    nodes: NodeMaker = field(default_factory=NodeMaker)
    unwritten: list[Unwritten] = field(default_factory=list)
    declared: dict[str, int] = field(default_factory=dict)

    def header(self, document: Document) -> None:
        """Say what the document is."""
        self.nodes.begin("Ontology")
        node: Subject = document.iri if document.iri is not None else self.nodes.blank([])
        self.tree.add(node, rdf.TYPE, rdf.ONTOLOGY)
        if document.iri is not None and document.version_iri is not None:
            self.tree.add(node, rdf.VERSION, document.version_iri)
        for imported in document.imports:
            self.tree.add(node, rdf.IMPORTS, imported)
        self.annotate(node, document.annotations)

    def declare(self, declaration: ax.Declaration) -> None:
        """Say what kind of entity a name is."""
        entity = declaration.entity
        self.nodes.begin(render(declaration))
        self.declared.setdefault(entity.iri, [*TYPES].index(type(entity)))
        self.say(entity.iri, rdf.TYPE, TYPES[type(entity)], declaration.annotations)

    def axiom(self, axiom: ax.Axiom) -> None:
        """Add the triples of an axiom."""
        self.nodes.begin(render(axiom))
        write = _SPECIAL.get(type(axiom))
        triple = _TRIPLES.get(type(axiom))
        reason = None
        if write is not None:
            reason = write(self, axiom)
        elif triple is not None:
            self.say(*triple(self.nodes, axiom), axiom.annotations)
        else:
            reason = NO_OWL
        if reason is not None:
            self.unwritten.append(Unwritten(axiom, reason))
            self.tree.comments.append(one_line(f"not written ({reason}): {render(axiom)}"))

    # ── Triples and what is annotated to them ─────────────────────────────────────────────────────────────────────

    def say(self, subject: Subject, predicate: str, value: Object, notes: Annotations) -> None:
        """Add the triple that is an axiom, and the node that bears its annotations."""
        if isinstance(value, Listed) and notes:
            value = cells(value.items, self.nodes.seed)
        self.tree.add(subject, predicate, value)
        if notes:
            self._note(rdf.AXIOM, (subject, predicate, value), notes)

    def annotate(self, node: Subject, notes: Annotations) -> None:
        """Add annotations to a node, and theirs."""
        for note in notes:
            value = self.nodes.term(note.value)
            self.tree.add(node, note.property, value)
            if note.annotations:
                self._note(rdf.ANNOTATION, (node, note.property, value), note.annotations)

    def _note(self, kind: str, triple: tuple[Subject, str, Object], notes: Annotations) -> None:
        subject, predicate, value = triple
        node = self.nodes.blank([])
        about: tuple[tuple[str, Object], ...] = ((rdf.SOURCE, subject), (rdf.PROPERTY, predicate), (rdf.TARGET, value))
        self.tree.annotate(subject, node)
        for word, term in ((rdf.TYPE, kind), *about):
            self.tree.add(node, word, term)
        self.annotate(node, notes)

    # ── Axioms of more than one triple ────────────────────────────────────────────────────────────────────────────

    def in_pairs(self, word: str, values: Iterable[object], notes: Annotations) -> None:
        """Say something of each value and the next."""
        for first, second in pairwise([self.nodes.subject(value) for value in values]):
            self.say(first, word, second, notes)

    def all_together(self, words: tuple[str, str, str], values: tuple[object, ...], notes: Annotations) -> None:
        """Say something of two values by a triple, of more by a node that lists them."""
        pair, kind, members = words
        if len(values) == 2:
            self.in_pairs(pair, values, notes)
            return
        node = self.nodes.blank([])
        self.tree.add(node, rdf.TYPE, kind)
        self.tree.add(node, members, self.nodes.listed(values))
        self.annotate(node, notes)

    def negative(self, axiom: ax.ObjectPropertyAssertion | ax.DataPropertyAssertion) -> None:
        """Say that two individuals are not related."""
        is_data = isinstance(axiom, ax.DataPropertyAssertion)
        target = axiom.literal if isinstance(axiom, ax.DataPropertyAssertion) else axiom.target
        node = self.nodes.blank([])
        self.tree.add(node, rdf.TYPE, rdf.NEGATIVE_ASSERTION)
        self.tree.add(node, rdf.ASSERTION_SOURCE, self.nodes.term(axiom.source))
        self.tree.add(node, rdf.ASSERTION_PROPERTY, self.nodes.term(axiom.property))
        self.tree.add(node, rdf.TARGET_VALUE if is_data else rdf.TARGET_INDIVIDUAL, self.nodes.term(target))
        self.annotate(node, axiom.annotations)

    def relate(self, axiom: ax.ObjectPropertyAssertion | ax.DataPropertyAssertion) -> None:
        """Say that two individuals are related, or an individual to a value."""
        if axiom.negative:
            self.negative(axiom)
            return
        target: object = axiom.literal if isinstance(axiom, ax.DataPropertyAssertion) else axiom.target
        source, role = axiom.source, axiom.property
        if isinstance(role, model.ObjectInverseOf):
            role, source, target = role.property, target, source  # type: ignore[assignment]  # both are individuals
        self.say(self.nodes.subject(source), role.iri, self.nodes.term(target), axiom.annotations)

    def inverses(self, axiom: ax.InverseObjectProperties) -> str | None:
        """Say that two roles are inverse; a blank subject would be read as the inverse of the other."""
        first, second = axiom.first, axiom.second
        if isinstance(first, model.ObjectInverseOf):
            first, second = second, first
        if isinstance(first, model.ObjectInverseOf):
            return _TWO_INVERSES
        self.say(first.iri, rdf.INVERSE_OF, self.nodes.term(second), axiom.annotations)
        return None


# ── The tables ────────────────────────────────────────────────────────────────────────────────────────────────────

Triple = tuple[Subject, str, Object]


def _between(word: str, subject: str, value: str) -> Callable[[NodeMaker, Any], Triple]:
    """Return how an axiom with two ends is a triple."""
    return lambda nodes, axiom: (
        nodes.subject(getattr(axiom, subject)),
        word,
        nodes.term(getattr(axiom, value)),
    )


def _below(nodes: NodeMaker, axiom: ax.SubObjectPropertyOf) -> Triple:
    if len(axiom.chain) == 1:
        return nodes.subject(axiom.chain[0]), rdf.SUB_PROPERTY, nodes.term(axiom.sup)
    return nodes.subject(axiom.sup), rdf.PROPERTY_CHAIN, nodes.listed(axiom.chain)


def _characteristic(nodes: NodeMaker, axiom: ax.ObjectPropertyCharacteristic) -> Triple:
    return nodes.subject(axiom.property), rdf.TYPE, f"{OWL}{axiom.characteristic}Property"


# Each function takes an axiom of the type that is its key, which the type of a dictionary cannot say.
_TRIPLES: dict[type, Callable[[NodeMaker, Any], Triple]] = {
    ax.SubClassOf: _between(rdf.SUB_CLASS, "sub", "sup"),
    ax.SubDataPropertyOf: _between(rdf.SUB_PROPERTY, "sub", "sup"),
    ax.SubObjectPropertyOf: _below,
    ax.DatatypeDefinition: _between(rdf.EQUIVALENT_CLASS, "datatype", "range"),
    ax.ObjectPropertyDomain: _between(rdf.DOMAIN, "property", "domain"),
    ax.DataPropertyDomain: _between(rdf.DOMAIN, "property", "domain"),
    ax.ObjectPropertyRange: _between(rdf.RANGE, "property", "range"),
    ax.DataPropertyRange: _between(rdf.RANGE, "property", "range"),
    ax.ClassAssertion: _between(rdf.TYPE, "individual", "cls"),
    ax.ObjectPropertyCharacteristic: _characteristic,
    ax.FunctionalDataProperty: lambda nodes, axiom: (nodes.subject(axiom.property), rdf.TYPE, rdf.FUNCTIONAL),
    ax.DisjointUnion: lambda nodes, axiom: (axiom.cls.iri, rdf.DISJOINT_UNION, nodes.listed(axiom.operands)),
    ax.HasKey: lambda nodes, axiom: (
        nodes.subject(axiom.cls),
        rdf.HAS_KEY,
        nodes.listed((*axiom.object_properties, *axiom.data_properties)),
    ),
}
_PAIRS: dict[type, tuple[str, str]] = {
    ax.EquivalentClasses: (rdf.EQUIVALENT_CLASS, "operands"),
    ax.EquivalentObjectProperties: (rdf.EQUIVALENT_PROPERTY, "operands"),
    ax.EquivalentDataProperties: (rdf.EQUIVALENT_PROPERTY, "operands"),
    ax.SameIndividual: (rdf.SAME_AS, "individuals"),
}
_TOGETHER: dict[type, tuple[tuple[str, str, str], str]] = {
    ax.DisjointClasses: ((rdf.DISJOINT_WITH, rdf.ALL_DISJOINT_CLASSES, rdf.MEMBERS), "operands"),
    ax.DisjointObjectProperties: ((rdf.DISJOINT_PROPERTY, rdf.ALL_DISJOINT_PROPERTIES, rdf.MEMBERS), "operands"),
    ax.DisjointDataProperties: ((rdf.DISJOINT_PROPERTY, rdf.ALL_DISJOINT_PROPERTIES, rdf.MEMBERS), "operands"),
    ax.DifferentIndividuals: ((rdf.DIFFERENT_FROM, rdf.ALL_DIFFERENT, rdf.DISTINCT_MEMBERS), "individuals"),
}


def _paired(mapping: _Mapping, axiom: Any) -> str | None:
    word, name = _PAIRS[type(axiom)]
    values = getattr(axiom, name)
    if len(values) == 1:
        return "RDF needs two operands to say that they are the same, and this has one"
    mapping.in_pairs(word, values, axiom.annotations)
    return None


def _together(mapping: _Mapping, axiom: Any) -> None:
    words, name = _TOGETHER[type(axiom)]
    mapping.all_together(words, getattr(axiom, name), axiom.annotations)


_SPECIAL: dict[type, Callable[[_Mapping, Any], str | None]] = {
    **dict.fromkeys(_PAIRS, _paired),
    **dict.fromkeys(_TOGETHER, _together),
    ax.ObjectPropertyAssertion: _Mapping.relate,
    ax.DataPropertyAssertion: _Mapping.relate,
    ax.InverseObjectProperties: _Mapping.inverses,
}
