"""Keep an XML parser from harm: small internal entities are expanded, everything else a DOCTYPE can do is refused."""

from __future__ import annotations

from collections.abc import Callable
from typing import NoReturn
from xml.parsers.expat import XMLParserType

# Namespace abbreviations such as <!ENTITY owl "http://www.w3.org/2002/07/owl#"> are well below both.
MAX_ENTITY_LENGTH = 1024
MAX_ENTITIES = 256
# Expanding every reference may make a document this many times as long; namespace abbreviations make it about twice.
MAX_EXPANSION = 10

Refuse = Callable[[str], NoReturn]
"""Raises the error for what it is told, at the place where the parser stands."""


def guard_entities(parser: XMLParserType, data: bytes, refuse: Refuse) -> None:
    """Let a parser that is about to read `data` refuse entities that reach out, refer to others, or grow large."""
    references = data.count(b"&")
    count = 0

    def entity(
        name: str, is_parameter: bool, value: str | None, _base: str | None, system: str | None, *_: object
    ) -> None:
        nonlocal count
        count += 1
        if is_parameter or value is None or system is not None:
            refuse(f"expected no parameter or external entity, but got {name}; write its text into the document")
        if "&" in value or "%" in value:
            refuse(f"expected an entity without references, but {name} refers to others; write its text out")
        if len(value) > MAX_ENTITY_LENGTH or count > MAX_ENTITIES:
            limits = f"{MAX_ENTITIES} entities of {MAX_ENTITY_LENGTH} characters"
            refuse(f"expected at most {limits}, but {name} is beyond that; write its text out")
        if references * len(value) > MAX_EXPANSION * max(len(data), MAX_ENTITY_LENGTH):
            refuse(f"expected entities that make the document less than {MAX_EXPANSION} times as long; write them out")

    def doctype(name: str, system: str | None, public: str | None, _has_internal_subset: bool) -> None:
        if system is not None or public is not None:
            refuse(f"expected no external document type, but {name} has {system or public}; remove it")

    def outside(*_: object) -> NoReturn:
        refuse("expected no reference to something outside the document; write its text into the document")

    parser.EntityDeclHandler = entity
    parser.StartDoctypeDeclHandler = doctype
    parser.ExternalEntityRefHandler = outside
    parser.SkippedEntityHandler = outside
