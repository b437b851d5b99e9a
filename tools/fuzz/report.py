"""Count cases, keep what was found, and say it in a table and as JSON."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from tools.fuzz.case import Case, Outcome

STATES = ("read", "refused", "found")


@dataclass(slots=True)
class Found:
    """What has one signature: how often it came, and the smallest case."""

    what: str
    count: int
    size: int
    path: Path


@dataclass(slots=True)
class Report:
    """All that is counted."""

    folder: Path
    """Where cases of findings are written."""
    counts: Counter[tuple[str, str, str]] = field(default_factory=Counter)
    """Cases by target, kind and state."""
    steps: Counter[str] = field(default_factory=Counter)
    findings: dict[str, Found] = field(default_factory=dict)
    slowest: tuple[float, str] = (0.0, "")
    largest: tuple[float, str] = (0.0, "")
    """Megabytes, and the first case after which a process had them."""

    def add(self, case: Case, outcome: Outcome) -> None:
        """Count a case."""
        self.counts[case.target, case.kind, outcome.state] += 1
        self.steps.update(outcome.steps)
        self.slowest = max(self.slowest, (outcome.seconds, f"{case.seed} ({case.target}, {case.kind})"))
        self.largest = max(self.largest, (outcome.megabytes, f"{case.seed} ({case.target}, {case.kind})"))
        if outcome.state == "found":
            self._keep(case, outcome)

    def _keep(self, case: Case, outcome: Outcome) -> None:
        size = sum(map(len, case.files.values()))
        known = self.findings.get(outcome.signature)
        if known is None or size < known.size:
            path = self.folder / f"{re.sub(r'[^A-Za-z0-9]+', '-', outcome.signature)[:60].strip('-')}.json"
            self.folder.mkdir(parents=True, exist_ok=True)
            path.write_text(case.to_json(outcome.what), "utf-8")
            path.with_suffix(".txt").write_text(f"{outcome.what}\n\n{outcome.details}", "utf-8", "backslashreplace")
            if known is None:
                print(f"found: {outcome.what}\n  repeat: python -m tools.fuzz --case {path}", flush=True)
            self.findings[outcome.signature] = Found(outcome.what, known.count if known else 0, size, path)
        self.findings[outcome.signature].count += 1

    @property
    def total(self) -> int:
        """Return how many cases were run."""
        return self.counts.total()

    def of(self, *, target: str, kind: str | None = None) -> dict[str, int]:
        """Count the cases of a target by state."""
        chosen = {key: count for key, count in self.counts.items() if key[0] == target and kind in (None, key[1])}
        return {state: sum(count for key, count in chosen.items() if key[2] == state) for state in STATES}

    def lines(self, seconds: float) -> Iterator[str]:
        """Write the report."""
        yield f"{'target':<14}{'kind':<14}{'cases':>9}{'read':>9}{'refused':>9}{'found':>7}"
        for target, kind in sorted({key[:2] for key in self.counts}):
            row = self.of(target=target, kind=kind)
            yield f"{target:<14}{kind:<14}{sum(row.values()):>9,}" + "".join(
                f"{row[state]:>{width},}" for state, width in zip(STATES, (9, 9, 7), strict=True)
            )
        yield f"{self.total:,} cases in {seconds:,.0f} s, {self.total / max(seconds, 1e-9):.0f} a second"
        yield f"slowest {self.slowest[0]:.1f} s of processor time: {self.slowest[1]}"
        yield f"largest process {self.largest[0]:,.0f} MB: {self.largest[1]}"
        for found in sorted(self.findings.values(), key=lambda one: -one.count):
            yield f"found {found.count:,} times: {found.what[:160]}\n  repeat: python -m tools.fuzz --case {found.path}"
        yield f"{len(self.findings)} kinds of findings"

    def to_json(self, seconds: float, *, seed: int) -> str:
        """Write the figures for the documents; where findings were kept is left out."""
        targets = sorted({key[0] for key in self.counts})
        kinds = sorted({key[1] for key in self.counts})
        value = {
            "seed": seed,
            "seconds": round(seconds),
            "cases": self.total,
            "targets": {target: self.of(target=target) for target in targets},
            "kinds": {kind: sum(count for key, count in self.counts.items() if key[1] == kind) for kind in kinds},
            "steps": dict(sorted(self.steps.items())),
            "findings": {found.what: found.count for found in self.findings.values()},
            "slowest_seconds": round(self.slowest[0], 2),
            "largest_megabytes": round(self.largest[0]),
        }
        return json.dumps(value, indent=2) + "\n"
