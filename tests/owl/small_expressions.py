"""Hypothesis strategies over the few names that the small interpretations give a meaning to."""

from __future__ import annotations

from hypothesis import strategies as st

from moose.owl.model import axioms as ax
from moose.owl.model import expressions as owl
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
key_roles = st.lists(names, max_size=2).map(tuple)
several_roles = st.lists(roles, min_size=1, max_size=3).map(tuple)

AXIOMS: dict[type, st.SearchStrategy[ax.Axiom]] = {
    ax.SubClassOf: st.builds(ax.SubClassOf, expressions, expressions),
    ax.EquivalentClasses: st.builds(ax.EquivalentClasses, several),
    ax.DisjointClasses: st.builds(ax.DisjointClasses, several),
    ax.DisjointUnion: st.builds(ax.DisjointUnion, st.sampled_from(CLASSES), several),
    ax.HasKey: st.builds(ax.HasKey, expressions, key_roles, st.lists(data_roles, max_size=1).map(tuple)),
    ax.SubObjectPropertyOf: st.builds(ax.SubObjectPropertyOf, several_roles, roles),
    ax.EquivalentObjectProperties: st.builds(ax.EquivalentObjectProperties, several_roles),
    ax.DisjointObjectProperties: st.builds(ax.DisjointObjectProperties, several_roles),
    ax.InverseObjectProperties: st.builds(ax.InverseObjectProperties, roles, roles),
    ax.ObjectPropertyDomain: st.builds(ax.ObjectPropertyDomain, roles, expressions),
    ax.ObjectPropertyRange: st.builds(ax.ObjectPropertyRange, roles, expressions),
    ax.ObjectPropertyCharacteristic: st.builds(
        ax.ObjectPropertyCharacteristic, st.sampled_from(CHARACTERISTICS), roles
    ),
    ax.DisjointDataProperties: st.builds(
        ax.DisjointDataProperties, st.lists(data_roles, min_size=2, max_size=3).map(tuple)
    ),
    ax.DataPropertyDomain: st.builds(ax.DataPropertyDomain, data_roles, expressions),
    ax.DataPropertyRange: st.builds(ax.DataPropertyRange, data_roles, ranges),
    ax.ClassAssertion: st.builds(ax.ClassAssertion, expressions, individuals),
    ax.ObjectPropertyAssertion: st.builds(ax.ObjectPropertyAssertion, roles, individuals, individuals, st.booleans()),
    ax.DataPropertyAssertion: st.builds(ax.DataPropertyAssertion, data_roles, individuals, literals, st.booleans()),
}
