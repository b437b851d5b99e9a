"""Certificates for what an ontology says: that an axiom follows, or that it does not."""

from __future__ import annotations

from moose.base.errors import MooseError
from moose.certificates.make.countermodel import countermodel
from moose.certificates.make.derive import Derivation
from moose.certificates.make.element_rules import conclude_inconsistency
from moose.certificates.make.indices import Indices
from moose.certificates.make.packing import Packed, Packer
from moose.certificates.make.rows import Theory, read_theory
from moose.owl.model import axioms as ax
from moose.owl.normal.normal_form import BOTTOM
from moose.owl.normal.normalise import normalise
from moose.owl.ontology import Ontology
from moose.owl.syntax.functional.write_functional import render
from moose.saturation.proofs.explain import inclusions

HEAD: Packed = {"format": "moose-certificate", "version": 1}


def certify_axiom(ontology: Ontology, goal: ax.Axiom, *, follows: bool) -> Packed:
    """Certify what the engine says of an axiom: a derivation where it follows, a saturated set where it does not.

    >>> import moose
    >>> from moose.owl.model.expressions import NOTHING, THING
    >>> certify_axiom(moose.load(moose.PIZZERIA), ax.SubClassOf(NOTHING, THING), follows=True)["kind"]
    'entailment'
    """
    form = normalise(ontology.profile.el_axioms, goals=inclusions(goal))
    asked = [side for pair in inclusions(goal) for side in pair]
    theory = read_theory(form, ontology.profile.el_axioms, asked)
    indices = Indices(theory, [sup for _, sup in form.goals])
    derivations = []
    for sub, sup in form.goals:
        derivation = Derivation(indices, assumed=sub).saturate([sub])
        number = conclusion(derivation, sub, sup)
        if number is None:
            check_agreement(theory, goal, engine=follows, here=False)
            return non_entailment(derivation, goal, (sub, sup))
        derivations.append((derivation, (sub, sup), number))
    check_agreement(theory, goal, engine=follows, here=True)
    return entailment(indices, derivations, goal)


def conclusion(derivation: Derivation, sub: int, sup: int) -> int | None:
    """Return the step that shows C ⊑ D, or None where it does not follow."""
    if sup in derivation.subsumers[sub]:
        return derivation.subsumers[sub][sup]
    if BOTTOM not in derivation.subsumers[sub]:
        conclude_inconsistency(derivation, sub)
    if BOTTOM in derivation.subsumers[sub]:
        return derivation.step("absurd", ("sub", sub, sup), (derivation.subsumers[sub][BOTTOM],))
    return None


def check_agreement(theory: Theory, goal: ax.Axiom, *, engine: bool, here: bool) -> None:
    """Refuse to certify what the rules of certificates do not show."""
    if engine == here and (here or not theory.uncovered):
        return
    if theory.uncovered:
        raise MooseError(
            f"{render(goal)}: cannot be certified, as certificates do not cover {theory.uncovered[0]}; "
            "take that out, or use the answer without a certificate"
        )
    found = "follows" if engine else "does not follow"
    raise MooseError(
        f"{render(goal)}: {found} by the engine, but the rules of certificates say otherwise; please report this"
    )


def entailment(indices: Indices, derivations: list[tuple[Derivation, tuple[int, int], int]], goal: ax.Axiom) -> Packed:
    """Write that an axiom follows: a derivation of each inclusion that it comes down to."""
    from moose.certificates.make.packing import needed_steps

    packer = Packer(indices)
    for derivation, pair, number in derivations:
        packer.use_concepts(pair)
        for step in needed_steps(derivation.steps, [number]):
            packer.use_fact(derivation.steps[step].fact)
            axiom = derivation.steps[step].axiom
            packer.use_axioms([] if axiom is None else [axiom])
    proofs, entailed = [], []
    for place, (derivation, (sub, sup), number) in enumerate(derivations):
        steps, kept = packer.steps(derivation.steps, [number])
        proofs.append({"assumed": packer.concept(sub), "steps": steps})
        entailed.append([packer.concept(sub), packer.concept(sup), place, kept[number]])
    claim: Packed = {"kind": "entailment", "claim": render(goal), "entailed": entailed}
    return HEAD | claim | packer.theory() | {"proofs": proofs}


def non_entailment(derivation: Derivation, goal: ax.Axiom, pair: tuple[int, int]) -> Packed:
    """Write that an axiom does not follow: a saturated set that has one side of it and not the other."""
    model = countermodel(derivation, [pair[0]])
    assert model is not None, "what is inconsistent has been concluded"
    packer = Packer(derivation.indices)
    packer.use_axioms(range(len(derivation.indices.theory.axioms)))
    packer.use_concepts(pair)
    model.use(packer)
    refuted = [[packer.concept(pair[0]), packer.concept(pair[1]), 0, model.place[pair[0]]]]
    claim: Packed = {"kind": "non-entailment", "claim": render(goal), "refuted": refuted}
    return self_checked(HEAD | claim | packer.theory() | {"models": [model.pack(packer)]}, render(goal))


def self_checked(certificate: Packed, what: str) -> Packed:
    """Return a certificate that its checker accepts; say what cannot be certified.

    A saturated set is a model only where the calculus is complete, which chains through owl:topObjectProperty and
    loops by roles with chains beside individuals can prevent: the checker finds out.
    """
    from moose.certificates.checker.reading import Refused
    from moose.certificates.checker.verify import verify

    try:
        verify(certificate)
    except Refused as reason:
        raise MooseError(f"{what}: cannot be certified, as {reason}; use the answer without a certificate") from None
    return certificate
