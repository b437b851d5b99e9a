"""Small random EL++ ontologies, by seed (`random_axioms`) or through Hypothesis (`ontologies`).

Few names and many axioms, so that consequences are common. The results keep to OWL 2 DL and to the EL profile: chains
are regular, Self stands on simple roles only, and a range of a role is also a range of the last role of each of its
chains. HermiT can therefore judge them too.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeVar

from hypothesis import strategies as st

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
    BOTTOM_OBJECT_PROPERTY,
    LITERAL,
    NOTHING,
    THING,
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
)
from tests.saturation.naive_data import DECIMAL, INTEGER, MOMENT, NATURAL, STRING
from tests.saturation.random_mending import mend

NAMESPACE = "http://example.org/"
CLASSES = tuple(Class(NAMESPACE + name) for name in "ABCDEF")
ROLES = tuple(ObjectProperty(NAMESPACE + name) for name in "rstu")
INDIVIDUALS = tuple(NamedIndividual(NAMESPACE + name) for name in "abc")
DATA_ROLES = tuple(DataProperty(NAMESPACE + name) for name in "de")
LITERALS = (
    Literal("x"),
    Literal("two words"),
    *(Literal(lexical, INTEGER.iri) for lexical in ("1", "01", "-1")),
    *(Literal(lexical, DECIMAL.iri) for lexical in ("1.0", "0.5")),
)
DATATYPES = (LITERAL, STRING, DECIMAL, INTEGER, NATURAL, MOMENT)

# fmt: off
ALL_FEATURES = frozenset({
    "assertions", "bottom", "bottom-role", "chains", "data", "disjoint", "domain", "functional", "keys", "nominals",
    "range", "reflexive", "roles", "self", "top-role",
})
# fmt: on
"""What a random ontology may use beside ⊓, ∃ and named classes. "functional" and data keys come with "data" only."""

T = TypeVar("T")


@dataclass(frozen=True)
class Draw:
    """A source of choices, and the names and features to choose from."""

    random: random.Random
    features: frozenset[str]
    classes: int = len(CLASSES)
    roles: int = len(ROLES)

    def one(self, choices: Sequence[T]) -> T:
        """Choose one, the earlier ones being simpler."""
        return choices[self.random.randrange(len(choices))]

    def chance(self, one_in: int) -> bool:
        """Be true now and then."""
        return self.random.randrange(one_in) == one_in - 1

    def has(self, feature: str, one_in: int = 1) -> bool:
        """Be true now and then where the feature is wanted."""
        return feature in self.features and self.chance(one_in)

    def name(self) -> Class:
        """Choose a named class."""
        return self.one(CLASSES[: self.classes])

    def plain_role(self) -> ObjectProperty:
        """Choose a named role."""
        return self.one(ROLES[: self.roles])

    def role(self) -> ObjectProperty:
        """Choose a role, now and then a reserved one."""
        if self.has("top-role", 12):
            return TOP_OBJECT_PROPERTY
        return BOTTOM_OBJECT_PROPERTY if self.has("bottom-role", 40) else self.plain_role()


# ── Expressions ───────────────────────────────────────────────────────────────────────────────────────────────────


def concept(draw: Draw, depth: int = 2) -> ClassExpression:
    """Draw a concept: most often a name or something small."""
    if depth == 0 or draw.chance(2):
        return atom(draw)
    if draw.chance(3):
        return ObjectIntersectionOf((concept(draw, depth - 1), concept(draw, depth - 1)))
    if draw.has("data", 4):
        return data_concept(draw)
    return ObjectSomeValuesFrom(draw.role(), concept(draw, depth - 1))


def atom(draw: Draw) -> ClassExpression:
    """Draw a concept without parts."""
    if draw.has("nominals", 4):
        return ObjectOneOf((draw.one(INDIVIDUALS),))
    if draw.has("nominals", 10):
        return ObjectHasValue(draw.role(), draw.one(INDIVIDUALS))
    if draw.has("self", 6):
        return ObjectHasSelf(draw.plain_role())
    if draw.chance(15):
        return THING
    return NOTHING if draw.has("bottom", 25) else draw.name()


def data_range(draw: Draw) -> DataRange:
    """Draw a data range of OWL 2 EL."""
    if draw.chance(8):
        return DataIntersectionOf((draw.one(DATATYPES), draw.one(DATATYPES)))
    return DataOneOf((draw.one(LITERALS),)) if draw.chance(4) else draw.one(DATATYPES)


def data_concept(draw: Draw) -> ClassExpression:
    """Draw ∃d.D or ∃d.{v}."""
    if draw.chance(2):
        return DataHasValue(draw.one(DATA_ROLES), draw.one(LITERALS))
    return DataSomeValuesFrom((draw.one(DATA_ROLES),), data_range(draw))


# ── Axioms ────────────────────────────────────────────────────────────────────────────────────────────────────────


def inclusion(draw: Draw) -> Axiom:
    """Draw C ⊑ D, one side most often a name."""
    if draw.chance(4):
        return SubClassOf(concept(draw), concept(draw))
    if draw.chance(2):
        return SubClassOf(concept(draw), draw.name())
    return SubClassOf(draw.name(), concept(draw))


def equivalence(draw: Draw) -> Axiom:
    """Draw A ≡ C, now and then of three."""
    more = (concept(draw),) if draw.chance(6) else ()
    return EquivalentClasses((draw.name(), concept(draw), *more))


def disjointness(draw: Draw) -> Axiom:
    """Draw classes that share nothing."""
    first, second = draw.random.sample(CLASSES[: draw.classes], 2)
    return DisjointClasses((first, ObjectIntersectionOf((second, concept(draw, 1))) if draw.chance(2) else second))


def role_axiom(draw: Draw) -> Axiom:
    """Draw r ⊑ s, with a reserved role now and then, or r ≡ s."""
    if draw.chance(8):
        return EquivalentObjectProperties((draw.plain_role(), draw.plain_role()))
    if draw.has("top-role", 10):
        return SubObjectPropertyOf((TOP_OBJECT_PROPERTY,), draw.plain_role())
    if draw.has("bottom-role", 15):
        return SubObjectPropertyOf((draw.plain_role(),), BOTTOM_OBJECT_PROPERTY)
    return SubObjectPropertyOf((draw.plain_role(),), draw.plain_role())


def chain(draw: Draw) -> Axiom:
    """Draw r ∘ s ⊑ t, a longer chain, or transitivity."""
    if draw.chance(4):
        return ObjectPropertyCharacteristic("Transitive", draw.plain_role())
    more = (draw.plain_role(),) if draw.chance(4) else ()
    return SubObjectPropertyOf((draw.plain_role(), draw.plain_role(), *more), draw.plain_role())


def class_assertion(draw: Draw) -> Axiom:
    """Draw C(a)."""
    return ClassAssertion(concept(draw), draw.one(INDIVIDUALS))


def role_assertion(draw: Draw) -> Axiom:
    """Draw r(a, b), now and then denied."""
    return ObjectPropertyAssertion(
        draw.role(), draw.one(INDIVIDUALS), draw.one(INDIVIDUALS), negative=draw.has("disjoint", 4)
    )


def identity(draw: Draw) -> Axiom:
    """Draw a = b, or a ≠ b."""
    pair = tuple(draw.random.sample(INDIVIDUALS, 2))
    return DifferentIndividuals(pair) if draw.has("disjoint", 2) else SameIndividual(pair)


def data_assertion(draw: Draw) -> Axiom:
    """Draw d(a, v), now and then denied."""
    return DataPropertyAssertion(
        draw.one(DATA_ROLES), draw.one(INDIVIDUALS), draw.one(LITERALS), negative=draw.has("disjoint", 4)
    )


def data_axiom(draw: Draw) -> Axiom:
    """Draw a statement about a data property."""
    one, other = draw.random.sample(DATA_ROLES, 2)
    choices: list[Axiom] = [SubDataPropertyOf(one, other), EquivalentDataProperties((one, other))]
    choices += [DataPropertyDomain(one, concept(draw, 1))] if "domain" in draw.features else []
    choices += [DataPropertyRange(one, data_range(draw))] if "range" in draw.features else []
    choices += [FunctionalDataProperty(one)] * 2 if "functional" in draw.features else []
    return draw.one(choices)


def key(draw: Draw) -> Axiom:
    """Draw a key of one or two properties."""
    data = (draw.one(DATA_ROLES),) if draw.has("data", 2) else ()
    roles = (draw.plain_role(),) if not data or draw.chance(4) else ()
    return HasKey(THING if draw.chance(4) else concept(draw, 1), roles, data)


KINDS: tuple[tuple[str, int, Callable[[Draw], Axiom]], ...] = (
    ("", 12, inclusion),
    ("", 4, equivalence),
    ("disjoint", 2, disjointness),
    ("roles", 3, role_axiom),
    ("chains", 3, chain),
    ("domain", 1, lambda draw: ObjectPropertyDomain(draw.role(), concept(draw, 1))),
    ("range", 2, lambda draw: ObjectPropertyRange(draw.role(), concept(draw, 1))),
    ("reflexive", 1, lambda draw: ObjectPropertyCharacteristic("Reflexive", draw.plain_role())),
    ("assertions", 2, class_assertion),
    ("assertions", 2, role_assertion),
    ("assertions", 1, identity),
    ("data", 2, data_axiom),
    ("data", 2, data_assertion),
    ("keys", 3, key),
)
"""Feature, weight and maker of each kind of axiom."""


def random_axiom(source: random.Random, features: frozenset[str], classes: int = 6, roles: int = 4) -> Axiom:
    """Draw one axiom with the wanted features."""
    draw = Draw(source, features, classes, roles)
    makers = [make for feature, weight, make in KINDS if not feature or feature in features for _ in range(weight)]
    return draw.one(makers)(draw)


def random_axioms(source: random.Random, features: frozenset[str] = ALL_FEATURES) -> list[Axiom]:
    """Draw a small ontology of OWL 2 EL (and DL) with the wanted features."""
    classes, roles, count = source.randint(3, len(CLASSES)), source.randint(1, len(ROLES)), source.randint(5, 18)
    return mend([random_axiom(source, features, classes, roles) for _ in range(count)])


def ontologies(features: frozenset[str] = ALL_FEATURES, max_axioms: int = 18) -> st.SearchStrategy[list[Axiom]]:
    """Draw a small ontology through Hypothesis: the same axioms as `random_axioms`, shrinking to fewer of them."""
    axiom = st.builds(random_axiom, st.randoms(use_true_random=False), st.just(features))
    return st.lists(axiom, min_size=5, max_size=max_axioms).map(mend)
