"""What the names of a Manchester document stand for: its prefixes, and the entities that its frames introduce."""

from __future__ import annotations

from collections.abc import Iterable

from moose.owl.model.expressions import Class, DataProperty, Datatype, Entity, ObjectProperty
from moose.owl.model.vocabulary import EL_DATATYPES, LANGUAGE_STRING_IRI, STANDARD_PREFIXES, XSD
from moose.owl.syntax.manchester.manchester_tokens import END, NUMBER, section_of

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

    def _is_alone(self, tokens: list[str]) -> bool:
        """Say whether a frame opens with a name and not with an expression, as `Class: r some A` does."""
        is_over = len(tokens) > 1 and (tokens[1] == END or section_of(tokens[1]) is not None)
        return is_over and self.is_name(tokens[0], as_frame=True)

    def introduces(self, kind: str, iri: str) -> bool:
        """Say whether a frame of this kind introduces the IRI."""
        return iri in self._introduced[kind]

    def has_frame(self, token: str) -> bool:
        """Say whether a frame is written with just this name."""
        return token in self._frames

    def is_name(self, token: str, *, as_frame: bool = False) -> bool:
        """Say whether a token is a name; a reserved word or a number is one only where a frame introduces it."""
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
        """Say whether a token names a datatype: a built-in one, or one with a frame and no frame as a class."""
        if self.is_bare_datatype(token):
            return True
        iri = self.expand(token)
        if iri is None or self.introduces("Class", iri):
            return False
        is_builtin = iri.startswith(XSD) or iri in EL_DATATYPES or iri == LANGUAGE_STRING_IRI
        return is_builtin or self.introduces("Datatype", iri)

    def is_bare_datatype(self, token: str) -> bool:
        """Say whether a token is one of the datatypes that need no prefix, and not a name of the document."""
        return token in BARE_DATATYPES and token not in self._frames
