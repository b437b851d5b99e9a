"""Certificates of circuits by tables, made wrong; whether one is wrong is decided by the sum over all worlds.

A change of the circuit or of the clauses may leave a right certificate: the circuit still has the models of the clauses
and still counts them. Such a one is recognised and left out, without asking a checker. A change of the evidence alone
is made such that a step is missing, whatever the rest says.
"""

from __future__ import annotations

import copy
import random
from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations

import numpy as np
import numpy.typing as npt

from moose.certificates.make.certify_circuit import certify_circuit
from moose.circuit.compile.compile_circuit import compile_circuit
from moose.grounding.atoms import Atom
from moose.grounding.clauses import AtomKind, Clauses, clauses_from_lists
from tests.certificates.making import Certificate, certified, regime_certificate
from tests.certificates.mutations import (
    Mutation,
    Tree,
    another_root,
    clause_made_up,
    element_left_out,
    exclusive_pairs_left_out,
    hint_left_out,
    literal_flipped,
    refutation_cut_short,
    sides_that_share_atoms,
)

Worlds = npt.NDArray[np.bool_]


def table_certificates(count: int) -> Iterator[Certificate]:
    """Certify circuits by tables small enough to be held against all their worlds: regimes and random theories."""
    for name in ("mnist1", "pizzaC"):
        yield regime_certificate(name, vtree="tables")
    for seed in range(count):
        theory = random_theory(random.Random(seed))
        certificate = certified(lambda theory=theory: certify_circuit(compile_circuit(theory, vtree="tables")))  # type: ignore[misc]
        if certificate is not None and certificate["decisions"]:
            yield certificate


def random_theory(source: random.Random) -> Clauses:
    """Draw a family, some classes in a hierarchy, clauses across, and at times an auxiliary atom."""
    size, others = source.randrange(2, 5), source.randrange(3, 8)
    atoms = [Atom(f"F{k}", ("a",)) for k in range(size)] + [Atom(f"C{k}", ("a",)) for k in range(others)]
    members = range(1, size + 1)
    rows: list[tuple[int, ...]] = [tuple(members), *((-one, -other) for one, other in combinations(members, 2))]
    rows += [(-(size + k), size + source.randrange(1, k)) for k in range(2, others + 1)]
    for _ in range(source.randrange(2, 5)):
        chosen = source.sample(range(1, len(atoms) + 1), source.randrange(2, 4))
        rows.append(tuple(source.choice([-1, 1]) * atom for atom in chosen))
    kinds = np.full(len(atoms), AtomKind.OBSERVABLE, dtype=np.int8)
    if source.randrange(3) == 0:
        kinds[-1] = AtomKind.AUXILIARY
    return replace(clauses_from_lists(atoms, rows), families=(tuple(range(size)),), kinds=kinds)


# ── What a certificate claims, by the sum over all worlds ─────────────────────────────────────────────────────────


def is_right(tree: Tree) -> bool:
    """Return whether the circuit has the models of the clauses, its products share no atom, its sums no model."""
    atoms, auxiliary = len(tree["atoms"]), len(tree["auxiliary"])
    numbers = np.arange(2 ** (atoms + auxiliary))
    bits = [(numbers >> atom & 1).astype(bool) for atom in range(atoms + auxiliary)]
    models = np.ones(len(numbers), dtype=bool)
    for clause in tree["clauses"]:
        literals = [bits[abs(literal) - 1] == (literal > 0) for literal in clause]
        models &= np.any([np.zeros(len(numbers), dtype=bool), *literals], axis=0)
    expected = models.reshape(2**auxiliary, 2**atoms).any(axis=0)
    found = circuit_models(tree, [bit[: 2**atoms] for bit in bits[:atoms]])
    return found is not None and bool((found == expected).all())


def circuit_models(tree: Tree, bits: list[Worlds]) -> Worlds | None:
    """Return the worlds that a circuit holds in; none where it is no circuit that counts."""
    atoms = len(bits)
    everything = np.ones(2**atoms, dtype=bool)
    values = [*bits, *(~bit for bit in bits), everything, ~everything]
    scopes = [{atom} for atom in range(atoms)] * 2 + [set(), set()]
    for row in tree["decisions"]:
        total, scope = np.zeros(2**atoms, dtype=int), set[int]()
        for prime, sub in row:
            if max(prime, sub) >= len(values) or 2 * atoms + 1 in {prime, sub} or scopes[prime] & scopes[sub]:
                return None
            total += values[prime] & values[sub]
            scope |= scopes[prime] | scopes[sub]
        if total.max(initial=0) > 1:
            return None
        values.append(total.astype(bool))
        scopes.append(scope)
    return values[tree["root"]] if tree["root"] < len(values) else None


# ── Changes ───────────────────────────────────────────────────────────────────────────────────────────────────────


def another_slot(tree: Tree, source: random.Random) -> bool:
    """A side of a product is another slot, which may be its own or a later one."""
    row = source.choice(tree["decisions"])
    source.choice(row)[source.randrange(2)] = source.randrange(2 * len(tree["atoms"]) + 2 + len(tree["decisions"]))
    return True


def element_made_up(tree: Tree, source: random.Random) -> bool:
    """A decision has a further product, and so perhaps the circuit a further model."""
    position = source.randrange(len(tree["decisions"]))
    first = 2 * len(tree["atoms"])
    tree["decisions"][position].append([source.randrange(first), source.choice([first, source.randrange(first)])])
    return True


def sides_exchanged_between_rows(tree: Tree, source: random.Random) -> bool:
    """Two rows of a decision have each other's rest."""
    rows = [row for row in tree["decisions"] if len(row) > 1]
    if rows:
        one, other = source.sample(source.choice(rows), 2)
        one[1], other[1] = other[1], one[1]
    return bool(rows)


def clause_left_out(tree: Tree, source: random.Random) -> bool:
    tree["clauses"].pop(source.randrange(len(tree["clauses"])))
    return True


def literal_left_out(tree: Tree, source: random.Random) -> bool:
    clause = source.choice(tree["clauses"])
    clause.pop(source.randrange(len(clause)))
    return True


def literal_negated(tree: Tree, source: random.Random) -> bool:
    clause = source.choice(tree["clauses"])
    position = source.randrange(len(clause))
    clause[position] = -clause[position]
    return True


def line_without_its_clause(tree: Tree, source: random.Random) -> bool:
    """A line says more than its hints show: without the literals that it starts from, a hint has two left."""
    lines = [line for line in tree["refutation"] if line[0]]
    if lines:
        source.choice(lines)[0] = []
    return bool(lines)


def hint_that_comes_later(tree: Tree, source: random.Random) -> bool:
    """A line may rest on earlier ones only."""
    if not tree["refutation"]:
        return False
    number = source.randrange(len(tree["refutation"]))
    given = len(tree["clauses"]) + sum(map(len, tree["decisions"])) + 1
    hints = tree["refutation"][number][1]
    hints[source.randrange(len(hints))] = given + number + source.choice([0, 1, 5])
    return True


OF_THE_CLAIM: tuple[Mutation, ...] = (
    literal_flipped,
    element_left_out,
    element_made_up,
    another_slot,
    sides_exchanged_between_rows,
    another_root,
    clause_left_out,
    clause_made_up,
    literal_left_out,
    literal_negated,
)
OF_THE_EVIDENCE: tuple[Mutation, ...] = (
    hint_left_out,
    hint_that_comes_later,
    line_without_its_clause,
    refutation_cut_short,
    exclusive_pairs_left_out,
    sides_that_share_atoms,
)


def wrong_tables(
    certificates: list[Certificate], count: int, seed: int = 0
) -> tuple[list[tuple[str, Certificate]], int]:
    """Make so many wrong certificates, each kind of change in turn; return also how many changes changed nothing."""
    source = random.Random(seed)
    wrong: list[tuple[str, Certificate]] = []
    unchanged = 0
    while len(wrong) < count:
        for mutation in (*OF_THE_CLAIM, *OF_THE_EVIDENCE):
            changed: Tree = copy.deepcopy(source.choice(certificates))
            if not mutation(changed, source):
                continue
            if mutation in OF_THE_CLAIM and is_right(changed):
                unchanged += 1
            else:
                wrong.append((mutation.__name__, changed))
    return wrong[:count], unchanged
