"""That something does not follow: a saturated set, read as a model in which it fails.

The set lists elements, each with all the concepts that it is in ("elements"), and links between them ("links": source,
role, target; "above" gives the roles above each role). It is closed when every rule that could add something finds it
there already; the model is then the set itself, except that an element with no individual's name stands for endlessly
many copies, and that a link by an "ordered" role leads from a copy only to later ones, so that no loop closes by
chance. "negative" are the concepts that must be recognised: left-hand sides and what is asked. `closure` has the
conditions; that they suffice is proved in Coq (proofs/Countermodel.v).
"""

from __future__ import annotations

from dataclasses import dataclass, field

from moose.certificates.checker.reading import items, number, numbers, part, refuse
from moose.certificates.checker.theory import Theory


@dataclass
class Model:
    """A saturated set, indexed."""

    theory: Theory
    elements: list[set[int]]
    links: list[tuple[int, int, int]]
    nominals: dict[int, int]
    above: list[set[int]]
    ordered: set[int]
    universal: set[int]
    negative: set[int]
    leaving: dict[int, list[tuple[int, int]]] = field(default_factory=dict)
    """Element: the roles and targets of its links."""
    conjunctions: list[tuple[int, int, int]] = field(default_factory=list)
    """C ⊓ D, C, D"""
    somes: list[tuple[int, int, int]] = field(default_factory=list)
    """∃r.C, r, C"""
    selves: dict[int, int] = field(default_factory=dict)
    """Role: its ∃r.Self."""

    def __post_init__(self) -> None:
        for source, role, target in self.links:
            self.leaving.setdefault(source, []).append((role, target))
        self._reached = {(source, above, target) for source, role, target in self.links for above in self.above[role]}
        for concept, node in enumerate(self.theory.concepts):
            match node:
                case ["and", int(first), int(second)]:
                    self.conjunctions.append((concept, first, second))
                case ["some", int(role), int(filler)]:
                    self.somes.append((concept, role, filler))
                case ["self", int(role)]:
                    self.selves[role] = concept

    def related(self, source: int, role: int, target: int) -> bool:
        """Return whether a link leads from one element to another, by the role or one below."""
        return role in self.universal or (source, role, target) in self._reached


def read_model(theory: Theory, value: object) -> Model:
    """Read a saturated set."""
    concepts, roles = len(theory.concepts), len(theory.roles)
    rows = items(part(value, "elements", "a model"), "the elements")
    elements = [set(numbers(row, concepts, "the concepts of an element")) for row in rows]
    links = []
    for row in items(part(value, "links", "a model"), "the links"):
        link = items(row, "a link")
        if len(link) != 3:
            refuse("a link has a source, a role and a target")
        ends = [number(link[position], len(elements), "an end of a link") for position in (0, 2)]
        links.append((ends[0], number(link[1], roles, "the role of a link"), ends[1]))
    nominals: dict[int, int] = {}
    for row in items(part(value, "nominals", "a model"), "the nominals"):
        pair = items(row, "a nominal")
        if len(pair) != 2:
            refuse("a nominal has a concept and an element")
        nominals[number(pair[0], concepts, "a nominal")] = number(pair[1], len(elements), "the element of a nominal")
    above = [set(numbers(row, roles, "the roles above one")) for row in items(part(value, "above", "a model"), "above")]
    if len(above) != roles:
        refuse(f"expected the roles above each of {roles} roles, but there are {len(above)} lists")
    ordered, universal = (set(numbers(part(value, key, "a model"), roles, key)) for key in ("ordered", "universal"))
    negative = set(numbers(part(value, "negative", "a model"), concepts, "the negative concepts"))
    return Model(theory, elements, links, nominals, above, ordered, universal, negative)
