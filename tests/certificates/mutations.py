"""Certificates made wrong: each change breaks a step or makes the claim false, and so must be refused.

That a change does so is decided here, by how it is made, and never by asking a checker.
"""

from __future__ import annotations

import copy
import random
from collections.abc import Callable, Iterator
from typing import Any

from moose.circuit.circuit import Circuit
from tests.certificates.making import Certificate

Tree = dict[str, Any]
Mutation = Callable[[Tree, random.Random], bool]
"""Changes a certificate in place; False where it does not apply to this one."""


def mutants(certificate: Certificate, seed: int) -> Iterator[tuple[str, Certificate]]:
    """Yield every kind of change that applies to a certificate, each on a copy of its own."""
    for mutation in MUTATIONS[str(certificate["kind"])]:
        changed = copy.deepcopy(certificate)
        if mutation(changed, random.Random(seed)):
            assert changed != certificate
            yield mutation.__name__, changed


# ── Derivations ───────────────────────────────────────────────────────────────────────────────────────────────────


def steps_of(tree: Tree) -> list[list[Any]]:
    return max((proof["steps"] for proof in tree["proofs"]), key=len)


def premise_that_comes_later(tree: Tree, source: random.Random) -> bool:
    """A step may only use earlier ones."""
    rows = [(place, step) for place, step in enumerate(steps_of(tree)) if step[2]]
    if not rows:
        return False
    place, step = source.choice(rows)
    step[2][0] = place + source.choice([0, 1, 7])
    return True


def premise_left_out(tree: Tree, source: random.Random) -> bool:
    """Each rule takes a fixed number of premises."""
    rows = [step for step in steps_of(tree) if step[2]]
    if rows:
        source.choice(rows)[2].pop()
    return bool(rows)


def axiom_left_out(tree: Tree, source: random.Random) -> bool:
    """A rule that rests on an axiom names it."""
    rows = [step for step in steps_of(tree) if len(step) == 4]
    if rows:
        source.choice(rows).pop()
    return bool(rows)


def another_axiom(tree: Tree, source: random.Random) -> bool:
    """Each axiom that is written is used by a step, which does not fit what it now says."""
    places = {"sub": [2], "role": [2], "chain": [1, 2, 3], "range": [1], "key": [1], "universal": [1, 2]}
    axiom = source.choice(tree["axioms"]) if tree["axioms"] else None
    if axiom is None:
        return False
    place = source.choice(places.get(axiom[0], [1]))
    of_concepts = {("sub", 2), ("key", 1), ("single", 1), ("universal", 2)}
    limit = len(tree["concepts"] if (axiom[0], place) in of_concepts else tree["roles"])
    others = [number for number in range(limit) if number != axiom[place]]
    if others:
        axiom[place] = source.choice(others)
    return bool(others)


def another_conclusion(tree: Tree, source: random.Random) -> bool:
    """The step that shows the claim shows something else."""
    _, sup, proof, place = source.choice(tree["entailed"])
    fact = tree["proofs"][proof]["steps"][place][1]
    fact[2] = source.choice([concept for concept in range(len(tree["concepts"])) if concept != sup])
    return True


def another_claim(tree: Tree, source: random.Random) -> bool:
    """What is said to be shown is not what the step shows."""
    row = source.choice(tree["entailed"])
    side = source.choice([0, 1])
    row[side] = source.choice([concept for concept in range(len(tree["concepts"])) if concept != row[side]])
    return True


def unknown_rule(tree: Tree, source: random.Random) -> bool:
    """There is no such rule."""
    source.choice(steps_of(tree))[0] = "obvious"
    return True


def nothing_shown(tree: Tree, source: random.Random) -> bool:
    """A claim without a proof."""
    del source
    tree["entailed"] = []
    return True


def wrong_kind_of_fact(tree: Tree, source: random.Random) -> bool:
    """No rule concludes that, or the concepts do not exist."""
    step = source.choice(steps_of(tree))
    step[1] = source.choice([["sub", len(tree["concepts"]), 0], ["sub", True, 0], ["sub", 0], "sub", ["link", 0, 0]])
    return True


# ── Saturated sets ────────────────────────────────────────────────────────────────────────────────────────────────


def refuted_element(tree: Tree, source: random.Random) -> tuple[list[Any], list[int]]:
    row = source.choice(tree["refuted"])
    return row, tree["models"][row[2]]["elements"][row[3]]


def element_without_the_left_side(tree: Tree, source: random.Random) -> bool:
    """The element is not in what it should refute."""
    row, element = refuted_element(tree, source)
    element.remove(row[0])
    return True


def element_with_the_right_side(tree: Tree, source: random.Random) -> bool:
    """The element is in what it should not be in."""
    row, element = refuted_element(tree, source)
    element.append(row[1])
    return True


def element_in_bottom(tree: Tree, source: random.Random) -> bool:
    """Nothing is in ⊥."""
    source.choice(tree["models"][0]["elements"]).append(tree["concepts"].index(["bottom"]))
    return True


def consequence_left_out(tree: Tree, source: random.Random) -> bool:
    """An element is in one side of an axiom and no longer in the other."""
    told = [axiom for axiom in tree["axioms"] if axiom[0] == "sub" and axiom[1] != axiom[2]]
    found = [
        (element, axiom[2])
        for model in tree["models"]
        for element in model["elements"]
        for axiom in told
        if axiom[1] in element and axiom[2] in element
    ]
    if found:
        element, concept = source.choice(found)
        element.remove(concept)
    return bool(found)


def successors_left_out(tree: Tree, source: random.Random) -> bool:
    """An element is in ∃r.C and has no link at all."""
    model = tree["models"][0]
    somes = {
        place for place, node in enumerate(tree["concepts"]) if node[0] == "some" and node[1] not in model["universal"]
    }
    found = [place for place, element in enumerate(model["elements"]) if somes.intersection(element)]
    if found:
        chosen = source.choice(found)
        model["links"] = [link for link in model["links"] if link[0] != chosen]
    return bool(found)


def left_side_not_recognised(tree: Tree, source: random.Random) -> bool:
    """What stands on a left-hand side must be recognised."""
    found = [axiom[1] for axiom in tree["axioms"] if axiom[0] == "sub"]
    if found:
        tree["models"][0]["negative"].remove(source.choice(found))
    return bool(found)


def refutation_of_what_holds(tree: Tree, source: random.Random) -> bool:
    """The element is in the other side, so that this is not refuted."""
    row, element = refuted_element(tree, source)
    row[1] = source.choice(element)
    return True


def two_elements_for_one_individual(tree: Tree, source: random.Random) -> bool:
    """Only one element is in a nominal."""
    model = tree["models"][0]
    if not model["nominals"] or len(model["elements"]) < 2:
        return False
    nominal, home = source.choice(model["nominals"])
    other = source.choice([place for place in range(len(model["elements"])) if place != home])
    if nominal in model["elements"][other]:
        return False
    model["elements"][other].append(nominal)
    return True


# ── Hierarchies ───────────────────────────────────────────────────────────────────────────────────────────────────


def class_above_left_out(tree: Tree, source: random.Random) -> bool:
    """What is above a class must be listed."""
    row = source.choice([row for row in tree["taxonomy"] if row[1]])
    row[1].remove(source.choice(row[1]))
    return True


def class_above_made_up(tree: Tree, source: random.Random) -> bool:
    """What is not above a class must not be listed."""
    classes = [row[0] for row in tree["taxonomy"]]
    rows = [row for row in tree["taxonomy"] if row[1] is not None and len(row[1]) < len(classes)]
    if rows:
        row = source.choice(rows)
        row[1].append(source.choice([each for each in classes if each not in row[1]]))
    return bool(rows)


def class_said_to_be_empty(tree: Tree, source: random.Random) -> bool:
    """That a class has no element must be derived."""
    rows = [row for row in tree["taxonomy"] if row[1] is not None]
    if rows:
        row = source.choice(rows)
        row[1:] = [None]
    return bool(rows)


# ── Circuits ──────────────────────────────────────────────────────────────────────────────────────────────────────


def refutation_cut_short(tree: Tree, source: random.Random) -> bool:
    """The last line is the empty clause."""
    del source
    if tree["refutation"]:
        tree["refutation"].pop()
    return bool(tree["refutation"])


def hint_left_out(tree: Tree, source: random.Random) -> bool:
    """Every hint is needed: what it propagates is in a later one."""
    lines = [line for line in tree["refutation"] if line[1]]
    if lines:
        hints = source.choice(lines)[1]
        hints.pop(source.randrange(len(hints)))
    return bool(lines)


def exclusive_pairs_left_out(tree: Tree, source: random.Random) -> bool:
    """The elements of a decision must be seen to exclude each other."""
    del source
    tree["exclusive"] = []
    return any(len(row) > 1 for row in tree["decisions"])


def sides_that_share_atoms(tree: Tree, source: random.Random) -> bool:
    """Both sides of an element are the same."""
    true = 2 * len(tree["atoms"])
    pairs = [pair for row in tree["decisions"] for pair in row if true not in pair]
    if pairs:
        pair = source.choice(pairs)
        pair[1] = pair[0]
    return bool(pairs)


def value_of(tree: Tree, world: list[bool]) -> bool:
    """Evaluate a diagram in one world."""
    values = [*world, *(not truth for truth in world), True, False]
    for row in tree["decisions"]:
        values.append(any(values[prime] and values[sub] for prime, sub in row))
    return values[tree["root"]]


def circuit_mutants(
    certificate: Certificate, circuit: Circuit, seed: int, *, count: int
) -> Iterator[tuple[str, Certificate]]:
    """Yield circuits with another literal, root or clause, each with a world that shows the difference."""
    source = random.Random(seed)
    worlds: list[list[bool]] = circuit.sample(200, seed).tolist()
    for _ in range(count):
        changed: Tree = copy.deepcopy(certificate)
        kind = source.choice([literal_flipped, element_left_out, another_root, clause_made_up])
        if kind(changed, source) and differs(changed, worlds, source):
            yield kind.__name__, changed


def differs(tree: Tree, worlds: list[list[bool]], source: random.Random) -> bool:
    """Tell whether a world shows that the diagram does not have the models of the clauses."""
    some = [world[:] for world in worlds]
    for world in some[: len(some) // 2]:
        place = source.randrange(len(world))
        world[place] = not world[place]
    return any(value_of(tree, world) != satisfied(tree, world) for world in some)


def satisfied(tree: Tree, world: list[bool]) -> bool:
    return all(any(world[abs(literal) - 1] == (literal > 0) for literal in clause) for clause in tree["clauses"])


def literal_flipped(tree: Tree, source: random.Random) -> bool:
    atoms = len(tree["atoms"])
    spots = [(pair, side) for row in tree["decisions"] for pair in row for side in (0, 1) if pair[side] < 2 * atoms]
    pair, side = source.choice(spots)
    pair[side] = (pair[side] + atoms) % (2 * atoms)
    return True


def element_left_out(tree: Tree, source: random.Random) -> bool:
    row = source.choice(tree["decisions"])
    row.pop(source.randrange(len(row)))
    return True


def another_root(tree: Tree, source: random.Random) -> bool:
    tree["root"] = source.randrange(tree["root"])
    return True


def clause_made_up(tree: Tree, source: random.Random) -> bool:
    atoms = source.sample(range(1, len(tree["atoms"]) + 1), 2)
    tree["clauses"][source.randrange(len(tree["clauses"]))] = [source.choice([-1, 1]) * atom for atom in atoms]
    return True


MUTATIONS: dict[str, tuple[Mutation, ...]] = {
    "entailment": (
        premise_that_comes_later,
        premise_left_out,
        axiom_left_out,
        another_axiom,
        another_conclusion,
        another_claim,
        unknown_rule,
        nothing_shown,
        wrong_kind_of_fact,
    ),
    "non-entailment": (
        element_without_the_left_side,
        element_with_the_right_side,
        element_in_bottom,
        consequence_left_out,
        successors_left_out,
        left_side_not_recognised,
        refutation_of_what_holds,
        two_elements_for_one_individual,
    ),
    "taxonomy": (class_above_left_out, class_above_made_up, class_said_to_be_empty, premise_that_comes_later),
    "circuit": (refutation_cut_short, hint_left_out, exclusive_pairs_left_out, sides_that_share_atoms),
}
