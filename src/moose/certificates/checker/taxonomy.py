"""That a class hierarchy is the whole one: what is listed is derived, what is not listed fails in a saturated set."""

from __future__ import annotations

from typing import TYPE_CHECKING

from moose.certificates.checker.reading import items, number, numbers, part, refuse
from moose.certificates.checker.sources import check_sources
from moose.certificates.checker.theory import read_theory

if TYPE_CHECKING:
    from moose.certificates.checker.verify import Verdict


def verify_taxonomy(certificate: dict[str, object]) -> Verdict:
    """Check a hierarchy: a row for each class, either unsatisfiable or with all that is above it.

    A row is [class, classes above, model, element], or [class, null] for a class that can have no element.
    """
    from moose.certificates.checker.verify import Verdict, checked_models, derived_pairs, granted

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
    shown_here = f"the hierarchy of {names} is exactly as listed"
    return Verdict("taxonomy", shown_here, size, theory.sources, granted(theory, wholly=True))
