"""What images show, and what an ontology says of it: digits and their properties, pizzas and their recipes."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from moose.grounding.task.task import Task
from moose.owl.model.expressions import Class, ObjectProperty
from moose.owl.names import Names
from moose.owl.ontology import Ontology
from moose.saturation.answers.closure import Closure
from moose.saturation.answers.taxonomy import Taxonomy, classify


@dataclass(frozen=True, slots=True)
class Recipe:
    """Something that the ontology does not know, and the concepts that hold of it."""

    label: str
    concepts: tuple[str, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Subject:
    """The things that an image can show: classes of an ontology, and perhaps some that it does not know."""

    name: str
    ontology: Ontology
    labels: tuple[str, ...]
    """Classes of the ontology, in an order that steps go along."""
    toppings: tuple[str, ...] = ()
    """Concepts that a picture shows one by one."""
    role: str | None = None
    """By which role a label has its toppings; without one the topping's concept stands for "has it on"."""
    unseen: tuple[Recipe, ...] = ()
    """What only the held-out examples show."""


def meanings(subject: Subject, task: Task) -> dict[str, frozenset[str]]:
    """Return for each label the concepts of a task that hold of it; all its other concepts do not.

    A label is what the subject's ontology says of it, and what the task's ontology concludes from that.

    >>> from moose.datasets.base.regimes import find_regime
    >>> digits = find_regime("mnist1")
    >>> sorted(meanings(digits.subject, digits.task)["D2"])
    ['D2', 'Even', 'Prime']
    """
    lore = classify(subject.ontology)
    theory = lore if task.ontology is subject.ontology else classify(task.ontology)
    names = Names(subject.ontology)
    told = {label: [label] for label in subject.labels} | {one.label: list(one.concepts) for one in subject.unseen}
    return {
        label: _named(task, _above(theory, _above(lore, {names.resolve_class(name).iri for name in concepts})))
        for label, concepts in told.items()
    }


def recipes(subject: Subject) -> dict[str, tuple[str, ...]]:
    """Return for each label the toppings that it has, read from the axioms, or as data for what is not in them.

    >>> from moose.datasets.base.regimes import find_regime
    >>> recipes(find_regime("pizzaA").subject)["Cajun"]
    ('OnionTopping', 'PeperonataTopping', 'PrawnTopping')
    """
    lore = classify(subject.ontology)
    names = Names(subject.ontology)
    iris = {topping: names.resolve_class(topping).iri for topping in subject.toppings}
    toppings: dict[str, tuple[str, ...]] = {}
    for label in subject.labels:
        iri = names.resolve_class(label).iri
        on_it = _above(lore, {iri}) if subject.role is None else _reached(lore.closure, names, iri, subject.role)
        toppings[label] = tuple(topping for topping in subject.toppings if iris[topping] in on_it)
    for one in subject.unseen:
        toppings[one.label] = tuple(topping for topping in subject.toppings if topping in one.concepts)
    return toppings


def _named(task: Task, iris: Iterable[str]) -> frozenset[str]:
    wanted = set(iris)
    return frozenset(concept.name for concept in task.concepts if concept.iri in wanted)


def _above(taxonomy: Taxonomy, iris: Iterable[str]) -> set[str]:
    """Return classes with all that stand above them, as far as a taxonomy knows them."""
    known = set(taxonomy.classes)
    above = set(iris)
    for iri in sorted(above & known):
        above.update(taxonomy.ancestors(iri), taxonomy.equivalents(iri))
    return above


def _reached(closure: Closure, names: Names, label: str, role: str) -> set[str]:
    """Return the classes T of which the label has one by the role: label ⊑ ∃role.T in all models."""
    wanted = names.resolve(ObjectProperty, role)
    ends = {link.target for link in closure.links() if link.source == Class(label) and link.role == wanted}
    reached = {end.iri for end in ends if isinstance(end, Class)}
    for subsumption in closure.subsumptions():
        if subsumption.sub in ends and isinstance(subsumption.sup, Class):
            reached.add(subsumption.sup.iri)
    return reached
