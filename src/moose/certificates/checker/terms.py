"""Concepts by what they are made of, so that two that are written in different ways can be seen to be one."""

from __future__ import annotations

from collections.abc import Iterable

from moose.certificates.checker.theory import Theory

OWL = "http://www.w3.org/2002/07/owl#"
THING, NOTHING = f"<{OWL}Thing>", f"<{OWL}Nothing>"

Key = tuple[object, ...]


class Terms:
    """A number for each concept; conjunctions count as sets of their parts, without ⊤."""

    def __init__(self, theory: Theory) -> None:
        self._numbers: dict[Key, int] = {}
        self._parts: list[frozenset[int]] = []
        self.spellings = {
            str(spelling): position
            for position, concept in enumerate(theory.concepts)
            if concept[0] == "data"
            for spelling in concept[1:]
        }
        self.top, self.bottom = self._plain(("top",)), self._plain(("bottom",))
        self.has_thing = ["class", THING] in theory.concepts
        """Whether owl:Thing is a concept of its own: it must be where there are data, as these are no things."""
        self.thing = self._plain(("class", THING)) if self.has_thing else self.top
        self.of_place: list[int] = []
        for position, concept in enumerate(theory.concepts):
            self.of_place.append(self._of_concept(concept, position, theory.roles))

    def _plain(self, key: Key) -> int:
        if key not in self._numbers:
            number = self._numbers[key] = len(self._parts)
            self._parts.append(frozenset([number]))
        return self._numbers[key]

    def _of_concept(self, concept: list[object], position: int, roles: list[str]) -> int:
        match concept:
            case ["and", int(first), int(second)]:
                return self.conjunction([self.of_place[first], self.of_place[second]])
            case ["some", int(role), int(filler)]:
                return self.some(roles[role], self.of_place[filler])
            case ["self", int(role)]:
                return self.loop(roles[role])
            case ["data", *_]:
                return self._plain(("data", position))
        return self._plain(tuple(concept))

    def named(self, name: str) -> int:
        """Return a class; owl:Thing and owl:Nothing are ⊤ and ⊥."""
        reserved = {THING: self.thing, NOTHING: self.bottom}
        return reserved[name] if name in reserved else self._plain(("class", name))

    def nominal(self, name: str) -> int:
        """Return {a}."""
        return self._plain(("nominal", name))

    def data(self, spelling: str) -> int:
        """Return a data range: the concept that is spelt like this, or else one that no axiom can speak of."""
        return self._plain(("data", self.spellings.get(spelling, spelling)))

    def some(self, role: str, filler: int) -> int:
        """Return ∃r.C."""
        return self._plain(("some", role, filler))

    def loop(self, role: str) -> int:
        """Return ∃r.Self."""
        return self._plain(("self", role))

    def conjunction(self, parts: Iterable[int]) -> int:
        """Return C ⊓ D ⊓ …"""
        whole = frozenset(piece for part in parts for piece in self._parts[part]) - {self.top, self.thing}
        if len(whole) < 2:
            return next(iter(whole), self.thing)
        if ("and", whole) not in self._numbers:
            self._numbers["and", whole] = len(self._parts)
            self._parts.append(whole)
        return self._numbers["and", whole]
