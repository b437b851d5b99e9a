"""What the profile check returns: the EL axioms to reason with, and every axiom outside OWL 2 EL with the reason."""

from __future__ import annotations

from dataclasses import dataclass

from moose.owl.model.axioms import Axiom


@dataclass(frozen=True, slots=True)
class Outside:
    """An axiom outside OWL 2 EL: why, and which EL axioms that follow from it are used in its place.

    `is_exact` says that nothing is lost: the used axioms together mean the same.
    """

    axiom: Axiom
    reason: str
    used: tuple[Axiom, ...] = ()
    is_exact: bool = False
    is_used_with_others: bool = False
    """Whether the profile has axioms that follow from this one, most often together with others, beside `used`."""
    by_itself: int = 0
    """How many of `used`, the first, say what the axiom does; the others what it means for what stands elsewhere."""


@dataclass(frozen=True, slots=True)
class Joint:
    """An axiom that follows from others, most often from several together, and their positions in the ontology."""

    axiom: Axiom
    sources: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Profile:
    """The EL axioms that reasoning stands on, and what was outside EL.

    `el_axioms` are those in EL, those used in place of others, in order, and last those of `joint`.
    """

    el_axioms: tuple[Axiom, ...]
    outside: tuple[Outside, ...] = ()
    joint: tuple[Joint, ...] = ()
    disjunctions: tuple[Joint, ...] = ()
    """C ⊑ D ⊔ E ⊔ … with EL expressions, which rules go through case by case; each with what it follows from."""

    @property
    def used_axioms(self) -> tuple[Axiom, ...]:
        """Return all axioms that rules use: those of EL, then the disjunctions."""
        return (*self.el_axioms, *(one.axiom for one in self.disjunctions))

    @property
    def plain_axioms(self) -> tuple[Axiom, ...]:
        """Return the EL axioms without what those outside say of what stands elsewhere, or together with others."""
        more = {id(axiom) for one in self.outside for axiom in one.used[one.by_itself :]}
        more.update(id(one.axiom) for one in self.joint)
        return tuple(axiom for axiom in self.el_axioms if id(axiom) not in more)


def count_unused(count: int) -> str:
    """Say how many axioms that may matter were not used whole."""
    return f"{count:,} {'axiom that may matter was' if count == 1 else 'axioms that may matter were'} not used whole"
