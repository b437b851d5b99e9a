"""What is asked of a circuit: evidence and weights as users write them, by position in its atoms."""

from __future__ import annotations

from numbers import Integral
from typing import NamedTuple

from moose.base.errors import ContradictoryEvidence, MooseError
from moose.circuit.atom_mapping import AtomMapping
from moose.circuit.clash import contradiction
from moose.circuit.compiled_theory import CompiledTheory
from moose.circuit.inference.entailment import is_satisfiable
from moose.circuit.inference.weights import LiteralWeights, Weights, read_weights
from moose.grounding.atoms import Atom
from moose.grounding.clauses import Clauses
from moose.grounding.evidence import Evidence, read_evidence, unknown_atom


def observed(circuit: CompiledTheory, evidence: Evidence | None) -> dict[int, bool]:
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


class Question(NamedTuple):
    """What is asked of a circuit: what is observed, by position, and the weights with that clamped."""

    circuit: CompiledTheory
    known: dict[int, bool]
    weights: LiteralWeights

    def no_weight(self) -> MooseError:
        """Make the error for when no model weighs anything: a weight of 0 excludes a literal as evidence does."""
        for position, (on, off) in enumerate(zip(self.weights.positive, self.weights.negative)):
            if on == off == 0:
                atom = self.circuit.atoms[position]
                return MooseError(f"both {atom} and not {atom} weigh 0, so no world weighs anything; give one a weight")
        excluded = self.excluded()
        excludes_more = len(excluded) > len(self.known)
        what = "the evidence, with the literals that weigh 0 excluded," if excludes_more else "the evidence"
        return contradiction(self.circuit.clauses, _literals(self.circuit, excluded), what=what)

    def excluded(self) -> dict[int, bool]:
        """Return what is observed, and the literals whose negation weighs 0."""
        pairs = enumerate(zip(self.weights.positive, self.weights.negative))
        return self.known | {position: off == 0 for position, (on, off) in pairs if 0 in (on, off)}


def ask(circuit: CompiledTheory, evidence: Evidence | None, weights: Weights | None) -> Question:
    """Read evidence and weights; what is observed weighs 1."""
    known = observed(circuit, evidence)
    return Question(circuit, known, read_weights(circuit.clauses, circuit.positions, weights).clamped(known))


def no_model(circuit: CompiledTheory, known: dict[int, bool], *, what: str = "the evidence") -> MooseError:
    """Make the error for evidence that has no model."""
    return contradiction(circuit.clauses, _literals(circuit, known), what=what)


def _literals(circuit: CompiledTheory, known: dict[int, bool]) -> list[int]:
    """Write what is known as literals of the clauses; none if the theory has no model even without them.

    A circuit of bounds may have none because of what is given, which is among what is known.
    """
    has_models = bool(circuit.clauses.given) or is_satisfiable(circuit.diagram, {})
    return as_literals(circuit, known) if has_models else []


def as_literals(circuit: CompiledTheory, known: dict[int, bool]) -> list[int]:
    """Write what is known as literals of the clauses."""
    positions = circuit.clauses.positions
    return [(positions[circuit.atoms[k]] + 1) * (1 if truth else -1) for k, truth in known.items()]


def read_literal(circuit: CompiledTheory, literal: str | Atom) -> tuple[Atom, bool]:
    """Read one literal over the atoms of a circuit, those whose truth is known in advance included."""
    if isinstance(literal, Atom):
        atom, truth = literal, True
    else:
        literals = circuit.clauses.read_literals(literal)
        if len(literals) != 1:
            raise MooseError(f"expected one literal such as Even(a) or not Even(a), but got {literal!r}")
        [(atom, truth)] = literals
    if atom not in circuit.positions and circuit.clauses.known_truth(atom) is None:
        raise unknown_atom(circuit.clauses, atom)
    return atom, truth


def whole_number(value: object, *, what: str) -> int:
    """Return a number that counts something, or a seed, or say what came instead."""
    if isinstance(value, bool) or not isinstance(value, Integral) or value < 0:
        raise MooseError(f"expected {what}, a whole number that is not negative, but got {value!r}")
    return int(value)


def likeliest_members(clauses: Clauses, posterior: AtomMapping[float]) -> tuple[Atom, ...]:
    """Return the likeliest member of each ground family; of equals the first."""
    members = [[clauses.atoms[position] for position in family] for family in clauses.families]
    return tuple(max(family, key=lambda atom: posterior[atom]) for family in members)
