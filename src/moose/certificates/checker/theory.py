"""The concepts, roles and axioms that a certificate speaks of.

A concept is a list: ["top"], ["bottom"], ["class", name], ["nominal", name], ["data", spelling, …], ["and", C, D],
["some", r, C] or ["self", r], where C and D are the positions of earlier concepts and r that of a role.
An axiom is a list: ["sub", C, D], ["role", r, s] (r ⊑ s), ["chain", r, s, t] (r ∘ s ⊑ t), ["range", r, C],
["key", C, [r, …], [d, …]] (roles to individuals, roles to values), ["functional", d], ["universal", r, C] (r relates
all elements of C), ["single", C] (C has one element at most) or ["cases", C, [D, …]] (what is a C is one of D, …), then
the position of its source, or -1 where it holds by the meaning of OWL, or -2 where it is a fact about data.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from moose.certificates.checker.reading import items, number, numbers, part, refuse, shortened, text_of

MEANING, DATA = -1, -2
"""In place of a source."""

BOTTOM = ["bottom"]
CONCEPTS = {"top": "", "bottom": "", "class": "N", "nominal": "N", "and": "CC", "some": "RC", "self": "R"}
AXIOMS = {
    "sub": "CC",
    "role": "RR",
    "chain": "RRR",
    "range": "RC",
    "key": "CLL",
    "functional": "R",
    "universal": "RC",
    "single": "C",
    "cases": "CM",
}
FACTS = {"sub": "CC", "link": "CRC", "role": "RR", "nonempty": "C", "universal": "RC", "single": "C"}
"""What stands after the first word: a concept, a role, a list of roles, a list of concepts (M), a name."""


@dataclass(frozen=True, slots=True)
class Theory:
    """Concepts, roles and axioms, checked to be well formed."""

    roles: list[str]
    concepts: list[list[object]]
    axioms: list[list[object]]
    """Without the source."""
    origins: list[int]
    sources: list[str]


def read_theory(certificate: dict[str, object]) -> Theory:
    """Read the concepts, roles and axioms; refuse what is not well formed."""
    roles = [text_of(name, "the name of a role") for name in items(part(certificate, "roles"), "the roles")]
    if len(set(roles)) < len(roles):
        refuse("two roles have the same name")
    concepts: list[list[object]] = []
    names: set[tuple[object, ...]] = set()
    for position, row in enumerate(items(part(certificate, "concepts"), "the concepts")):
        concept = items(row, f"concept {position}")
        _check_concept(concept, position, len(roles))
        for name in [(concept[0], *concept[1:2])] if concept[0] != "data" else [("data", each) for each in concept[1:]]:
            if concept[0] in ("class", "nominal", "data", "self") and name in names:
                refuse(f"two concepts are {shortened(name)}")
            names.add(name)
        concepts.append(concept)
    sources = [text_of(source, "a source") for source in items(part(certificate, "sources"), "the sources")]
    axioms, origins = [], []
    for position, row in enumerate(items(part(certificate, "axioms"), "the axioms")):
        axiom = items(row, f"axiom {position}")
        if len(axiom) < 2:
            refuse(f"axiom {position} has no source")
        origin = axiom[-1]
        if origin not in (MEANING, DATA) or type(origin) is not int:
            origin = number(origin, len(sources), f"the source of axiom {position}")
        if certificate.get("version") == 1 and axiom[0] in ("key", "universal"):
            refuse(f"axiom {position} is a {axiom[0]}, which version 1 wrote otherwise; make the certificate anew")
        _check_row(axiom[:-1], AXIOMS, f"axiom {position}", (len(concepts), len(roles)))
        axioms.append(axiom[:-1])
        origins.append(origin)
    return Theory(roles, concepts, axioms, origins, sources)


def _check_concept(concept: list[object], position: int, roles: int) -> None:
    if concept[:1] == ["data"]:
        if not all(isinstance(name, str) for name in concept[1:]) or len(concept) < 2:
            refuse(f'concept {position} should be ["data", spelling, …]')
        return
    _check_row(concept, CONCEPTS, f"concept {position}", (position, roles))


def _check_row(row: list[object], shapes: dict[str, str], what: str, limits: tuple[int, int]) -> None:
    kind = row[0] if row else None
    shape = shapes.get(kind) if isinstance(kind, str) else None
    if shape is None:
        refuse(f"expected {what} to begin with one of {', '.join(shapes)}, but it is {shortened(row)}")
    if len(row) != len(shape) + 1:
        refuse(f"{what} has {len(row) - 1} parts, but {kind} takes {len(shape)}")
    for letter, value in zip(shape, row[1:], strict=True):
        if letter == "N":
            text_of(value, f"the name in {what}")
        elif letter == "L":
            numbers(value, limits[1], f"the roles of {what}")
        elif letter == "M":
            numbers(value, limits[0], f"the members of {what}")
        else:
            number(value, limits[0] if letter == "C" else limits[1], f"a part of {what}")


def fact_is_well_formed(fact: object, concepts: int, roles: int) -> bool:
    """Return whether something is a fact about concepts and roles that exist."""
    if type(fact) is not list or not fact or type(fact[0]) is not str:
        return False
    shape = FACTS.get(fact[0])
    if shape is None or len(fact) != len(shape) + 1:
        return False
    return all(
        type(value) is int and 0 <= value < (concepts if letter == "C" else roles)
        for letter, value in zip(shape, fact[1:], strict=True)
    )


Fact = list[object]
"""What a step of a derivation shows."""


@dataclass(frozen=True, slots=True)
class Step:
    """What a rule looks at."""

    concepts: list[list[object]]
    fact: Fact
    premises: Sequence[Fact]
    axiom: Fact
    assumed: int | None

    def node(self, concept: object) -> list[object]:
        """Return what a concept is."""
        assert isinstance(concept, int)
        return self.concepts[concept]
