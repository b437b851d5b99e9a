"""What `moose compile --bounds` and `moose ask --bounds` print: intervals instead of numbers."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from moose.circuit.bounds.bounds import Bounds
    from moose.circuit.bounds.interval import Interval
    from moose.circuit.inference.weights import Weights


def as_json(interval: Interval) -> dict[str, float | None]:
    """Return an interval for programs; JSON has no infinity, so that there is then no bound."""
    lower, upper = (None if math.isinf(one) else one for one in (interval.lower, interval.upper))
    return {"lower": lower, "upper": upper}


@dataclass(frozen=True, slots=True)
class BoundedAnswer:
    """What bounds say given evidence."""

    evidence: list[str]
    log_wmc: Interval
    posterior: dict[str, Interval]
    assumptions: list[str]

    def facts(self) -> dict[str, object]:
        """Return it for programs."""
        return {
            "evidence": self.evidence,
            "log_wmc": as_json(self.log_wmc),
            "posterior": {atom: as_json(interval) for atom, interval in self.posterior.items()},
            "assumptions": self.assumptions,
        }

    def lines(self) -> Iterator[str]:
        """Spell it for people."""
        yield f"evidence\t{', '.join(self.evidence) or 'none'}"
        yield f"log WMC\t{self.log_wmc}"
        yield "posterior"
        yield from (f"  {atom}\t{interval}" for atom, interval in self.posterior.items())
        yield f"under the assumptions\t{', '.join(self.assumptions)}"


def bounded_answer(bounds: Bounds, literals: list[str], weights: Weights | None) -> BoundedAnswer:
    """Ask bounds all there is to ask."""
    return BoundedAnswer(
        evidence=literals,
        log_wmc=bounds.log_wmc(weights, literals),
        posterior=dict(bounds.posterior(literals, weights)),
        assumptions=list(dict.fromkeys(one.name for one in bounds.clauses.assumptions)),
    )


def size_facts(bounds: Bounds) -> dict[str, object]:
    """Return how large bounds are and how far apart, for programs."""
    below, above = bounds.lower.statistics, bounds.upper.statistics
    return {
        "atoms": above.atoms,
        "clauses": above.clauses,
        "size": {"lower": below.size, "upper": above.size},
        "seconds": round(above.seconds, 4),
        "exact": bounds.is_exact,
        "log_wmc": as_json(bounds.log_wmc()),
    }


def size_lines(bounds: Bounds) -> list[str]:
    """Spell the same for people."""
    below, above = bounds.lower.statistics, bounds.upper.statistics
    found = bounds.log_wmc()
    return [
        f"atoms\t{above.atoms}",
        f"clauses\t{above.clauses}",
        f"size\t{below.size} below, {above.size} above",
        f"seconds\t{above.seconds:.3f}",
        f"log WMC\t{found}",
        f"gap\t{found.gap:.3g}",
    ]
