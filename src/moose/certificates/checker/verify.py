"""Check a certificate: read it, check each part, and say what has been shown and what was taken for granted.

A derivation shows that something follows. It is a list of steps, each an instance of a rule whose premises are earlier
steps: [rule, fact, premises] or [rule, fact, premises, axiom]. A fact is ["sub", C, D] (C ⊑ D), ["link", C, r, D]
(C → r → D: every C has an r-successor that is a D), ["role", r, s] (r ⊑ s), ["nonempty", C], ["universal", r, C] or
["single", C]. A derivation may assume that one concept has an element; what it then shows of that concept holds anyway,
since nothing can be wrong about the elements of a concept that has none. `rules` has the rules.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from moose.certificates.checker.circuit import verify_circuit
from moose.certificates.checker.closure import check_model
from moose.certificates.checker.model import Model, read_model
from moose.certificates.checker.reading import (
    items,
    number,
    numbers,
    parse_certificate,
    part,
    read_certificate,
    refuse,
    shortened,
    text_of,
)
from moose.certificates.checker.rules import RULES
from moose.certificates.checker.sources import check_sources, claimed
from moose.certificates.checker.terms import THING, Terms
from moose.certificates.checker.theory import Fact, Step, Theory, fact_is_well_formed, read_theory
from moose.certificates.checker.verdict import Verdict, granted, left_open

NO_AXIOM: Fact = []
EL_PART = " by the EL part alone"
"""What is added to a claim where the certificate says that axioms that may matter are not used."""


def verify_file(path: Path) -> Verdict:
    """Check the certificate in a file, or raise `Refused`."""
    return verify(read_certificate(path))


def verify_text(text: str) -> Verdict:
    """Check a certificate, or raise `Refused`."""
    return verify(parse_certificate(text))


def verify(certificate: dict[str, object]) -> Verdict:
    """Check a certificate that has been read, or raise `Refused`."""
    kinds = {
        "entailment": verify_entailment,
        "non-entailment": verify_non_entailment,
        "taxonomy": verify_taxonomy,
        "circuit": verify_circuit,
    }
    kind = text_of(part(certificate, "kind"), "the kind")
    if kind not in kinds:
        refuse(f"expected a kind among {', '.join(kinds)}, but it is {kind!r}")
    try:
        return kinds[kind](certificate)
    except RecursionError:
        refuse("it is nested too deeply; no certificate is")


def verify_entailment(certificate: dict[str, object]) -> Verdict:
    """Check that every inclusion that a claim comes down to is derived."""
    theory = read_theory(certificate)
    claim = text_of(part(certificate, "claim"), "the claim")
    terms = check_sources(theory, wholly=False, claim=claim)
    shown, steps = derived_pairs(certificate, theory)
    proved = {(terms.of_place[sub], terms.of_place[sup]) for sub, sup in shown}
    wanted = claimed(claim, terms)
    if not wanted or not proved.issuperset(wanted):
        refuse(f"its derivations do not show the claim, {claim}")
    shown_here = f"{claim} follows"
    return Verdict("entailment", shown_here, f"{steps} steps", theory.sources, granted(theory), goal=claim)


def derived_pairs(certificate: dict[str, object], theory: Theory) -> tuple[list[tuple[int, int]], int]:
    """Check the derivations; return the inclusions that the certificate says they show, and the number of steps."""
    proofs: list[tuple[int | None, list[Fact]]] = []
    for value in items(part(certificate, "proofs"), "the proofs"):
        assumed = part(value, "assumed", "a proof")
        concept = None if assumed is None else number(assumed, len(theory.concepts), "what a proof assumes")
        proofs.append((concept, check_derivation(theory, part(value, "steps", "a proof"), concept)))
    pairs = []
    for row in items(part(certificate, "entailed"), "what is entailed"):
        cells = items(row, "what is entailed")
        if len(cells) != 4:
            refuse("expected [sub, super, proof, step] for what is entailed")
        sub, sup = (number(cell, len(theory.concepts), "a side of what is entailed") for cell in cells[:2])
        assumed, facts = proofs[number(cells[2], len(proofs), "the proof of what is entailed")]
        step = number(cells[3], len(facts), "the step that shows what is entailed")
        if facts[step] != ["sub", sub, sup] or (assumed is not None and assumed != sub):
            refuse(f"step {step} does not show that concept {sub} is below concept {sup} without further assumption")
        pairs.append((sub, sup))
    return pairs, sum(len(facts) for _, facts in proofs)


def check_derivation(theory: Theory, steps: object, assumed: int | None, given: Sequence[Fact] = ()) -> list[Fact]:
    """Check every step, and return the facts that they show, in order; facts that are given count as steps before."""
    shown: list[Fact] = list(given)
    for position, row in enumerate(items(steps, "the steps"), start=len(shown)):
        step = _read_step(theory, row, shown, position, assumed)
        rule = RULES.get(row[0])  # type: ignore[index]  # a list, as the step was read
        if rule is None:
            refuse(f"step {position}: there is no rule {shortened(row[0])}")  # type: ignore[index]
        if not rule(step):
            refuse(f"step {position}: {shortened(row)} is no instance of its rule, {rule.__doc__}", step=position)
        shown.append(step.fact)
    return shown


def _read_step(theory: Theory, row: object, shown: list[Fact], position: int, assumed: int | None) -> Step:
    if type(row) is not list or not 3 <= len(row) <= 4 or type(row[2]) is not list or type(row[0]) is not str:
        refuse(f"step {position}: expected [rule, fact, premises] or with an axiom, but it is {shortened(row)}")
    if not fact_is_well_formed(row[1], len(theory.concepts), len(theory.roles)):
        refuse(f"step {position}: {shortened(row[1])} is no fact about these concepts and roles")
    for premise in row[2]:
        if type(premise) is not int or not 0 <= premise < position:
            refuse(f"step {position}: its premises must be earlier steps, but {shortened(premise)} is none")
    axiom = NO_AXIOM
    if len(row) == 4:
        if type(row[3]) is not int or not 0 <= row[3] < len(theory.axioms):
            refuse(f"step {position}: {shortened(row[3])} is no axiom of the certificate")
        axiom = theory.axioms[row[3]]
    return Step(theory.concepts, row[1], [shown[premise] for premise in row[2]], axiom, assumed)


def verify_non_entailment(certificate: dict[str, object]) -> Verdict:
    """Check that one of the inclusions that a claim comes down to fails in a saturated set."""
    theory = read_theory(certificate)
    claim = text_of(part(certificate, "claim"), "the claim")
    terms = check_sources(theory, wholly=True, claim=claim)
    models = checked_models(certificate, theory, terms)
    wanted = set(claimed(claim, terms))
    rows = items(part(certificate, "refuted"), "what is refuted")
    if not rows:
        refuse("it refutes nothing")
    for row in rows:
        cells = items(row, "what is refuted")
        if len(cells) != 4:
            refuse("expected [sub, super, model, element] for what is refuted")
        sub, sup = (number(cell, len(theory.concepts), "a side of what is refuted") for cell in cells[:2])
        model = models[number(cells[2], len(models), "the model of what is refuted")]
        position = number(cells[3], len(model.elements), "the element of what is refuted")
        if sub not in model.elements[position] or sup in model.elements[position] or sup not in model.negative:
            refuse(f"element {position} does not refute that concept {sub} is below concept {sup}")
        if (terms.of_place[sub], terms.of_place[sup]) not in wanted:
            refuse(f"what it refutes is no part of the claim, {claim}")
    size = f"{sum(len(model.elements) for model in models)} elements"
    unused = left_open(certificate)
    shown = f"{claim} does not follow{EL_PART if unused else ''}"
    return Verdict("non-entailment", shown, size, theory.sources, granted(theory, wholly=True), unused, claim)


def checked_models(certificate: dict[str, object], theory: Theory, terms: Terms) -> list[Model]:
    """Read and check the saturated sets."""
    models = [read_model(theory, value) for value in items(part(certificate, "models"), "the models")]
    for model in models:
        check_model(model)
        if terms.has_thing:
            check_sorts(model, theory)
    return models


def check_sorts(model: Model, theory: Theory) -> None:
    """Refuse an element that is neither a thing nor a value, or both: values are in data ranges only."""
    thing = theory.concepts.index(["class", THING])
    values = {position for position, node in enumerate(theory.concepts) if node[0] == "data"}
    things = {
        position for position, node in enumerate(theory.concepts) if node[0] in ("class", "nominal", "some", "self")
    }
    for position, element in enumerate(model.elements):
        if (thing in element) == bool(values & element) or (values & element and things & element):
            refuse(f"element {position} of a model is not either a thing or a value")
        if values & element and position in model.leaving:
            refuse(f"element {position} of a model is a value and has successors")


def verify_taxonomy(certificate: dict[str, object]) -> Verdict:
    """Check a hierarchy: a row for each class, either unsatisfiable or with all that is above it.

    A row is [class, classes above, model, element], or [class, null] for a class that can have no element.
    """
    theory = read_theory(certificate)
    terms = check_sources(theory, wholly=True)
    shown, steps = derived_pairs(certificate, theory)
    proved = set(shown)
    models = checked_models(certificate, theory, terms)
    concepts = len(theory.concepts)
    rows = [items(row, "a row of the taxonomy") for row in items(part(certificate, "taxonomy"), "the taxonomy")]
    if not all(len(row) in (2, 4) for row in rows):
        refuse("expected [class, classes above, model, element] or [class, null] for a row of the taxonomy")
    classes = [number(row[0], concepts, "the class of a row") for row in rows]
    if len(set(classes)) < len(classes) or any(theory.concepts[each][0] != "class" for each in classes):
        refuse("expected each row of the taxonomy to be about another named class")
    bottom = theory.concepts.index(["bottom"]) if ["bottom"] in theory.concepts else -1
    for row, concept in zip(rows, classes, strict=True):
        if len(row) == 2:
            if row[1] is not None or (concept, bottom) not in proved:
                refuse(f"class {concept} is said to have no element, and this is not derived")
            continue
        above = set(numbers(row[1], concepts, "the classes above one"))
        model = models[number(row[2], len(models), "the model of a row")]
        element = model.elements[number(row[3], len(model.elements), "the element of a row")]
        if concept not in element:
            refuse(f"the element of class {concept} is not in it")
        for other in classes:
            if (other in above) != (other in element) or other not in model.negative:
                refuse(f"that class {concept} is, or is not, below class {other} fails in its element")
        if not all((concept, other) in proved for other in above):
            refuse(f"something above class {concept} is not derived")
    names = f"{len(classes)} classes"
    size = f"{steps} steps, {sum(len(model.elements) for model in models)} elements"
    unused = left_open(certificate)
    shown_here = f"the hierarchy of {names} is exactly as listed{EL_PART if unused else ''}"
    return Verdict("taxonomy", shown_here, size, theory.sources, granted(theory, wholly=True), unused)
