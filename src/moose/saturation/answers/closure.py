"""Stage 1: from an ontology to its closure."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from weakref import WeakKeyDictionary

import numpy as np

from moose.owl.model.axioms import Axiom
from moose.owl.normal.normal_form import NormalForm
from moose.owl.ontology import Ontology
from moose.saturation.engine.facts import Facts
from moose.saturation.engine.run import Progress
from moose.saturation.engine.saturate import KEPT_SATURATIONS, is_possible, is_satisfiable, saturate_form
from moose.saturation.proofs.expressions import Expressions, Numbering
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

        is_assumed = isinstance(fact, Subsumption) and Numbering(self.form).concept(fact.sub) in self.worlds
        return instances_of(self.form, self.axioms, fact, is_assumed=is_assumed)

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
        """Return whether the ontology has a model."""
        return is_possible(self.base)

    def is_satisfiable(self, concept: int) -> bool:
        """Return whether a concept has an element in some model."""
        return is_satisfiable(self.world_of(concept), concept)


def closure_of_form(
    form: NormalForm, *, roots: Sequence[int] | None = None, progress: Progress | None = None
) -> Closure:
    """Saturate a normal form from some roots (from all named classes and the goals, unless told otherwise)."""
    return Closure(*saturate_form(form, roots=roots, progress=progress))


KEPT: WeakKeyDictionary[Ontology, Closure] = WeakKeyDictionary()
"""Kept as long as the ontology is, to which a closure must not refer: one saturation serves all that is asked of it."""


def saturate(ontology: Ontology, *, progress: Progress | None = None) -> Closure:
    """Apply the completion rules of EL++ until nothing new follows; once for an ontology, however often it is asked."""
    closure = KEPT.get(ontology)
    if closure is None:
        saturation = KEPT_SATURATIONS[ontology] = saturate_form(ontology.normal_form, progress=progress)
        closure = KEPT[ontology] = Closure(*saturation, axioms=ontology.profile.used_axioms)
    return closure
