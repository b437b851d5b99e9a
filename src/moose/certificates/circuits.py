"""Certificates for circuits: that the diagram is what the clauses say, and that counting on it is right."""

from __future__ import annotations

from itertools import pairwise

from moose.base.errors import MooseError
from moose.certificates.elimination import eliminate
from moose.certificates.entailment import HEAD
from moose.certificates.exclusion import Exclusions
from moose.certificates.packing import Packed
from moose.certificates.refutation import Clause, refute
from moose.circuit.circuit import Circuit
from moose.circuit.diagram import Diagram


def certify_circuit(circuit: Circuit) -> Packed:
    """Certify a circuit: its clauses, its diagram, pairs that exclude each other, and a refutation.

    >>> from moose.circuit.compile.compile_circuit import compile_circuit
    >>> from moose.grounding.atoms import Atom
    >>> from moose.grounding.clauses import clauses_from_lists
    >>> circuit = compile_circuit(clauses_from_lists([Atom("Even", ("a",)), Atom("Odd", ("a",))], [(1, 2), (-1, -2)]))
    >>> certify_circuit(circuit)["exclusive"]
    [[0, 2]]
    """
    clauses, auxiliary = numbered(circuit)
    diagram = circuit.diagram
    exclusions = Exclusions(diagram)
    try:
        unshown = exclusions.show()
    except RecursionError:
        raise MooseError("the circuit is too deep to certify; compile it with another vtree") from None
    if unshown is not None:
        raise MooseError(
            "the circuit cannot be certified, as two of its disjuncts are not seen to exclude each other by pairs of "
            "slots, which happens where auxiliary atoms were quantified away; use it without a certificate"
        )
    atoms = len(circuit.atoms)
    steps = eliminate(clauses, range(atoms + 1, atoms + len(auxiliary) + 1))
    lines = refute([*clauses, *negated(diagram, len(auxiliary))]) if diagram.root != diagram.true else []
    starts = diagram.starts.tolist()
    elements = list(zip(diagram.primes.tolist(), diagram.subs.tolist(), strict=True))
    return HEAD | {
        "kind": "circuit",
        "atoms": [str(atom) for atom in circuit.atoms],
        "assumptions": [f"{one.name}: {one.statement}" for one in circuit.assumptions],
        "auxiliary": auxiliary,
        "clauses": [list(clause) for clause in clauses],
        "eliminated": [[variable, [sorted(clause) for clause in left]] for variable, left in steps],
        "decisions": [[list(pair) for pair in elements[start:stop]] for start, stop in pairwise(starts)],
        "root": diagram.root,
        "exclusive": [list(pair) for pair in exclusions.order],
        "refutation": [[list(clause), list(hints)] for clause, hints in lines],
    }


def numbered(circuit: Circuit) -> tuple[list[Clause], list[str]]:
    """Return the clauses with the atoms of the circuit numbered first, and the names of the auxiliary ones after."""
    theory = circuit.clauses
    others = [atom for atom in theory.atoms if atom not in circuit.positions]
    new = {atom: number for number, atom in enumerate([*circuit.atoms, *others], start=1)}
    variables = [new[atom] for atom in theory.atoms]
    clauses = [
        tuple(variables[abs(literal) - 1] * (1 if literal > 0 else -1) for literal in clause) for clause in theory
    ]
    return clauses, [str(atom) for atom in others]


def negated(diagram: Diagram, auxiliary: int) -> list[Clause]:
    """Return clauses that hold, for some values of the decisions, wherever the diagram does not.

    For each element p ∧ s of a decision d: ¬p ∨ ¬s ∨ d, with ⊤ left out; last, that the root does not hold.
    """

    def literal(slot: int) -> int:
        """Atoms first, then the auxiliary ones, then decisions."""
        if slot < diagram.atom_count:
            return slot + 1
        if slot < diagram.true:
            return -(slot - diagram.atom_count + 1)
        return slot - diagram.first_decision + diagram.atom_count + auxiliary + 1

    starts, primes, subs = diagram.starts.tolist(), diagram.primes.tolist(), diagram.subs.tolist()
    rows: list[Clause] = []
    for decision, (start, stop) in enumerate(pairwise(starts)):
        head = literal(diagram.first_decision + decision)
        for element in range(start, stop):
            sides = [side for side in (primes[element], subs[element]) if side != diagram.true]
            rows.append((*(-literal(side) for side in sides), head))
    if diagram.root != diagram.false:
        rows.append((-literal(diagram.root),))
    return rows
