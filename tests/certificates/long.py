"""A long derivation: a chain of told inclusions, conjunctions put together and taken apart on the way."""

from __future__ import annotations

from tests.certificates.making import Certificate

NAME = "http://example.org/long#A{}"


def long_derivation(steps: int) -> Certificate:
    """Derive A0 ⊑ An in so many steps.

    For each i are told Ai ⊑ ∃r.Ai, ∃r.Ai ⊑ Bi and Bi ⊓ Ai ⊑ Ai+1, so that seven steps lead from Ai to Ai+1.
    """
    rounds = (steps - 2) // 7
    concepts: list[list[object]] = [["top"], ["bottom"], ["class", name(0)]]
    axioms: list[list[object]] = []
    sources: list[str] = []
    rows: list[list[object]] = [["reflexive", ["sub", 2, 2], []]]
    below, shown = 2, 0
    for place in range(rounds):
        some, marker, both, following = (len(concepts) + offset for offset in range(4))
        concepts += [
            ["some", 0, below],
            ["class", f"<http://example.org/long#B{place}>"],
            ["and", some + 1, below],
            ["class", name(place + 1)],
        ]
        here, there = name(place), name(place + 1)
        sources += [
            f"SubClassOf({here} ObjectSomeValuesFrom(<http://example.org/long#r> {here}))",
            f"SubClassOf(ObjectSomeValuesFrom(<http://example.org/long#r> {here}) <http://example.org/long#B{place}>)",
            f"SubClassOf(ObjectIntersectionOf(<http://example.org/long#B{place}> {here}) {there})",
        ]
        axiom = len(axioms)
        axioms += [["sub", below, some, axiom], ["sub", some, marker, axiom + 1], ["sub", both, following, axiom + 2]]
        step = len(rows)
        rows += [
            ["reflexive", ["sub", below, below], []],
            ["told", ["sub", 2, some], [shown], axiom],
            ["link", ["link", 2, 0, below], [step + 1]],
            ["some", ["sub", 2, some], [step + 2, step]],
            ["told", ["sub", 2, marker], [step + 3], axiom + 1],
            ["conjunction", ["sub", 2, both], [step + 4, shown]],
            ["told", ["sub", 2, following], [step + 5], axiom + 2],
        ]
        below, shown = following, step + 6
    while len(rows) < steps:
        rows.append(["top", ["sub", 2, 0], []])
    return {
        "format": "moose-certificate",
        "version": 2,
        "kind": "entailment",
        "claim": f"SubClassOf({name(0)} {name(rounds)})",
        "entailed": [[2, below, 0, shown]],
        "roles": ["<http://example.org/long#r>"],
        "concepts": concepts,
        "sources": sources,
        "axioms": axioms,
        "proofs": [{"assumed": None, "steps": rows}],
    }


def name(place: int) -> str:
    return f"<{NAME.format(place)}>"
