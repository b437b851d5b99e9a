"""Every construct of OWL 2 by its name in functional syntax, with the builder that makes it from its arguments.

    SubClassOf( ObjectSomeValuesFrom( :hasTopping :Cheese ) :CheesyPizza )

becomes, from the inside out, `CONSTRUCTS["ObjectSomeValuesFrom"]` and then `CONSTRUCTS["SubClassOf"]` applied to lists
of arguments. OWL/XML has the same names. An axiom takes its annotations before its other arguments.
"""

from __future__ import annotations

from moose.base.suggestions import close_matches, did_you_mean
from moose.owl.model import axioms
from moose.owl.model import expressions as model
from moose.owl.model.expressions import RDFS
from moose.owl.syntax.common.arguments import (
    ANNOTATION_SUBJECT,
    ANNOTATION_VALUE,
    CLASS,
    DATA_PROPERTY,
    DATA_RANGE,
    DATATYPE,
    ENTITY,
    INDIVIDUAL,
    IRI,
    LITERAL,
    NAMED_CLASS,
    NAMED_OBJECT_PROPERTY,
    OBJECT_PROPERTY,
    RULE_REASON,
    Build,
    IllFormed,
    Names,
    Sort,
    check_count,
    convert,
    counted,
    describe,
    fixed,
    last_apart,
    several,
    split_annotations,
)
from moose.owl.syntax.common.parts import FacetRestriction, Group, Import, ObjectPropertyChain, RuleText
from moose.owl.syntax.functional.write_functional import render

RULE_PARTS = (
    *("Body", "Head", "Variable", "ClassAtom", "DataRangeAtom", "ObjectPropertyAtom", "DataPropertyAtom"),
    *("BuiltInAtom", "SameIndividualAtom", "DifferentIndividualsAtom"),
)

# ── Constructs with a shape of their own ──────────────────────────────────────────────────────────────────────────


def _entity(kind: type[model.Entity], sort: Sort) -> Build:
    """Return the builder of an entity that is written with its kind, e.g. Class(<A>)."""
    index = sort.index

    def build(arguments: list[object], names: Names) -> object:
        check_count(arguments, 1, 1, "one IRI")
        argument = arguments[0]
        value = names[index][argument] if isinstance(argument, str) else None
        if type(value) is not kind:
            raise IllFormed(f"expected an IRI, but got {describe(argument)}", argument)
        return value

    return build


def _datatype_restriction(arguments: list[object], names: Names) -> object:
    """Facets come as pairs in functional syntax, as elements of their own in OWL/XML."""
    check_count(arguments, 2, max(2, len(arguments)), "a datatype and one facet or more")
    facets: list[FacetRestriction] = []
    rest = iter(arguments[1:])
    for argument in rest:
        if isinstance(argument, FacetRestriction):
            facets.append(argument)
            continue
        literal = next(rest, None)
        if literal is None:
            raise IllFormed("expected a literal after each facet, but the last facet has none", argument)
        facets.append(FacetRestriction(str(convert(argument, IRI, names)), _literal(literal, names)))
    datatype = convert(arguments[0], DATATYPE, names)
    assert isinstance(datatype, model.Datatype)
    return model.DatatypeRestriction(datatype, tuple((facet.facet, facet.literal) for facet in facets))


def _literal(argument: object, names: Names) -> model.Literal:
    literal = convert(argument, LITERAL, names)
    assert isinstance(literal, model.Literal)
    return literal


def _annotation(arguments: list[object], names: Names) -> object:
    annotations, rest = split_annotations(arguments)
    check_count(rest, 2, 2, "an annotation property and a value")
    value = convert(rest[1], ANNOTATION_VALUE, names)
    assert isinstance(value, str | model.Literal | model.AnonymousIndividual)
    return axioms.Annotation(str(convert(rest[0], IRI, names)), value, annotations)


def _disjoint_union(arguments: list[object], names: Names) -> object:
    annotations, rest = split_annotations(arguments)
    check_count(rest, 2, max(2, len(rest)), "a named class and one class expression or more")
    operands = tuple([convert(argument, CLASS, names) for argument in rest[1:]])
    return axioms.DisjointUnion(convert(rest[0], NAMED_CLASS, names), operands, annotations)  # type: ignore[arg-type]  # converted


def _sub_object_property(arguments: list[object], names: Names) -> object:
    annotations, rest = split_annotations(arguments)
    check_count(rest, 2, 2, f"{OBJECT_PROPERTY.phrase} or an ObjectPropertyChain(…), and {OBJECT_PROPERTY.phrase}")
    if isinstance(rest[0], ObjectPropertyChain):
        chain = rest[0].properties
    else:
        chain = (convert(rest[0], OBJECT_PROPERTY, names),)  # type: ignore[assignment]  # converted to that sort
    return axioms.SubObjectPropertyOf(chain, convert(rest[1], OBJECT_PROPERTY, names), annotations)  # type: ignore[arg-type]  # as above


def _has_key(arguments: list[object], names: Names) -> object:
    """The properties stand in two groups in functional syntax; in OWL/XML each says of which kind it is."""
    annotations, rest = split_annotations(arguments)
    if len(rest) == 3 and isinstance(rest[1], Group) and isinstance(rest[2], Group):
        roles = [convert(argument, OBJECT_PROPERTY, names) for argument in rest[1].arguments]
        attributes = [convert(argument, DATA_PROPERTY, names) for argument in rest[2].arguments]
    else:
        check_count(rest, 2, max(2, len(rest)), "a class expression, (object properties) and (data properties)")
        attributes = [argument for argument in rest[1:] if isinstance(argument, model.DataProperty)]
        others = [argument for argument in rest[1:] if not isinstance(argument, model.DataProperty)]
        if any(isinstance(argument, str | Group) for argument in others):
            raise IllFormed("expected the properties as two lists in parentheses: HasKey(C (r …) (d …))")
        roles = [convert(argument, OBJECT_PROPERTY, names) for argument in others]
    if not roles and not attributes:
        raise IllFormed("expected at least one property, but both lists are empty")
    return axioms.HasKey(convert(rest[0], CLASS, names), tuple(roles), tuple(attributes), annotations)  # type: ignore[arg-type]  # converted


def _annotation_axiom(property_iri: str) -> Build:
    """Read an axiom about annotation properties as the annotation that RDF has for it."""

    def make(subject: str, value: str, annotations: axioms.Annotations = ()) -> axioms.AnnotationAssertion:
        return axioms.AnnotationAssertion(property_iri, subject, value, annotations)

    return fixed(make, IRI, IRI, annotated=True)


def _characteristic(word: str) -> Build:
    def make(
        role: model.ObjectPropertyExpression, annotations: axioms.Annotations = ()
    ) -> axioms.ObjectPropertyCharacteristic:
        return axioms.ObjectPropertyCharacteristic(word, role, annotations)

    return fixed(make, OBJECT_PROPERTY, annotated=True)


def _object_assertion(negative: bool) -> Build:
    def make(
        role: model.ObjectPropertyExpression,
        source: model.Individual,
        target: model.Individual,
        annotations: axioms.Annotations = (),
    ) -> axioms.ObjectPropertyAssertion:
        return axioms.ObjectPropertyAssertion(role, source, target, negative, annotations)

    plain = None if negative else axioms.ObjectPropertyAssertion
    return fixed(make, OBJECT_PROPERTY, INDIVIDUAL, INDIVIDUAL, annotated=True, plain=plain)


def _data_assertion(negative: bool) -> Build:
    def make(
        attribute: model.DataProperty,
        source: model.Individual,
        literal: model.Literal,
        annotations: axioms.Annotations = (),
    ) -> axioms.DataPropertyAssertion:
        return axioms.DataPropertyAssertion(attribute, source, literal, negative, annotations)

    return fixed(make, DATA_PROPERTY, INDIVIDUAL, LITERAL, annotated=True)


def _rule_text(name: str, arguments: list[object], names: Names) -> str:
    parts = []
    for argument in arguments:
        value = names[ANNOTATION_VALUE.index][argument] if isinstance(argument, str) else argument
        if isinstance(value, RuleText):
            parts.append(value.text)
        elif isinstance(value, str):
            parts.append(f"<{value}>")
        else:
            parts.append(render(value))
    return f"{name}({' '.join(parts)})"


def _rule_part(name: str) -> Build:
    return lambda arguments, names: RuleText(_rule_text(name, arguments, names))


def _rule(arguments: list[object], names: Names) -> object:
    annotations, rest = split_annotations(arguments)
    for argument in rest:
        if not isinstance(argument, RuleText):
            raise IllFormed(f"expected Body(…) and Head(…), but got {describe(argument)}", argument)
    return axioms.UnreadAxiom(_rule_text("DLSafeRule", rest, names), RULE_REASON, annotations)


# ── The table ─────────────────────────────────────────────────────────────────────────────────────────────────────

CONSTRUCTS: dict[str, Build] = {
    # Entities
    "Class": _entity(model.Class, CLASS),
    "ObjectProperty": _entity(model.ObjectProperty, OBJECT_PROPERTY),
    "DataProperty": _entity(model.DataProperty, DATA_PROPERTY),
    "AnnotationProperty": fixed(model.AnnotationProperty, IRI),
    "NamedIndividual": _entity(model.NamedIndividual, INDIVIDUAL),
    "Datatype": _entity(model.Datatype, DATATYPE),
    # Object property expressions
    "ObjectInverseOf": fixed(model.ObjectInverseOf, NAMED_OBJECT_PROPERTY),
    "ObjectPropertyChain": several(ObjectPropertyChain, OBJECT_PROPERTY),
    # Data ranges
    "DataIntersectionOf": several(model.DataIntersectionOf, DATA_RANGE),
    "DataUnionOf": several(model.DataUnionOf, DATA_RANGE),
    "DataComplementOf": fixed(model.DataComplementOf, DATA_RANGE),
    "DataOneOf": several(model.DataOneOf, LITERAL),
    "DatatypeRestriction": _datatype_restriction,
    "FacetRestriction": fixed(FacetRestriction, IRI, LITERAL),
    # Class expressions
    "ObjectIntersectionOf": several(model.ObjectIntersectionOf, CLASS),
    "ObjectUnionOf": several(model.ObjectUnionOf, CLASS),
    "ObjectComplementOf": fixed(model.ObjectComplementOf, CLASS),
    "ObjectOneOf": several(model.ObjectOneOf, INDIVIDUAL),
    "ObjectSomeValuesFrom": fixed(model.ObjectSomeValuesFrom, OBJECT_PROPERTY, CLASS),
    "ObjectAllValuesFrom": fixed(model.ObjectAllValuesFrom, OBJECT_PROPERTY, CLASS),
    "ObjectHasValue": fixed(model.ObjectHasValue, OBJECT_PROPERTY, INDIVIDUAL),
    "ObjectHasSelf": fixed(model.ObjectHasSelf, OBJECT_PROPERTY),
    "ObjectMinCardinality": counted(model.ObjectMinCardinality, OBJECT_PROPERTY, CLASS, model.THING),
    "ObjectMaxCardinality": counted(model.ObjectMaxCardinality, OBJECT_PROPERTY, CLASS, model.THING),
    "ObjectExactCardinality": counted(model.ObjectExactCardinality, OBJECT_PROPERTY, CLASS, model.THING),
    "DataSomeValuesFrom": last_apart(model.DataSomeValuesFrom, DATA_PROPERTY, DATA_RANGE),
    "DataAllValuesFrom": last_apart(model.DataAllValuesFrom, DATA_PROPERTY, DATA_RANGE),
    "DataHasValue": fixed(model.DataHasValue, DATA_PROPERTY, LITERAL),
    "DataMinCardinality": counted(model.DataMinCardinality, DATA_PROPERTY, DATA_RANGE, model.LITERAL),
    "DataMaxCardinality": counted(model.DataMaxCardinality, DATA_PROPERTY, DATA_RANGE, model.LITERAL),
    "DataExactCardinality": counted(model.DataExactCardinality, DATA_PROPERTY, DATA_RANGE, model.LITERAL),
    # Without logical meaning
    "Import": fixed(Import, IRI),
    "Annotation": _annotation,
    "Declaration": fixed(axioms.Declaration, ENTITY, annotated=True),
    "AnnotationAssertion": fixed(axioms.AnnotationAssertion, IRI, ANNOTATION_SUBJECT, ANNOTATION_VALUE, annotated=True),
    "SubAnnotationPropertyOf": _annotation_axiom(RDFS + "subPropertyOf"),
    "AnnotationPropertyDomain": _annotation_axiom(RDFS + "domain"),
    "AnnotationPropertyRange": _annotation_axiom(RDFS + "range"),
    # Axioms about classes and datatypes
    "SubClassOf": fixed(axioms.SubClassOf, CLASS, CLASS, annotated=True),
    "EquivalentClasses": several(axioms.EquivalentClasses, CLASS, annotated=True),
    "DisjointClasses": several(axioms.DisjointClasses, CLASS, annotated=True),
    "DisjointUnion": _disjoint_union,
    "HasKey": _has_key,
    "DatatypeDefinition": fixed(axioms.DatatypeDefinition, DATATYPE, DATA_RANGE, annotated=True),
    # Axioms about object properties
    "SubObjectPropertyOf": _sub_object_property,
    "EquivalentObjectProperties": several(axioms.EquivalentObjectProperties, OBJECT_PROPERTY, annotated=True),
    "DisjointObjectProperties": several(axioms.DisjointObjectProperties, OBJECT_PROPERTY, annotated=True),
    "InverseObjectProperties": fixed(axioms.InverseObjectProperties, OBJECT_PROPERTY, OBJECT_PROPERTY, annotated=True),
    "ObjectPropertyDomain": fixed(axioms.ObjectPropertyDomain, OBJECT_PROPERTY, CLASS, annotated=True),
    "ObjectPropertyRange": fixed(axioms.ObjectPropertyRange, OBJECT_PROPERTY, CLASS, annotated=True),
    "FunctionalObjectProperty": _characteristic("Functional"),
    "InverseFunctionalObjectProperty": _characteristic("InverseFunctional"),
    "ReflexiveObjectProperty": _characteristic("Reflexive"),
    "IrreflexiveObjectProperty": _characteristic("Irreflexive"),
    "SymmetricObjectProperty": _characteristic("Symmetric"),
    "AsymmetricObjectProperty": _characteristic("Asymmetric"),
    "TransitiveObjectProperty": _characteristic("Transitive"),
    # Axioms about data properties
    "SubDataPropertyOf": fixed(axioms.SubDataPropertyOf, DATA_PROPERTY, DATA_PROPERTY, annotated=True),
    "EquivalentDataProperties": several(axioms.EquivalentDataProperties, DATA_PROPERTY, annotated=True),
    "DisjointDataProperties": several(axioms.DisjointDataProperties, DATA_PROPERTY, annotated=True),
    "DataPropertyDomain": fixed(axioms.DataPropertyDomain, DATA_PROPERTY, CLASS, annotated=True),
    "DataPropertyRange": fixed(axioms.DataPropertyRange, DATA_PROPERTY, DATA_RANGE, annotated=True),
    "FunctionalDataProperty": fixed(axioms.FunctionalDataProperty, DATA_PROPERTY, annotated=True),
    # Assertions
    "SameIndividual": several(axioms.SameIndividual, INDIVIDUAL, annotated=True),
    "DifferentIndividuals": several(axioms.DifferentIndividuals, INDIVIDUAL, annotated=True),
    "ClassAssertion": fixed(axioms.ClassAssertion, CLASS, INDIVIDUAL, annotated=True),
    "ObjectPropertyAssertion": _object_assertion(negative=False),
    "NegativeObjectPropertyAssertion": _object_assertion(negative=True),
    "DataPropertyAssertion": _data_assertion(negative=False),
    "NegativeDataPropertyAssertion": _data_assertion(negative=True),
    # SWRL rules are kept as text
    "DLSafeRule": _rule,
} | {name: _rule_part(name) for name in RULE_PARTS}


def unknown_construct(name: str) -> IllFormed:
    """Return the error for a name that is no construct, with the nearest name that is one."""
    advice = did_you_mean(close_matches(name, CONSTRUCTS, most=1), otherwise="check the spelling and the file's format")
    return IllFormed(f"expected a construct of OWL 2, but got {name}; {advice}")
