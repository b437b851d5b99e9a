from __future__ import annotations

import re

import pytest

from moose.base.errors import ParseError
from moose.owl.model.nesting import MAX_NESTING
from moose.owl.syntax.manchester.read_manchester import read_manchester

HEAD = "Prefix: : <http://example.org/>\nOntology:\nObjectProperty: r DataProperty: d\n"

DOCUMENTS = [
    ("", "1: expected 'Prefix:', 'Ontology:' or a frame such as 'Class:', but the end of the text came"),
    ("# only a comment\n", "1: expected 'Prefix:'"),
    ("Prefix: ex <http://x/>", "1: expected a prefix with its colon, as in"),
    ("Prefix: ex:\n x", "2: expected an IRI in angle brackets for the prefix 'ex:', but 'x' came"),
    ("Prefix: ex: <relative>", "1: expected an IRI in angle brackets for the prefix 'ex:', but '<' came"),
    ("hello", "1: expected a frame (Class:, ObjectProperty:, "),
    ("Ontology:\nImport: 5", "2: expected the IRI of an ontology, but '5' came"),
    ("Ontology:\nClass: A", "2: expected a class expression, but the prefix ':' of 'A' is not declared"),
    ("Ontology:\n\nClass: ex:A", "3: expected a class expression, but the prefix 'ex:' of 'ex:A' is not declared"),
]
# Under HEAD, whose three lines come first.
FRAMES = [
    ("Class: A Foo: B", "4: expected ',' or a section (Annotations:, SubClassOf:, "),
    ("Class: A Facts: r B", "4: expected ',' or a section (Annotations:, SubClassOf:, "),
    ("Class: A SubClassOf: B C", "4: expected ',' or a section (Annotations:, SubClassOf:, "),
    ("SubClassOf: B", "4: expected ',' or a section (Annotations:, SubPropertyOf:, "),
    ("Class:", "4: expected a class expression, but the end of the text came"),
    ("Class: A\n SubClassOf:", "5: expected a class expression, but the end of the text came"),
    ("Class: A SubClassOf:\nClass: B", "5: expected a class expression, but 'Class:' came"),
    ("Class: A SubClassOf: B,", "4: expected a class expression, but the end of the text came"),
    ("Class: A SubClassOf: B and", "4: expected a class expression, but the end of the text came"),
    ("Class: A SubClassOf: and B", "4: expected a class expression, but 'and' came"),
    ("Class: A SubClassOf: (B and C", "4: expected ')' for the '(' on line 4, but the end of the text came"),
    ("Class: A SubClassOf: B)", "4: expected ',' or a section"),
    ("Class: A SubClassOf: {i j}", "4: expected ',' or '}' for the '{' on line 4, but 'j' came"),
    ("Class: A SubClassOf: {}", "4: expected an individual, but '}' came"),
    ("Class: A SubClassOf: 5", "4: expected a class expression, but '5' came"),
    ('Class: A SubClassOf: "B"', "4: expected a class expression, but '\"B\"' came"),
    ("Class: A SubClassOf: _:x", "4: expected a class expression, but '_:x' came"),
    ("Class: A SubClassOf: inverse r B", "4: expected 'some', 'only', 'value', "),
    ("Class: A SubClassOf: inverse (r some B", "4: expected ')' for the '(' on line 4, but 'some' came"),
    ("Class: A SubClassOf: r min B", "4: expected a whole number of at most nine digits, but 'B' came"),
    ("Class: A SubClassOf: r min -1 B", "4: expected a whole number of at most nine digits, but '-1' came"),
    (f"Class: A SubClassOf: r min {'9' * 5000} B", "4: expected a whole number of at most nine digits, but '999"),
    (
        "Class: A SubClassOf: r some xsd:integer",
        "4: expected a class, because <http://example.org/r> is an object property, but 'xsd:integer' came",
    ),
    (
        "Class: A SubClassOf: inverse r max 1 integer",
        "4: expected a class, because <http://example.org/r> is an object property, but 'integer' came",
    ),
    ("Class: A SubClassOf: r value 5", "4: expected an individual, but '5' came"),
    ("Class: A SubClassOf: d value i", "4: expected a literal, but 'i' came"),
    (
        "Class: A SubClassOf: d Self",
        "4: expected an object property before 'Self', but <http://example.org/d> is a data property",
    ),
    ("Class: A SubClassOf: d some integer[5]", "4: expected a facet such as '>=' or 'length', but '5' came"),
    ("Class: A SubClassOf: d some integer[> 5 < 6]", "4: expected ',' or ']' for the '[' on line 4, but '<' came"),
    ("Class: A SubClassOf: d some (integer", "4: expected ')' for the '(' on line 4, but the end of the text came"),
    ("Class: A SubClassOf: d some {5, i}", "4: expected a literal, but 'i' came"),
    ("Class: A SubClassOf: d some 5", "4: expected a data range, but '5' came"),
    (
        'Class: A SubClassOf: d value "never\n ends',
        "4: expected a literal, but a string that never ends ('\"never ends') came",
    ),
    ('Class: A SubClassOf: d value "a"^^5', "4: expected a data range, but '5' came"),
    (
        "Class: A Annotations: rdfs:label",
        "4: expected a literal, an IRI or a node such as '_:x', but the end of the text came",
    ),
    ('Class: A Annotations: "a"', "4: expected an annotation property, but '\"a\"' came"),
    ('Class: A and B Annotations: rdfs:label "a"', "4: expected annotations only on what has a name"),
    ("Class: A and B DisjointUnionOf: C, A", "4: expected DisjointUnionOf: under a named class"),
    ("Class: A HasKey: 5", "4: expected a property, but '5' came"),
    ("ObjectProperty: r Characteristics: Nice", "4: expected Functional, InverseFunctional, "),
    (
        "DataProperty: d Characteristics: Transitive",
        "4: expected Functional, the one characteristic of data properties, but 'Transitive' came",
    ),
    ("ObjectProperty: r SubPropertyChain: r o", "4: expected an object property, but the end of the text came"),
    ("DataProperty: inverse d", "4: expected the name of a data property, but 'inverse' came"),
    ("Individual: i Facts: r", "4: expected an individual, but the end of the text came"),
    ("Individual: i Facts: r 5", "4: expected an individual, because the property is an object property, but '5' came"),
    ("Individual: i Facts: d j", "4: expected a literal, but 'j' came"),
    ('AnnotationProperty: "5"', "4: expected the name of an annotation property, but '\"5\"' came"),
    (
        "DisjointProperties: r, d\n",
        "4: expected properties of one kind before this, but both object and data properties came",
    ),
    ("DisjointProperties: inverse q, d\n", "4: expected properties of one kind before this"),
    ("Class: A \x00", "4: expected ',' or a section"),
    ("Class: A EquivalentTo: B and (r some\n C\nClass: D", "6: expected ')' for the '(' on line 4, but 'Class:' came"),
]


ERRORS = DOCUMENTS + [(HEAD + frames, message) for frames, message in FRAMES]


@pytest.mark.parametrize(("text", "message"), ERRORS, ids=[message[:60] for _, message in ERRORS])
def test_a_mistake_is_named_with_its_line(text: str, message: str) -> None:
    with pytest.raises(ParseError, match=re.escape(f"o.omn:{message}")) as error:
        read_manchester(text, "o.omn")
    assert "\n" not in str(error.value)


@pytest.mark.parametrize(
    ("frames", "meant"),
    [
        ("Class: A SubClasOf: B", "SubClassOf:"),
        ("Class: A SubClassOf B", "SubClassOf:"),
        ("Class: A SubClassOf: r som B", "some"),
        ("Class: A SubClassOf: B an C", "and"),
        ("Clas: A", "Class:"),
        ("ObjectProperty: r Characteristic: Transitive", "Characteristics:"),
        ("Class: A SubClassOf: B Xylophone", None),
    ],
)
def test_a_misspelt_keyword_is_named(frames: str, meant: str | None) -> None:
    with pytest.raises(ParseError) as error:
        read_manchester(HEAD + frames, "o.omn")
    assert str(error.value).endswith(f"; did you mean '{meant}'?") == (meant is not None)


DEEP = 10_000


@pytest.mark.parametrize(
    "expression",
    [
        "(" * DEEP + "A" + ")" * DEEP,
        "r some " * DEEP + "A",
        "r some (" * DEEP + "A" + ")" * DEEP,
        "not " * DEEP + "A",
        "A and (" * DEEP + "A" + ")" * DEEP,
        "p some " + "(" * DEEP + "integer" + ")" * DEEP,
        "d some " + "not " * DEEP + "integer",
        "Annotations: " * DEEP + 'rdfs:label "a" A',
    ],
    ids=lambda expression: expression[:12],
)
def test_deep_nesting_is_refused_in_one_sentence(expression: str) -> None:
    with pytest.raises(ParseError, match=f"o.omn:4: expected expressions nested at most {MAX_NESTING} levels deep"):
        read_manchester(HEAD + f"Class: A SubClassOf: {expression}", "o.omn")


def test_what_is_not_refused_as_deep_can_be_used() -> None:
    text = HEAD + f"Class: A SubClassOf: {'r some ' * MAX_NESTING}A"
    (axiom,) = read_manchester(text, "o.omn").axioms
    assert len({axiom, *read_manchester(text, "o.omn").axioms}) == 1
    assert repr(axiom)


@pytest.mark.parametrize(
    "part", ['"\\', "<", "<a:", "(", "{", "@", "^", "r some ", "#", '"a" ', "Class: ", "0", "Annotations: "]
)
def test_long_nonsense_is_refused_at_once(part: str) -> None:
    with pytest.raises(ParseError):
        read_manchester(HEAD + "Class: A SubClassOf: d some " + part * 100_000, "o.omn")
