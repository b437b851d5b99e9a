"""Check the parts of a task against its vocabulary."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from moose.base.errors import ContradictoryEvidence, MooseError
from moose.grounding.atoms import Atom
from moose.grounding.task.vocabulary import Families, Profiles, Vocabulary, checked_table
from moose.owl.atom_text import WrittenLiteral, written_literals

Edges = dict[str, frozenset[tuple[str, str]]]


def declare_edges(vocabulary: Vocabulary, roles: object) -> Edges:
    """Return the pairs of the roles that are known in advance."""
    edges: Edges = {}
    for key, pairs in checked_table(roles, what="roles").items():
        role = vocabulary.role(str(key), where="roles").name
        if role in edges:
            raise MooseError(f"the role {key!r} stands twice in roles; list its pairs once")
        if isinstance(pairs, str | Mapping) or not isinstance(pairs, Iterable):
            raise MooseError(f"expected a list of pairs of individuals for the role {role!r}, but got {pairs!r}")
        edges[role] = frozenset(declare_pair(vocabulary, role, pair) for pair in pairs)
    return edges


def declare_pair(vocabulary: Vocabulary, role: str, pair: object) -> tuple[str, str]:
    """Return two individuals in the names of the task."""
    if not isinstance(pair, list | tuple) or len(pair) != 2:
        raise MooseError(f"expected a pair of individuals for the role {role!r}, but got {pair!r}")
    first, second = (vocabulary.individual(str(name), where=f"roles, {role}") for name in pair)
    return first, second


def declare_unread(vocabulary: Vocabulary, names: Iterable[str]) -> tuple[str, ...]:
    """Return the latent roles that no network reads, in the names of the task."""
    roles = [vocabulary.role(name, where="unread") for name in names]
    for role in roles:
        if not role.is_latent:
            raise MooseError(f"the role {role.name!r} is unread, but not latent; list it as latent, or leave that out")
    return tuple(dict.fromkeys(role.name for role in roles))


def declare_profiles(vocabulary: Vocabulary, families: Families, profiles: object) -> Profiles | None:
    """Return given profiles in the names of the task, or None where they are to be found from the ontology."""
    if profiles is None:
        return None
    declared: Profiles = {}
    for key, table in checked_table(profiles, what="profiles").items():
        member = vocabulary.concept(str(key), where="profiles").name
        where = f"profiles, {member}"
        if not any(member in family for family in families):
            raise MooseError(f"profiles speak of {member}, which is in no family; leave it out, or declare a family")
        if member in declared:
            raise MooseError(f"{member} stands twice in profiles; give its profile once")
        declared[member] = {}
        for name, holds in checked_table(table, what=where).items():
            if not isinstance(holds, bool):
                raise MooseError(f"expected true or false for {name} in {where}, but got {holds!r}")
            declared[member][vocabulary.concept(str(name), where=where).name] = holds
    for family in families:
        check_family_profiles(family, declared)
    return declared


def check_family_profiles(family: Sequence[str], profiles: Profiles) -> None:
    """Check that all members of a family, or none, have a profile, over the same properties outside the family."""
    given = [member for member in family if member in profiles]
    if not given:
        return
    if missing := [member for member in family if member not in profiles]:
        raise MooseError(f"profiles have {given[0]}, but not {missing[0]} of the same family; give all of them or none")
    properties = set(profiles[family[0]])
    for member in family:
        if others := sorted(properties ^ set(profiles[member])):
            raise MooseError(
                f"the profiles of {family[0]} and {member} differ in what they speak of: {', '.join(others)}; "
                "say of each property whether each member has it"
            )
    if inside := sorted(properties & set(family)):
        raise MooseError(f"the profile of {family[0]} has {inside[0]}, a member of its own family, as a property")


def declare_facts(vocabulary: Vocabulary, facts: Iterable[str], edges: Edges) -> dict[Atom, bool]:
    """Return the facts as atoms and their truth."""
    known: dict[Atom, bool] = {}
    for text in facts:
        for literal in written_literals(text):
            atom, is_true = resolve_atom(vocabulary, literal, where="facts"), literal.is_true
            if known.setdefault(atom, is_true) != is_true:
                both = (str(atom), f"not {atom}")
                raise ContradictoryEvidence(f"the facts say both {atom} and not {atom}; keep one", literals=both)
            pairs = edges.get(atom.predicate) if len(atom.arguments) == 2 else None
            if pairs is not None and (atom.arguments in pairs) != is_true:
                said = "lists" if not is_true else "does not list"
                raise ContradictoryEvidence(
                    f"the facts say {'' if is_true else 'not '}{atom}, but roles {said} that pair; make them agree",
                    literals=(str(atom) if is_true else f"not {atom}",),
                )
    return known


def resolve_atom(vocabulary: Vocabulary, literal: WrittenLiteral, *, where: str) -> Atom:
    """Return the atom of a literal in the names of the task."""
    arguments = tuple(vocabulary.individual(text, where=where) for text in literal.arguments)
    find = vocabulary.concept if len(arguments) == 1 else vocabulary.role
    return Atom(find(literal.predicate, where=where).name, arguments)
