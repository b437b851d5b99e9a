"""Rules over variables, applied to every tuple of individuals that roles may join."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import NamedTuple

from moose.grounding.atoms import Atom
from moose.grounding.encodings.layout import Entailments, Layout
from moose.grounding.task.task import Task
from moose.saturation.recorded.horn import FALSUM, HornClause, eliminate, least_model, simplified, useful


class Item(NamedTuple):
    """A fact about variables: a concept, or a link to an unnamed filler, of one; a role between two."""

    predicate: int
    variables: tuple[int, ...]


class Rule(NamedTuple):
    """Body → head over variables; no head is a contradiction."""

    body: frozenset[Item]
    head: Item | None

    @property
    def items(self) -> tuple[Item, ...]:
        """Body and head."""
        return (*self.body, *([] if self.head is None else [self.head]))

    @property
    def predicates(self) -> HornClause:
        """The rule without its variables."""
        return frozenset(item.predicate for item in self.body), FALSUM if self.head is None else self.head.predicate


def renamed(body: Iterable[Item], head: Item | None, names: dict[int, int]) -> Rule:
    """Rename the variables of a rule."""

    def rename(item: Item) -> Item:
        return Item(item.predicate, tuple(names[variable] for variable in item.variables))

    return Rule(frozenset(map(rename, body)), None if head is None else rename(head))


Pair = tuple[int, int]
Assignment = tuple[int, ...]
"""The individual that each variable stands for, by number."""

TRUE, FALSE = -2, FALSUM
"""In place of an atom whose truth is known."""


class Grounder:
    """The individuals of a task, the pairs that each role may join, and numbers for ground atoms."""

    def __init__(self, task: Task, layout: Layout, roles: dict[int, str | None]) -> None:
        self._task = task
        self._layout = layout
        self._roles = roles
        self._numbers = {name: number for number, name in enumerate(task.individuals)}
        self._auxiliary: dict[tuple[int, tuple[int, ...]], int] = {}
        self._pairs = {role: Pairs(self._told_pairs(name)) for role, name in roles.items()}

    def ground(self, rules: Sequence[Rule], spell: Callable[[int], str]) -> Entailments:
        """Return the instances of rules, reduced to what they say of the atoms of the layout."""
        self._join_all(rules)
        clauses = [
            clause
            for rule in rules
            for assignment in self._matches(rule)
            for clause in self._instance(rule, assignment)
        ]
        certain = least_model(clauses)
        if FALSUM in certain:
            return Entailments([(frozenset(), FALSUM)], ())
        count = len(self._layout.atoms)
        kept = eliminate(useful(simplified(clauses, certain), range(count)), lambda atom: atom >= count)
        kept += [(frozenset(), atom) for atom in sorted(certain) if atom < count]
        return self._renumbered(kept, spell)

    def _told_pairs(self, name: str | None) -> Iterator[Pair]:
        """Yield the pairs that a role joins or may join before any rule is applied."""
        if name is None:
            return
        positions = [position for position, role in enumerate(self._task.role_predicates) if role.name == name]
        for first, second, _ in self._layout.possible_pairs(positions[0]):
            yield first, second

    def _is_closed(self, role: int) -> bool:
        return self._roles[role] in self._layout.closed_roles

    def _join_all(self, rules: Sequence[Rule]) -> None:
        """Find all pairs that roles may come to join."""
        concluding = [rule for rule in rules if rule.head is not None and rule.head.predicate in self._roles]
        grows = True
        while grows:
            grows = False
            for rule in concluding:
                assert rule.head is not None
                if self._is_closed(rule.head.predicate):
                    continue
                heads = [self._arguments(rule.head, assignment) for assignment in self._matches(rule)]
                for first, second in heads:
                    grows |= self._pairs[rule.head.predicate].add((first, second))

    def _matches(self, rule: Rule) -> Iterator[Assignment]:
        """Yield the individuals for the variables of a rule for which all the roles in its body may hold."""
        roles = [item for item in rule.body if item.predicate in self._roles]
        variables = 1 + max(variable for item in rule.items for variable in item.variables)
        if not roles:
            assert variables == 1, "only roles join individuals"
            yield from ((number,) for number in range(len(self._task.individuals)))
            return
        yield from self._extended(sorted(roles), [-1] * variables)

    def _extended(self, roles: list[Item], assignment: list[int]) -> Iterator[Assignment]:
        if not roles:
            assert -1 not in assignment, "only roles join individuals"
            yield tuple(assignment)
            return
        # The role that is bound best comes first, so that few pairs are tried.
        item = max(roles, key=lambda one: sum(assignment[variable] >= 0 for variable in one.variables))
        rest = [one for one in roles if one is not item]
        first, second = item.variables
        for pair in self._pairs[item.predicate].matching(assignment[first], assignment[second]):
            if first == second and pair[0] != pair[1]:
                continue
            more = assignment.copy()
            more[first], more[second] = pair
            yield from self._extended(rest, more)

    @staticmethod
    def _arguments(item: Item, assignment: Assignment) -> tuple[int, ...]:
        return tuple(assignment[variable] for variable in item.variables)

    def _instance(self, rule: Rule, assignment: Assignment) -> Iterator[HornClause]:
        head = FALSE if rule.head is None else self._atom(rule.head.predicate, self._arguments(rule.head, assignment))
        body = {self._atom(item.predicate, self._arguments(item, assignment)) for item in rule.body} - {TRUE}
        if head != TRUE and FALSE not in body:
            yield frozenset(body), head

    def _atom(self, predicate: int, arguments: tuple[int, ...]) -> int:
        """Number a ground atom; TRUE and FALSE for what is known."""
        if predicate < len(self._task.concepts):
            return arguments[0] * len(self._task.concepts) + predicate
        name = self._roles.get(predicate)
        if name is not None:
            atom = Atom(name, tuple(self._task.individuals[individual] for individual in arguments))
            if self._layout.is_fixed(atom):
                return TRUE if self._layout.fixed.get(atom) else FALSE
            return self._layout.positions[atom]
        return self._auxiliary.setdefault((predicate, arguments), len(self._layout.atoms) + len(self._auxiliary))

    def _renumbered(self, clauses: list[HornClause], spell: Callable[[int], str]) -> Entailments:
        """Number the auxiliary atoms that are left one after another."""
        count = len(self._layout.atoms)
        left = sorted({atom for body, head in clauses for atom in (*body, head) if atom >= count})
        numbers = {atom: count + offset for offset, atom in enumerate(left)}
        keys = {number: key for key, number in self._auxiliary.items()}
        names = [
            Atom(spell(predicate), tuple(self._task.individuals[individual] for individual in arguments))
            for predicate, arguments in (keys[atom] for atom in left)
        ]
        renamed = [
            (frozenset(numbers.get(atom, atom) for atom in body), numbers.get(head, head)) for body, head in clauses
        ]
        return Entailments(renamed, tuple(names))


class Pairs:
    """The pairs that a role may join, by either end."""

    def __init__(self, pairs: Iterator[Pair]) -> None:
        self._pairs: dict[Pair, None] = {}
        self._after: defaultdict[int, list[Pair]] = defaultdict(list)
        self._before: defaultdict[int, list[Pair]] = defaultdict(list)
        for pair in pairs:
            self.add(pair)

    def add(self, pair: Pair) -> bool:
        """Add a pair; return whether it is new."""
        if pair in self._pairs:
            return False
        self._pairs[pair] = None
        self._after[pair[0]].append(pair)
        self._before[pair[1]].append(pair)
        return True

    def matching(self, first: int, second: int) -> list[Pair]:
        """Return the pairs that have what is given (not -1) in its place."""
        if first >= 0 and second >= 0:
            return [(first, second)] if (first, second) in self._pairs else []
        if first >= 0:
            return self._after[first]
        return self._before[second] if second >= 0 else list(self._pairs)
