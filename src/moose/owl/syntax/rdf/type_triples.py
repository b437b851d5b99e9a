"""Read what rdf:type says: declarations, characteristics of properties, class assertions, axioms that are nodes."""

from __future__ import annotations

from collections.abc import Callable

from moose.owl.model import axioms
from moose.owl.model import expressions as model
from moose.owl.model.axioms import Annotations, Axiom, Declaration
from moose.owl.model.expressions import XSD, AnnotationProperty, DataProperty, ObjectProperty
from moose.owl.syntax.rdf.expression_nodes import (
    Broken,
    Expressions,
    Statement,
    annotation_assertion,
    disjoint_properties,
)
from moose.owl.syntax.rdf.graph import Term, is_blank, show
from moose.owl.syntax.rdf.rdf_vocabulary import (
    ALL_DIFFERENT,
    ALL_DISJOINT_CLASSES,
    ALL_DISJOINT_PROPERTIES,
    ASSERTION_PROPERTY,
    ASSERTION_SOURCE,
    CHARACTERISTICS,
    DECLARED_AS,
    DEPRECATED,
    DEPRECATIONS,
    DISTINCT_MEMBERS,
    EXPRESSION_PARTS,
    FIRST,
    FUNCTIONAL,
    LIST,
    MEMBERS,
    NEGATIVE_ASSERTION,
    NIL,
    NODE_PARTS,
    ONTOLOGY,
    RESERVED,
    REST,
    RESTRICTION,
    SOME_PROPERTY,
    SWRL,
    TARGET_INDIVIDUAL,
    TARGET_VALUE,
    TYPE,
    Kind,
)

TRUE = model.Literal("true", XSD + "boolean")
STRUCTURAL_TYPES = frozenset([RESTRICTION, LIST])
# Names that only rules speak of. To declare one says nothing, but it is kept.
RULE_NAMES = frozenset(SWRL + name for name in ("Variable", "Builtin"))


def read_type(read: Expressions, subject: str, value: Term, notes: Annotations) -> list[Statement]:
    """Read the triple that gives a subject a type; what only describes a blank node makes no statement."""
    if isinstance(value, str):
        if value in DECLARED_AS or value in STRUCTURAL_TYPES:
            return _declare(read, subject, value, notes)
        if value in CHARACTERISTICS:
            axiom = axioms.ObjectPropertyCharacteristic(CHARACTERISTICS[value], read.role(subject), notes)
            is_declared = is_blank(subject) or subject.startswith(RESERVED)
            return [axiom] if is_declared else [Declaration(read.entity(ObjectProperty, subject)), axiom]
        if value == FUNCTIONAL:
            return [_functional(read, subject, notes)]
        if value in DEPRECATIONS:
            return [annotation_assertion(DEPRECATED, subject, TRUE, notes)]
        if value == SOME_PROPERTY:
            return _declare_by_use(read, subject, notes)
        if value == ONTOLOGY or value in RULE_NAMES:
            return [annotation_assertion(TYPE, subject, value, notes)]
    return [axioms.ClassAssertion(read.cls(value), read.individual(subject), notes)]


def _declare(read: Expressions, subject: str, value: str, notes: Annotations) -> list[Statement]:
    if is_blank(subject) or value in STRUCTURAL_TYPES:
        return _described(read, subject, value)
    statements: list[Statement] = [_declaration(read, DECLARED_AS[value], subject, notes)]
    return [*statements, annotation_assertion(DEPRECATED, subject, TRUE, ())] if value in DEPRECATIONS else statements


def _described(read: Expressions, node: str, value: str) -> list[Statement]:
    """Make no statement of the type of a node if there is something that describes the node."""
    words = {FIRST, REST} if value == LIST else EXPRESSION_PARTS
    if node != NIL and not any(word in words for word, _ in read.graph.pairs.get(node, ())):
        raise Broken(f"{show(node)} is said to be {show(value)}, but nothing describes it")
    return []


def _declare_by_use(read: Expressions, subject: str, notes: Annotations) -> list[Statement]:
    if is_blank(subject):
        return _described(read, subject, SOME_PROPERTY)
    kinds = read.kinds.of(subject) or (AnnotationProperty,)
    return [_declaration(read, kind, subject, notes) for kind in kinds]


def _declaration(read: Expressions, kind: Kind, name: str, notes: Annotations) -> Declaration:
    make: Callable[[str], model.Entity] = kind  # the join of the classes in `Kind` is object to the type checker
    return Declaration(read.entity(make, name), notes)


def _functional(read: Expressions, subject: str, notes: Annotations) -> Axiom:
    kinds = read.kinds.of(subject)
    if kinds[:1] == (DataProperty,):
        return axioms.FunctionalDataProperty(read.data_property(subject), notes)
    if kinds == (AnnotationProperty,):
        raise Broken("OWL 2 has no functional annotation properties")
    return axioms.ObjectPropertyCharacteristic("Functional", read.role(subject), notes)


# ── Axioms that are nodes ─────────────────────────────────────────────────────────────────────────────────────────

NodeReader = Callable[[Expressions, str, Annotations], Axiom]


def _members(read: Expressions, node: str) -> list[Term]:
    """Return the items of the one list of members that a node has."""
    told = read.parts(node, NODE_PARTS)
    if len(told) != 1 or not told.keys() <= {MEMBERS, DISTINCT_MEMBERS}:
        raise Broken(f"the node {show(node)} needs one list of owl:members and nothing else")
    (head,) = told.values()
    return read.items(head)


def _all_disjoint_classes(read: Expressions, node: str, notes: Annotations) -> Axiom:
    return axioms.DisjointClasses(tuple(read.cls(item) for item in _members(read, node)), notes)


def _all_disjoint_properties(read: Expressions, node: str, notes: Annotations) -> Axiom:
    return disjoint_properties(read, _members(read, node), notes)


def _all_different(read: Expressions, node: str, notes: Annotations) -> Axiom:
    return axioms.DifferentIndividuals(tuple(read.individual(item) for item in _members(read, node)), notes)


def _negative_assertion(read: Expressions, node: str, notes: Annotations) -> Axiom:
    told = read.parts(node, NODE_PARTS)
    source, property_ = told.pop(ASSERTION_SOURCE, None), told.pop(ASSERTION_PROPERTY, None)
    if source is None or property_ is None or len(told) != 1:
        raise Broken("a negative assertion needs one source, one property and one target")
    ((word, target),) = told.items()
    individual = read.individual(source)
    if word == TARGET_VALUE and isinstance(target, model.Literal):
        return axioms.DataPropertyAssertion(read.data_property(property_), individual, target, True, notes)
    if word == TARGET_INDIVIDUAL:
        role = read.role(property_)
        return axioms.ObjectPropertyAssertion(role, individual, read.individual(target), True, notes)
    raise Broken(f"a negative assertion has the target {show(target)}")


NODE_READERS: dict[str, NodeReader] = {
    ALL_DISJOINT_CLASSES: _all_disjoint_classes,
    ALL_DISJOINT_PROPERTIES: _all_disjoint_properties,
    ALL_DIFFERENT: _all_different,
    NEGATIVE_ASSERTION: _negative_assertion,
}
