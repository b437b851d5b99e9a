"""A position in a Manchester document, the names that can be read there, and what each of them stands for."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cached_property
from typing import NoReturn

from moose.base.errors import ParseError
from moose.owl.model.expressions import (
    EL_DATATYPES,
    LANGUAGE_STRING_IRI,
    STANDARD_PREFIXES,
    XSD,
    AnonymousIndividual,
    Class,
    DataProperty,
    Datatype,
    Entity,
    Individual,
    NamedIndividual,
    ObjectInverseOf,
    ObjectProperty,
    ObjectPropertyExpression,
)
from moose.owl.model.nesting import MAX_NESTING
from moose.owl.syntax.manchester.manchester_tokens import (
    END,
    NUMBER,
    SECTIONS,
    describe,
    meant_word,
    section_of,
    starts_of,
    tokenise,
)

# ── What names stand for ──────────────────────────────────────────────────────────────────────────────────────────

ENTITY_FRAMES = frozenset({"Class", "ObjectProperty", "DataProperty", "AnnotationProperty", "Datatype", "Individual"})
KIND_FRAMES: dict[type, str] = {kind: kind.__name__ for kind in (Class, ObjectProperty, DataProperty, Datatype)}
# In these spellings a keyword; in another (`Value`, `Only`) a name may have the same letters.
RESERVED = frozenset({"and", "or", "not", "some", "only", "value", "min", "max", "exactly", "that", "inverse", "Self"})
# OWL 2 Manchester Syntax, section 2.2: these datatypes may be written without a prefix.
BARE_DATATYPES = frozenset({"integer", "decimal", "float", "string"})
NEVER_FIRST = frozenset('()[]{},>=^@"')


class Names:
    """The prefixes of a document, and which names its frames introduce as which kind of entity."""

    def __init__(self) -> None:
        self.prefixes = dict(STANDARD_PREFIXES)
        self._introduced: dict[str, set[str]] = {kind: set() for kind in ENTITY_FRAMES}
        self._frames: set[str] = set()
        self._iris: dict[str, str] = {}

    def survey(self, tokens: list[str]) -> None:
        """Note what every frame introduces, so that a name may be used before its frame."""
        for at, token in enumerate(tokens):
            kind = section_of(token)
            if kind not in ENTITY_FRAMES or not self._is_alone(tokens[at + 1 : at + 3]):
                continue
            self._frames.add(tokens[at + 1])
            iri = self.expand(tokens[at + 1])
            if iri is not None:
                self._introduced[kind].add(iri)

    def learn(self, known: Iterable[Entity]) -> None:
        """Note entities that other documents declare."""
        for entity in known:
            kind = KIND_FRAMES.get(type(entity))
            if kind is not None:
                self._introduced[kind].add(entity.iri)

    def replace(self, iris: Mapping[str, str]) -> None:
        """Take these names for these IRIs, whatever prefixes say."""
        self._iris.update(iris)

    def _is_alone(self, tokens: list[str]) -> bool:
        """Return whether a frame opens with a name and not with an expression, as `Class: r some A` does."""
        is_over = len(tokens) > 1 and (tokens[1] == END or section_of(tokens[1]) is not None)
        return is_over and self.is_name(tokens[0], as_frame=True)

    def introduces(self, kind: str, iri: str) -> bool:
        """Return whether a frame of this kind introduces the IRI."""
        return iri in self._introduced[kind]

    def has_frame(self, token: str) -> bool:
        """Return whether a frame is written with just this name."""
        return token in self._frames

    def is_name(self, token: str, *, as_frame: bool = False) -> bool:
        """Return whether a token is a name; a reserved word or a number is one only where a frame introduces it."""
        if token in self._iris:
            return True
        if not token or token[0] in NEVER_FIRST or token.startswith("_:"):
            return False
        if token[0] == "<":
            return len(token) > 2
        if section_of(token) is not None:
            return False
        return as_frame or token in self._frames or not (token in RESERVED or NUMBER.fullmatch(token))

    def expand(self, token: str) -> str | None:
        """Return the IRI that a name stands for, or None if its prefix is not declared."""
        iri = self._iris.get(token)
        if iri is None and self.is_name(token):
            iri = self._expand(token)
            if iri is not None:
                self._iris[token] = iri
        return iri

    def _expand(self, token: str) -> str | None:
        if token[0] == "<":
            return token[1:-1]
        prefix, colon, local = token.partition(":")
        namespace = self.prefixes.get(prefix if colon else "")
        return None if namespace is None else namespace + (local if colon else token)

    def is_datatype(self, token: str) -> bool:
        """Return whether a token names a datatype: a built-in one, or one with a frame and no frame as a class."""
        if self.is_bare_datatype(token):
            return True
        iri = self.expand(token)
        if iri is None or self.introduces("Class", iri):
            return False
        is_builtin = iri.startswith(XSD) or iri in EL_DATATYPES or iri == LANGUAGE_STRING_IRI
        return is_builtin or self.introduces("Datatype", iri)

    def is_bare_datatype(self, token: str) -> bool:
        """Return whether a token is one of the datatypes that need no prefix, and not a name of the document."""
        return token in BARE_DATATYPES and token not in self._frames


# ── The cursor ────────────────────────────────────────────────────────────────────────────────────────────────────

QUANTIFIERS = frozenset({"some", "only", "value", "self", "min", "max", "exactly"})
KEYWORDS = (*sorted(RESERVED), *(f"{section}:" for section in SECTIONS.values()))
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
        """Return the token that comes, or the one that many tokens behind it; `END` past the last."""
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

    def close(self, closing: str, opened: int, *, otherwise: str = "") -> None:
        """Step past a closing bracket, or fail if something else comes, naming the line of the opening one."""
        if not self.accept(closing):
            opening = f"for the '{self.tokens[opened]}' on line {self._line(opened)}"
            self.fail(f"{otherwise}'{closing}' {opening}")

    @property
    def position(self) -> int:
        """Return how many tokens were taken."""
        return self._at

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
        """Return whether one of these words comes, in any case, and not as the name of a frame in capital letters."""
        token = self.tokens[self._at]
        return token in words or (token.lower() in words and not self.names.has_frame(token))

    def opens(self, word: str) -> bool:
        """Return whether a word such as `not` comes before its operand, and not as a name that a frame introduces."""
        return self.at_word(word) and not (self.names.has_frame(self.peek()) and self.is_over(1))

    def is_over(self, ahead: int = 0) -> bool:
        """Return whether what comes cannot belong to the operand before it or begin a new one."""
        token = self.peek(ahead)
        return token.lower() in _BETWEEN or section_of(token) is not None

    def take_raw(self, count: int) -> str:
        """Step past that many tokens and return them as they are written, in one line."""
        start, self._at = self._at, self._at + count
        return " ".join(self._text[self._starts[start] : self._starts[self._at]].split())

    @cached_property
    def _starts(self) -> list[int]:
        return starts_of(self._text)

    # ── Errors ────────────────────────────────────────────────────────────────────────────────────────────────────

    def fail(self, expected: str) -> NoReturn:
        """Raise the error that something was expected here and something else came."""
        token = self.peek()
        meant = meant_word(token, KEYWORDS) if token[:1].isalpha() else None
        hint = f"; did you mean '{meant}'?" if meant else ""
        self.refuse(f"expected {expected}, but {describe(token)} came{hint}")

    def refuse(self, message: str) -> NoReturn:
        """Raise an error at the line of the token that comes."""
        raise ParseError(f"{self._where}:{self._line(self._at)}: {message}")

    def _line(self, at: int) -> int:
        return self._text.count("\n", 0, self._starts[at]) + 1

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
        opened = self._at
        is_opened = self.accept("(")
        inverse = ObjectInverseOf(ObjectProperty(self.iri("the name of an object property")))
        if is_opened:
            self.close(")", opened)
        return inverse

    def opens_inverse(self) -> bool:
        """Return whether the inverse of a property comes; the OWL API knows `inv (r)` as well."""
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
