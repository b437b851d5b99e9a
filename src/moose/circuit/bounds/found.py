"""What was found: states that are kept beside a relaxation."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from moose.circuit.bounds.bounds import Stage
from moose.circuit.bounds.relaxation import Relaxation
from moose.circuit.bounds.search import Kept


@dataclass(frozen=True, eq=False)
class Found:
    """States that are kept beside a relaxation, and the bounds of log WMC that they give."""

    relaxation: Relaxation
    kept: Kept
    stage: Stage

    @cached_property
    def is_complete(self) -> bool:
        """Whether no row leads to a state that is neither kept nor exact."""
        exact = self.relaxation.is_exact
        links = (link for bag in self.kept.values() for link in bag.links)
        return not any(len(link.missing) for link in links if not exact[link.child])
