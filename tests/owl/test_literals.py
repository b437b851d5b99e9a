from __future__ import annotations

import math
import struct
from datetime import UTC, datetime, timedelta, timezone
from fractions import Fraction
from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from moose.owl.model.expressions import LANGUAGE_STRING_IRI, STANDARD_PREFIXES, Literal
from moose.owl.model.literals import Value, definitely_different, is_ill_typed, value_of


def literal(text: str) -> Literal:
    """Read lexical^^prefix:datatype or lexical@language, without quotation marks."""
    lexical, caret, datatype = text.rpartition("^^")
    if caret:
        prefix, _, name = datatype.partition(":")
        return Literal(lexical, STANDARD_PREFIXES.get(prefix, prefix + ":") + name)
    lexical, at, language = text.rpartition("@")
    return Literal(lexical, LANGUAGE_STRING_IRI, language) if at else Literal(text)


def value(text: str) -> Value:
    found = value_of(literal(text))
    assert found is not None, text
    return found


SAME = [
    (
        "1^^xsd:integer",
        "+01^^xsd:integer",
        "1.0^^xsd:decimal",
        "2/2^^owl:rational",
        "1^^xsd:byte",
        "1^^xsd:unsignedLong",
    ),
    ("-0^^xsd:integer", "0^^xsd:nonNegativeInteger", "-.0^^xsd:decimal", "0/7^^owl:rational"),
    ("0.50^^xsd:decimal", "1/2^^owl:rational", "+.5^^xsd:decimal"),
    ("a", "a^^xsd:string", "a^^xsd:token", "a^^xsd:NCName", "a@^^rdf:PlainLiteral", "a^^xsd:language"),
    ("a@en", "a@EN", "a@en^^rdf:PlainLiteral"),
    ("a@b@en^^rdf:PlainLiteral", "a@b@en"),
    ("0aFF^^xsd:hexBinary", "0AfF^^xsd:hexBinary"),
    ("Cv8=^^xsd:base64Binary", "C v8 =^^xsd:base64Binary"),
    ("true^^xsd:boolean", "1^^xsd:boolean"),
    ("1.5^^xsd:double", "15e-1^^xsd:double", "+1.50E0^^xsd:double"),
    ("0.1^^xsd:float", "0.100000001^^xsd:float"),
    ("INF^^xsd:float", "1e39^^xsd:float", "1e999999999^^xsd:float", "+INF^^xsd:float"),
    ("NaN^^xsd:double", "NaN^^xsd:double"),
    (
        "2000-01-01T00:00:00Z^^xsd:dateTime",
        "1999-12-31T24:00:00.0Z^^xsd:dateTime",
        "2000-01-01T00:00:00-00:00^^xsd:dateTimeStamp",
    ),
    ("<a  x='1'></a>^^rdf:XMLLiteral", '<a x="1"/>^^rdf:XMLLiteral'),
]


@pytest.mark.parametrize("group", SAME, ids=lambda group: group[0])
def test_different_spellings_of_a_value(group: tuple[str, ...]) -> None:
    assert len({value(text) for text in group}) == 1


def test_values_of_different_groups_are_different() -> None:
    for one, other in combinations([group[0] for group in SAME], 2):
        assert definitely_different(value(one), value(other)), (one, other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("+0.0^^xsd:double", "-0.0^^xsd:double"),
        ("0.0^^xsd:float", "-1e-99^^xsd:float"),
        ("1^^xsd:double", "1^^xsd:float"),
        ("1^^xsd:double", "1^^xsd:integer"),
        ("00^^xsd:hexBinary", "AA==^^xsd:base64Binary"),
        ("a^^xsd:anyURI", "a"),
        ("a@en", "a"),
        ("a@en", "a@de"),
        ("2000-01-01T12:00:00Z^^xsd:dateTime", "2000-01-01T13:00:00+01:00^^xsd:dateTime"),
        ("2000-01-01T12:00:00Z^^xsd:dateTime", "2000-01-01T12:00:00^^xsd:dateTime"),
        ("a", "a^^rdf:XMLLiteral"),
        ("<a/>^^rdf:XMLLiteral", "<b/>^^rdf:XMLLiteral"),
        ("<a/>^^rdf:XMLLiteral", "<a> </a>^^rdf:XMLLiteral"),
        ("<a/>^^rdf:XMLLiteral", "<a/><!-- note -->^^rdf:XMLLiteral"),
    ],
)
def test_different_values(one: str, other: str) -> None:
    assert definitely_different(value(one), value(other))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("1^^urn:own", "01^^urn:own"),
        ("1^^urn:own", "1^^xsd:integer"),
        ("2000^^xsd:gYear", "x^^urn:own"),
    ],
)
def test_values_that_may_be_the_same(one: str, other: str) -> None:
    assert value(one) != value(other)
    assert not definitely_different(value(one), value(other))


@pytest.mark.parametrize(
    "text",
    [
        *(f"{lexical}^^xsd:integer" for lexical in ("", "1.0", " 1", "1e3", "١", "--1", "+")),
        *(f"{lexical}^^xsd:decimal" for lexical in (".", "1e3", "1,0", "", "-")),
        *(f"{lexical}^^owl:rational" for lexical in ("1/0", "1/-2", "1", "1 / 2", "1/+2")),
        *(f"{lexical}^^xsd:double" for lexical in ("inf", "nan", "1_0", "0x1", "e5", "+NaN", "1.5f")),
        *(f"{lexical}^^xsd:boolean" for lexical in ("True", "yes", "")),
        *(f"{lexical}^^xsd:hexBinary" for lexical in ("0", "0g", "0 0")),
        *(f"{lexical}^^xsd:base64Binary" for lexical in ("Cv8", "Cv9=", "====", "Cv8= ", "C  v8=")),
        *(f"{lexical}^^xsd:dateTime" for lexical in ("2000-01-01", "2001-02-29T00:00:00", "2000-01-01T24:00:01")),
        *(f"{lexical}^^xsd:dateTime" for lexical in ("200-01-01T00:00:00", "02000-01-01T00:00:00")),
        *(f"2000-01-01T00:00:00{zone}^^xsd:dateTime" for zone in ("+14:01", "+24:00", "z", "+1:00")),
        "2000-01-01T00:00:00^^xsd:dateTimeStamp",
        "-1^^xsd:nonNegativeInteger",
        "0^^xsd:positiveInteger",
        "128^^xsd:byte",
        "a\tb^^xsd:normalizedString",
        *(f"{lexical}^^xsd:token" for lexical in (" a", "a ", "a  b", "a\nb")),
        *(f"{lexical}^^xsd:NMTOKEN" for lexical in ("", "a b", "a/b")),
        *(f"{lexical}^^xsd:Name" for lexical in ("", "1a", "-a")),
        *(f"{lexical}^^xsd:NCName" for lexical in ("a:b", ":a")),
        *(f"{lexical}^^xsd:language" for lexical in ("", "toolonglanguage", "en_US", "1")),
        *(f"{lexical}^^rdf:XMLLiteral" for lexical in ("<a>", "&nbsp;", "</x><x>", "<!DOCTYPE a>")),
        "1^^owl:real",
        "1^^rdfs:Literal",
        "a^^rdf:langString",
    ],
)  # fmt: skip
def test_what_is_not_written_as_its_datatype_asks(text: str) -> None:
    assert is_ill_typed(literal(text))


@pytest.mark.parametrize(
    "text",
    [
        "x",
        "\tx\n",
        "a b^^xsd:token",
        "^^xsd:token",
        "-1.é:^^xsd:NMTOKEN",
        "é:x^^xsd:Name",
        "_é-1^^xsd:NCName",
        "any thing^^xsd:anyURI",
        "^^xsd:hexBinary",
        "^^xsd:base64Binary",
        "-0001-12-31T23:59:59.999-14:00^^xsd:dateTime",
        "123456-02-29T00:00:00^^xsd:dateTime",
        "text &amp; <b>bold</b><!-- note -->^^rdf:XMLLiteral",
        "zh-Hans-CN^^xsd:language",
        "anything^^urn:own",
    ],
)
def test_what_is_well_typed(text: str) -> None:
    assert not is_ill_typed(literal(text))


def test_numbers_of_any_length() -> None:
    assert value("9" * 10_000 + "^^xsd:integer").content == Fraction(10**10_000 - 1)
    assert value("0." + "3" * 5_000 + "^^xsd:decimal") != value("1/3^^owl:rational")


@settings(deadline=None)
@given(st.floats(width=32))
def test_single_precision_is_read_as_it_is_written(number: float) -> None:
    written = "NaN" if math.isnan(number) else repr(number).replace("inf", "INF")
    assert value(f"{written}^^xsd:float").content == number.hex()


@settings(deadline=None)
@given(st.floats(allow_nan=False, allow_infinity=False, min_value=-3.4e38, max_value=3.4e38))
def test_single_precision_rounds_as_the_processor_does(number: float) -> None:
    (rounded,) = struct.unpack("f", struct.pack("f", number))
    assert value(f"{number!r}^^xsd:double").content == number.hex()
    assert value(f"{number:.1100f}^^xsd:float").content == rounded.hex()


def test_single_precision_rounds_once() -> None:
    # Halfway between two singles but for the last digit, which a double drops.
    above = Fraction(1) + Fraction(1, 2**24) + Fraction(1, 2**80)
    digits = f"{above.numerator * 5**80:d}"
    assert value(f"{digits[:-80]}.{digits[-80:]}^^xsd:float").content == (1 + 2**-23).hex()


@settings(deadline=None)
@given(st.datetimes(), st.none() | st.integers(-14 * 60, 14 * 60))
def test_moments_are_read_as_they_are_written(moment: datetime, offset: int | None) -> None:
    zone = None if offset is None else timezone(timedelta(minutes=offset)) if offset else UTC
    read = value(f"{moment.replace(tzinfo=zone).isoformat()}^^xsd:dateTime").content
    second = moment.second + Fraction(moment.microsecond, 10**6)
    assert read == (moment.year, moment.month, moment.day, moment.hour, moment.minute, second, offset)
