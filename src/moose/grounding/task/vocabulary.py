"""The vocabulary of a task: from names as people write them to the concepts, roles and individuals that it declares."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from moose.base.errors import MooseError, UnknownName
from moose.base.suggestions import did_you_mean, unknown_word
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

Families = tuple[tuple[str, ...], ...]
ToldFamilies = dict[tuple[str, ...], frozenset[str]]
"""Members of families that axioms declare, with the individuals that have one and only one of them."""
Profiles = dict[str, dict[str, bool]]

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


def checked_names(value: object, *, what: str) -> tuple[str, ...]:
    """Return a list of names as a tuple, or say what came instead."""
    if isinstance(value, str) or not isinstance(value, Iterable):
        raise MooseError(f"expected a list of names for {what}, but got {value!r}; write it in brackets")
    names = tuple(value)
    for name in names:
        if not isinstance(name, str) or not name.strip():
            raise MooseError(f"expected a name in {what}, but got {name!r}")
    return tuple(name.strip() for name in names)


def checked_table(value: object, *, what: str) -> Mapping[object, object]:
    """Return a table, empty for None, or say what came instead."""
    if value is None:
        return {}
    if not isinstance(value, Mapping):
        raise MooseError(f"expected a table from names for {what}, but got {value!r}")
    return value


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


@dataclass(frozen=True)
class Vocabulary:
    """The concepts, roles and individuals of a task."""

    names: Names
    concepts: dict[str, Predicate]
    """By IRI: latent ones, then observed ones."""
    roles: dict[str, Predicate]
    """By IRI: latent ones, observed ones, then those that are only known in advance."""
    individuals: dict[str, str | None]
    """The IRI, if any, of each individual."""

    def concept(self, text: str, *, where: str) -> Predicate:
        """Return the declared concept that a name stands for."""
        return self._declared(
            self.concepts, self.names.find(Class, text), text, what=f"a concept of the task in {where}"
        )

    def role(self, text: str, *, where: str) -> Predicate:
        """Return the declared role that a name stands for."""
        entity = self.names.find(ObjectProperty, text)
        return self._declared(self.roles, entity, text, what=f"a role of the task in {where}")

    def individual(self, text: str, *, where: str) -> str:
        """Return the name by which the task calls an individual."""
        if text in self.individuals:
            return text
        entity = self.names.find(NamedIndividual, text)
        for name, iri in self.individuals.items():
            if entity is not None and iri == entity.iri:
                return name
        raise unknown_word(f"an individual of the task in {where}", text, self.individuals)

    def _declared(
        self, known: dict[str, Predicate], entity: Class | ObjectProperty | None, text: str, *, what: str
    ) -> Predicate:
        by_name = {predicate.name: predicate for predicate in known.values()}
        if text in by_name:
            return by_name[text]
        if entity is None or entity.iri not in known:
            raise unknown_word(f"{what}, listed as observed or latent", text, by_name)
        return known[entity.iri]


def declare(
    names: Names,
    *,
    individuals: Sequence[str],
    observed: Sequence[str],
    latent: Sequence[str],
    known_roles: Iterable[str],
) -> Vocabulary:
    """Resolve what a task lists; each concept and role is observed or latent, not both."""
    declared: dict[Class | ObjectProperty, Predicate] = {}
    for key, texts in (("latent", latent), ("observed", observed)):
        for text in texts:
            entity = resolve_predicate(names, text, where=key)
            if (earlier := declared.get(entity)) is not None:
                places = "both observed and latent" if earlier.is_latent != (key == "latent") else f"twice in {key}"
                raise MooseError(f"{text!r} is listed {places}; list it once")
            name = written_name(names, split_kind(text)[1], entity.iri)
            declared[entity] = Predicate(name, entity.iri, key == "latent")
    for text in known_roles:
        role = names.resolve(ObjectProperty, text)
        refuse_reserved(role, text, where="roles")
        if role in declared and declared[role].is_latent:
            raise MooseError(
                f"the role {text!r} is listed as latent, but its pairs are given in roles; drop one of two"
            )
        declared.setdefault(role, Predicate(written_name(names, text, role.iri), role.iri, is_latent=False))
    return Vocabulary(
        names,
        concepts={entity.iri: predicate for entity, predicate in declared.items() if isinstance(entity, Class)},
        roles={entity.iri: predicate for entity, predicate in declared.items() if isinstance(entity, ObjectProperty)},
        individuals=resolve_individuals(names, individuals),
    )


def declare_families(vocabulary: Vocabulary, families: object) -> Families:
    """Return the families in the names of the task."""
    if isinstance(families, str | Mapping) or not isinstance(families, Iterable):
        raise MooseError(f"expected a list of families, each a list of concepts, but got {families!r}")
    declared = []
    for number, family in enumerate(families, start=1):
        where = f"family {number}"
        members = [vocabulary.concept(name, where=where).name for name in checked_names(family, what=where)]
        if not members:
            raise MooseError(f"{where} is empty; list its members, or leave it out")
        repeated = sorted({name for name in members if members.count(name) > 1})
        if repeated:
            raise MooseError(f"{where} lists {', '.join(repeated)} twice; list each member once")
        declared.append(tuple(members))
    return tuple(declared)
