"""Spoil text by its words: names, numbers, literals, balanced parts, lines; and JSON by its values."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from random import Random

from tools.fuzz.byte_mutations import BYTES, Mutation, encode_otherwise, pack

# Latin-1 gives each byte one character, so that nothing is lost on the way to text and back.
BYTEWISE = "latin-1"
TOKEN = re.compile(r'"(?:\\.|[^"\\])*"|<[^<>\s]*>|[\w:.%-]+|\s+|.', re.DOTALL)
NAME = re.compile(r"<[a-z]+:[^<>\s]*>|(?<![\w:<])\w*:\w+|\b[A-Za-z]\w*\b")
NUMBER = re.compile(r"(?<!\w)-?\d+(?:\.\d+)?")
LITERAL = re.compile(r'"(?:\\.|[^"\\])*"(?:\^\^<[^<>\s]*>|\^\^\w*:\w+|@[\w-]+)?')
ELEMENT = re.compile(r"<([\w:.]+)(?=[\s>])[^>]*>.*?</\1\s*>", re.DOTALL)
PAIRS = {"(": ")", "[": "]", "{": "}"}

OWL = "http://www.w3.org/2002/07/owl#"
XSD = "http://www.w3.org/2001/XMLSchema#"
RDF = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
RESERVED = tuple(
    [OWL + word for word in "Thing Nothing topObjectProperty bottomObjectProperty topDataProperty".split()]
    + [OWL + word for word in "bottomDataProperty Class Restriction Ontology imports rational real sameAs".split()]
    + [OWL + word for word in "onProperty someValuesFrom members inverseOf Axiom NamedIndividual".split()]
    + [RDF + word for word in "nil first rest type List PlainLiteral XMLLiteral langString".split()]
    + [XSD + word for word in "integer string dateTime boolean hexBinary anyURI double token byte".split()]
    + ["http://www.w3.org/2000/01/rdf-schema#" + word for word in "Literal label subClassOf Datatype comment".split()]
    + ["urn:moose:probability", "", "a", "http://[", "mailto:x", "http://e.org/%00", "//", "#", "_:b", "urn:x:\u00e9"]
)
NUMBERS = (
    *("0", "-1", "1", "2", "150", "2147483648", "9" * 30, "9" * 5_000, "1e999", "-0", "0.5", "1/3", "1/0", "nan"),
    *("1e-400", "inf", "0x10", "1_000", "\u0661", "00", "1e4000000", "18446744073709551616"),
)
LITERALS = (
    *('""', '"1"^^xsd:integer', '"01"^^xsd:integer', '"x"^^xsd:integer', '"1.0"^^xsd:decimal', '"NaN"^^xsd:double'),
    *('"a"@en', '"a"@en-US', '"a"@-', '"2000-02-30T00:00:00"^^xsd:dateTime', '"24:00:00"^^xsd:time'),
    *('"2000-01-01T24:00:00Z"^^xsd:dateTime', '"-0001-01-01T00:00:00+14:00"^^xsd:dateTime', '"é"^^xsd:string'),
    *('"0FB8"^^xsd:hexBinary', '"D7g="^^xsd:base64Binary', '"<a/>"^^rdf:XMLLiteral', '"a@"^^rdf:PlainLiteral'),
    *('"1/3"^^owl:rational', '"2/6"^^owl:rational', '"1/0"^^owl:rational', '"x"^^<urn:mine>', '"\\\\\\""'),
    *('"2000-01-01"^^xsd:date', f'"{"7" * 3_000}"^^xsd:integer', '" a  b "^^xsd:token', '"1"^^xsd:boolean'),
)
TextMutation = Callable[[str, str, Random], str]


def _spans(pattern: re.Pattern[str], text: str, random: Random) -> tuple[int, int] | None:
    """Choose a match near a place drawn at random: looking at all of a long text would be slow."""
    start = random.randrange(len(text) + 1) if len(text) > 200 else 0
    found = [match.span() for _, match in zip(range(40), pattern.finditer(text, start))]
    return random.choice(found) if found else None


def _replace(pattern: re.Pattern[str], text: str, random: Random, new: str) -> str:
    span = _spans(pattern, text, random)
    return text if span is None else text[: span[0]] + new + text[span[1] :]


def _as_written(name: str, old: str) -> str:
    return f"<{name}>" if old.startswith("<") else name


def reserve_name(text: str, _other: str, random: Random) -> str:
    """Put a reserved or strange name in the place of one, everywhere or once."""
    span = _spans(NAME, text, random)
    if span is None:
        return text
    old = text[slice(*span)]
    new = _as_written(random.choice(RESERVED), old).encode("utf-8").decode(BYTEWISE)
    return text.replace(old, new) if random.randrange(3) == 0 else text[: span[0]] + new + text[span[1] :]


def swap_names(text: str, other: str, random: Random) -> str:
    """Put a name of this or the other document in the place of another one."""
    source = random.choice((text, text, other))
    span = _spans(NAME, source, random)
    return text if span is None else _replace(NAME, text, random, source[slice(*span)])


def change_number(text: str, _other: str, random: Random) -> str:
    """Put another number in the place of one."""
    return _replace(NUMBER, text, random, random.choice(NUMBERS).encode("utf-8").decode(BYTEWISE))


def change_literal(text: str, _other: str, random: Random) -> str:
    """Put another literal in the place of one."""
    return _replace(LITERAL, text, random, random.choice(LITERALS).encode("utf-8").decode(BYTEWISE))


def shuffle_tokens(text: str, _other: str, random: Random) -> str:
    """Swap, double, delete or repeat words near one place."""
    start = random.randrange(len(text) + 1)
    tokens = [match[0] for _, match in zip(range(30), TOKEN.finditer(text, start))]
    if not tokens:
        return text
    end = start + sum(map(len, tokens))
    one, two = random.randrange(len(tokens)), random.randrange(len(tokens))
    match random.randrange(4):
        case 0:
            tokens[one], tokens[two] = tokens[two], tokens[one]
        case 1:
            tokens.insert(one, tokens[two])
        case 2:
            del tokens[one]
        case _:
            tokens[one] = (tokens[one] + " ") * random.choice((2, 50, 500))
    return text[:start] + "".join(tokens) + text[end:]


# ── Balanced parts and lines ──────────────────────────────────────────────────────────────────────────────────────


def balanced(text: str, random: Random) -> tuple[int, int] | None:
    """Choose a part from the word before an opening bracket to the closing one, or an XML element."""
    opening = [match.start() for _, match in zip(range(400), re.finditer(r"[(\[{]", text))]
    if not opening or random.randrange(4) == 0:
        return _spans(ELEMENT, text, random)
    start = at = random.choice(opening)
    depth = 0
    while at < len(text):
        depth += (text[at] in "([{") - (text[at] in ")]}")
        at += 1
        if depth == 0:
            break
    while start and text[start - 1].isalnum():
        start -= 1
    return start, at


def delete_part(text: str, _other: str, random: Random) -> str:
    """Delete a balanced part."""
    span = balanced(text, random)
    return text if span is None else text[: span[0]] + text[span[1] :]


def double_part(text: str, _other: str, random: Random) -> str:
    """Repeat a balanced part some times."""
    span = balanced(text, random)
    if span is None:
        return text
    part = text[slice(*span)]
    return text[: span[1]] + (" " + part) * random.choice((1, 1, 3, 100)) + text[span[1] :]


def move_part(text: str, other: str, random: Random) -> str:
    """Put a balanced part, of this or the other document, in the place of another one."""
    source = random.choice((text, other))
    one, two = balanced(source, random), balanced(text, random)
    return text if one is None or two is None else text[: two[0]] + source[slice(*one)] + text[two[1] :]


def nest_part(text: str, _other: str, random: Random) -> str:
    """Put a balanced part into itself, some or many times."""
    outer = balanced(text, random)
    if outer is None:
        return text
    part = text[slice(*outer)]
    inner = balanced(part[1:], random)
    if inner is None:
        return text
    before, after = part[: inner[0] + 1], part[inner[1] + 1 :]
    times = random.choice((1, 2, 5, 50, 200, 2_000))
    return text[: outer[0]] + before * times + part + after * times + text[outer[1] :]


def rewire_line(text: str, _other: str, random: Random) -> str:
    """Give a line the last word of another one: circles in RDF lists, nodes that are shared, ids that stand twice."""
    lines = text.split("\n")
    one, two = random.randrange(len(lines)), random.randrange(len(lines))
    first, second = lines[one].rsplit(None, 2), lines[two].split()
    if len(first) == 3 and second:
        lines[one] = " ".join((first[0], random.choice(second), first[2]))
    return "\n".join(lines)


def shuffle_lines(text: str, other: str, random: Random) -> str:
    """Swap, double, delete, move or bring in a line."""
    lines, others = text.split("\n"), other.split("\n")
    one, two = random.randrange(len(lines)), random.randrange(len(lines))
    match random.randrange(4):
        case 0:
            lines[one], lines[two] = lines[two], lines[one]
        case 1:
            lines.insert(one, lines[two])
        case 2:
            del lines[one]
        case _:
            lines.insert(one, random.choice(others))
    return "\n".join(lines)


TOKENS: tuple[TextMutation, ...] = (
    reserve_name,
    reserve_name,
    swap_names,
    swap_names,
    change_number,
    change_literal,
    shuffle_tokens,
    delete_part,
    double_part,
    move_part,
    nest_part,
    rewire_line,
    shuffle_lines,
)

# ── JSON ──────────────────────────────────────────────────────────────────────────────────────────────────────────

VALUES: tuple[object, ...] = (
    *(None, True, -1, 0, 1, 2**31, 10**30, 1.5, "", "x", "\ud800", "\x1b[2J"),
    *([], [0], {}, [[]], {"a": 1}),
)


def spoil_json(value: object, random: Random, chance: float) -> object:
    """Change values anywhere in a JSON value: another kind, another number, one more, one less."""
    if random.random() < chance:
        return random.choice(VALUES)
    if isinstance(value, dict):
        kept = {key: spoil_json(one, random, chance) for key, one in value.items() if random.random() > chance / 4}
        return {**kept, "more": 1} if random.random() < chance else kept
    if isinstance(value, list):
        changed = [spoil_json(one, random, chance) for one in value]
        if changed and random.random() < chance * 2:
            at = random.randrange(len(changed))
            changed[at:at] = [random.choice(changed)] if random.randrange(2) else changed[at : at + 2]
        if changed and random.random() < chance * 2:
            del changed[random.randrange(len(changed))]
        return changed
    if isinstance(value, int) and not isinstance(value, bool) and random.random() < chance * 2:
        return value + random.choice((-1, 1))
    return value


def mutate_json(data: bytes, _other: bytes, random: Random) -> bytes:
    """Change a JSON document by its values."""
    chance = random.choice((0.3, 1, 3)) / max(3, data.count(b","))
    try:
        return json.dumps(spoil_json(json.loads(data), random, chance)).encode("utf-8")
    except (ValueError, RecursionError):
        return data  # spoilt before


# ── All of them ───────────────────────────────────────────────────────────────────────────────────────────────────

LARGEST = 400_000
"""Bytes of a document: large ones are the matter of `tests/hostile`."""


def mutate_text(mutation: TextMutation) -> Mutation:
    """Make a mutation of bytes of one of text."""

    def mutate(data: bytes, other: bytes, random: Random) -> bytes:
        return mutation(data.decode(BYTEWISE), other.decode(BYTEWISE), random).encode(BYTEWISE, "replace")

    return mutate


TEXT = tuple(map(mutate_text, TOKENS))


def mutate(data: bytes, other: bytes, random: Random, *, more: tuple[Mutation, ...] = ()) -> bytes:
    """Spoil a document some times; `more` are mutations that fit its kind, and are chosen as often as all others."""
    for _ in range(random.choice((0, 1, 1, 1, 2, 2, 4, 8))):
        pool = more if more and random.randrange(2) else TEXT if random.randrange(4) else BYTES
        data = random.choice(pool)(data, other, random)[:LARGEST]
    if random.randrange(15) == 0:
        data = encode_otherwise(data, other, random)
    if random.randrange(15) == 0:
        data = pack(data, other, random)
    return data
