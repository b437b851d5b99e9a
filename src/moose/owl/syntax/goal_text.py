"""One axiom or class expression as text, in functional or in Manchester syntax, whichever it is written in."""

from __future__ import annotations

import re

from moose.base.errors import ParseError
from moose.owl.atom_text import written_literal
from moose.owl.model.axioms import Axiom, SubClassOf
from moose.owl.model.expressions import NOTHING, ClassExpression
from moose.owl.syntax.functional.functional_tokens import Kind, Resolve
from moose.owl.syntax.functional.read_functional import OPENERS
from moose.owl.syntax.functional.read_functional import parse_axiom as parse_functional_axiom
from moose.owl.syntax.functional.read_functional import parse_expression as parse_functional_expression
from moose.owl.syntax.manchester.parse_manchester import (
    GOAL_KEYWORDS,
    parse_manchester_axiom,
    parse_manchester_expression,
)

UNSATISFIABLE = "unsatisfiable"
OPENING = re.compile(r"\s*([A-Za-z]+)\s*\(")


def parse_axiom(text: str, where: str, resolve: Resolve) -> Axiom:
    """Read one axiom, SubClassOf(A B) or `A SubClassOf B`, whose names `resolve(kind, name)` turns into entities.

    A name is a short name, a CURIE, an <IRI> or a 'quoted label'; `resolve` gets it as it is written.
    """
    parse = parse_functional_axiom if is_functional(text) else parse_manchester_axiom
    return parse(text, where, resolve)


def parse_goal(text: str, where: str, resolve: Resolve) -> Axiom:
    """Read an axiom that may follow, or `unsatisfiable C`, which is that C has no element.

    >>> parse_goal("unsatisfiable C", "the goal", bare_names).sub
    Class(iri='C')
    """
    first, _, rest = text.strip().partition(" ")
    if first == UNSATISFIABLE and rest:
        return SubClassOf(parse_expression(rest, where, resolve), NOTHING)
    if is_functional(text):
        return parse_functional_axiom(text, where, resolve)
    try:
        return parse_manchester_axiom(text, where, resolve, offered=GOAL_KEYWORDS)
    except ParseError as error:
        if (meant := as_axiom_text(text)) is None:
            raise
        raise ParseError(f"{str(error).partition('; ')[0]}; write {meant!r}") from None


def as_axiom_text(text: str) -> str | None:
    """Return a literal, as `moose ask` takes it, in Manchester syntax; None for anything else.

    >>> as_axiom_text("Kestrel(tweety)"), as_axiom_text("eats(tweety, 'a seed')"), as_axiom_text("SubClasOf(A B)")
    ('tweety Type Kestrel', "tweety Facts eats 'a seed'", None)
    """
    literal = written_literal(text)
    if literal is None or not literal.is_true:
        return None
    if any(" " in name and name[0] not in "<'" for name in (literal.predicate, *literal.arguments)):
        return None
    first, *second = literal.arguments
    return f"{first} Facts {literal.predicate} {second[0]}" if second else f"{first} Type {literal.predicate}"


def parse_expression(text: str, where: str, resolve: Resolve) -> ClassExpression:
    """Read one class expression, or the bare name of a class, as `parse_axiom` reads an axiom.

    >>> parse_expression("'T cell'", "the query", lambda kind, name: kind("urn:" + name.strip("'")[0]))
    Class(iri='urn:T')
    """
    parse = parse_functional_expression if is_functional(text) else parse_manchester_expression
    return parse(text, where, resolve)


def is_functional(text: str) -> bool:
    """Return whether a text opens as functional syntax does, with the name of a construct and a parenthesis."""
    opening = OPENING.match(text)
    return opening is not None and f"{opening.group(1)}(" in OPENERS


def as_axiom(goal: Axiom | str, where: str, resolve: Resolve) -> Axiom:
    """Return an axiom that is given, or the one that a text is."""
    return parse_axiom(goal, where, resolve) if isinstance(goal, str) else goal


def as_goal(goal: Axiom | str, where: str, resolve: Resolve) -> Axiom:
    """Return an axiom that is given, or the one that the text of a goal is."""
    return parse_goal(goal, where, resolve) if isinstance(goal, str) else goal


def bare_names(kind: type[Kind], text: str) -> Kind:
    """Take names as they are written for IRIs, where no ontology says what they stand for.

    >>> parse_axiom("A SubClassOf r some B", "an axiom", bare_names)
    SubClassOf(sub=Class(iri='A'), sup=ObjectSomeValuesFrom(property=ObjectProperty(iri='r'), filler=Class(iri='B')), annotations=())
    """  # noqa: E501  # one line of output
    return kind(text[1:-1] if text[0] in "<'" else text)
