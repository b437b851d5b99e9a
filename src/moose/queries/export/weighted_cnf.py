"""Weighted DIMACS, in the convention of the model counting competitions.

    c t pwmc              projected weighted model counting
    p cnf 5 8             variables, clauses
    c p weight 1 0.3 0    what a literal weighs; both literals of each axiom are written, all others weigh 1
    c p show 1 2 0        the variables to count over: the axioms

The weighted count is the probability of the goal, projected or not, as every world has exactly one model.
"""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal, localcontext
from fractions import Fraction
from pathlib import Path

from moose.base.whole_files import write_whole
from moose.queries.export.encode import Encoding
from moose.queries.export.unroll import Variable

DIGITS = 40
"""Significant digits of a decimal that does not end: twice what counters compute with."""


def is_finite_decimal(value: Fraction) -> bool:
    """Return whether a fraction is a decimal that ends.

    >>> is_finite_decimal(Fraction(3, 40)), is_finite_decimal(Fraction(1, 3))
    (True, False)
    """
    rest = value.denominator
    for prime in (2, 5):
        while rest % prime == 0:
            rest //= prime
    return rest == 1


def decimal(value: Fraction, digits: int = DIGITS) -> str:
    """Write a fraction as a decimal without exponent: exactly where it ends, else rounded to significant digits.

    >>> decimal(Fraction(3, 40)), decimal(Fraction(1, 3), digits=5), decimal(Fraction(1))
    ('0.075', '0.33333', '1')
    """
    with localcontext() as context:
        # A decimal that ends has at most as many digits behind the point as its denominator has bits.
        exact = value.denominator.bit_length() + len(str(value.numerator))
        context.prec = max(digits, exact) if is_finite_decimal(value) else digits
        return f"{Decimal(value.numerator) / Decimal(value.denominator):f}"


def weighted_cnf(encoding: Encoding, *, is_exact: bool = False) -> str:
    """Write an encoding as weighted DIMACS.

    Decimals that end are written as they are. Other fractions are written as `1/3` where `is_exact` (Ganak reads that),
    else as decimals of forty digits, which every counter reads, and a comment says so.
    """
    return "".join(f"{line}\n" for line in lines(encoding, is_exact))


def write_weighted_cnf(encoding: Encoding, path: Path, *, is_exact: bool = False) -> None:
    """Write an encoding as weighted DIMACS into a file, whole or not at all."""
    write_whole(path, (f"{line}\n" for line in lines(encoding, is_exact)))


def lines(encoding: Encoding, is_exact: bool) -> Iterator[str]:
    """Yield the lines of the file."""
    cnf = encoding.cnf
    yield "c t pwmc"
    yield f"c goal: {one_line(encoding.goal.text)}"
    yield from (f"c note: {note}" for note in encoding.notes)
    if not is_exact and not all(map(is_finite_decimal, encoding.probabilities.values())):
        yield f"c note: some weights are fractions that are no finite decimals; they are rounded to {DIGITS} digits"
    yield f"p cnf {cnf.variable_count} {len(cnf.clauses)}"
    for axiom in encoding.axioms:
        probability, literal = encoding.probabilities[axiom], cnf.axiom_variable(axiom)
        yield f"c p weight {literal} {weight(probability, is_exact)} 0"
        yield f"c p weight {-literal} {weight(1 - probability, is_exact)} 0"
    yield " ".join(["c p show", *(str(cnf.axiom_variable(axiom)) for axiom in encoding.axioms), "0"])
    for variable, number in cnf.variables.items():
        yield f"c var {number}: {one_line(variable_name(encoding, variable))}"
    for clause in cnf.clauses:
        yield " ".join(map(str, (*clause, 0)))


def weight(value: Fraction, is_exact: bool) -> str:
    """Write a weight."""
    return f"{value.numerator}/{value.denominator}" if is_exact and not is_finite_decimal(value) else decimal(value)


def variable_name(encoding: Encoding, variable: Variable) -> str:
    """Say what a variable stands for."""
    name = encoding.atom_name(variable.atom)
    return name if variable.time is None else f"{name} (step {variable.time})"


def one_line(text: str) -> str:
    """Keep a name inside its comment: a literal of the ontology may hold line ends."""
    return " ".join(text.split())
