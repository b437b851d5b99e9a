"""The vocabulary of a task: from names as people write them to the concepts, roles and individuals that it declares."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from moose.base.errors import MooseError, UnknownName
from moose.base.suggestions import MOST_KNOWN, close_matches, did_you_mean, shortened, unknown_word
from moose.owl.atom_text import unquoted
from moose.owl.model.expressions import (
    BOTTOM_OBJECT_PROPERTY,
    NOTHING,
    THING,
    TOP_OBJECT_PROPERTY,
    Class,
    NamedIndividual,
    ObjectProperty,
)
from moose.owl.names import OPAQUE, Names, short_name

Families = tuple[tuple[str, ...], ...]
ToldFamilies = dict[tuple[str, ...], frozenset[str]]
"""Members of families that axioms declare, with the individuals that have one and only one of them."""
Profiles = dict[str, dict[str, bool]]

# Which of two is meant where a name is a class and an object property at once, in the words of OWL's declarations.
OF_ONE_KIND = re.compile(r"(Class|ObjectProperty)\((.+)\)\Z")
WANTED = {"": "a class or an object property", "Class": "a class", "ObjectProperty": "an object property"}
# A short name, a label of one word, a CURIE.
PLAIN = re.compile(r"\w[\w.-]*(?::\w[\w.-]*)?\Z")
INDIVIDUAL = re.compile(r"[^\s(),<>]+\Z")
RESERVED = (THING, NOTHING, TOP_OBJECT_PROPERTY, BOTTOM_OBJECT_PROPERTY)


@dataclass(frozen=True, slots=True)
class Predicate:
    """A concept or role of a task."""

    name: str
    """What people see: the short name, CURIE or label that the task writes, else the shortest name."""
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


def shown_name(names: Names, text: str, entity: Class | ObjectProperty) -> str:
    """Return the name of a concept or role that people see: as it was written, a label without its quotes.

    It is the shortest name instead for a full IRI, for a label that means another entity without its quotes, and for
    one with breaks or signs that cannot be seen.
    """
    name = unquoted(text)
    is_iri = name.startswith("<") or (name == entity.iri and not PLAIN.match(name))
    is_readable = name.isprintable() and name == " ".join(name.split()) and not is_iri
    return name if is_readable and means(names, name, entity) else names.display(entity.iri)


def readable_name(names: Names, entity: Class | ObjectProperty) -> str:
    """Return a name for an entity that no task writes: its label if the IRI is a mere number and the label is clear."""
    label = names.label(entity.iri)
    if label is None or not OPAQUE.fullmatch(short_name(entity.iri)) or not means(names, label, entity):
        return names.display(entity.iri)
    return shown_name(names, label, entity)


def find_entity(names: Names, kind: type[Class | ObjectProperty], text: str) -> Class | ObjectProperty | None:
    """Return the class, or the object property, that a name stands for."""
    return names.find(Class, text) if kind is Class else names.find(ObjectProperty, text)


def means(names: Names, text: str, entity: Class | ObjectProperty) -> bool:
    """Return whether a name stands for an entity, and for no other of its kind."""
    try:
        return find_entity(names, type(entity), text) == entity
    except UnknownName:  # it fits several
        return False


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
    """Return the name by which atoms call an individual, which has no blanks."""
    if individual is not None:
        return text if PLAIN.match(text) else names.display(individual.iri)
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
        concept = self.find_concept(text)
        if concept is None:
            raise self.unknown_concept(text, f"a concept of the task in {where}, listed as observed or latent")
        return concept

    def role(self, text: str, *, where: str) -> Predicate:
        """Return the declared role that a name stands for."""
        role = self.find_role(text)
        if role is None:
            raise self.unknown_role(text, f"a role of the task in {where}, listed as observed or latent")
        return role

    def individual(self, text: str, *, where: str) -> str:
        """Return the name by which the task calls an individual."""
        name = self.find_individual(text)
        if name is None:
            raise unknown_word(f"an individual of the task in {where}", text, self.individuals)
        return name

    # ── A short name, a CURIE, an IRI or a label, in quotes or not, of what the task declares ──────────────────────

    def find_concept(self, text: str) -> Predicate | None:
        """Return the declared concept that a name stands for, if there is one."""
        return self._find(Class, self._concept_spellings, self.concepts, text)

    def find_role(self, text: str) -> Predicate | None:
        """Return the declared role that a name stands for, if there is one."""
        return self._find(ObjectProperty, self._role_spellings, self.roles, text)

    def find_individual(self, text: str) -> str | None:
        """Return the name by which the task calls an individual, if it has it."""
        if text in self.individuals:
            return text
        entity = self.names.find(NamedIndividual, text)
        if entity is None:
            return unquoted(text) if unquoted(text) in self.individuals else None
        return next((name for name, iri in self.individuals.items() if iri == entity.iri), None)

    @cached_property
    def _concept_spellings(self) -> dict[str, Predicate]:
        """The names that were asked for so far, those that people see from the start."""
        return {concept.name: concept for concept in self.concepts.values()}

    @cached_property
    def _role_spellings(self) -> dict[str, Predicate]:
        return {role.name: role for role in self.roles.values()}

    def _find(
        self,
        kind: type[Class | ObjectProperty],
        spellings: dict[str, Predicate],
        declared: dict[str, Predicate],
        text: str,
    ) -> Predicate | None:
        if text not in spellings:
            entity = find_entity(self.names, kind, text)
            predicate = spellings.get(unquoted(text)) if entity is None else declared.get(entity.iri)
            if predicate is None:
                return None
            spellings[text] = predicate
        return spellings[text]

    def unknown_predicate(self, text: str, expected: str) -> UnknownName:
        """Say that a name is of no concept or role of the task, and which look like it."""
        return self._unknown(text, expected, self.concepts | self.roles)

    def unknown_concept(self, text: str, expected: str) -> UnknownName:
        """Say that a name is of no concept of the task, and which look like it."""
        return self._unknown(text, expected, self.concepts)

    def unknown_role(self, text: str, expected: str) -> UnknownName:
        """Say that a name is of no role of the task, and which look like it."""
        return self._unknown(text, expected, self.roles)

    def _unknown(self, text: str, expected: str, declared: dict[str, Predicate]) -> UnknownName:
        spellings = {one.name: one for one in declared.values()}
        for one in declared.values():
            for other in (short_name(one.iri), self.names.label(one.iri)):
                spellings.setdefault(other or one.name, one)
        close: dict[str, str] = {}
        for word in close_matches(unquoted(text), spellings):
            close.setdefault(spellings[word].iri, word)
        known = shortened((one.name for one in declared.values()), MOST_KNOWN) or "none"
        hint = did_you_mean([*close.values()], otherwise=f"known: {known}")
        return UnknownName(f"expected {expected}, but got {unquoted(text)!r}; {hint}")


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
            name = shown_name(names, split_kind(text)[1], entity)
            declared[entity] = Predicate(name, entity.iri, key == "latent")
    for text in known_roles:
        role = names.resolve(ObjectProperty, text)
        refuse_reserved(role, text, where="roles")
        if role in declared and declared[role].is_latent:
            raise MooseError(
                f"the role {text!r} is listed as latent, but its pairs are given in roles; drop one of two"
            )
        declared.setdefault(role, Predicate(shown_name(names, text, role), role.iri, is_latent=False))
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
