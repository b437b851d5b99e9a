"""Hypothesis strategies over the whole OWL model: everything that a reader can return."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import TypeVar

from hypothesis import strategies as st

from moose.owl.model import axioms as ax
from moose.owl.model import expressions as owl
from moose.owl.model.axioms import Document
from moose.owl.model.expressions import LANGUAGE_STRING_IRI, XSD
from moose.owl.syntax.common.arguments import RULE_REASON

T = TypeVar("T")

# Few names, so that they meet again in other places; the odd ones hold what a tokenizer could trip over.
IRIS = st.sampled_from(
    [f"http://example.org/{name}" for name in ("A", "B", "C", "r", "s", "a#b", "(x)", "é", "d'Été", 'quo"te', "A,B;C")]
    + ["urn:x:y", owl.THING.iri, owl.NOTHING.iri, owl.TOP_OBJECT_PROPERTY.iri]
)
# XML allows neither control characters nor surrogates, and reads \r as \n.
TEXTS = st.text(
    st.one_of(
        st.sampled_from("ab \n\t\"\\'#@^():<>_&;]=%"),
        st.characters(min_codepoint=0x20, exclude_categories=("Cs", "Cn", "Co"), exclude_characters="\x7f"),
    ),
    max_size=8,
)
DATATYPES = st.sampled_from([XSD + "string", XSD + "integer", XSD + "decimal", "http://example.org/mine"])
LANGUAGES = st.sampled_from(["en", "de-AT", "zh-Hans-CN"])

classes = st.builds(owl.Class, IRIS)
object_properties = st.builds(owl.ObjectProperty, IRIS)
object_property_expressions = st.one_of(object_properties, st.builds(owl.ObjectInverseOf, object_properties))
data_properties = st.builds(owl.DataProperty, IRIS)
datatypes = st.builds(owl.Datatype, st.one_of(DATATYPES, IRIS))
anonymous = st.builds(owl.AnonymousIndividual, st.sampled_from(["x", "genid12", "a.b-c"]))
named_individuals = st.builds(owl.NamedIndividual, IRIS)
individuals = st.one_of(named_individuals, anonymous)
literals = st.one_of(
    st.builds(owl.Literal, TEXTS, DATATYPES),
    st.builds(owl.Literal, TEXTS, st.just(LANGUAGE_STRING_IRI), LANGUAGES),
)
numbers = st.integers(0, 999_999_999)
entities = st.one_of(
    classes,
    object_properties,
    data_properties,
    datatypes,
    named_individuals,
    st.builds(owl.AnnotationProperty, IRIS),
)


def some(items: st.SearchStrategy[T], least: int = 1) -> st.SearchStrategy[tuple[T, ...]]:
    """Return tuples of a few items."""
    return st.lists(items, min_size=least, max_size=3).map(tuple)


def _larger_ranges(inner: st.SearchStrategy[owl.DataRange]) -> st.SearchStrategy[owl.DataRange]:
    return st.one_of(
        st.builds(owl.DataIntersectionOf, some(inner)),
        st.builds(owl.DataUnionOf, some(inner)),
        st.builds(owl.DataComplementOf, inner),
    )


@cache
def data_ranges() -> st.SearchStrategy[owl.DataRange]:
    """Return data ranges of every kind."""
    simple: st.SearchStrategy[owl.DataRange] = st.one_of(
        datatypes,
        st.builds(owl.DataOneOf, some(literals)),
        st.builds(owl.DatatypeRestriction, datatypes, some(st.tuples(IRIS, literals))),
    )
    return st.recursive(simple, _larger_ranges, max_leaves=3)


def _larger_classes(inner: st.SearchStrategy[owl.ClassExpression]) -> st.SearchStrategy[owl.ClassExpression]:
    role = object_property_expressions
    return st.one_of(
        st.builds(owl.ObjectIntersectionOf, some(inner)),
        st.builds(owl.ObjectUnionOf, some(inner)),
        st.builds(owl.ObjectComplementOf, inner),
        st.builds(owl.ObjectSomeValuesFrom, role, inner),
        st.builds(owl.ObjectAllValuesFrom, role, inner),
        st.builds(owl.ObjectMinCardinality, numbers, role, inner),
        st.builds(owl.ObjectMaxCardinality, numbers, role, inner),
        st.builds(owl.ObjectExactCardinality, numbers, role, inner),
    )


@cache
def class_expressions() -> st.SearchStrategy[owl.ClassExpression]:
    """Return class expressions of every kind."""
    simple: st.SearchStrategy[owl.ClassExpression] = st.one_of(
        classes,
        st.builds(owl.ObjectOneOf, some(individuals)),
        st.builds(owl.ObjectHasValue, object_property_expressions, individuals),
        st.builds(owl.ObjectHasSelf, object_property_expressions),
        st.builds(owl.DataSomeValuesFrom, some(data_properties), data_ranges()),
        st.builds(owl.DataAllValuesFrom, some(data_properties), data_ranges()),
        st.builds(owl.DataHasValue, data_properties, literals),
        st.builds(owl.DataMinCardinality, numbers, data_properties, data_ranges()),
        st.builds(owl.DataMaxCardinality, numbers, data_properties, data_ranges()),
        st.builds(owl.DataExactCardinality, numbers, data_properties, data_ranges()),
    )
    return st.recursive(simple, _larger_classes, max_leaves=5)


annotation_values: st.SearchStrategy[str | owl.Literal | owl.AnonymousIndividual] = st.one_of(IRIS, literals, anonymous)
single_annotations: st.SearchStrategy[ax.Annotation] = st.recursive(
    st.builds(ax.Annotation, IRIS, annotation_values),
    lambda inner: st.builds(ax.Annotation, IRIS, annotation_values, some(inner)),
    max_leaves=2,
)
# Most axioms have no annotations, here as in real ontologies.
notes: st.SearchStrategy[ax.Annotations] = st.one_of(st.just(()), st.just(()), some(single_annotations))

CHARACTERISTICS = (
    "Functional",
    "InverseFunctional",
    "Reflexive",
    "Irreflexive",
    "Symmetric",
    "Asymmetric",
    "Transitive",
)
RULE = "DLSafeRule(Body(ClassAtom(<http://example.org/A> Variable(<urn:x>))) Head())"


def _keys(cls: owl.ClassExpression, keys: list[owl.Entity], found: ax.Annotations) -> ax.HasKey:
    roles = tuple(key for key in keys if isinstance(key, owl.ObjectProperty))
    return ax.HasKey(cls, roles, tuple(key for key in keys if isinstance(key, owl.DataProperty)), found)


AXIOM_STRATEGIES: dict[type, Callable[[], st.SearchStrategy[ax.Axiom]]] = {
    ax.SubClassOf: lambda: st.builds(ax.SubClassOf, class_expressions(), class_expressions(), notes),
    ax.EquivalentClasses: lambda: st.builds(ax.EquivalentClasses, some(class_expressions()), notes),
    ax.DisjointClasses: lambda: st.builds(ax.DisjointClasses, some(class_expressions()), notes),
    ax.DisjointUnion: lambda: st.builds(ax.DisjointUnion, classes, some(class_expressions()), notes),
    ax.HasKey: lambda: st.builds(
        _keys, class_expressions(), st.lists(object_properties | data_properties, min_size=1, max_size=3), notes
    ),
    ax.DatatypeDefinition: lambda: st.builds(ax.DatatypeDefinition, datatypes, data_ranges(), notes),
    ax.SubObjectPropertyOf: lambda: st.builds(
        ax.SubObjectPropertyOf, some(object_property_expressions), object_property_expressions, notes
    ),
    ax.EquivalentObjectProperties: lambda: st.builds(
        ax.EquivalentObjectProperties, some(object_property_expressions), notes
    ),
    ax.DisjointObjectProperties: lambda: st.builds(
        ax.DisjointObjectProperties, some(object_property_expressions), notes
    ),
    ax.InverseObjectProperties: lambda: st.builds(
        ax.InverseObjectProperties, object_property_expressions, object_property_expressions, notes
    ),
    ax.ObjectPropertyDomain: lambda: st.builds(
        ax.ObjectPropertyDomain, object_property_expressions, class_expressions(), notes
    ),
    ax.ObjectPropertyRange: lambda: st.builds(
        ax.ObjectPropertyRange, object_property_expressions, class_expressions(), notes
    ),
    ax.ObjectPropertyCharacteristic: lambda: st.builds(
        ax.ObjectPropertyCharacteristic, st.sampled_from(CHARACTERISTICS), object_property_expressions, notes
    ),
    ax.SubDataPropertyOf: lambda: st.builds(ax.SubDataPropertyOf, data_properties, data_properties, notes),
    ax.EquivalentDataProperties: lambda: st.builds(ax.EquivalentDataProperties, some(data_properties), notes),
    ax.DisjointDataProperties: lambda: st.builds(ax.DisjointDataProperties, some(data_properties), notes),
    ax.DataPropertyDomain: lambda: st.builds(ax.DataPropertyDomain, data_properties, class_expressions(), notes),
    ax.DataPropertyRange: lambda: st.builds(ax.DataPropertyRange, data_properties, data_ranges(), notes),
    ax.FunctionalDataProperty: lambda: st.builds(ax.FunctionalDataProperty, data_properties, notes),
    ax.SameIndividual: lambda: st.builds(ax.SameIndividual, some(individuals), notes),
    ax.DifferentIndividuals: lambda: st.builds(ax.DifferentIndividuals, some(individuals), notes),
    ax.ClassAssertion: lambda: st.builds(ax.ClassAssertion, class_expressions(), individuals, notes),
    ax.ObjectPropertyAssertion: lambda: st.builds(
        ax.ObjectPropertyAssertion, object_property_expressions, individuals, individuals, st.booleans(), notes
    ),
    ax.DataPropertyAssertion: lambda: st.builds(
        ax.DataPropertyAssertion, data_properties, individuals, literals, st.booleans(), notes
    ),
    ax.UnreadAxiom: lambda: st.builds(ax.UnreadAxiom, st.just(RULE), st.just(RULE_REASON), notes),
}


@cache
def axioms() -> st.SearchStrategy[ax.Axiom]:
    """Return axioms of every kind."""
    return st.one_of([strategy() for strategy in AXIOM_STRATEGIES.values()])


declarations = st.builds(ax.Declaration, entities, notes)
annotation_assertions = st.builds(ax.AnnotationAssertion, IRIS, st.one_of(IRIS, anonymous), annotation_values, notes)


@cache
def documents() -> st.SearchStrategy[Document]:
    """Return documents with a little of everything."""
    iris = st.one_of(
        st.just((None, None)), st.tuples(IRIS, st.none()), st.tuples(IRIS, IRIS)
    )  # a version only with an IRI

    def make(names: tuple[str | None, str | None], parts: tuple[object, ...]) -> Document:
        return Document(*names, *parts)  # type: ignore[arg-type]  # the strategies below are in the order of the fields

    return st.builds(
        make,
        iris,
        st.tuples(
            some(IRIS, 0),
            some(single_annotations, 0),
            some(declarations, 0),
            some(axioms(), 0),
            some(annotation_assertions, 0),
            st.dictionaries(st.sampled_from(["", "ex", "a-b.c"]), IRIS, max_size=2),
        ),
    )
