"""Bounds on the number of maps where it cannot be counted exactly: ApproxMC, from the extra `shortcuts`."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.util import find_spec

from moose.base.errors import InconsistentOntology, LimitReached, MooseError
from moose.circuit.question import whole_number
from moose.grounding.clauses import AtomKind, Clauses
from moose.shortcuts.problem.constraints import map_clauses
from moose.shortcuts.problem.problem import Problem

TOLERANCES = (0.8, 0.4, 0.2, 0.1)
"""How far an estimate may be off, as a factor of 1 + tolerance; each takes several times as long as the one before."""

# In a process of its own: ApproxMC looks at neither the clock nor the keyboard.
COUNT = """
import json, sys
import pyapproxmc
job = json.load(sys.stdin)
counter = pyapproxmc.Counter(seed=job["seed"], epsilon=job["tolerance"], delta=job["risk"])
counter.add_clauses(job["clauses"])
print(json.dumps(counter.count(job["atoms"])))
"""


@dataclass(frozen=True, slots=True)
class Interval:
    """Between which numbers the number of maps lies, with some confidence."""

    low: int
    high: int
    confidence: float

    @property
    def is_exact(self) -> bool:
        """Whether there is one number left."""
        return self.low == self.high


def bound_maps(
    problem: Problem, *, seed: int = 0, risk: float = 0.05, seconds: float | None = None
) -> Iterator[Interval]:
    """Yield narrower and narrower intervals around the number of maps; stop whenever one is narrow enough.

    Each holds the number with a probability of at least 1 - risk; a narrower one takes longer. An exact one is last.
    When the time is up there are no more; if there was none, an error says so.
    """
    start = whole_number(seed, what="a seed")
    if not 0 < risk < 1:
        raise MooseError(f"expected a risk between 0 and 1, but got {risk!r}")
    if find_spec("pyapproxmc") is None:
        raise MooseError("bounds need pyapproxmc, which is not installed; run `pip install 'moose-el[shortcuts]'`")
    end = None if seconds is None else time.monotonic() + seconds
    drafts = [map_clauses(problem.parts, problem.observations, lens) for lens in problem.lenses()]
    clauses = [one for one in drafts if one is not None]
    # Of several counts none may fail, and none of the intervals that are cut with each other.
    share = risk / (max(len(clauses), 1) * len(TOLERANCES))
    best: Interval | None = None
    for tolerance in TOLERANCES:
        try:
            intervals = [_Job(one, tolerance, share, start + 1).run(end) for one in clauses]
        except subprocess.TimeoutExpired:
            if best is None:
                raise LimitReached(f"no bounds were found within {seconds:g} seconds; raise the limit") from None
            return
        low, high = sum(one.low for one in intervals), sum(one.high for one in intervals)
        if high == 0:
            raise InconsistentOntology("no map agrees with what is shown, not even the right one; check the task")
        is_exact = all(one.is_exact for one in intervals)
        if best is not None:
            low, high = max(low, best.low), min(high, best.high)
        best = Interval(max(low, 1), high, 1.0 if is_exact else 1.0 - risk)
        yield best
        if is_exact:
            return


@dataclass(frozen=True, eq=False)
class _Job:
    """One estimate of the number of models over the atoms that are not auxiliary."""

    clauses: Clauses
    tolerance: float
    risk: float
    seed: int

    def run(self, end: float | None) -> Interval:
        """Count, up to the tolerance; raise when the time is up."""
        kinds = self.clauses.kinds.tolist()
        used = {abs(literal) for literal in self.clauses.literals.tolist()}
        counted = [atom for atom in sorted(used) if kinds[atom - 1] != AtomKind.AUXILIARY]
        free = 1 << (sum(kind != AtomKind.AUXILIARY for kind in kinds) - len(counted))
        if not used:
            return Interval(free, free, 1.0)
        # Without an atom to count over, all there is to know is whether there is a model.
        cells, hashes = self.count(counted or [min(used)], end)
        estimate = free * ((cells << hashes) if counted else min(cells, 1))
        if hashes == 0 or not counted:
            return Interval(estimate, estimate, 1.0)
        spread = 1.0 + self.tolerance
        return Interval(int(estimate / spread), int(estimate * spread) + 1, 1.0 - self.risk)

    def count(self, atoms: list[int], end: float | None) -> tuple[int, int]:
        """Ask ApproxMC how many solutions a cell has, and how many times the space was halved."""
        job = {
            "clauses": [list(clause) for clause in self.clauses],
            "atoms": atoms,
            "seed": self.seed,
            "tolerance": self.tolerance,
            "risk": self.risk,
        }
        done = subprocess.run(  # noqa: S603  # our own interpreter and our own code
            [sys.executable, "-c", COUNT],
            input=json.dumps(job),
            capture_output=True,
            text=True,
            check=False,
            timeout=None if end is None else max(0.1, end - time.monotonic()),
        )
        if done.returncode:
            raise MooseError(f"ApproxMC failed: {done.stderr.strip().splitlines()[-1:] or done.returncode}")
        cells, hashes = json.loads(done.stdout.splitlines()[-1])
        return int(cells), int(hashes)
