"""Stage 6: from a task to clauses."""

from __future__ import annotations

from moose.base.errors import MooseError
from moose.base.suggestions import unknown_word
from moose.grounding.clauses import Clauses
from moose.grounding.task.components import Components
from moose.grounding.task.task import Task

ENCODINGS = ("full", "paper")


def ground(
    task: Task, *, encoding: str = "full", components: Components | None = None, pin_roles: bool | None = None
) -> Clauses:
    """Ground a task: `full` with every sound ground clause, `paper` with exactly those of the paper.

    Roles that are known in advance are fixed unless `pin_roles` is False; the paper leaves them as variables, so there
    they are fixed only if it is True. What the task's `closure` leaves out stays out.

    >>> import moose
    >>> moose.ground(moose.regime("mnist1"), encoding="paper")
    Clauses(atoms=14, clauses=117)
    """
    if not isinstance(task, Task):
        raise MooseError(f"expected a task, but got {task!r}; make one with moose.Task or moose.read_task")
    given: object = components  # what a type checker would refuse may still come from a script or a notebook
    if not (given is None or isinstance(given, Components)) or pin_roles not in (None, True, False):
        raise MooseError(
            f"expected components as moose.Components and pin_roles as True, False or None, "
            f"but got {components!r} and {pin_roles!r}"
        )
    if encoding not in ENCODINGS:
        raise unknown_word("an encoding", encoding, ENCODINGS)
    chosen = (components or Components()).narrowed(task.closure)
    if encoding == "paper":
        from moose.grounding.encodings.paper import ground_paper

        return ground_paper(task, chosen, pin_roles=bool(pin_roles))
    from moose.grounding.encodings.entailed import ground_entailed

    return ground_entailed(task, chosen, pin_roles=pin_roles is not False)
