"""The rule instances of a goal as a ProbLog program: a probabilistic fact for each axiom, a rule for each instance."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path

from moose.base.whole_files import write_whole
from moose.queries.export.encode import Encoding
from moose.queries.export.weighted_cnf import decimal, is_finite_decimal, one_line
from moose.queries.program.program import GOAL


def problog_program(encoding: Encoding) -> str:
    """Write an encoding as a ProbLog program whose only query is the goal.

    Nothing of Stages 2-5 is used: ProbLog has the least model semantics itself, and does its own loop breaking.
    """
    return "".join(f"{line}\n" for line in lines(encoding))


def write_problog(encoding: Encoding, path: Path) -> None:
    """Write an encoding as a ProbLog program into a file, whole or not at all."""
    write_whole(path, (f"{line}\n" for line in lines(encoding)))


def lines(encoding: Encoding) -> Iterator[str]:
    """Yield the lines of the program."""
    yield f"% {one_line(encoding.goal.text)}"
    yield from (f"% note: {note}" for note in encoding.notes)
    for axiom in encoding.axioms:
        yield f"{probability(encoding.probabilities[axiom])}::a{axiom}. % {one_line(encoding.axiom_names[axiom])}"
    spelt = {axiom: f"a{axiom}" for axiom in encoding.axioms} | {GOAL: "entailed"}
    for fact, name in encoding.instances.names.items():
        spelt[fact] = f"f{fact}"
        yield f"% f{fact}: {one_line(name)}"
    for body, head in encoding.instances.clauses:
        premises = ", ".join(spelt[atom] for atom in sorted(body))
        yield f"{spelt[head]} :- {premises}." if premises else f"{spelt[head]}."
    if not encoding.instances.clauses:
        yield "entailed :- fail."  # ProbLog refuses a predicate that nothing defines
    yield "goal :- \\+entailed." if encoding.goal.is_negated else "goal :- entailed."
    yield "query(goal)."


def probability(value: Fraction) -> str:
    """Write a probability: a decimal that ends, or a quotient, which ProbLog computes in floating point."""
    return decimal(value) if is_finite_decimal(value) else f"{value.numerator}/{value.denominator}"
