"""Certificates to check: of random ontologies by seed, and of the bundled regimes."""

from __future__ import annotations

import io
import json
import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial

import moose
from moose.base.errors import MooseError
from moose.certificates.checker.reading import Refused
from moose.certificates.checker.verify import verify_text
from moose.certificates.make.certify_circuit import certify_circuit
from moose.certificates.make.certify_entailment import certify_axiom
from moose.certificates.write import write_certificate
from moose.circuit.circuit import Circuit
from moose.grounding.task.regimes import regime
from moose.owl.model.axioms import Axiom, SubClassOf
from moose.owl.ontology import Ontology
from moose.owl.profile.profile import Profile
from moose.saturation.proofs.explain import explain
from tests.saturation.goals import asked
from tests.saturation.random_ontologies import ALL_FEATURES, random_axioms

Certificate = dict[str, object]

COVERED = ALL_FEATURES - {"functional", "data"}
"""Data are tested apart: what does not follow from functional data properties or keys of data cannot be certified."""


@dataclass(frozen=True)
class Made:
    """A certificate and what it is about."""

    certificate: Certificate
    ontology: Ontology
    follows: bool


def certified(certify: Callable[[], Certificate]) -> Certificate | None:
    """Return a certificate, or None where it is said that there can be none."""
    try:
        return certify()
    except MooseError as reason:
        if "cannot be certified" not in str(reason):
            raise
        return None


def refusal(certificate: Certificate) -> str | None:
    """Return why a certificate is refused, or None where it is accepted."""
    try:
        verify_text(json.dumps(certificate))
    except Refused as reason:
        return str(reason)
    return None


def ontology_of(axioms: list[Axiom]) -> Ontology:
    return Ontology(tuple(axioms), Profile(tuple(axioms)))


def random_ontology(seed: int, features: frozenset[str] = COVERED) -> Ontology:
    return ontology_of(random_axioms(random.Random(seed), features))


def random_certificates(seed: int, goals: int = 2, features: frozenset[str] = COVERED) -> Iterator[Made]:
    """Certify some inclusions between names, whether or not they follow, of one random ontology.

    What the engine itself warns of as possibly incomplete (chains through owl:topObjectProperty) may be refused.
    """
    ontology = random_ontology(seed, features)
    source = random.Random(seed)
    for sub, sup in source.sample(asked(), goals):
        goal = SubClassOf(sub, sup)
        follows = explain(ontology, goal) is not None
        certificate = certified(partial(certify_axiom, ontology, goal, follows=follows))
        if certificate is not None:
            yield Made(certificate, ontology, follows)


def random_entailments(seed: int, features: frozenset[str] = ALL_FEATURES) -> Iterator[Made]:
    """Certify some of what follows, with all that OWL 2 EL has, from one random ontology; all of it can be."""
    ontology = random_ontology(seed, features)
    source = random.Random(seed)
    for sub, sup in source.sample(asked(), 12):
        goal = SubClassOf(sub, sup)
        if explain(ontology, goal) is not None:
            yield Made(certify_axiom(ontology, goal, follows=True), ontology, follows=True)


def regime_circuit(name: str, *, encoding: str = "full", vtree: str = "structure") -> Circuit:
    return moose.compile_circuit(moose.ground(regime(name), encoding=encoding), vtree=vtree)


def regime_certificate(name: str, *, encoding: str = "full", vtree: str = "structure") -> Certificate:
    return certify_circuit(regime_circuit(name, encoding=encoding, vtree=vtree))


def text_of(certificate: Certificate) -> str:
    stream = io.StringIO()
    write_certificate(certificate, stream)
    return stream.getvalue()
