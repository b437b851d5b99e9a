"""What a task declares, for looking up by any name that the ontology knows."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from moose.base.errors import MooseError
from moose.grounding.atoms import Atom
from moose.grounding.task.naming import (
    Predicate,
    refuse_reserved,
    resolve_individuals,
    resolve_predicate,
    split_kind,
    unknown_word,
    written_name,
)
from moose.owl.model.expressions import Class, NamedIndividual, ObjectProperty
from moose.owl.names import Names


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

    def atom(self, atom: Atom, *, where: str) -> Atom:
        """Return an atom in the names of the task."""
        arguments = tuple(self.individual(text, where=where) for text in atom.arguments)
        find = self.concept if len(arguments) == 1 else self.role
        return Atom(find(atom.predicate, where=where).name, arguments)

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
