"""A place in a Manchester document, and the names that can be read there."""

from __future__ import annotations

from functools import cached_property
from typing import NoReturn

from moose.base.errors import ParseError
from moose.owl.model.expressions import (
    AnonymousIndividual,
    Class,
    DataProperty,
    Datatype,
    Individual,
    NamedIndividual,
    ObjectInverseOf,
    ObjectProperty,
    ObjectPropertyExpression,
)
from moose.owl.model.vocabulary import XSD
from moose.owl.syntax.common.arguments import MAX_NESTING
from moose.owl.syntax.manchester.manchester_tokens import END, describe, section_of, starts_of, tokenise
from moose.owl.syntax.manchester.name_resolution import Names

QUANTIFIERS = frozenset({"some", "only", "value", "self", "min", "max", "exactly"})
_BETWEEN = QUANTIFIERS | {END, ",", ")", "]", "}", "and", "or", "that", "o"}


class Reader:
    """A cursor over the tokens of a document. Its one way to fail is `ParseError`, with the line of what came."""

    def __init__(self, text: str, where: str) -> None:
        self._text = text
        self._where = where
        self._at = 0
        self.tokens = tokenise(text)
        self.names = Names()
        self._classes: dict[str, Class] = {}

    # ── Tokens ────────────────────────────────────────────────────────────────────────────────────────────────────

    def peek(self, ahead: int = 0) -> str:
        """Return the token that comes, or the one so many places behind it; `END` past the last."""
        return self.tokens[min(self._at + ahead, len(self.tokens) - 1)]

    def take(self) -> str:
        """Return the token that comes and step past it; the end is never passed."""
        token = self.tokens[self._at]
        self._at += bool(token)
        return token

    def accept(self, token: str) -> bool:
        """Step past this token if it comes."""
        if self.tokens[self._at] != token:
            return False
        self._at += 1
        return True

    def expect(self, token: str) -> None:
        """Step past this token, or fail if another comes."""
        if not self.accept(token):
            self.fail(f"'{token}'")

    def section(self) -> str | None:
        """Return the keyword that comes, e.g. `SubClassOf`, or None if none comes."""
        return section_of(self.tokens[self._at])

    def accept_section(self, keyword: str) -> bool:
        """Step past this keyword, in any case, if it comes."""
        if self.section() != keyword:
            return False
        self._at += 1
        return True

    def at_word(self, *words: str) -> bool:
        """Say whether one of these words comes, in any case, and not as the name of a frame in capital letters."""
        token = self.tokens[self._at]
        return token in words or (token.lower() in words and not self.names.has_frame(token))

    def opens(self, word: str) -> bool:
        """Say whether a word such as `not` comes before its operand, and not as a name that a frame introduces."""
        return self.at_word(word) and not (self.names.has_frame(self.peek()) and self.is_over(1))

    def is_over(self, ahead: int = 0) -> bool:
        """Say whether what comes cannot belong to the operand before it or begin a new one."""
        token = self.peek(ahead)
        return token.lower() in _BETWEEN or section_of(token) is not None

    def take_raw(self, count: int) -> str:
        """Step past so many tokens and return them as they are written, in one line."""
        start, self._at = self._at, self._at + count
        return " ".join(self._text[self._starts[start] : self._starts[self._at]].split())

    @cached_property
    def _starts(self) -> list[int]:
        return starts_of(self._text)

    # ── Errors ────────────────────────────────────────────────────────────────────────────────────────────────────

    def fail(self, expected: str) -> NoReturn:
        """Raise the error that something was expected here and something else came."""
        self.refuse(f"expected {expected}, but {describe(self.peek())} came")

    def refuse(self, message: str) -> NoReturn:
        """Raise an error at the line of the token that comes."""
        line = self._text.count("\n", 0, self._starts[self._at]) + 1
        raise ParseError(f"{self._where}:{line}: {message}")

    def check_depth(self, depth: int) -> None:
        """Refuse an expression before it reaches Python's own limit on nested calls."""
        if depth > MAX_NESTING:
            self.refuse(
                f"expected expressions nested at most {MAX_NESTING} levels deep, but this one goes deeper; "
                "give its parts names of their own"
            )

    # ── Names ─────────────────────────────────────────────────────────────────────────────────────────────────────

    def iri(self, expected: str) -> str:
        """Read a name and return the IRI it stands for."""
        token = self.tokens[self._at]
        iri = self.names.expand(token)
        if iri is None:
            self._refuse_name(token, expected)
        self._at += 1
        return iri

    def _refuse_name(self, token: str, expected: str) -> NoReturn:
        if not self.names.is_name(token):
            self.fail(expected)
        prefix = token.partition(":")[0] if ":" in token else ""
        self.refuse(
            f"expected {expected}, but the prefix '{prefix}:' of '{token}' is not declared; "
            f"add a line 'Prefix: {prefix}: <…>' at the top"
        )

    def named_class(self) -> Class:
        """Read the name of a class."""
        token = self.tokens[self._at]
        known = self._classes.get(token)
        if known is None:
            known = self._classes[token] = Class(self.iri("a class expression"))
        else:
            self._at += 1
        return known

    def object_property(self) -> ObjectPropertyExpression:
        """Read an object property, or the inverse of one: `inverse r`, `inverse (r)`."""
        if not self.opens_inverse():
            return ObjectProperty(self.iri("an object property"))
        self.take()
        opened = self.accept("(")
        inverse = ObjectInverseOf(ObjectProperty(self.iri("the name of an object property")))
        if opened:
            self.expect(")")
        return inverse

    def opens_inverse(self) -> bool:
        """Say whether the inverse of a property comes; the OWL API knows `inv (r)` as well."""
        return self.opens("inverse") or (self.peek() == "inv" and self.peek(1) == "(")

    def data_property(self) -> DataProperty:
        """Read the name of a data property."""
        return DataProperty(self.iri("the name of a data property"))

    def datatype(self) -> Datatype:
        """Read the name of a datatype."""
        if self.names.is_bare_datatype(self.peek()):
            return Datatype(XSD + self.take())
        return Datatype(self.iri("a data range"))

    def individual(self) -> Individual:
        """Read the name of an individual, or a node such as `_:x`."""
        if self.peek().startswith("_:"):
            return AnonymousIndividual(self.take()[2:])
        return NamedIndividual(self.iri("an individual"))
