"""Pack what a certificate uses: concepts, roles, axioms and sources get new numbers, and nothing else is written."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from moose.certificates.make.derive import Fact, Step
from moose.certificates.make.indices import Indices, children
from moose.certificates.make.rows import DATA_FACT, MEANING, Row
from moose.owl.normal.normal_form import BOTTOM, TOP

Packed = dict[str, object]


class Packer:
    """New numbers for what is used; call the `use_…` methods first, then read."""

    def __init__(self, indices: Indices) -> None:
        self._indices = indices
        self._concepts = {TOP, BOTTOM}
        self._roles: set[int] = set()
        self._axioms: set[int] = set()
        self._numbered: tuple[dict[int, int], dict[int, int], dict[int, int]] | None = None

    def use_concepts(self, concepts: Iterable[int]) -> None:
        """Use concepts and all they are made of."""
        stack = list(concepts)
        while stack:
            concept = stack.pop()
            if concept not in self._concepts:
                self._concepts.add(concept)
                node = self._indices.nodes[concept]
                stack += children(node)
                if node[0] in ("some", "self"):
                    self._roles.add(int(node[1]))

    def use_roles(self, roles: Iterable[int]) -> None:
        """Use roles."""
        self._roles.update(roles)

    def use_axioms(self, axioms: Iterable[int]) -> None:
        """Use axioms and all that they speak of."""
        for number in axioms:
            self._axioms.add(number)
            concepts, roles = parts_of(self._indices.theory.axioms[number])
            self.use_concepts(concepts)
            self._roles.update(roles)

    def use_fact(self, fact: Fact) -> None:
        """Use what a fact speaks of."""
        concepts, roles = parts_of(fact)
        self.use_concepts(concepts)
        self._roles.update(roles)

    def _number(self) -> tuple[dict[int, int], dict[int, int], dict[int, int]]:
        if self._numbered is None:
            used = (self._concepts, self._roles, self._axioms)
            first, second, third = ({old: new for new, old in enumerate(sorted(each))} for each in used)
            self._numbered = first, second, third
        return self._numbered

    def concept(self, number: int) -> int:
        """Return the new number of a concept."""
        return self._number()[0][number]

    def role(self, number: int) -> int:
        """Return the new number of a role."""
        return self._number()[1][number]

    def row(self, row: Row | Fact) -> list[object]:
        """Write a fact or an axiom with new numbers."""
        kind = str(row[0])
        return [kind, *(self._part(part, place) for place, part in zip(SHAPES[kind], row[1:], strict=True))]

    def _part(self, part: object, place: str) -> object:
        if isinstance(part, tuple):
            return [self.role(role) for role in part]
        assert isinstance(part, int)
        return self.concept(part) if place == "C" else self.role(part)

    def steps(self, steps: Sequence[Step], wanted: Iterable[int]) -> tuple[list[list[object]], dict[int, int]]:
        """Write the steps that the wanted ones need, with new numbers; return these too."""
        kept = {old: new for new, old in enumerate(needed_steps(steps, wanted))}
        axioms = self._number()[2]
        written: list[list[object]] = []
        for old in kept:
            step = steps[old]
            row: list[object] = [step.rule, self.row(step.fact), [kept[premise] for premise in step.premises]]
            written.append(row if step.axiom is None else [*row, axioms[step.axiom]])
        return written, kept

    def theory(self) -> Packed:
        """Write concepts, roles, axioms and their sources."""
        concepts, roles, axioms = self._number()
        theory = self._indices.theory
        origins = sorted({theory.origins[axiom] for axiom in axioms} - {MEANING, DATA_FACT})
        places = {origin: place for place, origin in enumerate(origins)} | {MEANING: MEANING, DATA_FACT: DATA_FACT}
        return {
            "roles": [theory.roles[role] for role in roles],
            "concepts": [self._node(concept) for concept in concepts],
            "sources": [theory.source_text(origin) for origin in origins],
            "axioms": [[*self.row(theory.axioms[axiom]), places[theory.origins[axiom]]] for axiom in axioms],
        }

    def _node(self, number: int) -> list[object]:
        match self._indices.nodes[number]:
            case ("and", int(first), int(second)):
                return ["and", self.concept(first), self.concept(second)]
            case ("some", int(role), int(filler)):
                return ["some", self.role(role), self.concept(filler)]
            case ("self", int(role)):
                return ["self", self.role(role)]
            case node:
                return list(node)


SHAPES = {
    "sub": "CC",
    "link": "CRC",
    "role": "RR",
    "nonempty": "C",
    "universal": "R",
    "chain": "RRR",
    "range": "RC",
    "key": "CL",
}
"""What stands where in a fact or an axiom: a concept, a role, a list of roles."""


def parts_of(row: Row | Fact) -> tuple[list[int], list[int]]:
    """Return the concepts and the roles that a fact or an axiom speaks of."""
    concepts: list[int] = []
    roles: list[int] = []
    for place, part in zip(SHAPES[str(row[0])], row[1:], strict=True):
        if isinstance(part, tuple):
            roles += part
        elif isinstance(part, int):
            (concepts if place == "C" else roles).append(part)
    return concepts, roles


def needed_steps(steps: Sequence[Step], wanted: Iterable[int]) -> list[int]:
    """Return the numbers of the steps that some steps rest on, in order."""
    needed: set[int] = set()
    stack = list(wanted)
    while stack:
        number = stack.pop()
        if number not in needed:
            needed.add(number)
            stack += steps[number].premises
    return sorted(needed)
