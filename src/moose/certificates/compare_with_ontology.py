"""Compare the axioms that a certificate rests on with an ontology: this uses the engine's reader."""

from __future__ import annotations

from dataclasses import dataclass, replace

from moose.certificates.checker.reading import Refused, shortened
from moose.certificates.checker.verdict import Verdict
from moose.owl.model.axioms import Axiom, DifferentIndividuals, DisjointClasses
from moose.owl.ontology import Ontology
from moose.owl.syntax.functional.write_functional import render


def says_nothing(axiom: Axiom) -> bool:
    """Return whether an axiom is about pairs of which it has none; no certificate has a row for it."""
    match axiom:
        case DisjointClasses(several) | DifferentIndividuals(several):
            return len(several) < 2
    return False


@dataclass(frozen=True, slots=True)
class Axioms:
    """The EL axioms of an ontology as text, and whether they are all of it."""

    texts: frozenset[str]
    left_out: tuple[str, ...]

    @staticmethod
    def of(ontology: Ontology) -> Axioms:
        """Write the axioms that the engine reasons with, without annotations."""
        plain = (replace(axiom, annotations=()) for axiom in ontology.profile.el_axioms if not says_nothing(axiom))
        lost = tuple(render(one.axiom) for one in ontology.profile.outside if not one.is_exact)
        return Axioms(frozenset(map(render, plain)), lost)

    def check(self, verdict: Verdict) -> None:
        """Refuse a certificate with axioms of its own, or one of non-entailment that passes over some."""
        if verdict.kind == "circuit":
            raise Refused("a circuit rests on clauses, which no ontology lists; leave out --ontology")
        for source in verdict.sources:
            if source not in self.texts:
                raise Refused(f"it rests on an axiom that is not in the ontology: {shortened(source)}")
        if verdict.kind == "entailment":
            return
        missing = sorted(self.texts.difference(verdict.sources))
        if missing:
            raise Refused(f"it passes over an axiom of the ontology: {shortened(missing[0])}")
        if self.left_out:
            raise Refused(f"the ontology says more than OWL 2 EL can: {shortened(self.left_out[0])}")
