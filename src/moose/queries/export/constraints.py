"""The DeepProbLog correspondence: a grounded theory as a ProbLog program.

A probabilistic fact and a rule with the same head are a noisy-or: `0.3::h. 0.6::b. h :- b.` makes h true with 0.72. A
clause ¬b ∨ h is a constraint: it rules worlds out, and h, observed, weighs 0.3. So the translation of rules into rules
(`rule_program`, the paper's) does not give the weighted model count, and the one into violated constraints
(`constraint_program`) does.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction

from moose.base.errors import ContradictoryEvidence, MooseError
from moose.circuit.inference.weights import LiteralWeights, Weights, read_weights
from moose.grounding.clauses import AtomKind, Clauses
from moose.grounding.evidence import Evidence, read_evidence
from moose.queries.export.problog import probability

NOT_VIOLATED = "\\+violated"


def constraint_program(
    clauses: Clauses, weights: Weights | None = None, evidence: Evidence | None = None, *, is_clamped: bool = True
) -> str:
    r"""Write a theory so that ProbLog's P(q) is the weighted model count under weights and evidence.

    Every atom is a probabilistic fact, every clause a way to violate the theory, and q says that the evidence holds and
    nothing is violated. An auxiliary atom is no fact: it holds just where it must. With `is_clamped`, as in the paper
    and in `Circuit.wmc`, an observed atom weighs 1; otherwise it weighs what its weight says.

    >>> from moose.grounding.atoms import Atom
    >>> from moose.grounding.clauses import clauses_from_lists
    >>> theory = clauses_from_lists([Atom("B", ("x",)), Atom("H", ("x",))], [(-1, 2)])
    >>> print(constraint_program(theory, {"B(x)": 0.5, "H(x)": 0.25}, {"H(x)": True}, is_clamped=False))
    0.5::x1. % B(x)
    0.25::x2. % H(x)
    violated :- fail.
    violated :- x1, \+x2.
    q :- x2, \+violated.
    query(q).
    <BLANKLINE>
    """
    known = observed(clauses, evidence)
    lines = [*facts(clauses, weights, known if is_clamped else {}), *never(clauses)]
    lines += [constraint(clauses, clause) for clause in clauses]
    return ended([*lines, *conclusion(known)])


def rule_program(
    clauses: Clauses, weights: Weights | None = None, evidence: Evidence | None = None, *, is_clamped: bool = True
) -> str:
    """Write a theory as the paper prints it (proposition `prop:dpl-equiv`): definite clauses become rules.

    For comparison only: P(q) is not the weighted model count as soon as a rule's head is a fact too. ProbLog has no
    integrity constraints, so that clauses without a head become violations here as well; a clause with several heads
    has no translation at all.
    """
    known = observed(clauses, evidence)
    lines = [*facts(clauses, weights, known if is_clamped else {}), *never(clauses)]
    for clause in clauses:
        heads = [literal for literal in clause if literal > 0]
        if len(heads) > 1:
            raise MooseError(
                f"expected Horn clauses, as the paper's translation covers no others, but got "
                f"{clauses.clause_text(clause)}; leave out the closure, or use constraint_program"
            )
        lines.append(rule(spelt(heads[0]) if heads else "violated", [-one for one in clause if one < 0]))
    return ended([*lines, *conclusion(known)])


def constraint(clauses: Clauses, clause: Sequence[int]) -> str:
    """Write a clause as what violates it, or as the rule of the one auxiliary atom that can mend it.

    To make an auxiliary atom true where nothing forces it helps no clause but those that say so; so the least choice,
    which is ProbLog's, is as good as any.
    """
    auxiliary = [one for one in clause if one > 0 and is_auxiliary(clauses, one - 1)]
    if len(auxiliary) > 1:
        raise MooseError(
            f"expected at most one auxiliary atom on the right of a clause, but got {clauses.clause_text(clause)}; "
            "use the paper's encoding"
        )
    head = spelt(auxiliary[0]) if auxiliary else "violated"
    return rule(head, [-one for one in clause if one not in auxiliary])


def never(clauses: Clauses) -> Iterator[str]:
    """Yield clauses that say nothing: ProbLog refuses a predicate that nothing defines."""
    yield "violated :- fail."
    yield from (
        f"{spelt(position + 1)} :- fail." for position in range(len(clauses.atoms)) if is_auxiliary(clauses, position)
    )


# ── Atoms and evidence ────────────────────────────────────────────────────────────────────────────────────────────


def spelt(literal: int) -> str:
    """Write a literal: atom k is x(k+1), as in DIMACS."""
    return f"x{literal}" if literal > 0 else f"\\+x{-literal}"


def rule(head: str, body: Sequence[int]) -> str:
    """Write a rule."""
    return f"{head} :- {', '.join(map(spelt, body))}." if body else f"{head}."


def ended(lines: Sequence[str]) -> str:
    """Put lines together."""
    return "".join(f"{line}\n" for line in lines)


def is_auxiliary(clauses: Clauses, position: int) -> bool:
    """Return whether an atom has no weight and is quantified away."""
    return bool(clauses.kinds[position] == AtomKind.AUXILIARY)


def observed(clauses: Clauses, evidence: Evidence | None) -> dict[int, bool]:
    """Read evidence, with what is given in every instance; an auxiliary atom cannot be observed."""
    known = read_evidence(clauses, evidence)
    for literal in clauses.given:
        if known.setdefault(abs(literal) - 1, literal > 0) != (literal > 0):
            text = clauses.literal_text(literal)
            raise ContradictoryEvidence(f"the evidence denies {text}, which is given in every instance; leave it out")
    for position in known:
        if is_auxiliary(clauses, position):
            raise MooseError(f"expected evidence on atoms of the task, but {clauses.atoms[position]} is auxiliary")
    return known


def facts(clauses: Clauses, weights: Weights | None, clamped: dict[int, bool]) -> Iterator[str]:
    """Yield the probabilistic facts."""
    weighted = [position for position in range(len(clauses.atoms)) if not is_auxiliary(clauses, position)]
    columns = {clauses.atoms[position]: column for column, position in enumerate(weighted)}
    weighed = read_weights(clauses, columns, weights)
    names = [str(clauses.atoms[position]) for position in weighted]
    for position, weight in zip(weighted, probabilities(weighed, names)):
        shown = probability(weight) if position not in clamped else "1.0" if clamped[position] else "0.0"
        yield f"{shown}::{spelt(position + 1)}. % {clauses.atoms[position]}"


def probabilities(weights: LiteralWeights, names: Sequence[str]) -> Iterator[Fraction]:
    """Yield P(atom), where weights are probabilities."""
    for name, on, off in zip(names, weights.positive, weights.negative):
        if on + off != 1:
            raise MooseError(f"expected weights of {name} and not {name} that sum to 1, but got {on} and {off}")
        yield on


def conclusion(known: dict[int, bool]) -> Iterator[str]:
    """Yield the query: the evidence, and that nothing is violated."""
    literals = [spelt(position + 1 if truth else -position - 1) for position, truth in sorted(known.items())]
    yield f"q :- {', '.join([*literals, NOT_VIOLATED])}."
    yield "query(q)."
