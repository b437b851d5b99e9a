"""What answers must agree in: an ontology is asked in several ways, and each answer is held against the others."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from contextlib import suppress
from fractions import Fraction
from functools import partial
from itertools import pairwise, product
from math import prod
from random import Random

import moose
from moose.base.errors import InconsistentOntology, MooseError
from moose.certificates.checker.reading import Refused
from moose.certificates.checker.verify import verify_text
from moose.certificates.compare_with_ontology import Axioms
from moose.certificates.make.certify_entailment import certify_axiom
from moose.certificates.make.certify_taxonomy import certify_taxonomy
from moose.owl.model import axioms as ax
from moose.owl.model import expressions as owl
from moose.owl.model.axioms import Document
from moose.owl.ontology import Ontology
from moose.owl.syntax.functional.read_functional import read_functional
from moose.owl.syntax.functional.write_functional import render, write_functional
from moose.queries.probabilities.matching import structure
from moose.saturation.answers.taxonomy import Taxonomy
from tools.fuzz.case import Wrong
from tools.fuzz.random_axioms import random_goal

SMALL = 300
"""Axioms up to which questions are asked: the rest of the time goes into other cases."""
FEW = 4
"""Uncertain axioms in a query: all their worlds are looked at."""


def demand(condition: object, what: str) -> None:
    """Report a disagreement unless a condition holds."""
    if not condition:
        raise Wrong(what)


def sentence(error: BaseException) -> None:
    """Demand that a refusal is one sentence, and no request to report a mistake."""
    text = str(error)
    demand(text.strip(), f"{type(error).__name__} without a word")
    demand("\n" not in text, f"a refusal of several lines: {text[:200]!r}")
    demand("please report" not in text, f"a refusal that asks for a report: {text[:200]}")


# ── Axioms are the same wherever they are written ─────────────────────────────────────────────────────────────────


def in_pairs(axioms: Iterable[ax.Axiom]) -> set[ax.Axiom]:
    """Cut equivalences into pairs, as RDF does, and forget the order, which RDF does not have."""
    found: set[ax.Axiom] = set()
    for axiom in axioms:
        match axiom:
            case ax.SameIndividual(individuals):
                found.update(ax.SameIndividual(pair) for pair in pairwise(individuals))
            case ax.EquivalentClasses(operands):
                found.update(ax.EquivalentClasses(pair) for pair in pairwise(operands))
            case ax.EquivalentObjectProperties(roles):
                found.update(ax.EquivalentObjectProperties(pair) for pair in pairwise(roles))
            case _:
                found.add(axiom)
    return found


def check_rewriting(ontology: Ontology) -> None:
    """Demand that what was read, written in functional syntax, is read as the same axioms."""
    kept = tuple(axiom for axiom in ontology.axioms if not isinstance(axiom, ax.UnreadAxiom))
    text = write_functional(Document(ontology.iri, axioms=kept))
    try:
        again = read_functional(text, "rewritten").axioms
    except MooseError as error:
        raise Wrong(f"written in functional syntax, it is refused: {error!s:.300}") from None
    if again != kept:
        differing = [(one, other) for one, other in zip(kept, again) if one != other]
        raise Wrong(f"written and read again, axioms differ: {differing[:1] or (len(kept), len(again))!r}")


# ── The hierarchy, proofs and certificates ────────────────────────────────────────────────────────────────────────


def check_goal(ontology: Ontology, taxonomy: Taxonomy, goal: ax.Axiom, *, certify: bool) -> None:
    """Demand that proof, hierarchy and certificate say the same of a goal."""
    explanation = moose.explain(ontology, goal)
    follows = moose.entailment(ontology, goal).follows
    text = render(goal)
    demand((follows is True) == (explanation is not None), f"entailment says {follows}, explain another of {text}")
    if isinstance(goal, ax.SubClassOf) and isinstance(goal.sub, owl.Class) and isinstance(goal.sup, owl.Class):
        known = {*ontology.classes, owl.THING.iri, owl.NOTHING.iri}
        if {goal.sub.iri, goal.sup.iri} <= known:
            below = is_below(taxonomy, goal.sub, goal.sup)
            demand(below == (explanation is not None), f"hierarchy says {below}, explain the opposite of {text}")
    if explanation is not None:
        for proof in explanation.proofs:
            moose.check_proof(proof, ontology.profile.el_axioms)
        str(explanation)
    elif not taxonomy.is_consistent:
        raise Wrong(f"the ontology is inconsistent, but {text} is said not to follow")
    if certify:
        certificate = partial(certify_axiom, ontology, goal, follows=explanation is not None)
        check_certificate(ontology, certificate, is_known=follows is not None)


def is_below(taxonomy: Taxonomy, sub: owl.Class, sup: owl.Class) -> bool:
    """Ask the hierarchy."""
    if sub == owl.NOTHING or not taxonomy.is_consistent:
        return True
    if sup == owl.NOTHING:
        return sub.iri in taxonomy.unsatisfiable
    return taxonomy.is_below(sub.iri, sup.iri)


def check_certificate(ontology: Ontology, certify: Callable[[], object], *, is_known: bool) -> None:
    """Demand that what can be certified is accepted, also beside its ontology where that leaves nothing open."""
    try:
        certificate = certify()
    except MooseError as error:
        sentence(error)
        demand("cannot be certified" in str(error), f"no certificate: {error!s:.300}")
        return
    try:
        verdict = verify_text(json.dumps(certificate))
        if is_known:
            Axioms.of(ontology).check(verdict)
    except Refused as reason:
        raise Wrong(f"its own certificate is refused: {reason!s:.300}") from None


# ── Individuals ───────────────────────────────────────────────────────────────────────────────────────────────────


def check_individuals(ontology: Ontology, taxonomy: Taxonomy, random: Random) -> None:
    """Demand that realisation, hierarchy and proofs agree."""
    realisation = moose.realise(ontology)
    demand(realisation.is_consistent == taxonomy.is_consistent, "classify and realise differ on consistency")
    if not realisation.is_consistent:
        return
    types = realisation.types()
    roles, same = realisation.role_assertions(), realisation.same_individuals()
    goals: list[ax.Axiom] = [ax.ClassAssertion(owl.Class(kind), owl.NamedIndividual(one)) for one, kind in types]
    goals += [
        ax.ObjectPropertyAssertion(owl.ObjectProperty(role), owl.NamedIndividual(one), owl.NamedIndividual(other))
        for one, role, other in roles
    ]
    goals += [ax.SameIndividual((owl.NamedIndividual(one), owl.NamedIndividual(other))) for one, other in same]
    for goal in random.sample(goals, min(2, len(goals))):
        demand(moose.explain(ontology, goal) is not None, f"realise says {render(goal)}, explain does not")
    if ontology.individuals and ontology.classes:
        one, kind = random.choice(ontology.individuals), random.choice(ontology.classes)
        follows = moose.explain(ontology, ax.ClassAssertion(owl.Class(kind), owl.NamedIndividual(one))) is not None
        demand(follows == ((one, kind) in types), f"realise and explain differ on {kind} of {one}")


# ── Probabilities ─────────────────────────────────────────────────────────────────────────────────────────────────


def check_query(ontology: Ontology, goal: ax.Axiom, random: Random) -> None:
    """Demand that the probability of a goal is that of the worlds in which it follows.

    Axioms that differ in the order of operands alone are one axiom, and one coin.
    """
    bare = list({structure(axiom): axiom for axiom in ontology.axioms if not axiom.annotations}.values())
    chosen = random.sample(bare, min(len(bare), random.randrange(FEW + 1)))
    weights = {axiom: Fraction(random.randrange(1, 10), 10) for axiom in chosen}
    clean = moose.ontology([axiom for axiom in ontology.axioms if axiom in weights or not axiom.annotations])
    if not clean.axioms:
        return
    probabilities = moose.probabilities(clean, given={axiom: str(weight) for axiom, weight in weights.items()})
    answer = moose.query(clean, goal, probabilities=probabilities, justifications=random.choice((0, 2)))
    demand(0 <= answer.lower <= answer.upper <= 1, f"bounds {answer.lower} and {answer.upper}")
    if clean.profile.outside:
        return
    total = Fraction(0)
    for choice in product((True, False), repeat=len(weights)):
        held = dict(zip(weights, choice, strict=True))
        absent = {structure(axiom) for axiom, holds in held.items() if not holds}
        world = moose.ontology([axiom for axiom in clean.axioms if structure(axiom) not in absent])
        if moose.explain(world, goal) is not None:
            total += prod((p if held[axiom] else 1 - p for axiom, p in weights.items()), start=Fraction(1))
    demand(answer.lower <= total <= answer.upper, f"{render(goal)} has {total}, but query says {answer.lower}")


# ── All of it ─────────────────────────────────────────────────────────────────────────────────────────────────────


def question(ontology: Ontology, random: Random, steps: list[str]) -> None:
    """Ask an ontology some of all that can be asked; list each step that is reached."""
    steps.append("classify")
    taxonomy = moose.classify(ontology)
    pairs = taxonomy.closure_pairs()
    demand(set(taxonomy.direct_pairs()) <= set(pairs), "a direct superclass that is no superclass")
    if len(ontology.axioms) > SMALL:
        return
    if not taxonomy.is_consistent:
        steps.append("inconsistency")
        check_goal(ontology, taxonomy, ax.SubClassOf(owl.THING, owl.NOTHING), certify=True)
    classes = [owl.Class(name) for name in ontology.classes]
    people = [owl.NamedIndividual(name) for name in ontology.individuals]
    goal = random_goal(random, classes, people)
    if pairs and random.randrange(3) == 0:
        below, above = random.choice(pairs)
        goal = ax.SubClassOf(owl.Class(below), owl.Class(above))
    steps.append("explain")
    check_goal(ontology, taxonomy, goal, certify=random.randrange(3) == 0)
    match random.randrange(4):
        case 0:
            steps.append("query")
            with suppress(InconsistentOntology):
                check_query(ontology, goal, random)
        case 1 if people:
            steps.append("realise")
            check_individuals(ontology, taxonomy, random)
        case 2:
            steps.append("properties")
            taxonomy.property_pairs()
            list(taxonomy.inferred_axioms())
        case 3:
            steps.append("certify")
            is_known = all(one.is_exact for one in ontology.profile.outside)
            check_certificate(ontology, partial(certify_taxonomy, taxonomy), is_known=is_known)
