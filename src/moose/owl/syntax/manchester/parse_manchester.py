"""One axiom or class expression in Manchester syntax, with the names that people use: `'part of' some 'immune system'`.

Each name is resolved by the kind of entity that its neighbours ask for and written as a full IRI; then the reader of
documents reads the rest.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from moose.base.errors import MooseError, ParseError, UnknownName
from moose.owl.model import axioms as ax
from moose.owl.model.expressions import (
    STANDARD_PREFIXES,
    Class,
    ClassExpression,
    DataProperty,
    Entity,
    Individual,
    NamedIndividual,
    ObjectProperty,
    ObjectPropertyExpression,
)
from moose.owl.syntax.functional.functional_tokens import Resolve
from moose.owl.syntax.manchester.class_expressions import read_class_expression
from moose.owl.syntax.manchester.cursor import BARE_DATATYPES, NEVER_FIRST, QUANTIFIERS, RESERVED, Reader
from moose.owl.syntax.manchester.manchester_tokens import END, IRI, NUMBER, TOKEN, describe, meant_word

QUOTED = re.compile(r"'(?:[^'\\]|\\.)*'")
GOAL = re.compile(f"{QUOTED.pattern}|{TOKEN.pattern}")
"""A label in single quotes, and what a document has."""
WORDS = frozenset(word.lower() for word in RESERVED) | {"self"}
LITERAL_FILLERS = frozenset({"true", "false"})
ESCAPE = re.compile(r"\\(['\\])")


# ── Names to IRIs ─────────────────────────────────────────────────────────────────────────────────────────────────


class Resolved:
    """The tokens of a text with each name replaced by its IRI in angle brackets."""

    def __init__(self, tokens: Sequence[str], resolve: Resolve) -> None:
        self._resolve = resolve
        self._tokens = [ESCAPE.sub(r"\1", token) if token[0] == "'" else token for token in tokens]
        self.entities: list[Entity] = []
        self.stand_ins: dict[str, str] = {}
        self._braces = 0
        self.text = " ".join(self._written(at) for at in range(len(self._tokens)))

    def _written(self, at: int) -> str:
        token = self._tokens[at]
        self._braces += {"{": 1, "}": -1}.get(token, 0)
        if not self._is_name(at):
            return token
        entity = self._entity(at)
        if entity is None:
            return token
        self.entities.append(entity)
        return self._bracketed(entity.iri)

    def _bracketed(self, iri: str) -> str:
        """Write an IRI, or where the reader would not take it for one, `A` or `a:b c`, one that stands for it."""
        written = f"<{iri}>"
        if IRI.fullmatch(written):
            return written
        written = f"<stand-in:{len(self.stand_ins)}>"
        self.stand_ins[written] = iri
        return written

    def _near(self, at: int) -> str:
        return self._tokens[at].lower() if 0 <= at < len(self._tokens) else END

    def _is_name(self, at: int) -> bool:
        token = self._tokens[at]
        if token[0] in NEVER_FIRST or token.startswith("_:") or NUMBER.fullmatch(token):
            return False
        return token.lower() not in WORDS and self._near(at - 1) != "^^" and not token.startswith("^^")

    def _entity(self, at: int) -> Entity | None:
        """Return what a name stands for by its neighbours; None for what the reader knows by itself."""
        token, before, after = self._tokens[at], self._near(at - 1), self._near(at + 1)
        prefix, colon, _ = token.partition(":")
        if colon and prefix in STANDARD_PREFIXES:
            return None
        if after in QUANTIFIERS:
            return self._property(token)
        if before == "inverse" or (before == "(" and self._near(at - 2) in ("inverse", "inv")):
            return self._resolve(ObjectProperty, token)
        if (token, after) == ("inv", "("):
            return None
        if before == "value" or self._braces:
            return None if token.lower() in LITERAL_FILLERS else self._resolve(NamedIndividual, token)
        return None if token in BARE_DATATYPES else self._class(at)

    def _refuse_misspelt(self, at: int, unknown: UnknownName) -> None:
        """Say which keyword is meant by a name that stands behind another name, if it looks like one."""
        token = self._tokens[at] if at < len(self._tokens) - 1 and self._is_name(at) else END
        meant = meant_word(token, RESERVED) if token.isalpha() else None
        if meant:
            raise UnknownName(f"{str(unknown).partition('; ')[0]}; did you mean {meant!r} by {token!r}?") from None

    def _class(self, at: int) -> Entity:
        """Return the class of a name; of an object property in its place, say that a quantifier is missing."""
        token = self._tokens[at]
        try:
            return self._resolve(Class, token)
        except UnknownName as unknown:
            is_behind = at > 0 and (self._near(at - 1) in (")", "}") or self._is_name(at - 1))
            self._refuse_misspelt(at if is_behind else at + 1, unknown)
            try:
                self._resolve(ObjectProperty, token)
            except UnknownName:
                raise unknown from None
            has_filler = at + 1 < len(self._tokens) and self._is_name(at + 1)
            filler = self._tokens[at + 1] if has_filler else "(…)" if self._near(at + 1) == "(" else "Thing"
            raise UnknownName(f"{unknown}; write {f'{token} some {filler}'!r}") from None

    def _property(self, token: str) -> Entity:
        try:
            return self._resolve(ObjectProperty, token)
        except UnknownName as unknown:
            try:
                return self._resolve(DataProperty, token)
            except UnknownName:
                raise unknown from None


def tokens_of_goal(text: str) -> list[str]:
    """Return the tokens of a text, labels in single quotes among them."""
    return [token for token in GOAL.findall(text) if token[0] != "#"]


def with_labels(tokens: Sequence[str]) -> list[str]:
    """Return tokens in which a name and a label behind it are one, as names are shown: CL:0000084 'T cell'.

    >>> with_labels(["CL:1", "'T cell'", "and", "'has part'", "some", "'B cell'"])
    ["CL:1 'T cell'", 'and', "'has part'", 'some', "'B cell'"]
    """
    joined: list[str] = []
    for token in tokens:
        if joined and QUOTED.fullmatch(token) and _takes_label(joined[-1]):
            joined[-1] = f"{joined[-1]} {token}"
        else:
            joined.append(token)
    return joined


def _takes_label(token: str) -> bool:
    is_name = token[0] not in NEVER_FIRST and token[-1] != "'" and not NUMBER.fullmatch(token)
    return is_name and token.lower() not in WORDS


# ── Class expressions ─────────────────────────────────────────────────────────────────────────────────────────────


def parse_manchester_expression(text: str, where: str, resolve: Resolve) -> ClassExpression:
    """Read one class expression whose names `resolve(kind, name)` turns into entities.

    >>> parse_manchester_expression("r some B", "the query", lambda kind, name: kind(f"urn:{name}"))
    ObjectSomeValuesFrom(property=ObjectProperty(iri='urn:r'), filler=Class(iri='urn:B'))
    """
    return expression_of(tokens_of_goal(text), where, resolve)


def expression_of(tokens: Sequence[str], where: str, resolve: Resolve) -> ClassExpression:
    """Read the class expression that tokens make."""
    if not tokens:
        raise ParseError(f"{where}: expected a class expression, but nothing came; write 'A and r some B', say")
    resolved = Resolved(with_labels(tokens), resolve)
    reader = Reader(resolved.text, where)
    reader.names.learn(resolved.entities)
    reader.names.replace(resolved.stand_ins)
    expression = read_class_expression(reader)
    if reader.peek() != END:
        raise ParseError(
            f"{where}: expected 'and', 'or' or the end behind a class expression, but {describe(reader.peek())} came; "
            "put a name with spaces into single quotes"
        )
    return expression


# ── Axioms ────────────────────────────────────────────────────────────────────────────────────────────────────────

Side = Sequence[str]
Maker = Callable[[Side, Side, str, Resolve], ax.Axiom]


def parse_manchester_axiom(
    text: str, where: str, resolve: Resolve, *, offered: Sequence[str] | None = None
) -> ax.Axiom:
    """Read one axiom: two sides with a keyword such as SubClassOf between them; the message offers some or all."""
    tokens = tokens_of_goal(text)
    for at, token in enumerate(tokens):
        make = MAKERS.get(token.lower().removesuffix(":"))
        if make is not None and 0 < at < len(tokens) - 1:
            return make(tokens[:at], tokens[at + 1 :], where, resolve)
    meant = [(word, token) for token in tokens[1:-1] if (word := meant_word(token.removesuffix(":"), KEYWORDS))]
    advice = f"write one of {', '.join(offered or KEYWORDS)} between two sides"
    if meant:
        advice = f"did you mean {meant[0][0]} by {describe(meant[0][1])}?"
    elif axiom := without_keyword(tokens, resolve):
        advice = f"write {axiom!r}"
    raise ParseError(
        f"{where}: expected an axiom such as SubClassOf(A B) or 'A SubClassOf r some B', but got {text.strip()!r}; "
        f"{advice}"
    )


def without_keyword(tokens: Sequence[str], resolve: Resolve) -> str | None:
    """Return the axiom that names alone may mean, as in `kras activates braf`; None where that is not clear.

    >>> without_keyword(["a", "r", "b"], lambda kind, name: kind(f"urn:{name}"))
    'a Facts r b'
    """
    for words in (with_labels(tokens), tokens):
        for kinds, form in BARE_FORMS:
            if len(kinds) == len(words) and all(_is_one(kind, word, resolve) for kind, word in zip(kinds, words)):
                return form.format(*words)
    return None


def _is_one(kind: type[Entity], word: str, resolve: Resolve) -> bool:
    try:
        resolve(kind, word)  # type: ignore[type-var]  # one of the kinds
    except MooseError:
        return False
    return word[0] not in NEVER_FIRST


def sub_class(left: Side, right: Side, where: str, resolve: Resolve) -> ax.Axiom:
    """C SubClassOf D"""
    return ax.SubClassOf(expression_of(left, where, resolve), expression_of(right, where, resolve))


def equivalent(left: Side, right: Side, where: str, resolve: Resolve) -> ax.Axiom:
    """C EquivalentTo D"""
    return ax.EquivalentClasses((expression_of(left, where, resolve), expression_of(right, where, resolve)))


def disjoint(left: Side, right: Side, where: str, resolve: Resolve) -> ax.Axiom:
    """C DisjointWith D"""
    return ax.DisjointClasses((expression_of(left, where, resolve), expression_of(right, where, resolve)))


def class_assertion(left: Side, right: Side, where: str, resolve: Resolve) -> ax.Axiom:
    """a Type C"""
    return ax.ClassAssertion(expression_of(right, where, resolve), individual(left, where, resolve))


def fact(left: Side, right: Side, where: str, resolve: Resolve) -> ax.Axiom:
    """a Facts r b"""
    role = object_property(right[:1], where, resolve)
    return ax.ObjectPropertyAssertion(role, individual(left, where, resolve), individual(right[1:], where, resolve))


def same(left: Side, right: Side, where: str, resolve: Resolve) -> ax.Axiom:
    """a SameAs b"""
    return ax.SameIndividual((individual(left, where, resolve), individual(right, where, resolve)))


def different(left: Side, right: Side, where: str, resolve: Resolve) -> ax.Axiom:
    """a DifferentFrom b"""
    return ax.DifferentIndividuals((individual(left, where, resolve), individual(right, where, resolve)))


def sub_property(left: Side, right: Side, where: str, resolve: Resolve) -> ax.Axiom:
    """r o s SubPropertyOf t"""
    chain = tuple(object_property([name], where, resolve) for name in left if name != "o")
    return ax.SubObjectPropertyOf(chain, object_property(right, where, resolve))


def domain(left: Side, right: Side, where: str, resolve: Resolve) -> ax.Axiom:
    """r Domain C"""
    return ax.ObjectPropertyDomain(object_property(left, where, resolve), expression_of(right, where, resolve))


def range_(left: Side, right: Side, where: str, resolve: Resolve) -> ax.Axiom:
    """r Range C"""
    return ax.ObjectPropertyRange(object_property(left, where, resolve), expression_of(right, where, resolve))


def object_property(tokens: Side, where: str, resolve: Resolve) -> ObjectPropertyExpression:
    """Read the name of an object property."""
    return resolve(ObjectProperty, single(tokens, where, "an object property"))


def individual(tokens: Side, where: str, resolve: Resolve) -> Individual:
    """Read the name of an individual."""
    return resolve(NamedIndividual, single(tokens, where, "an individual"))


def single(tokens: Side, where: str, expected: str) -> str:
    """Return the one token that there is."""
    names = with_labels(tokens)
    if len(names) != 1:
        raise ParseError(
            f"{where}: expected the name of {expected}, but got {' '.join(tokens) or 'nothing'}; "
            "put a name with spaces into single quotes"
        )
    return names[0]


KEYWORDS: dict[str, Maker] = {
    "SubClassOf": sub_class,
    "EquivalentTo": equivalent,
    "DisjointWith": disjoint,
    "Type": class_assertion,
    "Types": class_assertion,
    "Facts": fact,
    "SameAs": same,
    "DifferentFrom": different,
    "SubPropertyOf": sub_property,
    "Domain": domain,
    "Range": range_,
}
GOAL_KEYWORDS = tuple(keyword for keyword in KEYWORDS if keyword not in ("SubPropertyOf", "Range"))
"""Those of axioms that can be asked for: others do not come down to class inclusions."""
BARE_FORMS: tuple[tuple[tuple[type[Entity], ...], str], ...] = (
    ((NamedIndividual, ObjectProperty, NamedIndividual), "{} Facts {} {}"),
    ((NamedIndividual, Class), "{} Type {}"),
    ((Class, ObjectProperty, Class), "{} SubClassOf {} some {}"),
)
"""What names alone may mean, by their kinds."""
MAKERS = {keyword.lower(): maker for keyword, maker in KEYWORDS.items()}
