"""Ask the same probabilistic queries of Moose and of ProbLog, and compare answers and seconds.

    python -m bench.queries [--data DIR] [--count 60] [--go 20] [--limit 20] [--shapes] [--json OUT]

Sixty queries on not-galen, whose class axioms have seeded probabilities: for every second query the superclass with
most axioms behind it, else any. ProbLog gets the ground rules of the same query ready made, in a process of its own.
Each side is timed in two ways. Cold: a whole `moose.query` on the loaded ontology, beside a whole process of ProbLog.
Warm: the query alone after a preparation that derives all rule instances once, beside ProbLog from its text in memory,
which has them ready made, to the answer, without the start of Python.
Then twenty queries on go, loaded once and not prepared further, ours alone.
"""

from __future__ import annotations

import argparse
import json
import random
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from fractions import Fraction
from importlib import metadata
from pathlib import Path
from statistics import median, quantiles
from typing import Any

from rich.console import Console
from rich.progress import track

import moose
from bench.measure import describe_machine, write_json
from moose.base.errors import MooseError
from moose.base.graphs import strong_components
from moose.owl.model import axioms as ax
from moose.owl.model.expressions import THING, Class
from moose.owl.modules.module_extraction import Modules, names_in
from moose.owl.names import Names
from moose.owl.normal.normal_form import Kind
from moose.owl.ontology import Ontology, ontology_from_axioms
from moose.owl.syntax.functional.write_functional import render
from moose.queries.answer import Answer
from moose.queries.export.encode import encode
from moose.queries.export.problog import problog_program
from moose.queries.probabilities.probabilities import Probabilities
from moose.queries.program.goal_conditions import Conditions, ranked
from moose.queries.program.goals import read_goal
from moose.queries.program.program import derive
from moose.queries.query import Asking
from moose.queries.reduction.reduce import reduce_conditions
from moose.saturation.recorded.horn import HornClause, least_model, simplified
from moose.saturation.recorded.rule_instance import Sub

ROOT = Path(__file__).parent.parent
LOW, HIGH, DIGITS = 50, 950, 1000  # probabilities in thousandths
FEWEST_AXIOMS = 4
AGREEMENT = 1e-9  # ProbLog computes in doubles
SLOWEST_TARGET, RATIO_TARGET = 3.0, 10.0


@dataclass(frozen=True, slots=True)
class Shape:
    """Of the reduced program of a query: what makes its diagrams large."""

    coins: int
    cycle: int
    """The facts of the largest cycle."""
    width: int
    """Of the graph that joins the atoms of a clause, by eliminating the atom with the fewest neighbours first."""


@dataclass(frozen=True, slots=True)
class Row:
    """One query: how much is behind it, and what each side said after how long; none where the limit came first."""

    goal: str
    axioms: int
    rules: int
    moose: float | None
    moose_cold: float | None
    moose_warm: float
    problog: float | None = None
    problog_cold: float | None = None
    problog_warm: float | None = None
    bounds: tuple[float, float] | None = None
    """Between which the answer lies, where the limit came first."""
    shape: Shape | None = None
    """Of what diagrams would be built for then."""

    @property
    def agrees(self) -> bool | None:
        """Tell whether both say the same; none where one of them says nothing."""
        if self.moose is None or self.problog is None:
            return None
        return abs(self.moose - self.problog) <= AGREEMENT


# ── Ontologies and queries ────────────────────────────────────────────────────────────────────────────────────────


def prepare(file: Path, seed: int) -> tuple[Ontology, Probabilities]:
    """Load an ontology, sort its axioms, leave out those outside EL, and make every class axiom uncertain.

    With an axiom that is not used whole there are bounds, and ProbLog's rules are those of EL.
    """
    loaded = moose.load(file)
    outside = {id(one.axiom) for one in loaded.profile.outside}
    axioms = sorted((one for one in loaded.axioms if id(one) not in outside), key=render)
    ontology = ontology_from_axioms(axioms, declarations=loaded.declarations)
    source = random.Random(seed)  # noqa: S311 - nothing is secret here
    stated = {
        place: Fraction(source.randint(LOW, HIGH), DIGITS)
        for place, axiom in enumerate(ontology.axioms)
        if isinstance(axiom, ax.SubClassOf | ax.EquivalentClasses | ax.DisjointClasses)
    }
    return ontology, Probabilities(ontology, stated)


def choose(ontology: Ontology, probabilities: Probabilities, count: int, seed: int) -> Iterator[ax.SubClassOf]:
    """Draw goals A ⊑ B with enough uncertain axioms behind them."""
    source = random.Random(seed)  # noqa: S311 - nothing is secret here
    axioms = [one for _, one in ranked(ontology)]
    modules = Modules([axiom for _, axiom in axioms])
    chosen = 0
    while chosen < count:
        sub = Class(source.choice(ontology.classes))
        module = [axioms[place] for place in modules.module(names_in(sub))]
        behind = axioms_behind(module, frozenset(probabilities.uncertain), sub)
        if not behind:
            continue
        sup = max(behind, key=lambda iri: (behind[iri], iri)) if chosen % 2 == 0 else source.choice(sorted(behind))
        if behind[sup] >= FEWEST_AXIOMS:
            chosen += 1
            yield ax.SubClassOf(sub, Class(sup))


def axioms_behind(module: Sequence[tuple[int, ax.Axiom]], uncertain: frozenset[int], sub: Class) -> dict[str, int]:
    """Count the uncertain axioms behind each named superclass."""
    derivation = derive(module, uncertain, sub, THING)
    form = derivation.calculus.form
    context = form.goals[0][0]
    bodies: defaultdict[int, list[HornClause]] = defaultdict(list)
    for clause in simplified(derivation.clauses, least_model(derivation.clauses)):
        bodies[clause[1]].append(clause)
    found = {}
    for iri, concept in zip(form.classes, form.class_concepts.tolist()):
        fact = derivation.calculus.find(Sub(context, concept))
        if fact is None or concept == context or form.kinds[concept] != Kind.CLASS:
            continue
        seen, stack = {fact}, [fact]
        while stack:
            new = {premise for body, _ in bodies[stack.pop()] for premise in body} - seen
            seen |= new
            stack.extend(new)
        found[iri] = len({derivation.axiom_of[one] for one in seen if one in derivation.axiom_of})
    return {iri: count for iri, count in found.items() if count}


# ── Measuring ─────────────────────────────────────────────────────────────────────────────────────────────────────


def ask_ours(asking: Asking, goal: ax.SubClassOf, limit: float) -> tuple[Answer, float]:
    """Time one query after the preparation."""
    start = time.perf_counter()
    answer = asking.answer(read_goal(goal, asking.names), [], limit=limit, justifications=0)
    return answer, time.perf_counter() - start


def exact_value(answer: Answer) -> float | None:
    """Return the probability, or nothing where there are only bounds."""
    return float(answer.lower) if answer.is_exact else None


def time_query(ontology: Ontology, goal: ax.SubClassOf, probabilities: Probabilities, limit: float) -> float:
    """Time one whole query on a loaded ontology."""
    start = time.perf_counter()
    moose.query(ontology, goal, probabilities=probabilities, limit=limit, justifications=0)
    return time.perf_counter() - start


def ask_problog(program: str, scratch: Path, limit: float) -> tuple[float | None, float, float]:
    """Time ProbLog on ground rules, cold and warm; a failure is an error, not a slow answer."""
    file = scratch / "query.pl"
    file.write_text(program, encoding="utf-8")
    start = time.perf_counter()
    command = [sys.executable, "-m", "bench.problog_alone", str(file)]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=limit, check=False, cwd=ROOT)
    except subprocess.TimeoutExpired:
        return None, limit, limit
    cold = time.perf_counter() - start
    if done.returncode:
        raise MooseError(f"ProbLog ended with status {done.returncode}: {done.stderr.strip()[-500:]}")
    probability, warm = map(float, done.stdout.split())
    return probability, cold, warm


def compare(file: Path, options: argparse.Namespace) -> tuple[list[Row], float]:
    """Ask both sides, query by query, and say what the preparation took."""
    ontology, probabilities = prepare(file, options.seed)
    goals = list(choose(ontology, probabilities, options.count, options.seed))
    start = time.perf_counter()
    asking = Asking(ontology, probabilities)
    asking.prepare()
    prepared = time.perf_counter() - start
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        for goal in track(goals, description="not-galen"):
            encoding = encode(ontology, goal, probabilities)
            cold = time_query(ontology, goal, probabilities, options.limit)
            found, warm = ask_ours(asking, goal, options.limit)
            theirs = ask_problog(problog_program(encoding), Path(folder), options.limit)
            size = len(encoding.axioms), len(encoding.instances.clauses)
            rows.append(Row(encoding.goal.text, *size, exact_value(found), cold, warm, *theirs))
    return rows, prepared


def ask_large(file: Path, options: argparse.Namespace) -> tuple[list[Row], float]:
    """Ask a large ontology that was loaded once, and say what its preparation took."""
    ontology, probabilities = prepare(file, options.seed)
    goals = list(choose(ontology, probabilities, options.go, options.seed))
    start = time.perf_counter()
    asking = Asking(ontology, probabilities)
    prepared = time.perf_counter() - start
    rows = []
    for goal in track(goals, description="go"):
        found, warm = ask_ours(asking, goal, options.limit)
        encoding = encode(ontology, goal, probabilities)
        size = len(encoding.axioms), len(encoding.instances.clauses)
        bounds = None if found.is_exact else (float(found.lower), float(found.upper))
        shape = None if found.is_exact else shape_of(ontology, goal, probabilities)
        rows.append(Row(encoding.goal.text, *size, exact_value(found), None, warm, bounds=bounds, shape=shape))
    return rows, prepared


def add_shapes(file: Path, content: dict[str, Any]) -> None:
    """Add the shapes of the queries on go that have bounds only, without asking again."""
    rows = [row for row in content["go"]["rows"] if row["bounds"]]
    if rows:
        ontology, probabilities = prepare(file, content["go"]["settings"]["seed"])
        for row in rows:
            row["shape"] = asdict(shape_of(ontology, row["goal"], probabilities))


def shape_of(ontology: Ontology, goal: str | ax.SubClassOf, probabilities: Probabilities) -> Shape:
    """Return the shape of the reduced program behind a goal."""
    stated = probabilities.uncertain
    condition = Conditions(ontology).condition(read_goal(goal, Names(ontology)), stated, is_reduced=False)
    (reduced,) = reduce_conditions([condition], stated).conditions
    program = max((case.program for case in reduced.cases), key=lambda one: len(one.clauses))
    premises: defaultdict[int, set[int]] = defaultdict(set)
    for body, head in program.clauses:
        premises[head] |= body - program.axioms
    cycles = strong_components(list(premises), lambda fact: list(premises[fact]))
    return Shape(len(program.axioms), max(map(len, cycles)), width_of(program.clauses))


def width_of(clauses: Sequence[HornClause]) -> int:
    """Return the width of eliminating atoms by the fewest neighbours.

    >>> width_of([(frozenset({1}), 2), (frozenset({2}), 3), (frozenset({3}), 1)])
    2
    """
    near: defaultdict[int, set[int]] = defaultdict(set)
    for body, head in clauses:
        for atom in (*body, head):
            near[atom] |= {*body, head} - {atom}
    width = 0
    while near:
        atom = min(near, key=lambda one: (len(near[one]), one))
        around = near.pop(atom)
        width = max(width, len(around))
        for one in around:
            near[one] = (near[one] | around) - {one, atom}
    return width


# ── Reporting ─────────────────────────────────────────────────────────────────────────────────────────────────────


def spread(seconds: Sequence[float]) -> dict[str, float]:
    """Summarise seconds: the median, the 90th percentile and the largest."""
    ninetieth = quantiles(seconds, n=10)[-1] if len(seconds) > 1 else seconds[0]
    return {"median": median(seconds), "p90": ninetieth, "max": max(seconds)}


def summary(rows: Sequence[Row]) -> dict[str, object]:
    """Say how both sides did; a query that reached the limit counts with the time it was given."""
    found: dict[str, object] = {
        "queries": len(rows),
        "most_axioms": max(row.axioms for row in rows),
        "most_rules": max(row.rules for row in rows),
        "moose_solved": sum(row.moose is not None for row in rows),
        "moose_warm": spread([row.moose_warm for row in rows]),
    }
    if any(row.problog_cold is None for row in rows):
        return found
    found["moose_cold"] = spread([row.moose_cold or 0 for row in rows])
    found["problog_solved"] = sum(row.problog is not None for row in rows)
    found["problog_warm"] = spread([row.problog_warm or 0 for row in rows])
    found["problog_cold"] = spread([row.problog_cold or 0 for row in rows])
    found["ratio_of_medians_warm"] = ratio([(row.problog_warm, row.moose_warm) for row in rows])
    found["ratio_of_medians_cold"] = ratio([(row.problog_cold, row.moose_cold) for row in rows])
    found["compared"] = sum(row.agrees is not None for row in rows)
    found["agreeing"] = sum(row.agrees is True for row in rows)
    return found


def ratio(pairs: Sequence[tuple[float | None, float | None]]) -> float:
    """Divide the median of theirs by the median of ours."""
    return median(theirs or 0 for theirs, _ in pairs) / median(ours or 0 for _, ours in pairs)


def about(options: argparse.Namespace) -> dict[str, object]:
    """Say where and how a part was measured."""
    return {
        "machine": describe_machine(),
        "versions": {name: metadata.version(name) for name in ("problog", "PySDD")},
        "settings": {"limit": options.limit, "seed": options.seed},
        "targets": {"slowest_seconds": SLOWEST_TARGET, "ratio_of_medians": RATIO_TARGET},
    }


def run(options: argparse.Namespace, console: Console) -> None:
    """Measure, print and write; a part that is not measured anew stays in the file as it is."""
    ontologies = options.data / "ontologies"
    content = json.loads(options.json.read_text(encoding="utf-8")) if options.json.exists() else {}
    if options.shapes:
        add_shapes(ontologies / "go.ofn.gz", content)
        write_json(options.json, content)
        return
    if options.count:
        described = about(options)
        rows, prepared = compare(ontologies / "not-galen.owl.gz", options)
        found = {"preparation_seconds": prepared, **summary(rows)}
        content["not-galen"] = {**described, "summary": found, "rows": [asdict(row) for row in rows]}
        console.print("not-galen", content["not-galen"]["summary"])
        write_json(options.json, content)
    if options.go:
        described = about(options)
        rows, prepared = ask_large(ontologies / "go.ofn.gz", options)
        found = {"preparation_seconds": prepared, **summary(rows)}
        content["go"] = {**described, "summary": found, "rows": [asdict(row) for row in rows]}
        console.print("go", found)
        write_json(options.json, content)


def main() -> None:
    """Read the options and measure."""
    parser = argparse.ArgumentParser(prog="python -m bench.queries", description="Moose beside ProbLog.")
    parser.add_argument("--data", type=Path, default=ROOT.parent / "shared" / "data", help="folder with ontologies/")
    parser.add_argument("--count", type=int, default=60, help="queries on not-galen")
    parser.add_argument("--go", type=int, default=20, help="queries on go")
    parser.add_argument("--limit", type=float, default=20.0, help="seconds for one query on one side")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--shapes", action="store_true", help="only say what the queries with bounds are like")
    parser.add_argument("--json", type=Path, default=ROOT / "bench" / "results" / "queries.json")
    try:
        run(parser.parse_args(), Console())
    except (MooseError, OSError) as problem:
        sys.exit(str(problem))


if __name__ == "__main__":
    main()
