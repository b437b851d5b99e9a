"""That a circuit is its clauses, and that counting on it is right.

With n atoms, slot k < n is an atom, n + k its negation, 2n is ⊤, 2n + 1 is ⊥ and 2n + 2 + i is decision i, a list of
elements [prime, sub] of earlier slots: it holds where prime and sub of one of its elements do. Checked are

- the diagram entails each clause: with the literals of the clause false, the root cannot hold (one pass, all clauses
  at once: bit j of a number stands for clause j);
- the clauses entail the diagram: together with "not prime or not sub or decision" for every element, and with "not
  root", they are refuted, each line of the refutation following by unit steps from the lines named beside it;
- where atoms of the clauses are "auxiliary", quantified away, both are asked of what is left of the clauses: after each
  variable in "eliminated" stand clauses that say at least what did not mention it, and all resolvents on it. So whoever
  satisfies the last of them can choose the auxiliary atoms such that all clauses hold;
- the sides of an element share no atom, and the elements of a decision exclude each other by pairs listed in
  "exclusive", each of which follows from those before it. So sums and products count models.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations

from moose.certificates.checker.reading import LARGEST, items, number, numbers, part, refuse, shortened, text_of
from moose.certificates.checker.verdict import Verdict

Pair = tuple[int, int]
BLOCK = 4096
"""Clauses that are looked at together, so that a large circuit's numbers stay small."""


@dataclass(frozen=True, slots=True)
class Diagram:
    """Atoms, auxiliary atoms, clauses over them, decisions and the root."""

    atoms: int
    auxiliary: int
    clauses: list[list[int]]
    decisions: list[list[Pair]]
    root: int

    @property
    def true(self) -> int:
        """The slot of ⊤; that of ⊥ is the next."""
        return 2 * self.atoms

    def literal(self, slot: int) -> int:
        """Return an atom, its negation or a decision as a literal: decisions are numbered after all atoms."""
        if slot < self.atoms:
            return slot + 1
        return -(slot - self.atoms + 1) if slot < self.true else slot - self.true - 2 + self.atoms + self.auxiliary + 1


def verify_circuit(certificate: dict[str, object]) -> Verdict:
    """Check the certificate of a circuit."""
    diagram = read_diagram(certificate)
    check_entails_clauses(diagram, eliminated(diagram, part(certificate, "eliminated")))
    check_decomposable(diagram)
    check_exclusive(diagram, read_pairs(certificate, diagram))
    lines = items(part(certificate, "refutation"), "the refutation")
    if diagram.root != diagram.true:
        check_refutation(diagram, lines)
    assumptions = [text_of(one, "an assumption") for one in items(part(certificate, "assumptions"), "the assumptions")]
    counted = f"{len(diagram.decisions)} decisions has exactly the models of the {len(diagram.clauses)} clauses"
    size = f"{diagram.atoms} atoms, {sum(map(len, diagram.decisions))} elements, {len(lines)} lines of refutation"
    return Verdict("circuit", f"the circuit of {counted}, and counting on it is right", size, [], assumptions)


def read_diagram(certificate: dict[str, object]) -> Diagram:
    """Read atoms, clauses and decisions."""
    names = [text_of(name, "the name of an atom") for name in items(part(certificate, "atoms"), "the atoms")]
    atoms = len(names)
    others = [
        text_of(name, "an auxiliary atom") for name in items(part(certificate, "auxiliary"), "the auxiliary atoms")
    ]
    if len({*names, *others}) < atoms + len(others):
        refuse("two atoms have the same name")
    clauses = [read_literals(row, atoms + len(others)) for row in items(part(certificate, "clauses"), "the clauses")]
    decisions: list[list[Pair]] = []
    for position, row in enumerate(items(part(certificate, "decisions"), "the decisions")):
        slot = 2 * atoms + 2 + position
        elements = [
            numbers(pair, slot, f"the sides of an element of decision {position}") for pair in items(row, "a decision")
        ]
        if any(len(pair) != 2 or 2 * atoms + 1 in pair for pair in elements):
            refuse(f"decision {position} has an element that is not a prime and a sub that can hold")
        decisions.append([(pair[0], pair[1]) for pair in elements])
    root = number(part(certificate, "root"), 2 * atoms + 2 + len(decisions), "the root")
    return Diagram(atoms, len(others), clauses, decisions, root)


def read_literals(row: object, atoms: int) -> list[int]:
    """Read a clause: numbers from 1 on, negative ones for negations."""
    literals = items(row, "a clause")
    for literal in literals:
        if type(literal) is not int or not 1 <= abs(literal) <= atoms:
            refuse(f"expected a clause over {atoms} atoms, but got {shortened(row)}")
    return literals  # type: ignore[return-value]  # each was seen to be a whole number


def eliminated(diagram: Diagram, value: object) -> list[list[int]]:
    """Check that the auxiliary atoms are eliminated one after the other, and return the clauses that are left."""
    clauses = diagram.clauses
    waiting = set(range(diagram.atoms + 1, diagram.atoms + diagram.auxiliary + 1))
    for row in items(value, "what is eliminated"):
        step = items(row, "a step of elimination")
        if len(step) != 2 or type(step[0]) is not int or step[0] not in waiting:
            refuse("expected [auxiliary atom, clauses that are left], each atom once, for a step of elimination")
        waiting.remove(step[0])
        left = [read_literals(clause, diagram.atoms + diagram.auxiliary) for clause in items(step[1], "what is left")]
        check_elimination(clauses, step[0], left)
        clauses = left
    if waiting or any(abs(literal) > diagram.atoms for clause in clauses for literal in clause):
        refuse("an auxiliary atom is not eliminated")
    return clauses


def check_elimination(clauses: list[list[int]], variable: int, left: list[list[int]]) -> None:
    """Refuse clauses that pass over one without the variable, or over a resolvent on it."""
    sets = [frozenset(clause) for clause in clauses]
    by_literal: dict[int, list[frozenset[int]]] = {}
    for clause in map(frozenset, left):
        for literal in clause or [0]:  # 0 is no literal: it finds the empty clause
            by_literal.setdefault(literal, []).append(clause)
    needed = [clause for clause in sets if variable not in clause and -variable not in clause]
    positive = [clause - {variable, -variable} for clause in sets if variable in clause]
    negative = [clause - {variable, -variable} for clause in sets if -variable in clause]
    needed += [one | other for one in positive for other in negative]
    for clause in needed:
        if any(-literal in clause for literal in clause):
            continue
        if not any(other <= clause for literal in (0, *clause) for other in by_literal.get(literal, ())):
            refuse(f"eliminating atom {variable} passes over {shortened(sorted(clause))}")


def check_entails_clauses(diagram: Diagram, all_clauses: list[list[int]]) -> None:
    """Refuse a diagram with a model that breaks a clause."""
    for start in range(0, len(all_clauses), BLOCK):
        clauses = all_clauses[start : start + BLOCK]
        every = (1 << len(clauses)) - 1
        possible = [every] * (2 * diagram.atoms) + [every, 0]
        for position, clause in enumerate(clauses):
            for literal in clause:
                slot = literal - 1 if literal > 0 else diagram.atoms - literal - 1
                possible[slot] &= ~(1 << position)
        for elements in diagram.decisions:
            held = 0
            for prime, sub in elements:
                held |= possible[prime] & possible[sub]
            possible.append(held)
        broken = possible[diagram.root]
        if broken:
            position = start + (broken & -broken).bit_length() - 1
            refuse(f"the circuit has a model that breaks clause {position}, {shortened(all_clauses[position])}")


def check_decomposable(diagram: Diagram) -> None:
    """Refuse an element whose sides share an atom."""
    mentioned = [1 << (slot % diagram.atoms) for slot in range(2 * diagram.atoms)] + [0, 0]
    for position, elements in enumerate(diagram.decisions):
        whole = 0
        for prime, sub in elements:
            if mentioned[prime] & mentioned[sub]:
                refuse(f"the sides of an element of decision {position} share an atom")
            whole |= mentioned[prime] | mentioned[sub]
        mentioned.append(whole)


def read_pairs(certificate: dict[str, object], diagram: Diagram) -> list[Pair]:
    """Read the pairs of slots that are said to exclude each other."""
    slots = 2 * diagram.atoms + 2 + len(diagram.decisions)
    rows = [numbers(row, slots, "a pair") for row in items(part(certificate, "exclusive"), "the exclusive pairs")]
    if any(len(row) != 2 for row in rows):
        refuse("expected two slots in each exclusive pair")
    return [(row[0], row[1]) for row in rows]


def check_exclusive(diagram: Diagram, pairs: list[Pair]) -> None:
    """Refuse a pair that does not follow from those before it, and elements that are not seen to exclude each other."""
    first = diagram.true + 2
    known: set[Pair] = set()

    def elements(slot: int) -> list[Pair]:
        return diagram.decisions[slot - first]

    def are_apart(mine: tuple[int, ...], yours: tuple[int, ...]) -> bool:
        return any((one, other) in known for one in mine for other in yours)

    for one, other in pairs:
        is_right = max(one, other) < diagram.true and abs(one - other) == diagram.atoms
        if one >= first:
            is_right = is_right or all(are_apart(mine, (other,)) for mine in elements(one))
        if other >= first:
            is_right = is_right or all(are_apart((one,), yours) for yours in elements(other))
        if min(one, other) >= first:
            is_right = is_right or all(are_apart(mine, yours) for mine in elements(one) for yours in elements(other))
        if not is_right:
            refuse(f"that slots {one} and {other} exclude each other does not follow from the pairs before")
        known |= {(one, other), (other, one)}
    for position, row in enumerate(diagram.decisions):
        if not all(are_apart(mine, yours) for mine, yours in combinations(row, 2)):
            refuse(f"two elements of decision {position} are not seen to exclude each other")


def check_refutation(diagram: Diagram, lines: list[object]) -> None:
    """Refuse lines that do not end in the empty clause, each following by unit steps from its hints."""
    clauses = [*diagram.clauses]
    for position, elements in enumerate(diagram.decisions):
        head = diagram.literal(diagram.true + 2 + position)
        sides = [[-diagram.literal(side) for side in pair if side != diagram.true] for pair in elements]
        clauses += [[*denied, head] for denied in sides]
    if diagram.root != diagram.true + 1:
        clauses.append([-diagram.literal(diagram.root)])
    for position, row in enumerate(lines):
        line = items(row, "a line of the refutation")
        if len(line) != 2:
            refuse("expected [clause, hints] for a line of the refutation")
        clause = items(line[0], "the clause of a line")
        if not all(type(literal) is int and 0 < abs(literal) < LARGEST for literal in clause):
            refuse(f"line {position} of the refutation is no clause: {shortened(clause)}")
        hints = numbers(line[1], len(clauses), "the hints of a line")
        if not follows(clause, [clauses[hint] for hint in hints]):  # type: ignore[arg-type]  # whole numbers
            refuse(f"line {position} of the refutation does not follow from its hints")
        clauses.append(clause)  # type: ignore[arg-type]
    if not lines or clauses[-1]:
        refuse("the refutation does not end in the empty clause")


def follows(clause: list[int], hints: list[list[int]]) -> bool:
    """Return whether a clause follows: with its literals false, each hint has one literal left, the last has none."""
    false = set(clause)
    for hint in hints:
        left = [literal for literal in hint if literal not in false]
        if not left:
            return True
        if len(left) > 1:
            return False
        false.add(-left[0])
    return False
