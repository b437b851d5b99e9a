"""What the derivation of a certificate looks up: axioms and concepts by what they are about."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from moose.certificates.make.rows import Node, Theory

Pairs = dict[int, list[tuple[int, int]]]


class Indices:
    """A theory, indexed; new concepts can be added."""

    def __init__(self, theory: Theory, asked: Iterable[int] = ()) -> None:
        """Index a theory in which the concepts that are asked for are recognised too."""
        self.theory = theory
        self.everything = theory.everything
        self.nodes = list(theory.nodes)
        self._numbers = {node: number for number, node in enumerate(self.nodes) if node[0] == "and"}
        self.told: Pairs = {}
        self.inclusions: Pairs = {}
        self.chains: list[tuple[int, int, int, int]] = []
        self.ranges: Pairs = {}
        self.keys: list[tuple[int, tuple[int, ...], int]] = []
        self.universal: list[tuple[int, int]] = []
        negative = list(asked)
        for number, row in enumerate(theory.axioms):
            self._add(row, number, negative)
        self.negative = self._parts(negative)
        self.conjoins: Pairs = {}
        self.somes: Pairs = {}
        self._index_negative()
        self.selves = {int(node[1]): number for number, node in enumerate(self.nodes) if node[0] == "self"}
        self.nominals = [number for number, node in enumerate(self.nodes) if node[0] == "nominal"]
        self.above = [set(self._upwards(role)) for role in range(len(theory.roles))]
        self.everywhere = self._universal_roles()
        """Roles that relate everything, each after those that show it: told, above another, or a chain of two."""
        for role in self.everywhere:
            if role in self.ranges and role not in self.selves:
                self.selves[role] = len(self.nodes)
                self.nodes.append(("self", role))
        for above in self.above:
            above.update(self.everywhere)

    def _add(self, row: tuple[object, ...], number: int, negative: list[int]) -> None:
        match row:
            case ("sub", int(sub), int(sup)):
                self.told.setdefault(sub, []).append((sup, number))
                negative.append(sub)
            case ("role", int(sub), int(sup)):
                self.inclusions.setdefault(sub, []).append((sup, number))
            case ("chain", int(left), int(right), int(result)):
                self.chains.append((left, right, result, number))
            case ("range", int(role), int(concept)):
                self.ranges.setdefault(role, []).append((concept, number))
            case ("key", int(concept), tuple(roles)):
                self.keys.append((concept, roles, number))
                negative.append(concept)
            case ("universal", int(role)):
                self.universal.append((role, number))

    def _parts(self, roots: list[int]) -> set[int]:
        """Return concepts and all they are made of."""
        found: set[int] = set()
        stack = list(roots)
        while stack:
            concept = stack.pop()
            if concept not in found:
                found.add(concept)
                stack += children(self.nodes[concept])
        return found

    def _index_negative(self) -> None:
        for concept in sorted(self.negative):
            match self.nodes[concept]:
                case ("and", int(first), int(second)):
                    self.conjoins.setdefault(first, []).append((second, concept))
                    self.conjoins.setdefault(second, []).append((first, concept))
                case ("some", int(role), int(filler)):
                    self.somes.setdefault(filler, []).append((role, concept))

    def _universal_roles(self) -> dict[int, tuple[int, ...]]:
        """Return the roles that relate everything: by axiom, by a role below, or by two roles and a chain."""
        found: dict[int, tuple[int, ...]] = {role: (axiom,) for role, axiom in self.universal}
        size = -1
        while size < len(found):
            size = len(found)
            for role in list(found):
                for above in sorted(self.above[role]):
                    found.setdefault(above, (role, above))
            for left, right, result, axiom in self.chains:
                if left in found and right in found:
                    found.setdefault(result, (left, right, axiom))
        return found

    def _upwards(self, role: int) -> Iterator[int]:
        seen, stack = {role}, [role]
        while stack:
            current = stack.pop()
            yield current
            for other, _ in self.inclusions.get(current, ()):
                if other not in seen:
                    seen.add(other)
                    stack.append(other)

    def conjunction(self, first: int, second: int) -> int:
        """Return the number of C ⊓ D, a new one where there was none."""
        node: Node = ("and", first, second)
        if node not in self._numbers:
            self._numbers[node] = len(self.nodes)
            self.nodes.append(node)
        return self._numbers[node]


def children(node: Node) -> list[int]:
    """Return the concepts that a concept is made of."""
    match node:
        case ("and", int(first), int(second)):
            return [first, second]
        case ("some", _, int(filler)):
            return [filler]
    return []
