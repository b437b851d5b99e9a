"""Kinds of individuals, such as images and pairs: each has concepts and families of its own, and an input or none."""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from moose.base.errors import MooseError
from moose.base.suggestions import unknown_word
from moose.grounding.atoms import Atom
from moose.grounding.task.vocabulary import (
    Families,
    Profiles,
    ToldFamilies,
    Vocabulary,
    checked_names,
    checked_table,
    declare_families,
    individual_name,
    resolve_predicate,
)
from moose.owl.model.expressions import NamedIndividual, ObjectProperty
from moose.owl.names import Names

Flags = npt.NDArray[np.bool_]
KEYS = ("individuals", "observed", "latent", "families", "input")


@dataclass(frozen=True, slots=True)
class Kind:
    """What individuals of one kind have.

    A concept or family that some kind lists is of the kinds that list it alone; what no kind lists is everybody's.

    >>> Kind(individuals=["s"], observed=["Small", "Large"], has_input=False).families
    ()
    """

    individuals: Sequence[str] = ()
    """The individuals of this kind; each is of one kind at most."""
    observed: Sequence[str] = ()
    """Concepts that evidence may speak of."""
    latent: Sequence[str] = ()
    """Concepts that are hidden."""
    families: Sequence[Sequence[str]] = ()
    """Concepts of which every individual of this kind has one and only one."""
    has_input: bool = True
    """Whether there is something to be seen of each individual; a network says nothing of one without."""


Kinds = dict[str, Kind]


def checked_kinds(value: object) -> Kinds:
    """Return kinds by name with lists of texts in them, or say what is wrong with one."""
    kinds: Kinds = {}
    for name, given in checked_table(value, what="kinds").items():
        where = f"the kind {name}"
        if not isinstance(name, str) or not name.strip():
            raise MooseError(f"expected the name of a kind in kinds, but got {name!r}")
        kind = kind_from_table(given, where=where) if isinstance(given, Mapping) else given
        if not isinstance(kind, Kind):
            raise MooseError(f"expected a kind, moose.Kind(…) or a table, for {name} in kinds, but got {kind!r}")
        if not isinstance(kind.has_input, bool):
            raise MooseError(f"expected true or false for input of {where}, but got {kind.has_input!r}")
        families: object = kind.families
        if isinstance(families, str | Mapping) or not isinstance(families, Iterable):
            raise MooseError(f"expected a list of families, each a list of concepts, in {where}, but got {families!r}")
        lists = {key: checked_names(getattr(kind, key), what=f"{key} of {where}") for key in KEYS[:3]}
        checked = tuple(checked_names(family, what=f"a family of {where}") for family in families)
        kinds[name] = Kind(lists["individuals"], lists["observed"], lists["latent"], checked, kind.has_input)
    return kinds


def kind_from_table(table: Mapping[object, object], *, where: str) -> Kind:
    """Make a kind of a table of a task file."""
    for key in table:
        if key not in KEYS:
            raise unknown_word(f"a key of {where}", str(key), KEYS)
    lists = {key: table.get(key, ()) for key in KEYS[:-1]}
    return Kind(**lists, has_input=table.get("input", True))  # type: ignore[arg-type]  # checked where it is read


def merged_individuals(names: Names, texts: Sequence[str], kinds: Kinds) -> tuple[str, ...]:
    """Return the individuals that are listed, then those that kinds alone list."""
    known = {individual_name(names, text, names.find(NamedIndividual, text)) for text in texts}
    merged = list(texts)
    for kind in kinds.values():
        for text in kind.individuals:
            name = individual_name(names, text, names.find(NamedIndividual, text))
            if name not in known:
                known.add(name)
                merged.append(text)
    return tuple(merged)


def merged_concepts(names: Names, texts: Sequence[str], kinds: Kinds, *, key: str) -> tuple[str, ...]:
    """Return what is listed as observed or latent, then what kinds alone list; a kind lists concepts only."""
    known = {resolve_predicate(names, text, where=key) for text in texts}
    merged = list(texts)
    for kind_name, kind in kinds.items():
        listed: Sequence[str] = getattr(kind, key)
        for text in listed:
            entity = resolve_predicate(names, text, where=f"{key} of the kind {kind_name}")
            if isinstance(entity, ObjectProperty):
                raise MooseError(
                    f"the kind {kind_name} lists the role {text!r}, which may join individuals of any kinds; "
                    f"list it outside of the kinds"
                )
            if entity not in known:
                known.add(entity)
                merged.append(text)
    return tuple(merged)


@dataclass(frozen=True, eq=False)
class Typing:
    """Who is of which kind, and what that means, in the names of the task."""

    kinds: Kinds
    families: Families
    """All of them, those of kinds alone last."""
    has_concept: Flags
    """individual × concept: whether an individual's kind has that concept."""
    has_family: Flags
    """individual × family."""
    has_input: Flags
    """For each individual."""


def declare_kinds(vocabulary: Vocabulary, kinds: Kinds, families: Families, told: ToldFamilies | None = None) -> Typing:
    """Resolve kinds, and find what each individual has; the ontology may tell more families."""
    resolved = {name: resolved_kind(vocabulary, name, kind) for name, kind in kinds.items()}
    resolved, families = with_told_families(vocabulary, resolved, families, told or {})
    everything = with_families_of(resolved, families)
    concepts = [one.name for one in vocabulary.concepts.values()]
    kind_of = kinds_of_individuals(resolved)
    numbers = {name: number for number, name in enumerate(resolved, start=1)}
    rows = np.array([numbers[kind_of[one]] if one in kind_of else 0 for one in vocabulary.individuals], dtype=np.int64)
    concepts_of = owned(concepts, [{*kind.observed, *kind.latent} for kind in resolved.values()])
    families_of = owned(list(map(frozenset, everything)), [set(map(frozenset, k.families)) for k in resolved.values()])
    columns = {name: column for column, name in enumerate(concepts)}
    for row in sorted(set(rows.tolist())):
        for family in (family for family, has in zip(everything, families_of[row].tolist(), strict=True) if has):
            if lacking := [name for name in family if not concepts_of[row, columns[name]]]:
                who = f"the kind {[*resolved][row - 1]}" if row else "an individual of no kind"
                raise MooseError(
                    f"{who} is to have one of {', '.join(family)}, but has no {lacking[0]}; "
                    f"list the family with the kinds that have all its members"
                )
    inputs = np.array([True, *(kind.has_input for kind in resolved.values())])
    return Typing(resolved, everything, concepts_of[rows], families_of[rows], inputs[rows])


def resolved_kind(vocabulary: Vocabulary, name: str, kind: Kind) -> Kind:
    """Return a kind in the names of the task."""
    where = f"the kind {name}"
    try:
        families = declare_families(vocabulary, kind.families)
    except MooseError as error:
        error.args = (f"{where}: {error}",)  # which family of which kind; the sort of error stays
        raise
    return Kind(
        tuple(vocabulary.individual(text, where=where) for text in kind.individuals),
        tuple(vocabulary.concept(text, where=where).name for text in kind.observed),
        tuple(vocabulary.concept(text, where=where).name for text in kind.latent),
        families,
        kind.has_input,
    )


def with_told_families(
    vocabulary: Vocabulary, kinds: Kinds, families: Families, told: ToldFamilies
) -> tuple[Kinds, Families]:
    """Add the families that the ontology tells of everybody who has their members; what is declared comes first."""
    declared = [*families, *(family for kind in kinds.values() for family in kind.families)]
    for family, owners in new_families(told, declared).items():
        listing = {name: {*kind.observed, *kind.latent} & set(family) for name, kind in kinds.items()}
        having = [name for name, listed in listing.items() if listed]
        if not having and owners.issuperset(vocabulary.individuals):
            families = (*families, family)
        elif having and all(
            len(listing[name]) == len(family) and owners.issuperset(kinds[name].individuals) for name in having
        ):
            more = {name: replace(kinds[name], families=(*kinds[name].families, family)) for name in having}
            kinds = kinds | more
    return kinds, families


def new_families(told: ToldFamilies, declared: Iterable[Collection[str]]) -> ToldFamilies:
    """Leave out the families that share a member with one that is declared, or with one before."""
    taken = {name for family in declared for name in family}
    fresh: ToldFamilies = {}
    for family, owners in told.items():
        if taken.isdisjoint(family):
            fresh[family] = owners
            taken.update(family)
    return fresh


def with_families_of(kinds: Kinds, families: Families) -> Families:
    """Return families, then those that kinds alone list; the order of members makes no other family."""
    known = {frozenset(family): family for family in families}
    for kind in kinds.values():
        for family in kind.families:
            known.setdefault(frozenset(family), tuple(family))
    return (*families, *tuple(known.values())[len({frozenset(family) for family in families}) :])


def kinds_of_individuals(kinds: Kinds) -> dict[str, str]:
    """Return the kind of each individual that has one."""
    kind_of: dict[str, str] = {}
    for name, kind in kinds.items():
        for individual in kind.individuals:
            if kind_of.setdefault(individual, name) != name:
                raise MooseError(f"{individual} is listed with the kinds {kind_of[individual]} and {name}; keep one")
    return kind_of


def owned(things: Sequence[Hashable], listed: Sequence[set[Hashable]]) -> Flags:
    """Say what those of no kind have, then what each kind has: what kinds list is theirs alone."""
    anybodys = set[Hashable]().union(*listed)
    shared = [thing not in anybodys for thing in things]
    rows = [shared, *([free or thing in own for free, thing in zip(shared, things)] for own in listed)]
    return np.array(rows, dtype=bool).reshape(1 + len(listed), len(things))


def check_profiles(typing: Typing, concepts: Sequence[str], profiles: Profiles | None) -> None:
    """Refuse a profile with a property that who may be the member cannot have."""
    columns = {name: column for column, name in enumerate(concepts)}
    for number, family in enumerate(typing.families):
        owners = np.flatnonzero(typing.has_family[:, number])
        for name in (profiles or {}).get(family[0], {}):
            if not typing.has_concept[owners, columns[name]].all():
                raise MooseError(
                    f"the profile of {family[0]} has {name}, which a kind with that family does not list; list it there"
                )


def check_facts(typing: Typing, vocabulary: Vocabulary, facts: Mapping[Atom, bool]) -> None:
    """Refuse a fact about a concept that the individual's kind does not have."""
    concepts = {one.name: column for column, one in enumerate(vocabulary.concepts.values())}
    numbers = {name: number for number, name in enumerate(vocabulary.individuals)}
    for atom in facts:
        if len(atom.arguments) == 1 and not typing.has_concept[numbers[atom.arguments[0]], concepts[atom.predicate]]:
            raise MooseError(
                f"the facts speak of {atom}, but the kind of {atom.arguments[0]} has no {atom.predicate}; "
                f"list it there, or leave the fact out"
            )
