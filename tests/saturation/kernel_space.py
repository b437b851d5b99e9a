"""Watch that no step of the kernel takes more space than it asked for: compiled, it writes without looking."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest

from moose.saturation.engine import kernel, run
from moose.saturation.engine.arrays import AGENDA, LINK_ENTRIES, LINKS, MESSAGES, NEGATIVES, SUBSUMERS, State, Theory


@contextmanager
def watched_space() -> Iterator[Callable[[], int]]:
    """Compare, at each step of the plain kernel, what the step before has taken with what it asked for."""
    bounds = {AGENDA: None, MESSAGES: None, LINKS: None, SUBSUMERS: 2, NEGATIVES: 2, LINK_ENTRIES: 2}
    plain, tell, seen = kernel.space_for, kernel.some_plus_backward, [0]
    last: list[tuple[State, list[int], int]] = []

    def check(state: State) -> None:
        if last and last[0][0] is state:
            _, counters, needed = last.pop()
            for counter, bound in bounds.items():
                assert state.counters[counter] - counters[counter] <= (needed if bound is None else bound)

    def watch(theory: Theory, state: State, context: int, item: int) -> int:
        check(state)
        seen[0] += 1
        last[:] = [(state, list(state.counters), plain(theory, state, context, item))]
        return int(last[0][2])

    def watch_messages(theory: Theory, state: State, context: int) -> bool:
        check(state)
        is_done = tell(theory, state, context)
        assert state.counters[MESSAGES] <= len(state.inbox_item)
        return is_done

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(kernel, "space_for", watch)
        patch.setattr(kernel, "some_plus_backward", watch_messages)
        patch.setattr(run, "is_compiled", lambda: False)
        yield lambda: seen[0]
        if last:
            check(last[0][0])
