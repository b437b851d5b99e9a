"""What is asked: axioms that may follow, and whether the ontology is consistent."""

from __future__ import annotations

from dataclasses import dataclass

from moose.base.errors import MooseError
from moose.owl.model import axioms as ax
from moose.owl.model import expressions as owl
from moose.owl.names import Names
from moose.owl.syntax.functional.write_functional import render
from moose.owl.syntax.goal_text import parse_goal
from moose.owl.syntax.manchester.manchester_tokens import meant_word
from moose.owl.unquoted_labels import hinting_at_labels
from moose.saturation.proofs.explain import Inclusion, inclusions

CONSISTENT = "consistent"


def is_misspelt(text: str) -> bool:
    """Return whether a text is one word, and that a misspelling of `consistent`."""
    word = text.strip()
    return word.lower() == CONSISTENT or meant_word(word, [CONSISTENT]) is not None


@dataclass(frozen=True)
class Goal:
    """Class inclusions that hold together in just the worlds that are asked for, or in just the others."""

    text: str
    inclusions: tuple[Inclusion, ...]
    is_negated: bool = False
    axiom: ax.Axiom | None = None
    """What the inclusions come from; none for consistency, which is that ⊤ ⊑ ⊥ does not hold."""


def read_goal(goal: str | ax.Axiom, names: Names, where: str = "goal") -> Goal:
    """Read a goal: an axiom, or its text, or `consistent`, or `unsatisfiable C`; `where` is what messages call it.

    >>> import moose
    >>> names = moose.Names(moose.load(moose.PIZZERIA))
    >>> read_goal("unsatisfiable Margherita", names).text
    'SubClassOf(Margherita owl:Nothing)'
    """
    if isinstance(goal, str):
        if goal.strip() == CONSISTENT:
            return Goal(CONSISTENT, ((owl.THING, owl.NOTHING),), is_negated=True)
        if is_misspelt(goal):
            raise MooseError(
                f"{where}: expected an axiom or a word such as consistent, but got {goal!r}; did you mean {CONSISTENT}?"
            )
        with hinting_at_labels(goal, names):
            goal = parse_goal(goal, where, names.resolve)
    text = render(goal, names.display)
    return Goal(text, tuple(inclusions(goal)), axiom=goal)
