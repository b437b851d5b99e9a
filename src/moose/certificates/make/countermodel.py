"""The engine's closure as a model: elements with the concepts that they are in, and the links between them.

Which classes, nominals and ∃r.Self an element is in, and where its links lead, is read off the closure; what it is in
besides is seen by looking, as in any finite structure.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from moose.certificates.make.told_ontology import range_values
from moose.certificates.make.vocabulary import Vocabulary
from moose.owl.normal.normal_form import TOP, Kind, NormalForm
from moose.owl.syntax.functional.write_functional import render
from moose.saturation.engine.facts import Facts
from moose.saturation.proofs.expressions import Expressions

Links = list[tuple[int, int, int]]


@dataclass(frozen=True)
class Countermodel:
    """The part of a closure that can be reached; what is one individual under several names is one element."""

    facts: Facts
    contexts: tuple[int, ...]
    element_of: dict[int, int]
    """Of each context, also those that are merged with another: the element that stands for it."""


def countermodel(facts: Facts, roots: list[int]) -> Countermodel | None:
    """Take all that can be reached from some concepts, ⊤ and the individuals; None where one of it has no element."""
    start = np.array([TOP, *facts.form.nominal_concepts.tolist(), *roots], dtype=np.int32)
    reached = np.flatnonzero(facts.reachable(start))
    if bool(facts.is_bottom[reached].any()):
        return None
    stands_for = {context: representative(facts, context) for context in reached.tolist()}
    contexts = tuple(context for context in stands_for if stands_for[context] == context)
    positions = {context: position for position, context in enumerate(contexts)}
    return Countermodel(facts, contexts, {context: positions[one] for context, one in stands_for.items()})


def representative(facts: Facts, context: int) -> int:
    """Return the first individual that a context is, or itself."""
    above = facts.subsumers(context)
    nominals = above[facts.form.kinds[above] == Kind.NOMINAL]
    return int(nominals[0]) if len(nominals) else context


class Roles:
    """The roles of a normal form by their numbers in a certificate."""

    def __init__(self, words: Vocabulary, form: NormalForm) -> None:
        names = [render(role) for role in form.roles]
        chains: dict[int, tuple[str, ...]] = {number: (name,) for number, name in enumerate(names)}
        for left, right, result, _ in form.compositions.rows.tolist():
            if result >= len(form.roles) and result not in chains:
                chains[result] = (*chains[left], names[right])
        names += [f"ObjectPropertyChain({' '.join(chains[one])})" for one in range(len(names), form.role_count)]
        self.numbers = [words.roles[name] for name in names]
        everywhere = form.is_subrole[form.universal_role] if form.universal_role >= 0 else np.zeros(0, np.bool_)
        universal = set(np.flatnonzero(everywhere).tolist())
        for left, right, result, _ in form.compositions.rows.tolist():  # a prefix after what it is made of
            if {left, right} <= universal:
                universal.add(result)
        self.universal = {self.numbers[role] for role in universal}
        self.above = [{number} | self.universal for number in range(len(words.roles))]
        for low, high in np.argwhere(form.is_subrole).tolist():
            self.above[self.numbers[low]].add(self.numbers[high])


@dataclass
class Packer:
    """Writes models over the concepts of one vocabulary, which must be complete by then."""

    words: Vocabulary
    form: NormalForm
    asked: list[int] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.roles = Roles(self.words, self.form)
        self.negative = self._parts([*(int(str(row[1])) for row in self.words.told_rows if row[0] in ("sub", "key"))])
        self._expressions = Expressions(self.form)
        self._atoms: dict[int, int] = {}
        words = self.words
        self._nominals = [
            (words.nominal(one), int(context))
            for one, context in zip(self.form.individuals, self.form.nominal_concepts, strict=True)
        ]
        self._sets = {number: range_values(words, number) for number in words.ranges}

    def _parts(self, roots: list[int]) -> set[int]:
        """Return concepts, those that are asked for, and all they are made of."""
        parts: set[int] = set()
        stack = [*roots, *self.asked]
        while stack:
            concept = stack.pop()
            if concept not in parts:
                parts.add(concept)
                node = self.words.nodes[concept]
                stack += [int(part) for part in {"and": node[1:], "some": node[2:]}.get(str(node[0]), ())]
        return parts

    def pack(self, model: Countermodel) -> dict[str, object]:
        """Write a model."""
        links = self._links(model)
        extensions = self._extensions(model, links)
        elements: list[list[int]] = [[] for _ in model.contexts]
        for concept, holders in enumerate(extensions):
            for position in holders:
                elements[position].append(concept)
        return {
            "elements": elements,
            "links": [list(link) for link in links],
            "nominals": sorted([concept, model.element_of[context]] for concept, context in self._nominals),
            "above": [sorted(above) for above in self.roles.above],
            "ordered": sorted(self._ordered()),
            "universal": sorted(self.roles.universal),
            "negative": sorted(self.negative),
        }

    def _links(self, model: Countermodel) -> Links:
        links: set[tuple[int, int, int]] = set()
        for position, context in enumerate(model.contexts):
            roles, targets = model.facts.links_from(context)
            for role, target in zip(roles.tolist(), targets.tolist(), strict=True):
                links.add((position, self.roles.numbers[role], model.element_of[target]))
        return sorted(links)

    def _extensions(self, model: Countermodel, links: Links) -> list[set[int]]:
        """Return the elements that each concept has."""
        words = self.words
        extensions = self._told_extensions(model)
        by_role: dict[int, Links] = {}
        for link in links:
            for above in self.roles.above[link[1]]:
                by_role.setdefault(above, []).append(link)
        for concept, node in enumerate(words.nodes):  # parts come before wholes
            match node:
                case ("and", int(first), int(second)):
                    extensions[concept] = extensions[first] & extensions[second]
                case ("some", int(role), int(filler)) if role in self.roles.universal:
                    extensions[concept] = set(extensions[words.thing]) if extensions[filler] else set()
                case ("some", int(role), int(filler)):
                    inside = extensions[filler]
                    extensions[concept] = {link[0] for link in by_role.get(role, ()) if link[2] in inside}
        return extensions

    def _told_extensions(self, model: Countermodel) -> list[set[int]]:
        """Return the elements of the classes, nominals and ∃r.Self, by the closure, and of data ranges."""
        words, form = self.words, self.form
        extensions: list[set[int]] = [set() for _ in words.nodes]
        for position, context in enumerate(model.contexts):
            extensions[words.top].add(position)
            if form.kinds[context] == Kind.VALUES:
                values = form.value_sets[form.first[context]]
                for number, wide in self._sets.items():
                    if wide is not None and values.is_subset(wide):
                        extensions[number].add(position)
                continue
            extensions[words.thing].add(position)
            for concept in model.facts.subsumers(context).tolist():
                if form.kinds[concept] in (Kind.CLASS, Kind.NOMINAL, Kind.SELF):
                    extensions[self._atom(concept)].add(position)
        return extensions

    def _atom(self, concept: int) -> int:
        known = self._atoms.get(concept)
        if known is None:
            known = self._atoms[concept] = self.words.concept(self._expressions.concept(concept))
        return known

    def _ordered(self) -> set[int]:
        """Return the roles whose ∃r.Self is asked for, and all that lead to one: no link may close by chance."""
        nodes, roles = self.words.nodes, self.roles
        ordered = {int(nodes[one][1]) for one in self.negative if nodes[one][0] == "self"} - roles.universal
        chains = [row for row in self.words.told_rows if row[0] == "chain"]
        size = -1
        while size < len(ordered):
            size = len(ordered)
            ordered |= {role for role, above in enumerate(roles.above) if above & ordered}
            ordered |= {int(str(part)) for _, *parts, result in chains if result in ordered for part in parts}
            ordered -= roles.universal
        return ordered


def speak_of(words: Vocabulary, form: NormalForm) -> None:
    """Give a vocabulary the classes, individuals, roles and ∃r.Self that the closure of a normal form speaks of."""
    expressions = Expressions(form)
    for role in form.roles:
        words.role(role)
    for concept in np.flatnonzero(np.isin(form.kinds, (Kind.CLASS, Kind.NOMINAL, Kind.SELF))).tolist():
        words.concept(expressions.concept(concept))
