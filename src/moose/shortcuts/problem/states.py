"""Latent states: what is true of an individual, as far as it is hidden, and the variables that make it up."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

from moose.base.errors import MooseError
from moose.grounding.encodings.shapes import impossible_concepts
from moose.grounding.task.task import Task

State = frozenset[str]
"""The latent concepts that hold of an individual; all the others do not."""
NOTHING = "nothing"
"""How the state is spelled in which no latent concept holds."""


@dataclass(frozen=True, eq=False)
class Vocabulary:
    """The latent concepts of a task, and the variables they make up: a family is one, any other concept is one."""

    latent: tuple[str, ...]
    families: tuple[tuple[str, ...], ...]
    """Families whose members are all latent."""
    roles: tuple[str, ...] = ()
    """Latent roles that are read from pairs."""
    impossible: tuple[str, ...] = ()
    """The latent concepts that are unsatisfiable: no state has them, and nothing can be learnt of them."""

    @classmethod
    def of(cls, task: Task) -> Vocabulary:
        """Read the latent concepts of a task."""
        listed = {name: kind.has_input for kind in (task.kinds or {}).values() for name in kind.latent}
        listed |= {name: True for kind in (task.kinds or {}).values() if kind.has_input for name in kind.latent}
        latent = tuple(one.name for one in task.concepts if one.is_latent and listed.get(one.name, True))
        roles = tuple(task.role_predicates[number].name for number in task.read_roles)
        if not latent and not roles:
            raise MooseError("the task has no latent concept, so nothing can be mistaken; declare some as latent")
        if NOTHING in latent:
            raise MooseError(f"a latent concept is called {NOTHING}, the word for a state without any; rename it")
        families = tuple(tuple(family) for family in task.families if set(family) <= set(latent))
        members = [name for family in families for name in family]
        for name in members:
            if members.count(name) > 1:
                raise MooseError(f"{name} is in two latent families; keep it in one of them")
        impossible = set(impossible_concepts(task))
        return cls(latent, families, roles, tuple(name for name in latent if name in impossible))

    @cached_property
    def variables(self) -> tuple[tuple[str, ...], ...]:
        """The families, then every other latent concept alone."""
        members = {name for family in self.families for name in family}
        return (*self.families, *((name,) for name in self.latent if name not in members))

    @cached_property
    def variable_of(self) -> dict[str, int]:
        """For each latent concept the variable that it belongs to."""
        return {name: index for index, variable in enumerate(self.variables) for name in variable}

    @cached_property
    def in_family(self) -> frozenset[str]:
        """The latent concepts that are members of a latent family."""
        return frozenset(name for family in self.families for name in family)

    def ordered(self, names: Iterable[str]) -> tuple[str, ...]:
        """Return concepts in the order of the task."""
        chosen = set(names)
        return tuple(name for name in self.latent if name in chosen)

    def text(self, state: State) -> str:
        """Spell a state: `D3`, `Peperonata + Prawn`, or `nothing`.

        >>> Vocabulary(("A", "B"), ()).text(frozenset("BA"))
        'A + B'
        """
        return " + ".join(self.ordered(state)) or NOTHING

    def value_text(self, variable: Sequence[str], value: State) -> str:
        """Spell the value of one variable: a member of a family, a concept, or `not` a concept."""
        if len(variable) == 1 and variable not in self.families:
            return variable[0] if value else f"not {variable[0]}"
        return self.text(value)

    def sort_key(self, state: State) -> tuple[bool, ...]:
        """Return what sorts states: those with earlier concepts first."""
        return tuple(name not in state for name in self.latent)
