"""What can be chosen about a problem: which evidence a regime shows, and what kind of map an encoder may be."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from moose.base.suggestions import unknown_word
from moose.circuit.question import whole_number
from moose.grounding.task.task import Task
from moose.grounding.task.vocabulary import checked_names

LITERALS = ("both", "positive")
READINGS = ("whole", "apart", "exchanged")


@dataclass(frozen=True, slots=True)
class Showing:
    """Which true literals evidence may hold.

    >>> Showing(concepts=("Prime", "Composite"), literals="positive").most is None
    True
    """

    concepts: Sequence[str] | None = None
    """Concepts and roles that evidence speaks of, latent ones if they are supervised; all observed ones if None."""
    literals: str = "both"
    """`both` what holds and what does not, or `positive`: what holds alone."""
    most: int | None = None
    """How many literals are seen at once; all of them if None, which is the strictest."""
    states: Collection[Collection[str]] | None = None
    """The latent states that occur, each as the concepts that hold in it; all that the theory allows if None."""

    def __post_init__(self) -> None:
        if self.literals not in LITERALS:
            raise unknown_word("literals", str(self.literals), LITERALS)
        if self.most is not None:
            whole_number(self.most, what="how many literals are seen at once")
        if self.concepts is not None:
            object.__setattr__(self, "concepts", checked_names(self.concepts, what="the concepts shown"))
        if self.states is not None:
            given = [frozenset(checked_names(state, what="a state that occurs")) for state in self.states]
            object.__setattr__(self, "states", tuple(dict.fromkeys(given)))

    def shown_in(self, task: Task) -> tuple[str, ...]:
        """Return the names of the concepts and roles that evidence speaks of in a task."""
        predicates = (*task.concepts, *task.role_predicates)
        if self.concepts is None:
            return tuple(one.name for one in predicates if not one.is_latent)
        words = task.vocabulary
        shown = dict[str, None]()
        for name in self.concepts:
            predicate = words.find_concept(name) or words.find_role(name)
            if predicate is None:
                raise words.unknown_predicate(name, "a concept or role of the task to be shown")
            shown[predicate.name] = None
        return tuple(shown)


@dataclass(frozen=True, slots=True)
class Encoder:
    """Which maps from true to predicted states are counted.

    >>> Encoder(is_shared=False)
    Encoder(is_shared=False, reads='whole', is_injective=False)
    """

    is_shared: bool = True
    """Whether one encoder reads all individuals, or each has its own."""
    reads: str = "whole"
    """`whole`: what is predicted may depend on all that is true of an individual. `apart`: each family, and each other
    latent concept, only on its own true value. `exchanged`: on the true value of one, not always its own."""
    is_injective: bool = False
    """Whether different states must be predicted to be different, so that nothing collapses."""

    def __post_init__(self) -> None:
        if self.reads not in READINGS:
            raise unknown_word("a way of reading", str(self.reads), READINGS)
