"""What a network says of an example in fuzzy logic: concepts, Skolem witnesses, and roles that nobody knows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import sqrt
from typing import Literal, NamedTuple

from torch import Tensor

from moose.base.errors import MooseError
from moose.grounding.task.task import Task
from moose.methods.theory.task_axioms import Conjunction, Existential, Told

ExistsName = Literal["universe", "skolem"]
EXISTS: tuple[ExistsName, ...] = ("universe", "skolem")

RANK = 8
"""Numbers by which each end of a pair is told apart for a role that is not known; enough for ten digits."""


class Outputs(NamedTuple):
    """Truth values, apart from the first, which are logits."""

    logits: Tensor
    """example × individual × concept"""
    witnesses: Mapping[str, Tensor]
    """For each role example × individual × concept: what holds of the individual's witness."""
    links: Mapping[str, Tensor]
    """For each role that is not known example × individual × individual."""


@dataclass(frozen=True, slots=True)
class OutputPlan:
    """Where each number stands among the outputs of a network for one individual."""

    concepts: int
    witnesses: tuple[str, ...]
    """Roles with a witness for each individual."""
    free: tuple[str, ...]
    """Roles that are not known in advance: R(a,b) = σ(uᴿ(a) · vᴿ(b) / √rank)."""

    @property
    def size(self) -> int:
        """How many outputs there are."""
        return self.concepts * (1 + len(self.witnesses)) + 2 * RANK * len(self.free)

    def read(self, raw: Tensor) -> Outputs:
        """Part outputs, example × individual × output."""
        several = [self.concepts] * (1 + len(self.witnesses)) + [RANK] * (2 * len(self.free))
        logits, *rest = raw.split(several, -1)
        witnesses = {role: values.sigmoid() for role, values in zip(self.witnesses, rest)}
        ends = rest[len(self.witnesses) :]
        links = {
            role: (first @ second.mT / sqrt(RANK)).sigmoid()
            for role, first, second in zip(self.free, ends[::2], ends[1::2])
        }
        return Outputs(logits, witnesses, links)


def plan_outputs(task: Task, told: Told, exists: ExistsName) -> OutputPlan:
    """Plan the outputs for a task."""
    names = [role.name for role in task.role_predicates]
    free = tuple(name for name in names if name not in task.edges)
    witnesses = tuple(names[role] for role in promised_roles(told)) if exists == "skolem" else ()
    return OutputPlan(len(task.concepts), witnesses, free)


def promised_roles(told: Told) -> list[int]:
    """Return the roles of every ∃R.C on a right-hand side, also inside of others."""
    waiting = [sup for _, sup in told.inclusions] + [concept for _, concept in told.ranges]
    roles_used = set[int]()
    while waiting:
        match told.parts(waiting.pop()):
            case Existential(role, filler):
                roles_used.add(role)
                waiting.append(filler)
            case Conjunction(first, second):
                waiting += (first, second)
    return sorted(roles_used)


def chosen(values: Mapping[str, Tensor], roles: Sequence[str]) -> list[Tensor]:
    """Return the values of roles, which the task of the training must have in the same part."""
    missing = next((role for role in roles if role not in values), None)
    if missing is not None:
        raise MooseError(
            f"expected examples whose task knows the role {missing} in advance, as the task of the training does; "
            f"declare it under roles, or learn from the task in which it is not known"
        )
    return [values[role] for role in roles]
