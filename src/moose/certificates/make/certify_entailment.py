"""Certificates for what an ontology says: that an axiom follows, or that it does not."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from moose.base.errors import MooseError
from moose.certificates.checker.reading import Refused
from moose.certificates.checker.verify import verify
from moose.certificates.make.countermodel import Packer, countermodel, speak_of
from moose.certificates.make.from_proof import add_inferences
from moose.certificates.make.proof_steps import Derivation
from moose.certificates.make.told_ontology import tell_axioms, tell_data, tell_meaning, uncovered
from moose.certificates.make.vocabulary import HEAD, NeedsThing, Packed, Vocabulary
from moose.owl.model import axioms as ax
from moose.owl.model import expressions as owl
from moose.owl.modules.unused import unused
from moose.owl.normal.normalise import normalise
from moose.owl.ontology import Ontology
from moose.owl.profile.profile import Outside
from moose.owl.syntax.functional.write_functional import render
from moose.saturation.engine.saturate import saturate_form
from moose.saturation.proofs.explain import explain, inclusions
from moose.saturation.proofs.proof import Proof


def certify_axiom(ontology: Ontology, goal: ax.Axiom, *, follows: bool) -> Packed:
    """Certify what the engine says of an axiom: a derivation where it follows, a saturated set where it does not.

    >>> import moose
    >>> from moose.owl.model.expressions import NOTHING, THING
    >>> certify_axiom(moose.load(moose.PIZZERIA), ax.SubClassOf(NOTHING, THING), follows=True)["kind"]
    'entailment'
    """
    return certify_entailment(ontology, goal) if follows else certify_non_entailment(ontology, goal)


def disagreement(goal: ax.Axiom, *, engine: bool) -> MooseError:
    """Return the error that an answer and what can be shown differ."""
    answer = "follows" if engine else "does not follow"
    return MooseError(
        f"{render(goal)}: {answer} by the engine, but the rules of certificates say otherwise; please report this"
    )


def self_checked(certificate: Packed, what: str) -> Packed:
    """Return a certificate that its checker accepts; say what cannot be certified.

    A saturated set is a model only where the calculus is complete, which chains through owl:topObjectProperty and
    loops by roles with chains beside individuals can prevent: the checker finds out.
    """
    try:
        verify(certificate)
    except Refused as reason:
        raise MooseError(f"{what}: cannot be certified, as {reason}; use the answer without a certificate") from None
    return certificate


# ── What follows ──────────────────────────────────────────────────────────────────────────────────────────────────


def certify_entailment(ontology: Ontology, goal: ax.Axiom) -> Packed:
    """Certify that an axiom follows: the proof of each inclusion that it comes down to."""
    explanation = explain(ontology, goal)
    if explanation is None:
        raise disagreement(goal, engine=True)
    try:
        return self_checked(entailment(goal, explanation.proofs, Vocabulary(has_data=False)), render(goal))
    except NeedsThing:
        return self_checked(entailment(goal, explanation.proofs, Vocabulary(has_data=True)), render(goal))


def entailment(goal: ax.Axiom, proofs: Sequence[Proof], words: Vocabulary) -> Packed:
    """Write the proofs of an axiom as a certificate."""
    rows: list[Packed] = []
    entailed = []
    for position, ((sub, sup), proof) in enumerate(zip(inclusions(goal), proofs, strict=True)):
        root = words.concept(sub)
        steps = Derivation(words, assumption=None if proof.assumption is None else root, root=root)
        entailed.append([root, words.concept(sup), position, add_inferences(steps, proof.steps)])
        rows.append(steps.packed())
    claim: Packed = {"kind": "entailment", "claim": render(goal), "entailed": entailed}
    return HEAD | claim | words.theory() | {"proofs": rows}


# ── What does not follow ──────────────────────────────────────────────────────────────────────────────────────────


def certify_non_entailment(ontology: Ontology, goal: ax.Axiom) -> Packed:
    """Certify that an axiom does not follow: a saturated set that has one side of it and not the other."""
    axioms = ontology.profile.el_axioms
    pairs = inclusions(goal)
    form = normalise(axioms, goals=pairs)
    if (what := uncovered(form, axioms)) is not None:
        raise MooseError(
            f"{render(goal)}: cannot be certified, as certificates do not cover {what}; "
            "take that out, or use the answer without a certificate"
        )
    for (sub, sup), (low, high) in zip(pairs, form.goals, strict=True):
        facts = saturate_form(form, roots=[low]).world_of(low)
        model = None if facts.has(low, high) else countermodel(facts, [low])
        if model is None:
            continue
        words = Vocabulary(has_data=any(isinstance(role, owl.DataProperty) for role in form.roles))
        tell_axioms(words, axioms)
        speak_of(words, form)
        sides = [words.concept(sub), words.concept(sup)]
        tell_meaning(words)
        tell_data(words)
        packed = Packer(words, form, [sides[1]]).pack(model)
        claim: Packed = {
            "kind": "non-entailment",
            "claim": render(goal),
            "refuted": [[*sides, 0, model.element_of[low]]],
        }
        rest = {"models": [packed]} | left_out(unused(ontology, pairs))
        return self_checked(HEAD | claim | words.theory() | rest, render(goal))
    raise disagreement(goal, engine=False)


def left_out(rows: Sequence[Outside]) -> Packed:
    """Say which axioms may matter and are not used whole: the certificate is then of the EL part alone."""
    return {"unused": [render(replace(row.axiom, annotations=())) for row in rows]} if rows else {}
