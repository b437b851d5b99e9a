"""Four examples that the TRILL reasoners come with, told anew, and what is known of them.

R. Zese, E. Bellodi, F. Riguzzi, G. Cota, E. Lamma: Tableau reasoning for description logics and its extension to
probabilities, 2018; and the documentation of the TRILL framework.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

HEAD = """
Prefix(:=<http://example.org/trill#>)
Prefix(d:=<https://sites.google.com/a/unife.it/ml/disponte#>)
Ontology(<http://example.org/trill>
"""


@dataclass(frozen=True, slots=True)
class Example:
    """An ontology, a goal, how likely EL alone makes it, and how likely it is."""

    axioms: str
    goal: str
    found: Fraction
    truth: Fraction

    @property
    def text(self) -> str:
        return f"{HEAD}{self.axioms})"


def chance(percent: int) -> str:
    return f'Annotation(d:probability "0.{percent:02}")'


# Who commands nothing but guards commands nothing but soldiers, since guards are soldiers.
COMMANDER = Example(
    """
    SubClassOf(ObjectAllValuesFrom(:commands :Soldier) :Commander)
    SubClassOf(:Guard :Soldier)
    ClassAssertion(ObjectAllValuesFrom(:commands :Guard) :john)
    ClassAssertion(:Guard :pete) ClassAssertion(:Guard :al)
    """,
    "ClassAssertion(Commander john)",
    Fraction(0),
    Fraction(1),
)

# Kevin has two cats, perhaps, and is told to have a dog from the dog's side only.
PEOPLE_PETS = Example(
    f"""
    SubClassOf(ObjectSomeValuesFrom(:hasAnimal :Pet) :NatureLover)
    SubClassOf({chance(60)} :Cat :Pet) SubClassOf({chance(80)} :Dog :Pet)
    ClassAssertion({chance(40)} :Cat :fluffy) ClassAssertion({chance(30)} :Cat :tom) ClassAssertion(:Dog :spike)
    ObjectPropertyAssertion(:hasAnimal :kevin :fluffy) ObjectPropertyAssertion(:hasAnimal :kevin :tom)
    ObjectPropertyAssertion(:isAnimalOf :spike :kevin)
    InverseObjectProperties(:hasAnimal :isAnimalOf)
    """,
    "ClassAssertion(NatureLover kevin)",
    Fraction("0.348"),
    Fraction("0.8696"),
)

# An A can have no element in several ways, most of them through a choice that fails on both sides.
OR_RULE = Example(
    f"""
    SubClassOf({chance(10)} :A ObjectIntersectionOf(:B ObjectSomeValuesFrom(:r :E)))
    SubClassOf({chance(20)} :A ObjectUnionOf(:F ObjectAllValuesFrom(:r :B)))
    SubClassOf({chance(30)} :B ObjectIntersectionOf(:C :D))
    SubClassOf({chance(40)} :C ObjectIntersectionOf(ObjectMinCardinality(1 :r) :E))
    SubClassOf({chance(50)} :B ObjectComplementOf(:E))
    SubClassOf({chance(60)} :B ObjectComplementOf(:F))
    SubClassOf({chance(70)} :A ObjectUnionOf(ObjectIntersectionOf(:C ObjectComplementOf(:C)) ObjectComplementOf(:F)))
    SubClassOf({chance(80)} :A ObjectUnionOf(ObjectComplementOf(:C) ObjectComplementOf(:F)))
    SubClassOf({chance(90)} :A ObjectUnionOf(ObjectComplementOf(:C) ObjectComplementOf(:D)))
    """,
    "unsatisfiable A",
    Fraction("0.0276"),
    Fraction("0.03393568"),
)

# Nothing contradicts here: a universal restriction reaches an individual through three sub-properties.
LOCAL_INCONSISTENT = Example(
    """
    SubClassOf(:A ObjectAllValuesFrom(:r :X)) SubClassOf(:A :B)
    ClassAssertion(:A :i1) ObjectPropertyAssertion(:r :i1 :i2)
    ClassAssertion(:A :i3) ObjectPropertyAssertion(:u :i3 :i4)
    SubObjectPropertyOf(:u :s) SubObjectPropertyOf(:s :t) SubObjectPropertyOf(:t :r)
    """,
    "ClassAssertion(X i4)",
    Fraction(0),
    Fraction(1),
)

EXAMPLES = {
    "commander": COMMANDER,
    "peoplePets": PEOPLE_PETS,
    "example_or_rule": OR_RULE,
    "local_inconsistent_kb": LOCAL_INCONSISTENT,
}
