"""Every ground clause that the ontology entails, individual by individual.

Nothing is taken to be alike: individuals of the ontology, nominals, keys and universal roles are all in. `lifted.py`
gives the same for individuals that no axiom names, at a fraction of the cost.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from weakref import WeakKeyDictionary

from moose.grounding.atoms import Atom
from moose.grounding.encodings.layout import Entailments, Layout
from moose.grounding.encodings.shapes import concept_numbers, role_numbers
from moose.grounding.task.task import Task
from moose.owl.model.axioms import DifferentIndividuals
from moose.owl.model.expressions import Class, DataProperty, Entity, NamedIndividual, ObjectProperty
from moose.owl.names import Names
from moose.owl.normal.normal_form import BOTTOM, NormalForm
from moose.owl.normal.normalise import normalise
from moose.owl.ontology import Ontology
from moose.saturation.proofs.expressions import Expressions
from moose.saturation.proofs.notation import write_concept, write_role
from moose.saturation.recorded.calculus import Calculus
from moose.saturation.recorded.horn import FALSUM, HornClause, eliminate, least_model, simplified, useful
from moose.saturation.recorded.rule_instance import Arrow, Below, Fact, Inhabited, Sub, Told

FRESH = "urn:moose:individual:"
"""Where individuals that the ontology does not know get their IRIs."""


def individual_of(task: Task, name: str) -> NamedIndividual:
    """Return the OWL individual that a name of the task stands for."""
    return NamedIndividual(task.individual_iri(name) or FRESH + name)


def form_with(task: Task, individuals: list[NamedIndividual], *, are_different: bool = False) -> NormalForm:
    """Normalise the ontology together with what the task speaks of; its individuals may be known to be different."""
    names = task.ontology.signature
    entities = [Class(iri) for iri in names.classes]
    roles = [ObjectProperty(iri) for iri in names.object_properties]
    data = [DataProperty(iri) for iri in names.data_properties]
    known = [NamedIndividual(iri) for iri in names.individuals]
    everything: list[Entity] = [*entities, *roles, *data, *known, *individuals]
    axioms = task.ontology.profile.el_axioms
    if are_different and len(individuals) > 1:
        axioms = (*axioms, DifferentIndividuals(tuple(individuals)))
    return normalise(axioms, entities=everything, are_links_told=False)


Asked = tuple[object, ...]
"""The concepts and roles, the atoms, what is known of them, and the individuals that names stand for."""
MOST_KEPT = 8
KEPT: WeakKeyDictionary[Ontology, dict[Asked, Entailments]] = WeakKeyDictionary()
"""A learner grounds one theory several times, with other closures or weights; they last as long as the ontology."""


def entailments(task: Task, layout: Layout, *, are_different: bool = False) -> Entailments:
    """Return the Horn clauses over the atoms of a layout that the ontology and the known roles entail."""
    names = frozenset((name, task.individual_iri(name)) for name in task.individuals)
    words, fixed = (task.concepts, task.role_predicates), frozenset(layout.fixed.items())
    asked = words, layout.atoms, fixed, layout.closed_roles, names, are_different
    kept = KEPT.setdefault(task.ontology, {})
    if asked not in kept:
        if len(kept) >= MOST_KEPT:
            kept.clear()
        kept[asked] = _entailments(task, layout, are_different=are_different)
    return kept[asked]


def _entailments(task: Task, layout: Layout, *, are_different: bool) -> Entailments:
    individuals = {name: individual_of(task, name) for name in task.individuals}
    form = form_with(task, list(individuals.values()), are_different=are_different)
    nominals = dict(zip(form.individuals, form.nominal_concepts.tolist(), strict=True))
    facts = AtomFacts(task, form, {name: nominals[one] for name, one in individuals.items()})
    calculus = Calculus(form)
    for atom, is_true in layout.fixed.items():
        if is_true:
            calculus.give(facts.of(atom))
            calculus.allow(facts.of(atom))
    variables = {calculus.allow(facts.of(atom)): position for position, atom in enumerate(layout.atoms)}
    for fact in universal_pairs(calculus, facts, layout):
        calculus.allow(fact)
    calculus.run()
    clauses = [*horn_clauses(calculus), *known_false(calculus, facts, layout)]
    return renumbered(calculus, clauses, variables, Names(task.ontology))


def horn_clauses(calculus: Calculus) -> Iterator[HornClause]:
    """Yield the rule instances; that an individual is in ⊥ is a contradiction."""
    positions = (calculus.find(Sub(nominal, BOTTOM)) for nominal in calculus.form.nominal_concepts.tolist())
    impossible = {position for position in positions if position is not None}
    for body, head in calculus.rules:
        if impossible.isdisjoint(body):
            yield frozenset(body), FALSUM if head in impossible else head


def universal_pairs(calculus: Calculus, facts: AtomFacts, layout: Layout) -> Iterator[Arrow]:
    """Yield the pairs of known roles that hold of everything, which no rule would derive."""
    denied = {atom.predicate for atom, is_true in layout.fixed.items() if not is_true and len(atom.arguments) > 1}
    for name in sorted(denied | layout.closed_roles):
        if calculus.index.is_universal(facts.roles[name]):
            for source, target in product(facts.individuals.values(), repeat=2):
                yield Arrow(source, facts.roles[name], target)


def known_false(calculus: Calculus, facts: AtomFacts, layout: Layout) -> Iterator[HornClause]:
    """Yield, for pairs that a known role does not join but that may be derived, that they must not be."""
    denied = [facts.of(atom) for atom, is_true in layout.fixed.items() if not is_true]
    closed = {facts.roles[name]: name for name in layout.closed_roles}
    names = {number: name for name, number in facts.individuals.items()}
    for fact in list(calculus.facts):
        if isinstance(fact, Arrow) and fact.role in closed and fact.source in names and fact.target in names:
            pair = (names[fact.source], names[fact.target])
            if pair not in layout.task.edges[closed[fact.role]]:
                denied.append(fact)
    for fact in denied:
        position = calculus.find(fact)
        if position is not None:
            yield frozenset([position]), FALSUM


def renumbered(calculus: Calculus, clauses: list[HornClause], variables: dict[int, int], names: Names) -> Entailments:
    """Reduce the clauses to what they say of the variables, and number these as the layout does."""
    certain = least_model(clauses)
    if FALSUM in certain:
        return Entailments([(frozenset(), FALSUM)], ())
    kept = eliminate(useful(simplified(clauses, certain), variables.keys()), lambda fact: fact not in variables)
    kept += [(frozenset(), fact) for fact in certain if fact in variables]
    left = sorted({fact for body, head in kept for fact in (*body, head)} - variables.keys() - {FALSUM})
    numbers = variables | {fact: len(variables) + offset for offset, fact in enumerate(left)} | {FALSUM: FALSUM}
    spelling = AuxiliarySpelling(calculus.form, names)
    return Entailments(
        [(frozenset(numbers[fact] for fact in body), numbers[head]) for body, head in kept],
        tuple(spelling.atom(calculus.facts[fact]) for fact in left),
    )


class AtomFacts:
    """The fact that each atom of a task stands for."""

    def __init__(self, task: Task, form: NormalForm, individuals: dict[str, int]) -> None:
        self.individuals = individuals
        self.concepts = {
            task.concepts[position].name: number for number, position in concept_numbers(task, form).items()
        }
        self.roles = {
            task.role_predicates[position].name: number for number, position in role_numbers(task, form).items()
        }

    def of(self, atom: Atom) -> Sub | Arrow:
        """Return the fact of an atom: {a} ⊑ C, or {a} → r → {b}."""
        numbers = [self.individuals[name] for name in atom.arguments]
        if len(numbers) == 1:
            return Sub(numbers[0], self.concepts[atom.predicate])
        return Arrow(numbers[0], self.roles[atom.predicate], numbers[1])


class AuxiliarySpelling:
    """Names for the facts that are no atoms of the task."""

    def __init__(self, form: NormalForm, names: Names) -> None:
        self._form = form
        self._expressions = Expressions(form)
        self._names = names

    def atom(self, fact: Fact) -> Atom:
        """Spell a fact as an atom about contexts."""
        match fact:
            case Sub(sub, sup):
                return Atom(self.concept(sup), (self.concept(sub),))
            case Arrow(source, role, target):
                return Atom(self.role(role), (self.concept(source), self.concept(target)))
            case Inhabited(concept):
                return Atom("⊤", (f"some {self.concept(concept)}",))
            case Told() | Below():
                raise AssertionError("in a grounding, axioms are certain")

    def concept(self, number: int) -> str:
        """Write a concept."""
        return write_concept(self._expressions.concept(number), self._display)

    def role(self, number: int) -> str:
        """Write a role; a prefix of a chain has no name."""
        if number >= len(self._form.roles):
            return f"chain {number - len(self._form.roles) + 1}"
        return write_role(self._expressions.role(number), self._display)

    def _display(self, iri: str) -> str:
        return iri.removeprefix(FRESH) if iri.startswith(FRESH) else self._names.display(iri)
