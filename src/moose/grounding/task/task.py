"""The task: what is seen, what is hidden, and of whom."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, field
from functools import cached_property

from moose.base.errors import MooseError
from moose.grounding.atoms import Atom
from moose.grounding.task.axioms_over_names import is_over_names
from moose.grounding.task.components import CLOSURE_COMPONENTS, ON_DEMAND, USUAL_CLOSURE, checked_components
from moose.grounding.task.declarations import declare_edges, declare_facts, declare_profiles, declare_unread
from moose.grounding.task.kinds import (
    Flags,
    Kind,
    Typing,
    check_facts,
    check_profiles,
    checked_kinds,
    declare_kinds,
    merged_concepts,
    merged_individuals,
)
from moose.grounding.task.told_families import told_families
from moose.grounding.task.vocabulary import (
    Predicate,
    ToldFamilies,
    Vocabulary,
    checked_names,
    checked_table,
    declare,
    declare_families,
)
from moose.owl.atom_text import unquoted, written_literals
from moose.owl.model.axioms import ObjectPropertyCharacteristic
from moose.owl.model.expressions import Class, ObjectProperty
from moose.owl.modules.unused import unused_for_names
from moose.owl.names import Names
from moose.owl.ontology import Ontology
from moose.owl.profile.profile import Outside

LISTS = ("individuals", "observed", "latent", "facts", "closure", "unread")
"""The fields that are lists of texts."""


# Equality is identity, as it is of the ontology.
@dataclass(frozen=True, eq=False, repr=False)
class Task:
    """An ontology, individuals, and which concepts and roles are observed or latent; checked when it is made.

    >>> import moose
    >>> ontology = moose.load(moose.PIZZERIA)
    >>> Task(ontology, individuals=["a"], observed=["SpicyDish"], latent=["Margherita", "Diavola"])
    Task(1 individual, 1 observed, 2 latent)
    """

    ontology: Ontology
    individuals: Sequence[str]
    """New names, or names of individuals of the ontology."""
    observed: Sequence[str]
    """Concepts and roles that evidence may speak of."""
    latent: Sequence[str]
    """Concepts and roles that are hidden."""
    families: Sequence[Sequence[str]] = ()
    """Concepts of which every individual has one and only one; a family that a kind lists is of that kind alone.

    Those that the ontology declares, by a disjoint union say, come after those that are listed.
    """
    roles: Mapping[str, Iterable[Sequence[str]]] | None = None
    """Roles that are known in advance: the pairs listed hold, all others do not."""
    _: KW_ONLY
    profiles: Mapping[str, Mapping[str, bool]] | None = None
    """Which properties the members of families have; found from the ontology if None."""
    facts: Sequence[str] = ()
    """Literals that are known in every instance."""
    closure: Iterable[str] = USUAL_CLOSURE
    """Which components of Φ the families are closed by; with `only`, a member has only its own profile; with
    `closed_domain`, there are no other individuals."""
    kinds: Mapping[str, Kind] | None = None
    """Individuals of different kinds, by the name of the kind, with concepts, families and inputs of their own."""
    unread: Sequence[str] = ()
    """Latent roles that no network reads: every pair weighs ½, as in the paper."""
    vocabulary: Vocabulary = field(init=False)
    """What the names of the task stand for, in any spelling, and what people see for them."""
    concepts: tuple[Predicate, ...] = field(init=False)
    """Latent concepts, then observed ones, as declared."""
    role_predicates: tuple[Predicate, ...] = field(init=False)
    """Latent roles, then observed ones, then those that are only listed under `roles`, as declared."""
    edges: dict[str, frozenset[tuple[str, str]]] = field(init=False)
    """The pairs of each role that is known in advance."""
    known: dict[Atom, bool] = field(init=False)
    """The facts, as atoms and their truth."""
    iris: dict[str, str | None] = field(init=False)
    """For each individual the IRI of the ontology's individual that it is, if any."""
    has_concept: Flags = field(init=False)
    """individual × concept, as in `concepts`: whether the individual's kind has the concept."""
    has_family: Flags = field(init=False)
    """individual × family, as in `families`."""
    told_families: frozenset[frozenset[str]] = field(init=False)
    """Which of the families axioms of the ontology declare, for all individuals that have them."""
    has_input: Flags = field(init=False)
    """For each individual whether there is something to be seen of it."""
    tasks_by_shape: dict[Hashable, Task] = field(init=False)
    """The tasks of examples of different shapes, as far as they were asked for: each shape has one."""

    def __post_init__(self) -> None:
        for name, value in _checked(self).items():
            object.__setattr__(self, name, value)

    def __repr__(self) -> str:
        count = len(self.individuals)
        latent = sum(predicate.is_latent for predicate in (*self.concepts, *self.role_predicates))
        observed = len(self.concepts) + len(self.role_predicates) - latent
        return f"Task({count:,} individual{'s' * (count != 1)}, {observed:,} observed, {latent:,} latent)"

    @property
    def unused(self) -> tuple[Outside, ...]:
        """The axioms of the ontology that can matter for the task and are not used whole."""
        known = {iri for iri in self.iris.values() if iri is not None}
        return tuple(row for row in self.outside if not is_over_names(row.axiom, known))

    @property
    def as_clauses(self) -> tuple[Outside, ...]:
        """The axioms that can matter, are not used whole in OWL 2 EL, and are clauses over the named individuals."""
        known = {iri for iri in self.iris.values() if iri is not None}
        return tuple(row for row in self.outside if is_over_names(row.axiom, known))

    @cached_property
    def outside(self) -> tuple[Outside, ...]:
        """The axioms that can matter and of which OWL 2 EL does not say all."""
        return unused_for_names(self.ontology, self.names)

    @property
    def names(self) -> tuple[Class | ObjectProperty, ...]:
        """The classes and properties that the task declares."""
        concepts = (Class(one.iri) for one in self.concepts)
        return (*concepts, *(ObjectProperty(one.iri) for one in self.role_predicates))

    @property
    def is_typed(self) -> bool:
        """Whether some individual lacks a concept, a family or an input that another has."""
        return not (self.has_concept.all() and self.has_family.all() and self.has_input.all())

    @property
    def read_roles(self) -> tuple[int, ...]:
        """Which of `role_predicates` a network reads from pairs of individuals: the latent ones, but for the unread."""
        roles = enumerate(self.role_predicates)
        return tuple(number for number, role in roles if role.is_latent and role.name not in self.unread)

    @cached_property
    def reads_loops(self) -> bool:
        """Whether a role that a network reads may join an individual with itself; not if all are irreflexive."""
        told = {
            axiom.property
            for axiom in self.ontology.axioms
            if isinstance(axiom, ObjectPropertyCharacteristic) and axiom.characteristic in ("Irreflexive", "Asymmetric")
        }
        return not all(ObjectProperty(self.role_predicates[one].iri) in told for one in self.read_roles)

    def literals(self, text: str) -> list[tuple[Atom, bool]]:
        """Read literals in the names of the task; a name that means nothing in it stays as it is written."""
        words = self.vocabulary
        read = []
        for literal in written_literals(text):
            find = words.find_concept if len(literal.arguments) == 1 else words.find_role
            predicate = find(literal.predicate)
            arguments = tuple(words.find_individual(one) or unquoted(one) for one in literal.arguments)
            name = unquoted(literal.predicate) if predicate is None else predicate.name
            read.append((Atom(name, arguments), literal.is_true))
        return read

    def individual_iri(self, name: str) -> str | None:
        """Return the IRI of the ontology's individual of that name, or None for a new one."""
        return self.iris[name]


def _checked(task: Task) -> dict[str, object]:
    """Return the fields of a task with every name resolved, or say what is wrong with one."""
    if not isinstance(task.ontology, Ontology):
        raise MooseError(f"expected an ontology, but got {task.ontology!r}; read one with moose.load")
    lists = {key: checked_names(getattr(task, key), what=key) for key in LISTS}
    names, kinds = Names(task.ontology), checked_kinds(task.kinds)
    if kinds:
        lists["individuals"] = merged_individuals(names, lists["individuals"], kinds)
        lists |= {key: merged_concepts(names, lists[key], kinds, key=key) for key in ("observed", "latent")}
    if not (lists["observed"] or lists["latent"] or task.roles):
        raise MooseError("the task declares no concept and no role; list some as observed or latent")
    vocabulary = declare(
        names,
        individuals=lists["individuals"],
        observed=lists["observed"],
        latent=lists["latent"],
        known_roles=[str(name) for name in checked_table(task.roles, what="roles")],
    )
    edges = declare_edges(vocabulary, task.roles)
    known = declare_facts(vocabulary, lists["facts"], edges)
    told = told_families(task.ontology, vocabulary, known)
    typing = declare_kinds(vocabulary, kinds, declare_families(vocabulary, task.families), told)
    profiles = declare_profiles(vocabulary, typing.families, task.profiles)
    check_profiles(typing, [one.name for one in vocabulary.concepts.values()], profiles)
    check_facts(typing, vocabulary, known)
    return {
        **lists,
        "vocabulary": vocabulary,
        "individuals": tuple(vocabulary.individuals),
        "iris": vocabulary.individuals,
        "concepts": tuple(vocabulary.concepts.values()),
        "role_predicates": tuple(vocabulary.roles.values()),
        "roles": {name: tuple(sorted(pairs)) for name, pairs in edges.items()},
        "edges": edges,
        "families": typing.families,
        "told_families": told_of_all(typing, vocabulary.individuals, told),
        "profiles": profiles,
        "known": known,
        "unread": declare_unread(vocabulary, lists["unread"]),
        "closure": checked_components(lists["closure"], among=(*CLOSURE_COMPONENTS, *ON_DEMAND)),
        "kinds": typing.kinds,
        "has_concept": typing.has_concept,
        "has_family": typing.has_family,
        "has_input": typing.has_input,
        "tasks_by_shape": {},
    }


def told_of_all(typing: Typing, individuals: Iterable[str], told: ToldFamilies) -> frozenset[frozenset[str]]:
    """Return the families that the ontology tells of every individual that has them."""
    names = list(individuals)
    owners = {frozenset(family): who for family, who in told.items()}
    return frozenset(
        frozenset(family)
        for family, has_family in zip(typing.families, typing.has_family.T.tolist(), strict=True)
        if frozenset(family) in owners
        and owners[frozenset(family)].issuperset(one for one, has in zip(names, has_family) if has)
    )
