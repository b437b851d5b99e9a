"""Certify random answers and all bundled circuits, check all of it with both checkers, and refuse what is made wrong.

    python -m bench.certificates [--count 1000] [--checker proofs/checker/check] [--json OUT]

The Python checker (`moose verify`) and the one that is extracted from the Coq proofs (`make -C proofs checker`) get the
same files. Half of the random answers, about, are entailments, the others non-entailments. What is made wrong is wrong
by construction (tests/certificates/mutations.py). Then a derivation of 100,000 steps is timed as a whole process, the
start of Python and the reading of the file included; and certifying mnist3's circuit is timed beside compiling it.
Exits with 1 where a checker errs or a target is missed.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field
from pathlib import Path
from statistics import median

from rich.console import Console

import moose
from bench.measure import Usage, describe_machine, run_measured, write_json
from moose.certificates.checker.reading import Refused
from moose.certificates.checker.verify import verify_text
from moose.certificates.make.certify_circuit import certify_circuit
from moose.certificates.make.certify_taxonomy import certify_taxonomy
from moose.grounding.task.regimes import REGIMES
from tests.certificates.long import long_derivation
from tests.certificates.making import Certificate, Made, random_certificates, regime_circuit, text_of
from tests.certificates.mutations import circuit_mutants, mutants

ROOT = Path(__file__).parent.parent
CHECKER = ROOT / "proofs" / "checker" / "check"
LONG, LONGEST_SECONDS, MOST_RATIO, RUNS = 100_000, 2.0, 2.0, 5
BATCH = 200  # files a process

Named = tuple[str, str]
"""A name and a certificate as text."""


@dataclass
class Outcome:
    """How many certificates each checker accepted and refused."""

    certificates: int = 0
    python: dict[str, int] = field(default_factory=dict)
    extracted: dict[str, int] = field(default_factory=dict)
    kinds: dict[str, int] = field(default_factory=dict)


def accepted_by_python(text: str) -> bool:
    """Ask the Python checker."""
    try:
        verify_text(text)
    except Refused:
        return False
    return True


def ask_extracted(checker: Path, texts: list[str]) -> Counter[str]:
    """Ask the extracted checker about many certificates."""
    verdicts: Counter[str] = Counter()
    with tempfile.TemporaryDirectory() as folder:
        for start in range(0, len(texts), BATCH):
            paths = []
            for place, text in enumerate(texts[start : start + BATCH]):
                paths.append(Path(folder) / f"{place}.json")
                paths[-1].write_text(text, "utf-8")
            run = subprocess.run([checker, *paths], capture_output=True, text=True, check=False)
            for line in run.stdout.splitlines():
                verdicts["accepted" if ": accepted: " in line else "refused"] += 1
    return verdicts


def judge(named: list[Named], checker: Path | None) -> Outcome:
    """Ask both checkers about certificates."""
    texts = [text for _, text in named]
    python = Counter("accepted" if accepted_by_python(text) else "refused" for text in texts)
    extracted = ask_extracted(checker, texts) if checker else Counter[str]()
    return Outcome(len(texts), dict(python), dict(extracted), dict(Counter(name for name, _ in named)))


def made_of_random(count: int) -> Iterator[Made]:
    """Make so many certificates of random ontologies."""
    found, seed = 0, 0
    while found < count:
        for made in random_certificates(seed):
            if found < count:
                yield made
                found += 1
        seed += 1


def circuits() -> Iterator[Named]:
    """Certify every bundled regime, in both encodings."""
    for encoding in ("full", "paper"):
        for name in REGIMES:
            yield f"{name} {encoding}", text_of(certify_circuit(regime_circuit(name, encoding=encoding)))


def taxonomies() -> Iterator[Named]:
    """Certify the hierarchy of every bundled ontology."""
    for path in sorted((ROOT / "src" / "moose" / "ontologies").glob("*.ofn")):
        yield path.stem, text_of(certify_taxonomy(moose.classify(moose.load(path))))


def wrong_ones(sound: list[Certificate], count: int) -> list[Named]:
    """Make so many wrong certificates: two in three of the random ones, the others of circuits and a hierarchy."""
    found: list[Named] = []
    for name in ("mnist1", "mnist3", "pizzaA", "pizzaC"):
        circuit = regime_circuit(name)
        certificate = certify_circuit(circuit)
        changed = [*mutants(certificate, 0), *circuit_mutants(certificate, circuit, 1, count=count // 12)]
        found += [(kind, text_of(one)) for kind, one in changed]
    hierarchy = certify_taxonomy(moose.classify(moose.load(moose.PIZZERIA)))
    found += [(kind, text_of(one)) for seed in range(5) for kind, one in mutants(hierarchy, seed)]
    for seed, certificate in enumerate(sound):
        if len(found) >= count:
            break
        found += [(kind, text_of(one)) for kind, one in mutants(certificate, seed)]
    return found


def time_long(checker: Path | None) -> dict[str, object]:
    """Time both checkers on a long derivation, as whole processes."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "long.json"
        path.write_text(text_of(long_derivation(LONG)), "utf-8")
        python = [run_measured([sys.executable, "-m", "moose", "verify", str(path)])[0] for _ in range(RUNS)]
        extracted = [run_measured([str(checker), str(path)])[0] for _ in range(RUNS)] if checker else []
    return {"steps": LONG, "python": spread(python), "extracted": spread(extracted)}


def spread(runs: list[Usage]) -> dict[str, float] | None:
    """Give the median seconds of some runs: CPU, which others on the machine do not change, and wall."""
    if not runs:
        return None
    return {"cpu": round(median(run.cpu for run in runs), 2), "wall": round(median(run.wall for run in runs), 2)}


def time_circuit() -> dict[str, float]:
    """Time compiling mnist3's circuit, and certifying it."""
    compiling, certifying = [], []
    for _ in range(RUNS):
        circuit = regime_circuit("mnist3")
        compiling.append(circuit.statistics.seconds)
        start = time.perf_counter()
        text_of(certify_circuit(circuit))
        certifying.append(time.perf_counter() - start)
    return {
        "compile seconds": round(median(compiling), 4),
        "certify seconds": round(median(certifying), 4),
        "ratio": round(median(certifying) / median(compiling), 4),
    }


def errors(results: dict[str, object]) -> Iterator[str]:
    """Yield what a checker got wrong."""
    for part in ("random", "circuits", "taxonomies", "wrong"):
        outcome = results[part]
        assert isinstance(outcome, dict)
        wanted = "refused" if part == "wrong" else "accepted"
        for side in ("python", "extracted"):
            if outcome[side] and outcome[side] != {wanted: outcome["certificates"]}:
                yield f"{part}: expected all {wanted} by the {side} checker, but {outcome[side]}"


def slow(results: dict[str, object]) -> Iterator[str]:
    """Yield what took longer than it may."""
    long, circuit = results["long derivation"], results["mnist3"]
    assert isinstance(long, dict) and isinstance(circuit, dict)
    for side in ("python", "extracted"):
        if long[side] and long[side]["cpu"] > LONGEST_SECONDS:
            yield f"a derivation of {LONG:,} steps took the {side} checker {long[side]['cpu']} s"
    if circuit["ratio"] > MOST_RATIO:
        yield f"certifying mnist3 took {circuit['ratio']} times its compilation"


def main() -> None:
    """Run the whole, print it, and write it where asked."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--count", type=int, default=1000)
    parser.add_argument("--checker", type=Path, default=CHECKER)
    parser.add_argument("--json", type=Path)
    parser.add_argument("--targets", action="store_true", help="fail where something took longer than it may")
    options = parser.parse_args()
    console = Console(stderr=True)
    checker = options.checker.resolve() if options.checker.exists() else None
    if checker is None:
        console.print(f"{options.checker}: is not built (make -C proofs checker), so only the Python checker is asked")
    sound = [made.certificate for made in made_of_random(options.count)]
    results: dict[str, object] = {
        "machine": describe_machine(),
        "random": asdict(judge([(str(one["kind"]), text_of(one)) for one in sound], checker)),
        "circuits": asdict(judge(list(circuits()), checker)),
        "taxonomies": asdict(judge(list(taxonomies()), checker)),
        "wrong": asdict(judge(wrong_ones(sound, options.count), checker)),
        "long derivation": time_long(checker),
        "mnist3": time_circuit(),
    }
    console.print_json(json.dumps(results))
    if options.json:
        write_json(options.json, results)
    wrong, late = list(errors(results)), list(slow(results))
    for fault in (*wrong, *late):
        console.print(f"[red]{fault}[/red]")
    sys.exit(bool(wrong or (late and options.targets)))


if __name__ == "__main__":
    main()
