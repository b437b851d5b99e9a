"""Compare the axioms that a certificate rests on with an ontology: this uses the engine's reader."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass, replace

from moose.base.errors import MooseError
from moose.certificates.checker.reading import Refused, shortened
from moose.certificates.checker.verdict import Verdict
from moose.owl.model.axioms import Axiom, DifferentIndividuals, DisjointClasses
from moose.owl.modules.unused import unused, unused_anywhere
from moose.owl.ontology import Ontology
from moose.owl.syntax.functional.read_functional import read_functional
from moose.owl.syntax.functional.write_functional import render
from moose.saturation.proofs.explain import inclusions


def says_nothing(axiom: Axiom) -> bool:
    """Return whether an axiom is about pairs of which it has none; no certificate has a row for it."""
    match axiom:
        case DisjointClasses(several) | DifferentIndividuals(several):
            return len(several) < 2
    return False


@dataclass(frozen=True, slots=True)
class Axioms:
    """The EL axioms of an ontology as text, and the ontology, for what it says besides."""

    texts: frozenset[str]
    unions: frozenset[str]
    """What is gone through case by case: a derivation may rest on it, a saturated set cannot speak of it."""
    ontology: Ontology

    @staticmethod
    def of(ontology: Ontology) -> Axioms:
        """Write the axioms that the engine reasons with, without annotations."""
        profile = ontology.profile
        plain = (replace(axiom, annotations=()) for axiom in profile.el_axioms if not says_nothing(axiom))
        unions = frozenset(render(replace(one.axiom, annotations=())) for one in profile.disjunctions)
        return Axioms(frozenset(map(render, plain)), unions, ontology)

    def check(self, verdict: Verdict) -> None:
        """Refuse a certificate with axioms of its own, or one of non-entailment that passes over some."""
        if verdict.kind == "circuit":
            raise Refused("a circuit rests on clauses, which no ontology lists; leave out --ontology")
        for source in verdict.sources:
            if source not in self.texts and source not in self.unions:
                raise Refused(f"it rests on an axiom that is not in the ontology: {shortened(source)}")
        if verdict.kind == "entailment":
            return
        missing = sorted(self.texts.difference(verdict.sources))
        if missing:
            raise Refused(f"it passes over an axiom of the ontology: {shortened(missing[0])}")
        for text in self._unused(verdict):
            if text not in verdict.unused:
                raise Refused(f"it does not say that it leaves out an axiom that may matter: {shortened(text)}")

    def _unused(self, verdict: Verdict) -> list[str]:
        """Write the axioms that may matter for what is claimed, and of which EL does not use all."""
        rows = unused_anywhere(self.ontology)
        if rows and verdict.goal:
            # Its names are written in full, so that those that the ontology does not have are read, too.
            with suppress(MooseError):
                claimed = read_functional(f"Ontology({verdict.goal}\n)", "the claim").axioms
                if len(claimed) == 1:
                    rows = unused(self.ontology, inclusions(claimed[0]))
        return [render(replace(row.axiom, annotations=())) for row in rows]
