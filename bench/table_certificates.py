"""Certify circuits by tables of ever larger theories, check them by both checkers, and refuse what is made wrong.

    python -m bench.table_certificates [--count 1000] [--data ../shared/data] [--checker proofs/checker/check]

Each circuit is compiled with `vtree="tables"` and certified in a process of its own, then checked by `moose verify` and
by the checker extracted from the proofs, each as a whole process. Where pyganak is installed, it counts the models of
theories of up to 900 atoms, too. Then as many small certificates as `--count` says are made wrong
(tests/certificates/table_mutations.py, which holds each against the sum over all worlds). Writes
bench/results/table_certificates.json; exits with 1 where a checker errs.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
import time
from collections import Counter
from dataclasses import asdict
from pathlib import Path

import moose
from bench.certificates import CHECKER, judge
from bench.large_theories import task_of
from bench.measure import describe_machine, run_measured, write_json
from moose.certificates.make.certify_circuit import certify_circuit
from moose.certificates.write import write_certificate
from moose.grounding.clauses import Clauses
from tests.certificates.making import text_of
from tests.certificates.table_mutations import table_certificates, wrong_tables

RESULTS = Path(__file__).with_name("results") / "table_certificates.json"
THEORIES = ("mnist1", "mnist2", "mnist3", "pizzaA", "pizzaB", "pizzaC", "grid 25", "random 50", "tree 2000", "grid 64")
HIERARCHIES = ("MF 300", "MF 1000", "CC 300", "BP 100")
MOST_COUNTED = 900
"""Atoms of a theory that Ganak is asked about."""
SOUND = 200
"""Random theories whose certificates are made wrong."""


def certify(name: str, path: Path, direct: Path) -> dict[str, object]:
    """Compile and certify in this process, and write the certificate."""
    clauses = moose.ground(task_of(name, direct))
    start = time.process_time()
    circuit = moose.compile_circuit(clauses, vtree="tables")
    compiled = time.process_time()
    certificate = certify_circuit(circuit)
    with path.open("w", encoding="utf-8") as stream:
        write_certificate(certificate, stream)
    end = time.process_time()
    lines = certificate["refutation"]
    assert isinstance(lines, list)
    return {
        "atoms": len(clauses.atoms),
        "clauses": len(clauses),
        "elements": circuit.diagram.element_count,
        "lines": len(lines),
        "bytes": path.stat().st_size,
        "compile": compiled - start,
        "certify": end - compiled,
        "same count as Ganak": is_counted_alike(circuit, clauses) if len(clauses.atoms) <= MOST_COUNTED else None,
    }


def is_counted_alike(circuit: moose.Circuit, clauses: Clauses) -> bool | None:
    """Return whether Ganak counts as many models; nothing where it is not installed."""
    try:
        from tests.circuit.ganak import count_by_ganak

        return count_by_ganak(clauses) == circuit.model_count()
    except ModuleNotFoundError:
        return None


def check(path: Path, checker: Path | None) -> dict[str, object]:
    """Check a certificate by each checker, as a whole process; one that refuses it raises."""
    commands = {"python": [sys.executable, "-m", "moose", "verify", str(path)]}
    if checker:
        commands["extracted"] = [str(checker), str(path)]
    return {side: asdict(run_measured(command)[0]) for side, command in commands.items()}


def measure(options: argparse.Namespace, checker: Path | None) -> dict[str, dict[str, object]]:
    """Certify and check every theory."""
    cases: dict[str, dict[str, object]] = {}
    with tempfile.TemporaryDirectory() as folder:
        direct, path = Path(folder) / "go.tsv", Path(folder) / "certificate.json"
        ontology = options.data / "ontologies" / "go.ofn.gz"
        if ontology.exists():
            run_measured([sys.executable, "-m", "moose", "classify", str(ontology), "-o", str(direct)])
        else:
            print(f"{ontology} is absent: no hierarchies", file=sys.stderr)
        for name in (*THEORIES, *(HIERARCHIES if ontology.exists() else ())):
            module = [sys.executable, "-m", "bench.table_certificates", "--case", name, str(path)]
            usage, text = run_measured([*module, "--direct", str(direct)])
            cases[name] = {**json.loads(text), "certify_peak_mb": usage.peak_mb, **check(path, checker)}
            print(name, json.dumps(cases[name]), flush=True)
    return cases


def refuse(count: int, checker: Path | None) -> dict[str, object]:
    """Have both checkers judge small certificates, and as many wrong ones."""
    sound = list(table_certificates(SOUND))
    wrong, unchanged = wrong_tables(sound, count)
    return {
        "sound": asdict(judge([("circuit", text_of(one)) for one in sound], checker)),
        "wrong": asdict(judge([(kind, text_of(one)) for kind, one in wrong], checker)),
        "changes that left a right certificate": unchanged,
    }


def is_as_expected(mutations: dict[str, object]) -> bool:
    """Return whether all sound certificates were accepted and all wrong ones refused."""
    for part, expected in (("sound", "accepted"), ("wrong", "refused")):
        outcome = mutations[part]
        assert isinstance(outcome, dict)
        for side in ("python", "extracted"):
            if outcome[side] and Counter(outcome[side]) != Counter({expected: outcome["certificates"]}):
                return False
    return True


def main() -> int:
    """Read the command line."""
    parser = argparse.ArgumentParser(prog="python -m bench.table_certificates")
    parser.add_argument("--count", type=int, default=1000)
    parser.add_argument("--data", type=Path, default=Path("../shared/data"))
    parser.add_argument("--checker", type=Path, default=CHECKER)
    parser.add_argument("--case", nargs=2, help=argparse.SUPPRESS)
    parser.add_argument("--direct", type=Path, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.case:
        print(json.dumps(certify(options.case[0], Path(options.case[1]), options.direct)))
        return 0
    checker = options.checker.resolve() if options.checker.exists() else None
    if checker is None:
        print(f"{options.checker} is not built (make -C proofs checker): only the Python checker", file=sys.stderr)
    machine = describe_machine()
    cases = measure(options, checker)
    mutations = refuse(options.count, checker)
    print(json.dumps(mutations), flush=True)
    write_json(RESULTS, {"machine": machine, "cases": cases, **mutations})
    counts_agree = all(case["same count as Ganak"] is not False for case in cases.values())
    return int(not (is_as_expected(mutations) and counts_agree))


if __name__ == "__main__":
    sys.exit(main())
