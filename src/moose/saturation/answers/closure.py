"""Stage 1: from an ontology to its closure."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from moose.owl.model.axioms import Axiom
from moose.owl.normal.normal_form import TOP, NormalForm
from moose.owl.ontology import Ontology
from moose.saturation.engine.facts import Facts, facts_of
from moose.saturation.engine.global_rules import conclude, conditional, functional_links, needs_whole_closure
from moose.saturation.engine.run import Added, Progress, World
from moose.saturation.proofs.expressions import Expressions
from moose.saturation.proofs.proof import Fact, Inference, Link, Subsumption


@dataclass(frozen=True)
class Closure:
    """All that follows: facts that hold in every model, and for some concepts C more facts where C has an element.

    Nominals make subsumption conditional: with A ⊑ ∃r.B and B ⊑ {o}, o is a B in every model in which there is an A.
    What A is below is then read off `worlds[A]`, the closure under the assumption that A has an element; as C ⊑ D says
    nothing where C is empty, that is what A is below outright.
    """

    form: NormalForm
    base: Facts
    worlds: dict[int, Facts]
    axioms: Sequence[Axiom] = ()
    """The axioms that the told rows of the normal form count."""

    def derivations(self, fact: Fact) -> tuple[Inference, ...]:
        """Return every rule instance that concludes a fact, found on demand; none for what does not hold.

        An instance here is one application of a rule of the kernel: R∃− takes the ranges of the role in, and role
        inclusions are among the axioms. A proof spells these out in steps of their own.
        """
        from moose.saturation.proofs.instances import instances_of

        return instances_of(self, fact)

    def subsumptions(self) -> Iterator[Subsumption]:
        """Yield Σ: every C ⊑ D that was derived in all models, over all concepts of the ontology."""
        concept = Expressions(self.form).concept
        for sub, sup in zip(self.base.contexts.tolist(), self.base.concepts.tolist(), strict=True):
            yield Subsumption(concept(sub), concept(sup))

    def links(self) -> Iterator[Link]:
        """Yield Λ: every C → r → D that was derived in all models, by the least role r and by all above it."""
        expressions = Expressions(self.form)
        named = len(self.form.roles)
        columns = (self.base.sources.tolist(), self.base.roles.tolist(), self.base.targets.tolist())
        seen: set[tuple[int, int, int]] = set()
        for source, role, target in zip(*columns, strict=True):
            for above in np.flatnonzero(self.form.is_subrole[role, :named]).tolist():
                if (source, above, target) not in seen:
                    seen.add((source, above, target))
                    yield Link(expressions.concept(source), expressions.role(above), expressions.concept(target))

    def world_of(self, concept: int) -> Facts:
        """Return the facts in which what a concept is below is complete."""
        return self.worlds.get(concept, self.base)

    @property
    def is_consistent(self) -> bool:
        """Tell whether the ontology has a model."""
        return is_possible(self.base)

    def is_satisfiable(self, concept: int) -> bool:
        """Tell whether a concept has an element in some model."""
        world = self.world_of(concept)
        return is_possible(world) and not bool(world.is_bottom[concept])


def is_possible(facts: Facts) -> bool:
    """Tell whether ⊤ and every individual are satisfiable."""
    return not facts.is_bottom[TOP] and not bool(facts.is_bottom[facts.form.nominal_concepts].any())


def saturate(ontology: Ontology, *, progress: Progress | None = None) -> Closure:
    """Apply the completion rules of EL++ until nothing new follows."""
    return replace(saturate_form(ontology.normal_form, progress=progress), axioms=ontology.profile.el_axioms)


def saturate_form(form: NormalForm, *, roots: Sequence[int] | None = None, progress: Progress | None = None) -> Closure:
    """Saturate a normal form from some roots (from all named classes and the goals, unless told otherwise)."""
    if roots is None:
        roots = [*form.class_concepts.tolist(), *(sub for sub, _ in form.goals)]
    base = run_world(form, roots, (), progress=progress)
    if not needs_whole_closure(form) or not is_possible(base):
        return Closure(form, base, {})
    return Closure(form, base, conditional_worlds(base, roots, progress=progress))


def run_world(form: NormalForm, roots: Iterable[int], added: Sequence[Added], *, progress: Progress | None) -> Facts:
    """Saturate from ⊤, the individuals and the roots, with the rules inside and outside the kernel taking turns."""
    world = World(form, added, progress=progress)
    world.start([TOP, *form.nominal_concepts.tolist(), *roots])
    world.run()
    facts = facts_of(world)
    if not needs_whole_closure(form):
        return facts
    while is_possible(facts):
        found = conclude(facts)
        links = list(functional_links(facts)) if len(form.functional.rows) else []
        steps = world.steps
        if found:
            world.tell(found)
        for source, role, target in links:
            world.link(source, role, target)
        world.run()
        if not found and world.steps == steps:
            break
        facts = facts_of(world)
    return facts


def conditional_worlds(base: Facts, roots: Iterable[int], *, progress: Progress | None) -> dict[int, Facts]:
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


def regroup(facts: Facts, roots: Iterable[int], assumed: frozenset[Added]) -> dict[frozenset[Added], list[int]]:
    """Group the roots by what follows from their having an element; leave out those from which nothing new does."""
    groups: dict[frozenset[Added], list[int]] = {}
    everywhere = np.append(facts.form.nominal_concepts, TOP).astype(np.int32)
    for root in sorted(roots_that_matter(facts, roots)):
        more = conditional(facts, facts.reachable(np.append(everywhere, root)))
        if more:
            groups.setdefault(assumed | more, []).append(root)
    return groups


def roots_that_matter(facts: Facts, roots: Iterable[int]) -> set[int]:
    """Return the roots from which a concept can be reached that makes a difference if it has an element."""
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
