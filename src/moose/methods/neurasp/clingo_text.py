"""The answer-set program as clingo reads it; an atom is called a0, a1, … by its position in the theory."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from moose.methods.deepproblog.neural_program import NeuralProgram


def clingo_text(program: NeuralProgram, observed: Iterable[int] = ()) -> str:
    """Write a program, and literals that every model is to satisfy.

    >>> from moose.grounding.task.regimes import regime
    >>> from moose.methods.neurasp.answer_sets import answer_set_program
    >>> print(*clingo_text(answer_set_program(regime("pizzaC"))).splitlines()[:5])
    {a0}. {a1}. {a2}. {a3}. a4 :- a0.
    """
    lines = [*_choices(program), *_rules(program), *_constraints(program)]
    lines += [f":- not a{literal - 1}." if literal > 0 else f":- a{-literal - 1}." for literal in observed]
    return "\n".join([*lines, *(f"#show a{position}/0." for position in range(len(program.theory.atoms)))])


def _choices(program: NeuralProgram) -> Iterator[str]:
    for family in program.disjunctions:
        yield "{" + "; ".join(f"a{member}" for member in family) + "} = 1."
    for free in (*program.facts, *program.coins):
        yield f"{{a{free}}}."


def _rules(program: NeuralProgram) -> Iterator[str]:
    for rule in program.rules:
        body = ", ".join(f"a{literal - 1}" for literal in rule.body)
        yield f"a{rule.head} :- {body}." if body else f"a{rule.head}."


def _constraints(program: NeuralProgram) -> Iterator[str]:
    """Every clause is a constraint too: those that are rules hold by themselves."""
    for clause in program.theory:
        body = [f"a{-literal - 1}" for literal in clause if literal < 0]
        yield ":- " + ", ".join(body + [f"not a{literal - 1}" for literal in clause if literal > 0]) + "."
