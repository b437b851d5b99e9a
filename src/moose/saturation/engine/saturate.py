"""Saturate a normal form: the kernel and the rules outside it take turns, and again where an element is assumed."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from typing import NamedTuple
from weakref import WeakKeyDictionary

import numpy as np

from moose.owl.normal.normal_form import TOP, NormalForm
from moose.owl.ontology import Ontology
from moose.saturation.engine.facts import Added, Facts
from moose.saturation.engine.global_rules import cases, conclude, conditional, functional_links, needs_whole_closure
from moose.saturation.engine.run import Progress, World


class Saturation(NamedTuple):
    """The facts that hold in every model, and for some concepts those where the concept has an element."""

    form: NormalForm
    base: Facts
    worlds: dict[int, Facts]

    def world_of(self, concept: int) -> Facts:
        """Return the facts in which what a concept is below is complete."""
        return self.worlds.get(concept, self.base)


KEPT_SATURATIONS: WeakKeyDictionary[Ontology, Saturation] = WeakKeyDictionary()
"""Of ontologies that were saturated from all their classes, as long as these are there; none may refer to its own."""


def is_possible(facts: Facts) -> bool:
    """Return whether ⊤ and every individual are satisfiable."""
    return not facts.is_bottom[TOP] and not bool(facts.is_bottom[facts.form.nominal_concepts].any())


def is_satisfiable(facts: Facts, concept: int) -> bool:
    """Return whether a concept has an element in some model, given the facts in which what it is below is complete."""
    return is_possible(facts) and not bool(facts.is_bottom[concept])


def saturate_form(
    form: NormalForm, *, roots: Sequence[int] | None = None, progress: Progress | None = None
) -> Saturation:
    """Saturate a normal form from some roots (from all named classes and the goals, unless told otherwise)."""
    if roots is None:
        roots = [*form.class_concepts.tolist(), *(sub for sub, _ in form.goals)]
    base = run_world(form, roots, (), progress=progress)
    if not needs_whole_closure(form) or not is_possible(base):
        return Saturation(form, base, {})
    return Saturation(form, base, conditional_worlds(base, roots, progress=progress))


def run_world(form: NormalForm, roots: Iterable[int], added: Sequence[Added], *, progress: Progress | None) -> Facts:
    """Saturate from ⊤, the individuals and the roots, with the rules inside and outside the kernel taking turns."""
    world = World(form, added, progress=progress)
    world.start([TOP, *form.nominal_concepts.tolist(), *roots])
    return settle(world)


def settle(world: World) -> Facts:
    """Apply the rules inside and outside the kernel in turns until nothing is left to do."""
    form = world.form
    world.run()
    facts = world.facts()
    if not needs_whole_closure(form):
        return facts
    while is_possible(facts):
        by_cases, unopened = cases(facts)
        conclusions = [*conclude(facts), *by_cases]
        links = list(functional_links(facts)) if len(form.functional.rows) else []
        steps = world.steps
        if conclusions:
            world.tell(conclusions)
        world.start(unopened)
        for source, role, target in links:
            world.link(source, role, target)
        world.run()
        if not conclusions and world.steps == steps:
            break
        facts = world.facts()
    return facts


def conditional_worlds(base: Facts, roots: Collection[int], *, progress: Progress | None) -> dict[int, Facts]:
    """Saturate anew, for each root, with what follows from its having an element; like roots are done together.

    A world is settled for a root when nothing more follows there from the root's having an element.
    """
    worlds: dict[int, Facts] = {}
    waiting = regroup(base, roots, frozenset())
    while waiting:
        assumed, members = waiting.popitem()
        facts = run_world(base.form, members, [*base.added, *sorted(assumed, key=repr)], progress=progress)
        again = regroup(facts, members, assumed) if is_possible(facts) else {}
        moved = {member for group in again.values() for member in group}
        worlds |= {member: facts for member in members if member not in moved}
        for key, group in again.items():
            waiting.setdefault(key, []).extend(group)
    return worlds


def regroup(facts: Facts, roots: Collection[int], assumed: frozenset[Added]) -> dict[frozenset[Added], list[int]]:
    """Group the roots by what follows from their having an element; leave out those from which nothing new does."""
    groups: dict[frozenset[Added], list[int]] = {}
    everywhere = np.append(facts.form.nominal_concepts, TOP).astype(np.int32)
    for root in sorted(roots_that_matter(facts, roots)):
        more = conditional(facts, facts.reachable(np.append(everywhere, root)))
        if more:
            groups.setdefault(assumed | more, []).append(root)
    return groups


def roots_that_matter(facts: Facts, roots: Collection[int]) -> set[int]:
    """Return the roots from which a concept can be reached that makes a difference if it has an element."""
    if not roots:
        return set()
    every = np.ones(len(facts.form.kinds), dtype=np.bool_)
    rules = conditional(facts, every)
    if not rules:
        return set()
    interesting = {item.sup for item in rules if item.rule == "Rnominal"}
    interesting |= {int(facts.form.second[item.sup]) for item in rules if item.rule == "Runiversal"}
    is_interesting = np.zeros(len(facts.form.kinds), dtype=np.bool_)
    is_interesting[list(interesting)] = True
    is_interesting[facts.contexts[is_interesting[facts.concepts]]] = True
    while True:
        before = is_interesting.sum()
        is_interesting[facts.sources[is_interesting[facts.targets]]] = True
        if is_interesting.sum() == before:
            break
    return {root for root in roots if is_interesting[root] and not facts.is_bottom[root]}
