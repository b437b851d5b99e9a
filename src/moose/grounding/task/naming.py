"""From names as people write them to the concepts, roles and individuals of a task."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass

from moose.base.errors import MooseError, UnknownName
from moose.base.suggestions import close_matches, did_you_mean
from moose.owl.model.expressions import (
    BOTTOM_OBJECT_PROPERTY,
    NOTHING,
    THING,
    TOP_OBJECT_PROPERTY,
    Class,
    NamedIndividual,
    ObjectProperty,
)
from moose.owl.names import Names

# Which of two is meant where a name is a class and an object property at once, in the words of OWL's declarations.
OF_ONE_KIND = re.compile(r"(Class|ObjectProperty)\((.+)\)\Z")
WANTED = {"": "a class or an object property", "Class": "a class", "ObjectProperty": "an object property"}
# What needs no rewriting to stand in an atom such as Even(a): a short name, a label of one word, a CURIE.
PLAIN = re.compile(r"\w[\w.-]*(?::\w[\w.-]*)?\Z")
INDIVIDUAL = re.compile(r"[^\s(),<>]+\Z")
RESERVED = (THING, NOTHING, TOP_OBJECT_PROPERTY, BOTTOM_OBJECT_PROPERTY)


@dataclass(frozen=True, slots=True)
class Predicate:
    """A concept or role of a task."""

    name: str
    """As the task writes it where that can stand in an atom, else the shortest name."""
    iri: str
    is_latent: bool


def unknown_word(expected: str, word: str, known: Collection[str]) -> UnknownName:
    """Say that a word is not among the known ones, and which of them look like it."""
    hint = did_you_mean(close_matches(word, known), otherwise=f"known: {', '.join(known) or 'none'}")
    return UnknownName(f"expected {expected}, but got {word!r}; {hint}")


def checked_names(value: object, *, what: str) -> tuple[str, ...]:
    """Return a list of names as a tuple, or say what came instead."""
    if isinstance(value, str) or not isinstance(value, Iterable):
        raise MooseError(f"expected a list of names for {what}, but got {value!r}; write it in brackets")
    names = tuple(value)
    for name in names:
        if not isinstance(name, str) or not name.strip():
            raise MooseError(f"expected a name in {what}, but got {name!r}")
    return tuple(name.strip() for name in names)


def resolve_predicate(names: Names, text: str, *, where: str) -> Class | ObjectProperty:
    """Return the class or object property that a name stands for."""
    kind, name = split_kind(text)
    concept = names.find(Class, name) if kind != "ObjectProperty" else None
    role = names.find(ObjectProperty, name) if kind != "Class" else None
    entity = concept or role
    if entity is None:
        close = [like for one in (Class, ObjectProperty) for like in names.close(one, name)]
        hint = did_you_mean(close[:3], otherwise="write it as the ontology does, or as a full IRI")
        raise UnknownName(f"expected the name of {WANTED[kind]} in {where}, but the ontology has no {name!r}; {hint}")
    if concept is not None and role is not None:
        raise UnknownName(
            f"{text!r} in {where} names a class and an object property; write Class({text}) or ObjectProperty({text})"
        )
    refuse_reserved(entity, text, where=where)
    return entity


def split_kind(text: str) -> tuple[str, str]:
    """Read `Class(name)` or `ObjectProperty(name)`; any other text is a name of either kind.

    >>> split_kind("Class(Even)"), split_kind("Even")
    (('Class', 'Even'), ('', 'Even'))
    """
    match = OF_ONE_KIND.match(text)
    return ("", text) if match is None else (match[1], match[2].strip())


def refuse_reserved(entity: Class | ObjectProperty, text: str, *, where: str) -> None:
    """Refuse the concepts and roles that mean the same in every world."""
    if entity in RESERVED:
        raise MooseError(f"{text!r} in {where} means the same in every world, so it cannot be a variable; leave it out")


def written_name(names: Names, text: str, iri: str) -> str:
    """Return a name as it was written, or the shortest one where that could not stand in an atom."""
    return text if PLAIN.match(text) else names.display(iri)


def resolve_individuals(names: Names, texts: Sequence[str]) -> dict[str, str | None]:
    """Return each individual's name, in order, with the IRI of the ontology's individual that it is, if any."""
    if not texts:
        raise MooseError("expected at least one individual, but the list of individuals is empty")
    iris: dict[str, str | None] = {}
    written: dict[str, str] = {}
    for text in texts:
        individual = names.find(NamedIndividual, text)
        name = individual_name(names, text, individual)
        if individual is not None and written.get(individual.iri, text) != text:
            raise MooseError(f"{written[individual.iri]!r} and {text!r} are the same individual; list it once")
        if name in iris:
            raise MooseError(f"the individual {text!r} is listed twice; list each once")
        iris[name] = None if individual is None else individual.iri
        if individual is not None:
            written[individual.iri] = text
    return iris


def individual_name(names: Names, text: str, individual: NamedIndividual | None) -> str:
    """Return the name by which atoms call an individual."""
    if individual is not None:
        return written_name(names, text, individual.iri)
    if not INDIVIDUAL.match(text):
        raise MooseError(
            f"expected the name of an individual, but {text!r} is none of the ontology's, "
            "and a new name has no blanks, commas or brackets"
        )
    return text
