"""Random ontologies in which keys, functional properties and what makes individuals equal meet often.

In those of `random_ontologies`, one key in a hundred has a consequence; here, every fourth has.
"""

from __future__ import annotations

import random

from hypothesis import strategies as st

from moose.owl.model.axioms import (
    Axiom,
    ClassAssertion,
    DataPropertyAssertion,
    FunctionalDataProperty,
    HasKey,
    ObjectPropertyAssertion,
    SubClassOf,
    SubDataPropertyOf,
)
from moose.owl.model.expressions import (
    THING,
    ClassExpression,
    DataHasValue,
    DataSomeValuesFrom,
    ObjectHasValue,
    ObjectIntersectionOf,
    ObjectSomeValuesFrom,
)
from tests.saturation.naive_data import DECIMAL, INTEGER
from tests.saturation.random_mending import mend
from tests.saturation.random_ontologies import CLASSES, DATA_ROLES, INDIVIDUALS, LITERALS, ROLES, random_axiom

FEATURES = frozenset({"assertions", "data", "functional", "keys", "nominals", "roles", "disjoint", "range", "top-role"})
ONES = LITERALS[2:4]  # two spellings of one number


def keyed_axioms(source: random.Random) -> list[Axiom]:
    """Draw a key and individuals that often agree on it, and a few axioms that may come between."""
    some_class, role, data_role = CLASSES[0], ROLES[0], DATA_ROLES[0]
    classes: list[ClassExpression] = [some_class, some_class, THING, ObjectSomeValuesFrom(role, THING)]
    by_role, by_value = source.choice([(True, False), (False, True), (True, True)])
    key = HasKey(source.choice(classes), (role,) * by_role, (data_role,) * by_value)
    found: list[Axiom] = [key]
    for one in INDIVIDUALS[:2]:
        found.append(ClassAssertion(some_class, one))
        if by_role:
            filler = source.choice(INDIVIDUALS)
            told: list[Axiom] = [ObjectPropertyAssertion(role, one, filler)] * 2
            found.append(source.choice([*told, ClassAssertion(ObjectHasValue(role, filler), one)]))
        if by_value:
            found.append(DataPropertyAssertion(data_role, one, source.choice(ONES)))
    found = [axiom for axiom in found if source.randrange(10)]
    return mend([*found, *(random_axiom(source, FEATURES, 2, 2) for _ in range(source.randint(1, 6)))])


def functional_axioms(source: random.Random) -> list[Axiom]:
    """Draw a functional property with several values of properties below it, and a class that asks for one of them."""
    a, b = CLASSES[:2]
    d, e = DATA_ROLES
    values: list[ClassExpression] = [
        DataSomeValuesFrom((role,), kind) for role in (d, e) for kind in (DECIMAL, INTEGER)
    ]
    values += [DataHasValue(role, literal) for role in (d, e) for literal in LITERALS[2:]]
    found: list[Axiom] = [FunctionalDataProperty(d), SubDataPropertyOf(e, d)]
    found += [SubClassOf(a, source.choice(values)) for _ in range(source.randint(2, 3))]
    asked = source.choice(values)
    found.append(SubClassOf(source.choice([asked, ObjectIntersectionOf((asked, source.choice(values)))]), b))
    return mend([*found, *(random_axiom(source, FEATURES, 2, 2) for _ in range(source.randint(0, 4)))])


# By number, since Hypothesis's own randomness prefers small choices, which seldom make a key matter.
keyed = st.integers(0, 2**32).map(lambda seed: keyed_axioms(random.Random(seed)))
functional = st.integers(0, 2**32).map(lambda seed: functional_axioms(random.Random(seed)))
