"""What is above a class expression: it becomes a context of its own in the saturated state, for as long as it is asked.

A context that is added leads to those that are there, and none of them leads to it. So nothing changes about them, the
kernel only works on what is new, and afterwards all of that is withdrawn.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

import numpy as np

from moose.base.compiled.machine_code import MachineFunction
from moose.owl.model import expressions as owl
from moose.owl.normal.normal_form import Kind, NormalForm
from moose.saturation.dl.expressions_below import Numbers
from moose.saturation.engine import agenda
from moose.saturation.engine import withdraw as withdrawing
from moose.saturation.engine.arrays import LINK_ENTRIES, SUBSUMERS, TOLD, UPGRADE, Indices, Integers
from moose.saturation.engine.facts import Facts
from moose.saturation.engine.resume import with_room
from moose.saturation.engine.run import World, compiled_run
from moose.saturation.engine.state import hashed

FEW_CONTEXTS = 16
"""Contexts for which there is room at first; an expression needs one for itself and one for each filler with parts."""

FEW_QUERIES = 8
"""Questions until which the kernel may run uncompiled, which for a small ontology takes less than loading numba."""


@dataclass(frozen=True, slots=True)
class Above:
    """What an expression is below, among the concepts of the form."""

    subsumers: Indices
    is_bottom: bool
    is_settled: bool
    """False where rules that look at the whole closure may conclude more."""


class Overlay:
    """A saturated state to which contexts for expressions are added, and from which they are withdrawn."""

    def __init__(self, facts: Facts, numbers: Numbers) -> None:
        self._facts = facts
        self._numbers = numbers
        self._ranges = ranges_by_role(facts.form)
        self._size = len(facts.form.kinds)
        self._world: World | None = None
        self._room = FEW_CONTEXTS
        self._next = self._size
        self._queries = 0

    def above(self, expression: owl.ClassExpression) -> Above:
        """Return what an expression that `Numbers.knows` is below."""
        world = self._prepared(1 + fillers_with_parts(expression))
        counters = world.state.counters.copy()
        slots = len(world.state.link_keys)
        try:
            self._next = self._size
            context = self._context(world, expression)
            self._run(world)
            found = self._read(world, context, counters)
            self._withdraw(world, counters, is_rehashed=len(world.state.link_keys) != slots)
        except BaseException:
            self._world = None  # whatever stopped it, what was added may still be there
            raise
        return found

    def _prepared(self, contexts: int) -> World:
        while contexts > self._room:
            self._room, self._world = 2 * self._room, None
        if self._world is None:
            self._world = World.resumed(self._facts, with_room(self._facts.form, self._room))
        self._queries += 1
        return self._world

    def _run(self, world: World) -> None:
        if self._queries <= FEW_QUERIES:
            world.run()
            return
        while not world.advance(compiled_run()):
            pass

    # ── Adding contexts ───────────────────────────────────────────────────────────────────────────────────────────

    def _context(self, world: World, expression: owl.ClassExpression) -> int:
        """Add a context for an expression."""
        context = self._next
        self._next += 1
        world.start([context])
        self._tell(world, context, expression)
        return context

    def _tell(self, world: World, context: int, expression: owl.ClassExpression) -> None:
        """Tell a context that it is below an expression."""
        match expression:
            case owl.ObjectIntersectionOf(operands):
                for operand in operands:
                    self._tell(world, context, operand)
            case owl.ObjectSomeValuesFrom(role, filler):
                assert isinstance(role, owl.ObjectProperty), "the profile check removes inverses"
                number = self._numbers.roles[role]
                world.link(context, number, self._target(world, number, filler))
            case owl.ObjectHasValue(role, individual):
                self._tell(world, context, owl.ObjectSomeValuesFrom(role, owl.ObjectOneOf((individual,))))
            case _:
                concept = self._numbers.atom(expression)
                assert concept is not None, "asked of expressions that are known"
                world.post(context, 4 * concept + TOLD)

    def _target(self, world: World, role: int, filler: owl.ClassExpression) -> int:
        """Return the context that a link leads to: the filler with the ranges of the role, if these say more."""
        ranges = self._ranges.get(role, ())
        atom = self._numbers.atom(filler)
        if atom is not None and all(self._facts.has(atom, concept) for concept in ranges):
            return atom
        target = self._context(world, filler)
        for concept in ranges:
            world.post(target, 4 * concept + TOLD)
        return target

    # ── Reading, and taking back ──────────────────────────────────────────────────────────────────────────────────

    def _read(self, world: World, context: int, counters: Integers) -> Above:
        state = world.state
        new = slice(counters[SUBSUMERS], state.counters[SUBSUMERS])
        items, contexts = state.subsumer_item[new], state.subsumer_context[new]
        roles = state.link_role[counters[LINK_ENTRIES] : state.counters[LINK_ENTRIES]]
        is_bottom = bool(state.is_bottom[context])
        own = items[(contexts == context) & ((items & 3) != UPGRADE)] >> 2
        return Above(
            subsumers=own[own < self._size].astype(np.int32),
            is_bottom=is_bottom,
            is_settled=is_bottom or self._is_settled(contexts, items >> 2, roles),
        )

    def _is_settled(self, contexts: Indices, concepts: Indices, roles: Indices) -> bool:
        """Return whether no rule outside the kernel can apply to the new contexts."""
        form = self._facts.form
        is_old = concepts < self._size
        if len(form.individuals) and bool(np.any(form.kinds[concepts[is_old]] == Kind.NOMINAL)):
            return False
        if len(form.functional.rows) and bool(form.is_subrole[np.ix_(roles, form.functional.column(0))].any()):
            return False
        return not any(has_open_cases(contexts, concepts, one.concept, one.members) for one in form.unions)

    def _withdraw(self, world: World, counters: Integers, *, is_rehashed: bool) -> None:
        if self._queries <= FEW_QUERIES:
            withdrawing.withdraw(world.theory, world.state, self._size, counters)
        else:
            compiled_withdraw()(*world.passed(), self._size, counters)
        if is_rehashed:  # keys that stay may then stand behind keys that went
            facts = self._facts
            concepts, roles = len(world.theory.first), len(world.theory.left_row)
            keys = (facts.sources.astype(np.int64) * concepts + facts.targets) * roles + facts.roles
            world.state = world.state._replace(link_keys=hashed(keys, len(world.state.link_keys) // 3))


def has_open_cases(contexts: Indices, concepts: Indices, left: int, members: tuple[int, ...]) -> bool:
    """Return whether a context is below the left-hand side of a union and below no member of it."""
    below = np.setdiff1d(contexts[concepts == left], contexts[np.isin(concepts, members)])
    return len(below) > 0


def fillers_with_parts(expression: owl.ClassExpression) -> int:
    """Count the fillers in an expression."""
    match expression:
        case owl.ObjectIntersectionOf(operands):
            return sum(map(fillers_with_parts, operands))
        case owl.ObjectSomeValuesFrom(_, filler):
            return 1 + fillers_with_parts(filler)
        case owl.ObjectHasValue():
            return 1
    return 0


def ranges_by_role(form: NormalForm) -> dict[int, tuple[int, ...]]:
    """Return the ranges of each role that has some, those of the roles above it included."""

    def told() -> Iterator[tuple[int, int]]:
        for role, concept, _ in form.ranges.rows.tolist():
            for sub in np.flatnonzero(form.is_subrole[:, role]).tolist():
                yield sub, concept

    ranges: dict[int, dict[int, None]] = {}
    for role, concept in told():
        ranges.setdefault(role, {})[concept] = None
    return {role: tuple(concepts) for role, concepts in ranges.items()}


@cache
def compiled_withdraw() -> MachineFunction:
    """Return what undoes a question, as machine code."""
    return MachineFunction([agenda, withdrawing], "withdraw")
