"""Hypothesis strategies over the few names that the small interpretations give a meaning to."""

from __future__ import annotations

from hypothesis import strategies as st

from moose.owl import axioms as ax
from moose.owl import model as owl
from tests.owl.interpretations import CLASSES, DATA_PROPERTIES, INDIVIDUALS, LITERALS, OWN, ROLES, STRANGE, XSD
from tests.owl.strategies import CHARACTERISTICS

MIN_INCLUSIVE = XSD + "minInclusive"
DATATYPES = [
    owl.LITERAL,
    OWN,
    *(owl.Datatype(XSD + name) for name in ("integer", "decimal", "nonNegativeInteger", "byte", "string", "boolean")),
]

names = st.sampled_from(ROLES)
roles: st.SearchStrategy[owl.ObjectPropertyExpression] = st.one_of(
    names,
    names,
    st.builds(owl.ObjectInverseOf, names),
    st.sampled_from(
        [owl.TOP_OBJECT_PROPERTY, owl.ObjectInverseOf(owl.TOP_OBJECT_PROPERTY), owl.BOTTOM_OBJECT_PROPERTY]
    ),
)
data_roles = st.sampled_from(DATA_PROPERTIES)
individuals = st.sampled_from(INDIVIDUALS)
literals = st.sampled_from([*LITERALS, STRANGE])
numbers = st.integers(0, 3)

ranges: st.SearchStrategy[owl.DataRange] = st.recursive(
    st.one_of(
        st.sampled_from(DATATYPES),
        st.builds(owl.DataOneOf, st.lists(literals, min_size=1, max_size=3).map(tuple)),
        st.just(owl.DatatypeRestriction(owl.Datatype(XSD + "decimal"), ((MIN_INCLUSIVE, LITERALS[0]),))),
    ),
    lambda inner: st.one_of(
        st.builds(owl.DataIntersectionOf, st.lists(inner, min_size=2, max_size=3).map(tuple)),
        st.builds(owl.DataUnionOf, st.lists(inner, min_size=2, max_size=3).map(tuple)),
        st.builds(owl.DataComplementOf, inner),
    ),
    max_leaves=4,
)


def _larger(inner: st.SearchStrategy[owl.ClassExpression]) -> st.SearchStrategy[owl.ClassExpression]:
    return st.one_of(
        st.builds(owl.ObjectIntersectionOf, st.lists(inner, min_size=2, max_size=3).map(tuple)),
        st.builds(owl.ObjectUnionOf, st.lists(inner, min_size=2, max_size=3).map(tuple)),
        st.builds(owl.ObjectComplementOf, inner),
        st.builds(owl.ObjectSomeValuesFrom, roles, inner),
        st.builds(owl.ObjectAllValuesFrom, roles, inner),
        st.builds(owl.ObjectMinCardinality, numbers, roles, inner),
        st.builds(owl.ObjectMaxCardinality, numbers, roles, inner),
        st.builds(owl.ObjectExactCardinality, numbers, roles, inner),
    )


one_data_role = st.tuples(data_roles)
expressions: st.SearchStrategy[owl.ClassExpression] = st.recursive(
    st.one_of(
        st.sampled_from([*CLASSES, owl.THING, owl.NOTHING]),
        st.sampled_from(CLASSES),
        st.builds(owl.ObjectOneOf, st.lists(individuals, min_size=1, max_size=3).map(tuple)),
        st.builds(owl.ObjectHasValue, roles, individuals),
        st.builds(owl.ObjectHasSelf, roles),
        st.builds(owl.DataHasValue, data_roles, literals),
        st.builds(owl.DataSomeValuesFrom, one_data_role, ranges),
        st.builds(owl.DataAllValuesFrom, one_data_role, ranges),
        st.builds(owl.DataMinCardinality, numbers, data_roles, ranges),
        st.builds(owl.DataMaxCardinality, numbers, data_roles, ranges),
        st.builds(owl.DataExactCardinality, numbers, data_roles, ranges),
    ),
    _larger,
    max_leaves=6,
)
several = st.lists(expressions, min_size=2, max_size=4).map(tuple)
several_roles = st.lists(roles, min_size=1, max_size=3).map(tuple)

axioms: st.SearchStrategy[ax.Axiom] = st.one_of(
    st.builds(ax.SubClassOf, expressions, expressions),
    st.builds(ax.SubClassOf, expressions, expressions),
    st.builds(ax.EquivalentClasses, several),
    st.builds(ax.DisjointClasses, several),
    st.builds(ax.DisjointUnion, st.sampled_from(CLASSES), several),
    st.builds(ax.HasKey, expressions, several_roles, st.lists(data_roles, max_size=2).map(tuple)),
    st.builds(ax.SubObjectPropertyOf, several_roles, roles),
    st.builds(ax.EquivalentObjectProperties, several_roles),
    st.builds(ax.DisjointObjectProperties, several_roles),
    st.builds(ax.InverseObjectProperties, roles, roles),
    st.builds(ax.ObjectPropertyDomain, roles, expressions),
    st.builds(ax.ObjectPropertyRange, roles, expressions),
    st.builds(ax.ObjectPropertyCharacteristic, st.sampled_from(CHARACTERISTICS), roles),
    st.builds(ax.DisjointDataProperties, st.lists(data_roles, min_size=2, max_size=3).map(tuple)),
    st.builds(ax.DataPropertyDomain, data_roles, expressions),
    st.builds(ax.DataPropertyRange, data_roles, ranges),
    st.builds(ax.ClassAssertion, expressions, individuals),
    st.builds(ax.ObjectPropertyAssertion, roles, individuals, individuals, st.booleans()),
    st.builds(ax.DataPropertyAssertion, data_roles, individuals, literals, st.booleans()),
)
