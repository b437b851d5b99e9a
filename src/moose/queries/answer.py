"""What a query returns."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction

from moose.base.errors import MooseError
from moose.owl.model import axioms as ax
from moose.owl.names import Names
from moose.owl.ontology import ontology_from_axioms
from moose.owl.profile.profile import Outside, count_unused
from moose.owl.syntax.functional.write_functional import render
from moose.queries.program.goals import Goal
from moose.saturation.proofs.explain import Explanation, explain


@dataclass(frozen=True)
class Justification:
    """Axioms that entail the goal, none of which can be left out."""

    goal: Goal
    axioms: tuple[ax.Axiom, ...]
    names: Names = field(repr=False, compare=False)

    def __str__(self) -> str:
        head = "1 axiom" if len(self.axioms) == 1 else f"{len(self.axioms)} axioms"
        return "\n  ".join([head, *(render(ax.without_annotations(axiom), self.names.show) for axiom in self.axioms)])

    def explanation(self) -> Explanation:
        """Return a proof of the goal from these axioms alone."""
        return explained(self.goal, self.axioms)


@dataclass(frozen=True)
class ProbableJustification:
    """Axioms that entail the goal, none of which can be left out, and how likely they are to hold together."""

    goal: Goal
    axioms: tuple[ax.Axiom, ...]
    probability: Fraction
    names: Names = field(repr=False, compare=False)

    def __str__(self) -> str:
        lines = [f"{float(self.probability):.4g}"]
        return "\n  ".join([*lines, *(render(ax.without_annotations(axiom), self.names.show) for axiom in self.axioms)])

    def explanation(self) -> Explanation:
        """Return a proof of the goal from these axioms alone."""
        return explained(self.goal, self.axioms)


def explained(goal: Goal, axioms: tuple[ax.Axiom, ...]) -> Explanation:
    """Return a proof of a goal from axioms that entail it."""
    result = explain(ontology_from_axioms(axioms), goal.axiom or ax.SubClassOf(*goal.inclusions[0]))
    assert result is not None, "a justification entails its goal"
    return result


@dataclass(frozen=True)
class Answer:
    """How likely a goal is to be entailed, and why."""

    goal: str
    lower: Fraction
    upper: Fraction
    """The probability lies between these; they are equal unless a limit was reached or axioms were not used."""
    justifications: tuple[ProbableJustification, ...] = ()
    """Minimal sets of axioms that entail the goal, most probable first; for `consistent`, that contradict."""
    are_all_justifications: bool = True
    """There are no more justifications than these."""
    sensitivities: Mapping[ax.Axiom, Fraction] = field(default_factory=dict)
    """By how much the probability, or its lower bound, changes with that of each axiom (its derivative); others: 0."""
    most_probable_world: Mapping[ax.Axiom, bool] = field(default_factory=dict)
    """Of the uncertain axioms that make a difference, which hold in the likeliest world where the goal holds."""
    unused: tuple[Outside, ...] = ()
    """Where only bounds are known: the axioms that can matter and are not used whole; with one it may follow unseen."""
    is_limit_reached: bool = False
    """The bounds are what was known when the time was over."""
    reasoner: str | None = None
    """The other reasoner that was asked where EL leaves it open, if one was."""
    inconsistent: tuple[Fraction, Fraction] | None = None
    """Between what it lies how likely inconsistent worlds are, from which everything follows; None if not known."""

    @property
    def is_exact(self) -> bool:
        """Return whether the probability is known."""
        return self.lower == self.upper

    @property
    def probability(self) -> Fraction:
        """The probability; an error where only bounds are known."""
        if not self.is_exact:
            why, more = "the limit was reached", ", or raise the limit"
            if self.unused and not self.is_limit_reached:
                why, more = count_unused(len(self.unused)), ""
            raise MooseError(
                f"{why}: the probability lies between {float(self.lower):.6g} and {float(self.upper):.6g}; "
                f"read `lower` and `upper`{more}"
            )
        return self.lower

    @property
    def value(self) -> float:
        """The probability as a float; the middle of the bounds where only these are known."""
        return float((self.lower + self.upper) / 2)

    def __str__(self) -> str:
        if not self.is_exact:
            return f"{self.goal}: between {float(self.lower):.6g} and {float(self.upper):.6g}"
        return f"{self.goal}: {self.value:.6g}"
