"""At least one correct inference for every rule of the checker, to accept as it is and to refuse once tampered with.

A name that the rule leaves free starts with "Free": anything may stand in its place.
"""

from __future__ import annotations

from moose.owl.model.axioms import (
    Axiom,
    ClassAssertion,
    DataPropertyAssertion,
    DataPropertyDomain,
    DataPropertyRange,
    DifferentIndividuals,
    DisjointClasses,
    EquivalentClasses,
    EquivalentDataProperties,
    EquivalentObjectProperties,
    FunctionalDataProperty,
    HasKey,
    ObjectPropertyAssertion,
    ObjectPropertyCharacteristic,
    ObjectPropertyDomain,
    ObjectPropertyRange,
    SameIndividual,
    SubClassOf,
    SubDataPropertyOf,
    SubObjectPropertyOf,
)
from moose.owl.model.expressions import (
    BOTTOM_DATA_PROPERTY,
    BOTTOM_OBJECT_PROPERTY,
    LITERAL,
    NOTHING,
    THING,
    TOP_DATA_PROPERTY,
    TOP_OBJECT_PROPERTY,
    Class,
    ClassExpression,
    DataHasValue,
    DataIntersectionOf,
    DataOneOf,
    DataProperty,
    DataRange,
    DataSomeValuesFrom,
    Literal,
    NamedIndividual,
    ObjectHasSelf,
    ObjectHasValue,
    ObjectIntersectionOf,
    ObjectOneOf,
    ObjectProperty,
    ObjectSomeValuesFrom,
    ObjectUnionOf,
)
from moose.saturation.proofs.proof import Concept, Fact, Inference, Link, NonEmpty, Role, RoleInclusion, Subsumption
from tests.saturation.naive_data import DECIMAL, INTEGER, NATURAL, STRING

A, B, C, D, FREE, FREER = (Class(name) for name in ("A", "B", "C", "D", "Free", "Freer"))
r, s, t = (ObjectProperty(name) for name in "rst")
d, e, f = (DataProperty(name) for name in "def")
a, b, c = (NamedIndividual(name) for name in "abc")
is_a, is_b, is_c = (ObjectOneOf((individual,)) for individual in (a, b, c))
ONE, WORD = Literal("1", INTEGER.iri), Literal("x")
NUMBER_AND_TEXT = DataIntersectionOf((STRING, INTEGER))
SPELT_ONE, SPELT_OTHER = (DataHasValue(d, Literal(text, DECIMAL.iri)) for text in ("1", "1.0"))
TOP, BOTTOM = TOP_OBJECT_PROPERTY, BOTTOM_OBJECT_PROPERTY
ASSUMED = D
"""The assumption that `Rnonempty` may use."""


def sub(one: Concept, other: Concept) -> Subsumption:
    return Subsumption(one, other)


def some(role: ObjectProperty, filler: ClassExpression) -> ObjectSomeValuesFrom:
    return ObjectSomeValuesFrom(role, filler)


def some_data(role: DataProperty, filler: DataRange) -> DataSomeValuesFrom:
    return DataSomeValuesFrom((role,), filler)


def both(*concepts: ClassExpression) -> ObjectIntersectionOf:
    return ObjectIntersectionOf(concepts)


def loop(role: ObjectProperty) -> ObjectHasSelf:
    return ObjectHasSelf(role)


def under(one: Role, other: Role) -> RoleInclusion:
    return RoleInclusion(one, other)


def infer(rule: str, conclusion: Fact, *given: Fact | Axiom) -> Inference:
    """Make an inference, its premises and axioms in one list."""
    premises = tuple(one for one in given if isinstance(one, Fact))
    return Inference(rule, conclusion, premises, tuple(one for one in given if not isinstance(one, Fact)))


def told(conclusion: tuple[ClassExpression, ClassExpression], axiom: Axiom) -> Inference:
    """Make an instance of R⊑ that reads an axiom as C ⊑ D."""
    return infer("R⊑", sub(C, conclusion[1]), sub(C, conclusion[0]), axiom)


CONCEPTS = [
    infer("R0", sub(A, A)),
    infer("R0", sub(both(B, A), both(A, THING, both(B, A)))),
    infer("R0", sub(ObjectHasValue(r, a), some(r, is_a))),
    infer("R0", sub(STRING, DataIntersectionOf((LITERAL, STRING)))),
    infer("R⊤", sub(FREE, THING)),
    told((A, B), SubClassOf(A, B)),
    told((A, B), EquivalentClasses((A, FREE, B))),
    told((B, A), EquivalentClasses((A, FREE, B))),
    told((both(A, B), D), SubClassOf(both(B, A), D)),
    told((some(r, THING), A), ObjectPropertyDomain(r, A)),
    told((some_data(d, LITERAL), A), DataPropertyDomain(d, A)),
    told((is_a, A), ClassAssertion(A, a)),
    told((is_a, some(r, is_b)), ObjectPropertyAssertion(r, a, b)),
    told((both(is_a, some(r, is_b)), NOTHING), ObjectPropertyAssertion(r, a, b, negative=True)),
    told((is_a, some_data(d, DataOneOf((ONE,)))), DataPropertyAssertion(d, a, ONE)),
    told((both(is_a, DataHasValue(d, ONE)), NOTHING), DataPropertyAssertion(d, a, ONE, negative=True)),
    told((is_a, is_b), SameIndividual((b, a))),
    told((THING, loop(r)), ObjectPropertyCharacteristic("Reflexive", r)),
    told((THING, A), ObjectPropertyRange(TOP, A)),
    infer("R⊑⊑", sub(A, C), sub(A, B), sub(B, C)),
    infer("R⊑⊑", sub(NATURAL, DECIMAL), sub(NATURAL, INTEGER), sub(INTEGER, DECIMAL)),
    infer("R⊓−", sub(A, B), sub(A, both(FREE, B))),
    infer("R⊓−", sub(A, both(D, B)), sub(A, both(B, FREE, D))),
    infer(
        "R⊓−",
        sub(NATURAL, DataIntersectionOf((DECIMAL, INTEGER))),
        sub(NATURAL, DataIntersectionOf((INTEGER, DECIMAL))),
    ),
    infer("R⊓+", sub(A, both(B, C, D)), sub(A, C), sub(A, both(D, B))),
    infer("R⊥", sub(A, NOTHING), Link(A, ObjectProperty("Free"), B), sub(B, NOTHING)),
    infer("R⊥", sub(A, NOTHING), Link(A, DataProperty("Free"), NUMBER_AND_TEXT), sub(NUMBER_AND_TEXT, NOTHING)),
    infer("R⊥⊑", sub(A, FREE), sub(A, NOTHING)),
    infer(
        "Rcases",
        sub(A, loop(r)),
        sub(A, B),
        sub(both(A, C), loop(r)),
        sub(both(D, A), loop(r)),
        SubClassOf(B, ObjectUnionOf((C, D))),
    ),
    infer("Rdisjoint", sub(A, NOTHING), sub(A, C), sub(A, both(B, D)), DisjointClasses((both(D, B), FREE, C))),
    infer("Rdisjoint", sub(A, NOTHING), sub(A, C), sub(A, C), DisjointClasses((C, C))),
    infer(
        "Rdisjoint", sub(A, NOTHING), sub(A, is_a), sub(A, is_b), DifferentIndividuals((b, NamedIndividual("Free"), a))
    ),
]
ROLES = [
    infer("R∃−", Link(A, r, B), sub(A, some(r, B))),
    infer("R∃−", Link(A, d, STRING), sub(A, some_data(d, STRING))),
    infer("R∃−", Link(A, d, DataOneOf((ONE,))), sub(A, DataHasValue(d, ONE))),
    infer("R∃+", sub(A, some(r, C)), Link(A, r, B), sub(B, C)),
    infer("R∃+", sub(A, some_data(d, INTEGER)), Link(A, d, NATURAL), sub(NATURAL, INTEGER)),
    infer("Rrange", Link(A, r, both(B, C)), Link(A, r, B), under(r, s), ObjectPropertyRange(s, C)),
    infer("Rrange", Link(A, r, is_a), Link(A, r, is_a), under(r, s), ObjectPropertyRange(s, is_a)),
    infer(
        "Rrange",
        Link(A, d, DataIntersectionOf((STRING, INTEGER))),
        Link(A, d, INTEGER),
        under(d, e),
        DataPropertyRange(e, STRING),
    ),
    infer("Rrefl-role", under(r, r)),
    infer("Rrefl-role", under(d, d)),
    infer("Rrole", under(r, t), under(r, s), SubObjectPropertyOf((s,), t)),
    infer("Rrole", under(r, t), under(r, s), EquivalentObjectProperties((t, s))),
    infer("Rrole", under(d, f), under(d, e), SubDataPropertyOf(e, f)),
    infer("Rrole", under(d, f), under(d, e), EquivalentDataProperties((f, e))),
    infer("Rrole", under(r, TOP), under(r, ObjectProperty("Free"))),
    infer("Rrole", under(d, TOP_DATA_PROPERTY), under(d, DataProperty("Free"))),
    infer("Rrole", under(r, ObjectProperty("Free")), under(r, BOTTOM)),
    infer("Runiversal-chain", under(r, t), under(r, TOP), under(TOP, s), under(TOP, r), SubObjectPropertyOf((s, r), t)),
    infer("Rrinc", Link(A, s, B), Link(A, r, B), under(r, s)),
    infer("Rrinc", Link(A, e, STRING), Link(A, d, STRING), under(d, e)),
    infer("Rrchain", Link(A, t, C), Link(A, r, B), Link(B, s, C), SubObjectPropertyOf((r, s), t)),
    infer("Rrchain", Link(A, t, D), Link(A, r, B), Link(B, s, C), Link(C, t, D), SubObjectPropertyOf((r, s, t), t)),
    infer("Rrchain", Link(A, r, C), Link(A, r, B), Link(B, r, C), ObjectPropertyCharacteristic("Transitive", r)),
    infer("R⊥role", sub(A, NOTHING), Link(A, BOTTOM, FREE)),
    infer("R⊥role", sub(A, NOTHING), sub(A, loop(BOTTOM))),
]
ELEMENTS = [
    infer("Rself", Link(A, r, A), sub(A, loop(r))),
    infer("Rself-⊤", sub(FREE, loop(TOP))),
    infer("Rself-inc", sub(A, loop(s)), sub(A, loop(r)), under(r, s)),
    infer("Rself-chain", sub(A, loop(t)), sub(A, loop(r)), sub(A, loop(s)), SubObjectPropertyOf((r, s), t)),
    infer("Rself-range", sub(A, both(B, C)), sub(A, loop(r)), ObjectPropertyRange(r, both(C, B))),
    infer("Rself-nominal", sub(A, loop(r)), sub(A, is_a), Link(A, r, B), sub(B, is_a)),
    infer("Rnonempty", NonEmpty(THING)),
    infer("Rnonempty", NonEmpty(ObjectOneOf((NamedIndividual("Free"),)))),
    infer("Rnonempty", NonEmpty(ASSUMED)),
    infer("Rnonempty-link", NonEmpty(B), NonEmpty(A), Link(A, ObjectProperty("Free"), B)),
    infer("Rnonempty-⊑", NonEmpty(B), NonEmpty(A), sub(A, B)),
    infer("Rnominal", sub(is_a, A), sub(A, is_a), NonEmpty(A)),
    infer("Runiversal", sub(FREE, some(TOP, B)), sub(A, B), NonEmpty(A)),
    infer("Runiversal-role", sub(FREE, some(r, B)), under(TOP, r), NonEmpty(A), sub(A, B)),
    infer("Rinconsistent", sub(FREE, NOTHING), NonEmpty(A), sub(A, NOTHING)),
]
KEY = [
    fact for one in (C, some(r, is_c), some(s, is_a), DataHasValue(d, ONE)) for fact in (sub(is_a, one), sub(is_b, one))
]
VALUES = [
    infer("Rkey", sub(is_a, is_b), *KEY, HasKey(C, (r, s), (d,))),
    infer("Rkey", sub(is_a, is_b), *KEY[:4], HasKey(C, (r,), ())),
    infer("Rkey", sub(is_a, is_b), *KEY[:2], *KEY[6:], HasKey(C, (), (d,))),
    infer(
        "Rfunctional",
        Link(A, d, DataIntersectionOf((STRING, INTEGER))),
        *(Link(A, d, STRING), Link(A, e, INTEGER), under(d, f), under(e, f)),
        FunctionalDataProperty(f),
    ),
]
FIRM = [*CONCEPTS, *ROLES, *ELEMENTS, *VALUES]
"""Inferences in which no name can be changed, but for the free ones."""
LOOSE = [
    infer("R⊥role", sub(A, NOTHING), Link(A, BOTTOM_DATA_PROPERTY, STRING)),
    infer("Rdata", sub(NATURAL, INTEGER)),
    infer("Rdata", sub(DataOneOf((ONE,)), NATURAL)),
    infer("Rdata", sub(DataOneOf((ONE,)), DataOneOf((Literal("01", INTEGER.iri),)))),
    infer("Rdata", sub(DataIntersectionOf((STRING, INTEGER)), NOTHING)),
    infer("Rdata", sub(DataIntersectionOf((DataOneOf((WORD,)), INTEGER)), NOTHING)),
    infer("Rdata-≡", sub(A, both(B, some(r, SPELT_ONE))), sub(A, both(some(r, SPELT_OTHER), B))),
    infer("Rdata-≡", sub(A, some_data(d, NATURAL)), sub(A, some_data(d, DataIntersectionOf((INTEGER, NATURAL))))),
    infer("Rdata-top", sub(FREE, some_data(TOP_DATA_PROPERTY, INTEGER))),
    infer("Rdata-top", sub(FREE, some_data(TOP_DATA_PROPERTY, DataOneOf((WORD,))))),
]
"""Inferences about literals, in which some other literal or datatype would do as well."""
ILL_TYPED = infer("Rdata", sub(DataOneOf((Literal("two", INTEGER.iri),)), NOTHING))
INSTANCES = [*FIRM, *LOOSE]
