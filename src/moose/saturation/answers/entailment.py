"""Whether something follows: yes, no, or that it was not found with what EL uses of the ontology."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from moose.base.errors import MooseError
from moose.owl.model import axioms as ax
from moose.owl.model.expressions import ClassExpression
from moose.owl.modules.module_extraction import Inclusion
from moose.owl.modules.unused import module_of, unused
from moose.owl.names import Names
from moose.owl.ontology import Ontology
from moose.owl.profile.profile import Outside, count_unused
from moose.owl.syntax.functional.write_functional import render
from moose.owl.syntax.goal_text import as_goal
from moose.saturation.proofs.explain import Explanation, explain, inclusions


class Reasoner(Protocol):
    """A reasoner for all of OWL 2, asked where EL leaves something open."""

    @property
    def name(self) -> str:
        """What to call it."""

    def entails(self, axioms: Sequence[ax.Axiom], sub: ClassExpression, sup: ClassExpression) -> bool:
        """Return whether C ⊑ D follows from axioms, none of which is unread."""


@dataclass(frozen=True)
class Entailment:
    """Whether a goal follows, and why.

    As a truth value it is `follows`, and an error where that is not known.
    """

    goal: ax.Axiom
    follows: bool | None
    """None where it was not found, and axioms that can matter for it were not used whole."""
    explanation: Explanation | None = None
    """Why it follows; none where another reasoner said so, which gives no proof."""
    unused: tuple[Outside, ...] = ()
    """The axioms that can matter and of which not all was used, where it is not known whether the goal follows."""
    reasoner: str | None = None
    """The other reasoner that the answer is from, if it is."""

    def __bool__(self) -> bool:
        if self.follows is None:
            raise MooseError(
                f"{render(self.goal)}: expected to know whether it follows, but {count_unused(len(self.unused))}; "
                "read `follows`, which is None, and `unused`"
            )
        return self.follows


def entailment(ontology: Ontology, goal: ax.Axiom | str, *, reasoner: Reasoner | None = None) -> Entailment:
    """Return whether a goal, an axiom or its text, follows; where EL leaves that open, a reasoner is asked, if given.

    What is derived follows. What is not derived does not follow if all axioms of its module are used whole.
    """
    goal = as_goal(goal, "the goal", Names(ontology).resolve)
    explanation = explain(ontology, goal)
    if explanation is not None:
        return Entailment(goal, True, explanation)
    pairs = inclusions(goal)
    left = unused(ontology, pairs)
    if not left or reasoner is None:
        return Entailment(goal, None if left else False, unused=left)
    if entailed_by(reasoner, ontology, pairs):
        return Entailment(goal, True, reasoner=reasoner.name)
    unread = tuple(row for row in left if isinstance(row.axiom, ax.UnreadAxiom))
    return Entailment(goal, None if unread else False, unused=unread, reasoner=reasoner.name)


def entailed_by(reasoner: Reasoner, ontology: Ontology, pairs: Sequence[Inclusion]) -> bool:
    """Return whether a reasoner says that class inclusions follow, from all axioms that can matter and were read."""
    for pair in pairs:
        axioms = [ontology.axioms[position] for position in module_of(ontology, [pair])]
        if not reasoner.entails([axiom for axiom in axioms if not isinstance(axiom, ax.UnreadAxiom)], *pair):
            return False
    return True
