"""What is asked of a circuit: evidence and weights as users write them, by position in its atoms."""

from __future__ import annotations

from typing import TYPE_CHECKING

from moose.circuit.entailment import is_satisfiable
from moose.circuit.weights import LiteralWeights, Weights, read_weights
from moose.errors import ContradictoryEvidence, MooseError
from moose.grounding.atoms import Atom
from moose.grounding.clauses import Clauses
from moose.grounding.evidence import Evidence, parse_literals, read_evidence, unknown_atom

if TYPE_CHECKING:
    from moose.circuit.by_atom import ByAtom
    from moose.circuit.circuit import Circuit


def observed(circuit: Circuit, evidence: Evidence | None) -> dict[int, bool]:
    """Read evidence, and add what the clauses say is given in every instance."""
    clauses = circuit.clauses
    known = read_evidence(clauses, evidence)
    for literal in clauses.given:
        if known.setdefault(abs(literal) - 1, literal > 0) != (literal > 0):
            given, other = clauses.literal_text(literal), clauses.literal_text(-literal)
            raise ContradictoryEvidence(
                f"the evidence says {other}, but {given} is given in every instance; leave {other} out",
                literals=(other, given),
            )
    return {circuit.positions[clauses.atoms[position]]: truth for position, truth in known.items()}


def clamped_weights(circuit: Circuit, known: dict[int, bool], weights: Weights | None) -> LiteralWeights:
    """Read weights, and clamp what is observed."""
    return read_weights(circuit.clauses, circuit.positions, weights).clamped(known)


def no_model(circuit: Circuit, known: dict[int, bool]) -> MooseError:
    """Make the error for evidence that has no model."""
    from moose.circuit.clash import contradiction

    return contradiction(circuit.clauses, _literals(circuit, known))


def no_weight(circuit: Circuit, known: dict[int, bool], weights: LiteralWeights) -> MooseError:
    """Make the error for evidence and weights under which no model weighs anything: a weight of 0 excludes too."""
    from moose.circuit.clash import contradiction

    excluded = dict(known)
    for position, (on, off) in enumerate(zip(weights.positive, weights.negative)):
        if on == off == 0:
            atom = circuit.atoms[position]
            return MooseError(
                f"no world weighs anything, as both {atom} and not {atom} weigh 0; give one of them a weight"
            )
        if position not in known and 0 in (on, off):
            excluded[position] = off == 0
    what = "the evidence" if len(excluded) == len(known) else "the evidence, with the literals that weigh 0 excluded,"
    return contradiction(circuit.clauses, _literals(circuit, excluded), what=what)


def _literals(circuit: Circuit, known: dict[int, bool]) -> list[int]:
    """Write what is known as literals of the clauses; none if the theory has no model even without them."""
    if not is_satisfiable(circuit.diagram, {}):
        return []
    places = circuit.clauses.positions
    return [(places[circuit.atoms[k]] + 1) * (1 if truth else -1) for k, truth in known.items()]


def read_literal(circuit: Circuit, literal: str | Atom) -> tuple[Atom, bool]:
    """Read one literal over the atoms of a circuit, those whose truth is fixed included."""
    if isinstance(literal, Atom):
        atom, truth = literal, True
    else:
        literals = parse_literals(literal)
        if len(literals) != 1:
            raise MooseError(f"expected one literal such as Even(a) or not Even(a), but got {literal!r}")
        [(atom, truth)] = literals
    if atom not in circuit.positions and atom not in circuit.clauses.fixed:
        raise unknown_atom(circuit.clauses, atom)
    return atom, truth


def likeliest_members(clauses: Clauses, posterior: ByAtom[float]) -> tuple[Atom, ...]:
    """Return the likeliest member of each ground family; of equals the first."""
    members = [[clauses.atoms[position] for position in family] for family in clauses.families]
    return tuple(max(family, key=lambda atom: posterior[atom]) for family in members)
