"""That something follows: a list of steps, each an instance of a rule whose premises are earlier steps.

A step is [rule, fact, premises] or [rule, fact, premises, axiom]. A fact is ["sub", C, D] (C ⊑ D), ["link", C, r, D]
(C → r → D: every C has an r-successor that is a D), ["role", r, s] (r ⊑ s), ["nonempty", C] or ["universal", r]. A
derivation may assume that one concept has an element; what it then shows of that concept holds anyway, since nothing
can be wrong about the elements of a concept that has none. `rules` has the rules.
"""

from __future__ import annotations

from collections.abc import Sequence

from moose.certificates.checker.reading import items, refuse, shortened
from moose.certificates.checker.rules import RULES
from moose.certificates.checker.theory import Fact, Step, Theory, fact_is_well_formed

NO_AXIOM: Fact = []


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
