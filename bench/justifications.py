"""Justifications: how long the first takes, ten, and a hundred, after the ontology is loaded, each case in a process.

    python -m bench.justifications [--data ../shared/data] [--only NAME]

`macrophage` is a slim of the Cell Ontology with two disjointness axioms added by which the macrophage is impossible:
DisjointClasses(CL:0000236 CL:0000842) and DisjointClasses(CL:0000084 CL:0000542). `roots` tells its unsatisfiable
classes apart. `go` and `galen` are subsumptions drawn at random, ten each: a class, and one of its superclasses that
no axiom tells. Times are from the call on, with all that is made for the goal; what the ontology needs once (its
modules) is in the first goal. The result is written to bench/results/justifications.json.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import time
from collections.abc import Callable
from itertools import islice
from pathlib import Path

import moose
from bench.measure import describe_machine, run_measured, write_json
from moose.owl.model.axioms import Axiom, DisjointClasses, SubClassOf
from moose.owl.model.expressions import NOTHING, OBO, Class

RESULTS = Path(__file__).with_name("results") / "justifications.json"
SLIM = "scale/cells/cl-blood_and_immune_upper_slim-2026-06-08.obo.gz"
DISJOINT = (("CL_0000236", "CL_0000842"), ("CL_0000084", "CL_0000542"))
COUNTS = (1, 10, 100)
DRAWN = 10
"""How many subsumptions of an ontology are drawn."""
SECONDS = 60.0
"""At most for one goal."""


def clashing_slim(data: Path) -> moose.Ontology:
    """Load the slim, with the two axioms by which macrophages are impossible."""
    slim = moose.load(data / SLIM)
    more = [DisjointClasses((Class(OBO + one), Class(OBO + two))) for one, two in DISJOINT]
    return moose.with_axioms(slim, (*slim.axioms, *more))


def timed(ontology: moose.Ontology, goal: Axiom) -> dict[str, object]:
    """Look for the justifications of a goal; say what the first of them took."""
    wall, cpu = time.perf_counter(), time.process_time()
    search = moose.justifications(ontology, goal, limit=SECONDS)
    sizes: list[int] = []
    marks = []
    for count in COUNTS:
        sizes += [len(one.axioms) for one in islice(search, count - len(sizes))]
        marks.append({"found": len(sizes), "wall": time.perf_counter() - wall, "cpu": time.process_time() - cpu})
    return {"times": marks, "smallest": min(sizes, default=None), "largest": max(sizes, default=None)}


def macrophage(data: Path) -> dict[str, object]:
    """Justify that macrophages are impossible, ordinary and laconic."""
    ontology = clashing_slim(data)
    goal = SubClassOf(Class(OBO + "CL_0000235"), NOTHING)
    cold = timed(ontology, goal)
    begin = time.process_time()
    laconic = [len(one.axioms) for one in islice(moose.justifications(ontology, goal, is_laconic=True), 10)]
    laconic_cpu = time.process_time() - begin
    return {
        "axioms": len(ontology.axioms),
        "cold": cold,
        "warm": timed(ontology, goal),
        "laconic": {"found": len(laconic), "cpu": laconic_cpu},
    }


def roots(data: Path) -> dict[str, object]:
    """Tell roots from derived classes, and justify each root."""
    ontology = clashing_slim(data)
    begin = time.process_time()
    rows = moose.unsatisfiable_classes(ontology)
    cpu = time.process_time() - begin
    goals = [SubClassOf(Class(row.iri), NOTHING) for row in rows if row.is_root]
    return {
        "unsatisfiable": len(rows),
        "roots": len(goals),
        "cpu": cpu,
        "each_root": [timed(ontology, goal) for goal in goals[:DRAWN]],
    }


def drawn(name: str) -> Callable[[Path], dict[str, object]]:
    """Return what justifies subsumptions of an ontology that are drawn at random."""

    def run(data: Path) -> dict[str, object]:
        ontology = moose.load(data / "ontologies" / f"{name}.ofn.gz")
        taxonomy = moose.classify(ontology)
        told = {(axiom.sub, axiom.sup) for axiom in ontology.axioms if isinstance(axiom, SubClassOf)}
        draw = random.Random(0)  # noqa: S311 - an experiment, not a secret
        goals: list[SubClassOf] = []
        classes = [iri for iri in taxonomy.classes if iri not in taxonomy.unsatisfiable]
        while len(goals) < DRAWN:
            low = draw.choice(classes)
            above = [iri for iri in taxonomy.ancestors(low) if (Class(low), Class(iri)) not in told]
            if above:
                goals.append(SubClassOf(Class(low), Class(draw.choice(above))))
        return {"axioms": len(ontology.axioms), "goals": [timed(ontology, goal) for goal in goals]}

    return run


CASES: dict[str, Callable[[Path], dict[str, object]]] = {
    "macrophage": macrophage,
    "roots": roots,
    "go": drawn("go"),
    "galen": drawn("galen"),
}


def run(options: argparse.Namespace) -> int:
    """Measure every case in a process of its own."""
    needed = [options.data / SLIM, *(options.data / "ontologies" / f"{name}.ofn.gz" for name in ("go", "galen"))]
    if missing := [str(path) for path in needed if not path.exists()]:
        print(f"{', '.join(missing)}: absent, so nothing is measured", file=sys.stderr)
        return 0
    cases: dict[str, object] = json.loads(RESULTS.read_text())["cases"] if options.only and RESULTS.exists() else {}
    inside = [sys.executable, "-m", "bench.justifications", "--data", str(options.data), "--inside"]
    run_measured([*inside, "macrophage"])  # not counted: it writes the bytecode that an installed package has
    for name in [options.only] if options.only else CASES:
        usage, printed = run_measured([*inside, name])
        cases[name] = {**json.loads(printed), "process": {"cpu": usage.cpu, "peak_mb": usage.peak_mb}}
        write_json(RESULTS, {"machine": describe_machine(), "cases": cases})
        print(name, printed, flush=True)
    return 0


def main() -> int:
    """Read the arguments and measure."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, default=Path("../shared/data"))
    parser.add_argument("--only", choices=tuple(CASES))
    parser.add_argument("--inside", choices=tuple(CASES), help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.inside:
        print(json.dumps(CASES[options.inside](options.data)))
        return 0
    return run(options)


if __name__ == "__main__":
    sys.exit(main())
