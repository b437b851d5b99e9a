"""The table of assumptions: what a grounding takes for granted, with the names that it concerns."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

from moose.base.suggestions import shortened
from moose.grounding.clauses import Assumption
from moose.grounding.encodings.shapes import LinkTriple
from moose.grounding.task.components import Components
from moose.grounding.task.task import Task
from moose.owl.model.axioms import Axiom
from moose.owl.names import Names
from moose.owl.syntax.functional.write_functional import render


@dataclass(frozen=True, slots=True)
class Used:
    """What a grounding made use of."""

    pinned: Collection[str] = ()
    """The roles fixed in advance."""
    links: Sequence[LinkTriple] = ()
    """The links that are read off."""
    has_profiles: bool = True
    """Whether some clause is of a profile."""
    closed: Sequence[Axiom] = ()
    """The axioms that are read over the named individuals."""


def assumptions_of(task: Task, components: Components, used: Used) -> tuple[Assumption, ...]:
    """Return the assumptions in force."""
    assumptions = [el_fragment(task, used.closed), named_individuals(task)]
    if used.closed:
        assumptions.append(read_over_names(task, used.closed, components))
    if used.pinned:
        assumptions.append(role_pinning(used.pinned))
    if used.links and components.links:
        assumptions.append(forward_links(task, used.links))
    if components.reverse_links and any(link.is_single for link in used.links):
        assumptions.append(reverse_links(task, [link for link in used.links if link.is_single]))
    assumptions += declared_families(task, components, has_profiles=used.has_profiles)
    if task.known:
        assumptions.append(known_facts(task))
    if any(predicate.is_latent for predicate in task.concepts):
        assumptions.append(factorised_perception(task))
    return tuple(assumptions)


def el_fragment(task: Task, closed: Sequence[Axiom] = ()) -> Assumption:
    """Say how much of the ontology is in OWL 2 EL."""
    total, outside = len(task.ontology.axioms), task.ontology.profile.outside
    lossy = len(task.unused if closed else task.outside)
    if not outside:
        statement = f"all {total:,} axioms are in OWL 2 EL"
    elif closed and not lossy:
        statement = f"{len(outside):,} of {total:,} axioms are outside OWL 2 EL; all that may matter of them is used"
    else:
        others = "other " if closed else ""
        statement = (
            f"{len(outside):,} of {total:,} axioms are outside OWL 2 EL; of {lossy:,} {others}that may matter "
            "only what follows in EL is used"
        )
    return Assumption(
        "EL fragment", statement, "that something is exhaustive, or how many there are, must be declared as a family"
    )


def read_over_names(task: Task, axioms: Sequence[Axiom], components: Components) -> Assumption:
    """Say which axioms are read over the named individuals."""
    display = Names(task.ontology).display
    listed = shortened([render(axiom, display) for axiom in axioms], most=3)
    if components.closed_domain:
        return Assumption(
            "closed domain",
            f"axioms that may matter ({len(axioms):,}) hold where there are no other individuals, and these are "
            f"different: {listed}",
            "a witness, or an exception, may be an individual without a name, and two names may be of one individual",
        )
    return Assumption(
        "different individuals",
        f"axioms outside OWL 2 EL ({len(axioms):,}) hold of the individuals, which are different: {listed}",
        "two names may be of one individual",
    )


def named_individuals(task: Task) -> Assumption:
    """Say which individuals there are."""
    return Assumption(
        "named individuals",
        f"the individuals are {shortened(task.individuals)}",
        "nothing is asked of individuals without a name",
    )


def role_pinning(pinned: Collection[str]) -> Assumption:
    """Say which roles are fixed in advance."""
    return Assumption(
        "role pinning",
        f"the pairs listed for {shortened(pinned)} hold, and no other pair of the individuals does",
        "pairs that nobody listed are not thought possible",
    )


def forward_links(task: Task, links: Sequence[LinkTriple]) -> Assumption:
    """Say which existentials are read as universal."""
    return Assumption(
        "links",
        f"A ⊑ ∃R.B is read as A(a) ∧ R(a,b) → B(b), for {link_texts(task, links)}",
        "the witness of an existential may be another than the individual that the role leads to",
    )


def reverse_links(task: Task, links: Sequence[LinkTriple]) -> Assumption:
    """Say which existentials are read backwards too."""
    return Assumption(
        "reverse links",
        f"A ⊑ ∃R.B is read as R(a,b) ∧ B(b) → A(a), for {link_texts(task, links)}",
        "what leads to a B by R may be no A",
    )


def link_texts(task: Task, links: Sequence[LinkTriple]) -> str:
    """Spell links."""
    concepts, roles = task.concepts, task.role_predicates
    return shortened(
        [f"{concepts[link.source].name} ⊑ ∃{roles[link.role].name}.{concepts[link.target].name}" for link in links],
        most=3,
    )


def declared_families(task: Task, components: Components, *, has_profiles: bool) -> Iterator[Assumption]:
    """Say for each family what is taken for granted of it."""
    claims = []
    if components.mutex:
        claims.append("at most one")
    if components.cover:
        claims.append("at least one")
    for family, has_family in zip(task.families, task.has_family.T.tolist()):
        if claims and any(has_family):
            owners = [name for name, has in zip(task.individuals, has_family) if has]
            who = "every individual has" if all(has_family) else f"each of {shortened(owners)} has"
            statement = f"{who} {' and '.join(claims)} of {shortened(family, most=12)}"
            departure = "an individual may be none of them, or several that are not disjoint"
            if frozenset(family) in task.told_families:
                statement, departure = f"{statement}: the ontology declares it", "none; its axioms say so"
            yield Assumption("family", statement, departure)
    if components.profiles and has_profiles and task.families:
        source = "the ontology" if task.profiles is None else "the task"
        yield Assumption(
            "profiles",
            f"who has just the properties that {source} gives to members of a family is one of these members",
            "something else may have the same properties",
        )
    if components.only and has_profiles and task.families:
        source = "the ontology" if task.profiles is None else "the task"
        yield Assumption(
            "only",
            f"a member of a family has none of the others' properties but those that {source} gives to it",
            "a property that is not stated may hold all the same",
        )


def known_facts(task: Task) -> Assumption:
    """Say what is taken to hold in every instance."""
    literals = [str(atom) if is_true else f"not {atom}" for atom, is_true in task.known.items()]
    return Assumption("facts", f"in every instance: {shortened(literals)}", "an instance may be otherwise")


def factorised_perception(task: Task) -> Assumption:
    """Say that the network's outputs are taken to be independent."""
    latent = [predicate.name for predicate in task.concepts if predicate.is_latent]
    return Assumption(
        "factorised perception",
        f"the probabilities of {shortened(latent)} are independent before the theory is taken in",
        "what the inputs correlate is not modelled; this is where reasoning shortcuts come from",
    )
