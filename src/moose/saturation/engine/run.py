"""One saturation under way: the kernel's arrays, and what rules outside the kernel have added to what was told."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, TypeVar, cast

import numpy as np
import numpy.typing as npt

from moose.base.compiled.machine_code import MachineFunction, Passed, passed
from moose.base.errors import MooseError
from moose.base.graphs import strong_components
from moose.owl.normal.normal_form import Kind, NormalForm
from moose.saturation.engine import agenda, kernel
from moose.saturation.engine.arrays import (
    DONE,
    LINK,
    LINK_ENTRIES,
    LINKS,
    NEEDED,
    NEEDS_SPACE,
    PAUSED,
    STEPS,
    SUBSUMERS,
    TOLD,
    UPGRADE,
    Indices,
    State,
    Theory,
)
from moose.saturation.engine.facts import Added, Facts
from moose.saturation.engine.resume import resumed
from moose.saturation.engine.state import enlarged, new_state
from moose.saturation.engine.told_axioms import index_theory

Progress = Callable[[int], None]
"""Called now and then during long work with the number of rule applications so far."""

SMALL = 3000
"""Told rows up to which the kernel is first run uncompiled: starting numba takes longer than that."""

SMALL_TABLES = 1 << 20
"""Cells of the tables of roles up to which it is: as lists they take eight times the room."""

PLAIN_STEPS = 60_000
"""Uncompiled steps after which the compiled kernel takes over."""

ENOUGH_PLAIN_STEPS = 5_000
"""Uncompiled steps in all after which the next ontology is given to the compiled kernel, however small it is: they take
as long as to put that into memory."""

PLAIN_LINKS = 3_000
"""Links after which it does: where roles compose, each further link takes longer."""

PLAIN_PAUSE = 2_000
"""Uncompiled steps between two looks at these bounds."""

STEPS_BETWEEN_PAUSES = 1_000_000
"""Compiled steps between two looks at the keyboard: a fifth of a second."""

MANY_SUBSUMERS = 1 << 25
"""Subsumptions after which it is looked at why there are so many: half a gigabyte."""

MOST_EQUIVALENTS = 1 << 13
"""Concepts that may be told to be equivalent where there are many subsumptions: 67 million pairs of them."""

Arrays = TypeVar("Arrays", Theory, State)

Run = Callable[..., int]
"""The kernel's entry, compiled or not: of a theory, a state and a number of steps."""


@cache
def compiled_run() -> MachineFunction:
    """Return the kernel's `run` as machine code, which is kept on disk between runs."""
    return MachineFunction([agenda, kernel], "run")


@dataclass
class PlainWork:
    """How many steps this process has done uncompiled."""

    steps: int = 0


PLAIN_WORK = PlainWork()


def is_warm() -> bool:
    """Return whether this process has done so much uncompiled that it may well do more."""
    return PLAIN_WORK.steps > ENOUGH_PLAIN_STEPS


def is_compiled() -> bool:
    """Return whether the compiled kernel is in memory, or should be."""
    return is_warm() or compiled_run.cache_info().currsize > 0


class World:
    """A saturation that can be run, told more, and run on."""

    def __init__(self, form: NormalForm, added: Sequence[Added] = (), *, progress: Progress | None = None) -> None:
        self.form = form
        self.added = list(added)
        self.progress = progress
        self.theory = self.indexed()
        self.state = new_state(len(form.kinds), len(form.disjoint))
        self._passed: tuple[Passed, Passed] | None = None

    @classmethod
    def resumed(cls, facts: Facts, form: NormalForm, *, progress: Progress | None = None) -> World:
        """Take up a saturation that is done, with a form that has the concepts of its facts and maybe more."""
        world = cls(form, facts.added, progress=progress)
        world.state = resumed(facts, world.theory, form)
        return world

    def indexed(self) -> Theory:
        """Index the told rows and the added ones."""
        rows = np.array([(item.sub, item.sup) for item in self.added], dtype=np.int32).reshape(len(self.added), 2)
        return index_theory(self.form, rows)

    def start(self, roots: Iterable[int]) -> None:
        """Queue contexts, the first to be done first."""
        for root in reversed(list(roots)):
            if not self.state.is_started[root] and not self.state.is_queued[root]:
                agenda.enqueue(self.state, root)

    def tell(self, items: Sequence[Added]) -> None:
        """Add subsumptions, and post each to every context that its left-hand side subsumes."""
        self.added += items
        self.theory = self.indexed()
        contexts, concepts = self.subsumptions()
        order = np.argsort(concepts, kind="stable")
        sorted_concepts = concepts[order]
        subs = np.array([item.sub for item in items], dtype=np.int32)
        starts, ends = (np.searchsorted(sorted_concepts, subs, side).tolist() for side in ("left", "right"))
        for item, start, end in zip(items, starts, ends, strict=True):
            for context in contexts[order[start:end]].tolist():
                self.post(context, 4 * item.sup + TOLD)

    def link(self, source: int, role: int, target: int) -> None:
        """Add a link that a rule outside the kernel concluded."""
        self.make_room()
        if agenda.is_new_link(self.theory, self.state, source, target, role):
            agenda.post(self.state, source, 4 * (target * self.form.role_count + role) + LINK)
            self.start([target])

    def post(self, context: int, item: int) -> None:
        """Put an item into a context's inbox."""
        self.make_room()
        agenda.post(self.state, context, item)

    def make_room(self) -> None:
        """Enlarge the arrays if a few more items might not fit."""
        if not agenda.has_space(self.state, 8):
            self.state.counters[NEEDED] = 8
            self.state = enlarged(self.state)

    def subsumptions(self) -> tuple[Indices, Indices]:
        """Return all C ⊑ D, but for those of unsatisfiable C, as two columns."""
        count = self.state.counters[SUBSUMERS]
        items = self.state.subsumer_item[:count]
        is_fact = (items & 3) != UPGRADE
        return self.state.subsumer_context[:count][is_fact], items[is_fact] >> 2

    def links(self) -> tuple[Indices, Indices, Indices]:
        """Return all C → r → D as three columns: sources, roles, targets."""
        count = self.state.counters[LINK_ENTRIES]
        return self.state.link_source[:count], self.state.link_role[:count], self.state.link_target[:count]

    def facts(self) -> Facts:
        """Return the facts so far, as views where it may be run on."""
        contexts, concepts = self.subsumptions()
        sources, roles, targets = self.links()
        return Facts(
            form=self.form,
            contexts=contexts,
            concepts=concepts,
            sources=sources,
            roles=roles,
            targets=targets,
            is_bottom=self.state.is_bottom,
            is_started=self.state.is_started,
            added=tuple(self.added),
        )

    @property
    def steps(self) -> int:
        """Return how many rule applications the kernel has done."""
        return int(self.state.counters[STEPS])

    def run(self) -> None:
        """Apply the kernel's rules until nothing is left to do."""
        theory = self.theory
        tables = len(theory.is_subrole) + len(theory.compositions_ptr)
        is_small = len(theory.told) <= SMALL and tables <= SMALL_TABLES
        if is_small and not is_compiled() and self.run_plain():
            return
        while not self.advance(compiled_run()):
            pass

    def advance(self, run: Run) -> bool:
        """Run a kernel once, enlarge the arrays if it asks for it, and return whether it is done."""
        arrays = self.passed() if isinstance(run, MachineFunction) else (self.theory, self.state)
        code = run(*arrays, STEPS_BETWEEN_PAUSES)
        if code == NEEDS_SPACE:
            if self.state.counters[SUBSUMERS] > MANY_SUBSUMERS:
                refuse_many_equivalents(self.form, self.added)
            self.state = enlarged(self.state)
        if self.progress is not None:
            self.progress(int(self.state.counters[STEPS]))
        return code == DONE

    def passed(self) -> tuple[Passed, Passed]:
        """Return theory and state as machine code takes them, taken apart once for as long as they stay the same."""
        if self._passed is None or self._passed[0].argument is not self.theory:
            self._passed = passed(self.theory), passed(self.state)
        elif self._passed[1].argument is not self.state:
            self._passed = self._passed[0], passed(self.state)
        return self._passed

    def run_plain(self) -> bool:
        """Run the kernel as plain Python for a number of steps; False when it was not done by then."""
        theory, lists = as_lists(self.theory), as_lists(self.state)
        stop = self.steps + PLAIN_STEPS
        code = PAUSED
        while code != DONE and lists.counters[STEPS] < stop and lists.counters[LINKS] < PLAIN_LINKS:
            code = kernel.run(theory, lists, min(PLAIN_PAUSE, stop - lists.counters[STEPS]))
            if code == NEEDS_SPACE:
                lists = as_lists(enlarged(as_arrays(lists, like=self.state)))
        PLAIN_WORK.steps += lists.counters[STEPS] - self.steps
        self.state = as_arrays(lists, like=self.state)
        return code == DONE


def refuse_many_equivalents(form: NormalForm, added: Sequence[Added]) -> None:
    """Say that too many names mean the same, before memory is taken for all their pairs."""
    told: dict[int, list[int]] = {}
    for sub, sup in [*form.told.rows[:, :2].tolist(), *((item.sub, item.sup) for item in added)]:
        told.setdefault(sub, []).append(sup)
    is_conjunction = form.kinds == Kind.CONJUNCTION
    for concept in np.flatnonzero(is_conjunction).tolist():
        told.setdefault(concept, []).extend((int(form.first[concept]), int(form.second[concept])))
    components = strong_components(list(told), lambda node: told.get(node, ()))
    largest = max((sum(not is_conjunction[one] for one in part) for part in components), default=0)
    if largest > MOST_EQUIVALENTS:
        raise MooseError(
            f"expected at most {MOST_EQUIVALENTS:,} classes or individuals that mean the same, but the axioms say it "
            f"of {largest:,}, and each is below each; keep one name for them, or ask about less with `moose explain`"
        )


def as_lists(arrays: Arrays) -> Arrays:
    """Copy arrays to lists, which plain Python reads and writes faster."""
    items = cast("Iterable[object]", arrays)
    lists = [item.tolist() if isinstance(item, np.ndarray) else item for item in items]
    return type(arrays)(*cast("Any", lists))


def as_arrays(lists: State, *, like: State) -> State:
    """Copy lists back to arrays."""
    pairs = zip(lists, cast("Iterable[npt.NDArray[np.generic]]", like), strict=True)
    return State(*(np.array(item, dtype=array.dtype) for item, array in pairs))
