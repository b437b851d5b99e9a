"""Entailed clauses for individuals that no axiom tells apart: found once for three prototypes, then copied.

A completion rule speaks of three contexts at most. Where no axiom names an individual, every rule instance is
therefore an instance of one among the prototypes x, y, z with other names in their places: a *rule* over the variables
0, 1, 2. What one individual's own concepts entail is worked out on the rules, before any individual is looked at.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from itertools import permutations, product
from weakref import WeakKeyDictionary

from moose.grounding.encodings.entailments import AuxiliarySpelling, form_with, horn_clauses
from moose.grounding.encodings.layout import Entailments, Layout
from moose.grounding.encodings.lifted_rules import Grounder, Item, Rule, renamed
from moose.grounding.encodings.shapes import concept_numbers, role_numbers
from moose.grounding.task.task import Task
from moose.grounding.task.vocabulary import Predicate
from moose.owl.model.expressions import NamedIndividual
from moose.owl.names import Names
from moose.owl.normal.normal_form import Kind, NormalForm
from moose.owl.ontology import Ontology
from moose.saturation.recorded.calculus import Calculus
from moose.saturation.recorded.horn import FALSUM, HornClause, eliminate, least_model, simplified, useful
from moose.saturation.recorded.rule_instance import Arrow, Sub

INDIVIDUAL = -1
"""In place of an individual, in the facts that predicates are made of."""

PROTOTYPES = [NamedIndividual(f"urn:moose:prototype:{name}") for name in "xyz"]

CONTRADICTION = Rule(frozenset(), None)


def is_liftable(task: Task) -> bool:
    """Return whether no axiom can tell the individuals of a task apart."""
    form = task.ontology.normal_form
    return not (
        len(form.individuals)
        or len(form.keys)
        or form.universal_role >= 0
        # A recognised ∃r.Self brings loops of each individual in, as conjunctions with its nominal.
        or bool((form.kinds == Kind.SELF).any())
    )


def lifted_entailments(task: Task, layout: Layout) -> tuple[list[HornClause], Entailments]:
    """Return the clauses over the concepts of one individual, the same for all, and the clauses that remain."""
    lifted = lift(task)
    if lifted is None:
        return [], Entailments([(frozenset(), FALSUM)], ())
    grounder = Grounder(task, layout, lifted.predicates.role_names())
    return list(lifted.alike), grounder.ground(lifted.rules, lifted.predicates.spell)


@dataclass(frozen=True, eq=False)
class Lifted:
    """What an ontology says of individuals that it does not name, in the concepts and roles of a task."""

    predicates: Predicates
    alike: tuple[HornClause, ...]
    """Clauses over the concepts of one individual."""
    rules: tuple[Rule, ...]
    """The rest."""


Words = tuple[tuple[Predicate, ...], tuple[Predicate, ...]]
"""The concepts and roles of a task."""
KEPT: WeakKeyDictionary[Ontology, dict[Words, Lifted | None]] = WeakKeyDictionary()
"""Tasks that differ in individuals and known roles alone have the same rules; they last as long as the ontology."""


def lift(task: Task) -> Lifted | None:
    """Find the rules over variables, once for an ontology and a task's concepts and roles; none if it has no model."""
    kept = KEPT.setdefault(task.ontology, {})
    words = task.concepts, task.role_predicates
    if words not in kept:
        kept[words] = _lift(task)
    return kept[words]


def _lift(task: Task) -> Lifted | None:
    form = form_with(task, PROTOTYPES)
    predicates = Predicates(task, form)
    derived = lifted_rules(task, form, predicates)
    if CONTRADICTION in derived:
        return None
    rules = useful_rules(derived, predicates)
    local, joining = split(rules, predicates)
    alike = [clause for clause in local if is_over(clause, len(task.concepts))]
    others = [as_rule(clause) for clause in local if not is_over(clause, len(task.concepts))]
    return Lifted(predicates, tuple(alike), (*others, *joining))


def lifted_rules(task: Task, form: NormalForm, predicates: Predicates) -> set[Rule]:
    """Run the calculus on prototypes, everything being possible, and read the rules off the instances."""
    calculus = Calculus(form)
    prototypes = form.nominal_concepts.tolist()
    for one in prototypes:
        for concept in concept_numbers(task, form):
            calculus.allow(Sub(one, concept))
    for role in role_numbers(task, form):
        for one, other in product(prototypes, repeat=2):
            calculus.allow(Arrow(one, role, other))
    calculus.run()
    clauses = list(horn_clauses(calculus))
    certain = least_model(clauses)
    if FALSUM in certain:
        return {CONTRADICTION}
    variables = {nominal: variable for variable, nominal in enumerate(prototypes)}
    items = {position: predicates.item(fact, variables) for position, fact in enumerate(calculus.facts)}
    kept: list[HornClause] = [(frozenset(), fact) for fact in certain if fact >= 0 and items[fact] is not None]
    kept += simplified(clauses, certain)
    return {rule for clause in kept if (rule := canonical(clause, items)) is not None}


def canonical(clause: HornClause, items: dict[int, Item | None]) -> Rule | None:
    """Return a clause as a rule with its variables named in the first of all possible ways; None if it has none."""
    body, head = clause
    parts = [items[fact] for fact in body]
    top = None if head == FALSUM else items[head]
    if head != FALSUM and top is None:
        return None
    known = [part for part in parts if part is not None]
    assert len(known) == len(parts), "what holds of a filler does not depend on evidence where nothing is named"
    used = sorted({variable for item in (*known, *([top] if top else [])) for variable in item.variables})
    ways = (dict(zip(used, order, strict=True)) for order in permutations(range(len(used))))
    return min((renamed(known, top, way) for way in ways), key=lambda rule: (sorted(rule.body), rule.head or ()))


def useful_rules(rules: set[Rule], predicates: Predicates) -> list[Rule]:
    """Leave out the rules from which nothing follows about the task, whoever it is applied to."""
    ordered = sorted(rules, key=lambda rule: (sorted(rule.body), rule.head or ()))
    kept = set(useful((rule.predicates for rule in ordered), predicates.of_task))
    return [rule for rule in ordered if rule.predicates in kept]


def split(rules: list[Rule], predicates: Predicates) -> tuple[list[HornClause], list[Rule]]:
    """Part what one individual's concepts entail of each other from the rest, without what only the first speaks of."""
    local: list[HornClause] = []
    joining: list[Rule] = []
    for rule in rules:
        if all(item.variables == (0,) for item in rule.items):
            local.append(rule.predicates)
        else:
            joining.append(rule)
    shared = {item.predicate for rule in joining for item in rule.items}
    return eliminate(local, lambda one: one not in shared and one not in predicates.of_task), joining


def is_over(clause: HornClause, count: int) -> bool:
    """Return whether a clause speaks of the task's concepts alone, which are numbered first."""
    return all(atom < count for atom in (*clause[0], clause[1]))


def as_rule(clause: HornClause) -> Rule:
    """Turn a clause over one individual's predicates back into a rule."""
    body, head = clause
    return Rule(frozenset(Item(one, (0,)) for one in body), None if head == FALSUM else Item(head, (0,)))


class Predicates:
    """Numbers for what can be said of variables: the task's concepts in order, its roles, then the rest."""

    def __init__(self, task: Task, form: NormalForm) -> None:
        self._form = form
        self._names = Names(task.ontology)
        self._numbers: defaultdict[Sub | Arrow, int] = defaultdict()
        self._numbers.default_factory = self._numbers.__len__
        self._facts: list[Sub | Arrow] = []
        self._roles: dict[int, str] = {}
        concepts = {position: number for number, position in concept_numbers(task, form).items()}
        for position in range(len(task.concepts)):
            self._number(Sub(INDIVIDUAL, concepts[position]))
        for role, position in role_numbers(task, form).items():
            self._roles[self._number(Arrow(INDIVIDUAL, role, INDIVIDUAL))] = task.role_predicates[position].name
        self.of_task = frozenset(self._numbers.values())

    def _number(self, fact: Sub | Arrow) -> int:
        number = self._numbers[fact]
        if number == len(self._facts):
            self._facts.append(fact)
        return number

    def role_names(self) -> dict[int, str | None]:
        """Return the predicates that are roles between individuals, with the name of each that the task declares."""
        return {
            number: self._roles.get(number)
            for number, fact in enumerate(self._facts)
            if isinstance(fact, Arrow) and fact.target == INDIVIDUAL
        }

    def item(self, fact: object, variables: dict[int, int]) -> Item | None:
        """Return a fact as an item; None for what is said of no individual."""
        match fact:
            case Sub(sub, sup) if sub in variables and sup not in variables:
                return Item(self._number(Sub(INDIVIDUAL, sup)), (variables[sub],))
            case Arrow(source, role, target) if source in variables and target in variables:
                return Item(self._number(Arrow(INDIVIDUAL, role, INDIVIDUAL)), (variables[source], variables[target]))
            case Arrow(source, role, target) if source in variables:
                return Item(self._number(Arrow(INDIVIDUAL, role, target)), (variables[source],))
        return None

    def spell(self, predicate: int) -> str:
        """Write what a predicate says, for the names of auxiliary atoms."""
        fact = self._facts[predicate]
        spelling = AuxiliarySpelling(self._form, self._names)
        if isinstance(fact, Sub):
            return spelling.concept(fact.sup)
        role = spelling.role(fact.role)
        return role if fact.target == INDIVIDUAL else f"∃{role}.{spelling.concept(fact.target)}"
