"""Compile hierarchies of hundreds of classes and graphs of individuals, by tables and by diagrams, each in a process.

    python -m bench.large_theories [--data ../shared/data] [--limit 60] [--only NAME]

Hierarchies are drawn from the Gene Ontology: some leaves of a part and all that is above them, one individual, every
class a variable; beside them stand vocabularies of hierarchical multi-label classification (`bench.vocabularies`).
Graphs are papers that cite each other: one family of three and two observable concepts each. "digits" are digits in a
chain or tree of successors. Of "concepts" only the grounding is measured.
"auto" is what `compile_circuit` does by default, "structure" what it did before there were tables; a way that takes
longer than the limit is ended. Grounding is measured apart. The result is written to
bench/results/large_theories.json.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path

import moose
from bench.measure import describe_machine, run_measured, write_json
from bench.scaling_alone import cpu_seconds, digits_task, successors
from bench.vocabularies import chosen, parents, vocabulary
from moose.base.errors import LimitReached, MooseError
from moose.owl.model import axioms as ax
from moose.owl.model import expressions as owl

RESULTS = Path(__file__).with_name("results") / "large_theories.json"
WAYS = ("auto", "structure")
ROOTS = {"MF": "GO_0003674", "CC": "GO_0005575", "BP": "GO_0008150"}
LEAVES = (20, 100, 300, 1000)
"""How many leaves are drawn of each part, one draw after the other, so that a name always means the same classes."""
HIERARCHIES = ("MF 300", "MF 1000", "CC 300", "BP 100")
GRAPHS = (("tree", 200), ("tree", 2000), ("grid", 25), ("grid", 64), ("random", 50), ("random", 200))
VOCABULARIES = ("FunCat", "cellcycle GO 10", "human MF 10")
DIGITS = ("digits chain 10000", "digits tree 10000", "digits chain 100000")
CONCEPTS = "concepts 10000"
REGIMES = ("mnist1", "mnist2", "mnist3", "pizzaA", "pizzaB", "pizzaC")

Pairs = list[tuple[str, str]]


# ── Theories ──────────────────────────────────────────────────────────────────────────────────────────────────────


def hierarchy(name: str, direct: Path) -> Pairs:
    """Return the direct subclasses of a hierarchy, drawn as its name says."""
    above, below = defaultdict[str, set[str]](set), defaultdict[str, set[str]](set)
    for line in direct.read_text("utf-8").splitlines():
        low, high = line.split("\t")[:2]
        above[low].add(high)
        below[high].add(low)
    drawn = random.Random(0)  # noqa: S311 - an experiment, not a secret
    for part, root in ROOTS.items():
        inside = reached([next(one for one in below if one.endswith(root))], below)
        leaves = sorted(one for one in inside if not below[one] & inside)
        for count in LEAVES:
            chosen = reached(drawn.sample(leaves, count), above) & inside
            if name == f"{part} {count}":
                return [(low, high) for low in sorted(chosen) for high in sorted(above[low] & chosen)]
    raise MooseError(f"expected a hierarchy among {', '.join(HIERARCHIES)}, but got {name!r}")


def reached(start: Sequence[str], onward: dict[str, set[str]]) -> set[str]:
    """Return all that can be reached."""
    found, stack = set(start), list(start)
    while stack:
        for one in onward[stack.pop()] - found:
            found.add(one)
            stack.append(one)
    return found


def hierarchy_task(pairs: Pairs) -> moose.Task:
    """Return the task of one individual that every class may hold of."""
    ontology = moose.ontology([ax.SubClassOf(owl.Class(low), owl.Class(high)) for low, high in pairs])
    return moose.Task(ontology, individuals=["a"], latent=sorted({one for pair in pairs for one in pair}), observed=[])


def graph_task(shape: str, count: int) -> moose.Task:
    """Return the task of papers that cite each other: what is said of a paper depends on those that it cites."""
    names = ("ML", "Bio", "Art", "Paper", "Science", "MLRelated", "LifeRelated")
    ml, bio, art, paper, science, near_ml, near_bio = (owl.Class(name) for name in names)
    cites = owl.ObjectProperty("cites")
    citing_ml = owl.ObjectIntersectionOf((paper, owl.ObjectSomeValuesFrom(cites, ml)))
    told: list[ax.Axiom] = [
        *(ax.SubClassOf(low, high) for low, high in ((ml, near_ml), (bio, near_bio), (bio, science), (ml, science))),
        *(ax.SubClassOf(one, paper) for one in (ml, bio, art)),
        ax.SubClassOf(citing_ml, near_ml),
        ax.SubClassOf(owl.ObjectSomeValuesFrom(cites, bio), near_bio),
        ax.DisjointClasses((ml, bio, art)),
        ax.DisjointClasses((art, near_ml)),
    ]
    people = [f"n{number}" for number in range(count)]
    return moose.Task(
        moose.ontology(told),
        individuals=people,
        latent=["ML", "Bio", "Art"],
        observed=["MLRelated", "LifeRelated"],
        families=[["ML", "Bio", "Art"]],
        roles={"cites": [(people[one], people[other]) for one, other in edges(shape, count)]},
    )


def edges(shape: str, count: int) -> Iterator[tuple[int, int]]:
    """Yield who cites whom."""
    drawn = random.Random(0)  # noqa: S311 - an experiment, not a secret
    side = int(count**0.5)
    if shape == "tree":
        yield from ((one, drawn.randrange(one)) for one in range(1, count))
    elif shape == "grid":
        yield from ((one, one + 1) for one in range(count) if one % side < side - 1)
        yield from ((one, one + side) for one in range(count - side))
    else:
        pairs: set[tuple[int, int]] = set()
        while len(pairs) < count:
            one, other = drawn.sample(range(count), 2)
            pairs.add((max(one, other), min(one, other)))
        yield from sorted(pairs)


def many_concepts(count: int, direct: Path) -> Pairs:
    """Return the direct subclasses among so many terms, drawn at random with all that is above them."""
    above = parents(
        (low, high) for low, high, *_ in (line.split("\t") for line in direct.read_text("utf-8").splitlines())
    )
    names = sorted(name for name in above if "GO_" in name)
    random.Random(0).shuffle(names)  # noqa: S311 - an experiment, not a secret
    wanted: set[str] = set()
    for name in names:
        wanted |= reached([name], above)
        if len(wanted) >= count:
            break
    return chosen(wanted, above)[1]


def task_of(name: str, direct: Path, data: Path) -> moose.Task:
    """Return the task of a name."""
    if name in REGIMES:
        return moose.regime(name)
    if name in VOCABULARIES:
        return hierarchy_task(vocabulary(name, data)[1])
    kind, _, count = name.partition(" ")
    if kind == "digits":
        shape, _, count = count.partition(" ")
        return digits_task(int(count), successors(shape, int(count)))
    if kind == "concepts":
        return hierarchy_task(many_concepts(int(count), direct))
    if kind in ROOTS:
        return hierarchy_task(hierarchy(name, direct))
    return graph_task(kind, int(count))


# ── Measuring ─────────────────────────────────────────────────────────────────────────────────────────────────────


def measure(name: str, way: str, options: argparse.Namespace) -> dict[str, object]:
    """Ground and compile in this process."""
    task = task_of(name, options.direct, options.data)
    begin = time.process_time()
    clauses = moose.ground(task)
    grounded = time.process_time()
    measured: dict[str, object] = {"atoms": len(clauses.atoms), "ground": grounded - begin}
    if name == CONCEPTS:
        return measured
    begin, started = cpu_seconds(), time.perf_counter()
    try:
        circuit = moose.compile_circuit(clauses, vtree=way, limits=moose.Limits(seconds=options.limit))
    except LimitReached as error:
        return {**measured, "wall": time.perf_counter() - started, "error": str(error)}
    return {
        **measured,
        "wall": time.perf_counter() - started,
        "cpu": cpu_seconds() - begin,
        "size": circuit.statistics.size,
        "elements": circuit.diagram.element_count,
        "how": circuit.statistics.vtree,
        "models": str(circuit.model_count()) if len(clauses.atoms) <= 1000 else None,
    }


def run(options: argparse.Namespace) -> int:
    """Measure every case in a process of its own."""
    with tempfile.TemporaryDirectory() as folder:
        direct = Path(folder) / "go.tsv"
        names = [*REGIMES, *(f"{shape} {count}" for shape, count in GRAPHS)]
        ontology = options.data / "ontologies" / "go.ofn.gz"
        if ontology.exists():
            run_measured([sys.executable, "-m", "moose", "classify", str(ontology), "-o", str(direct)])
            names += [*HIERARCHIES, CONCEPTS]
        else:
            print(f"{ontology} is absent: no hierarchies", file=sys.stderr)
        if (options.data / "scale" / "hmc").exists():
            names += VOCABULARIES
        else:
            print(f"{options.data / 'scale' / 'hmc'} is absent: no vocabularies", file=sys.stderr)
        names += DIGITS
        cases: dict[str, dict[str, object]] = {}
        for name in names if not options.only else [options.only]:
            cases[name] = {}
            for way in WAYS[:1] if name in (CONCEPTS, *DIGITS) else WAYS:
                module = [sys.executable, "-m", "bench.large_theories", "--case", name, way]
                limit = 10 * options.limit if name in DIGITS else options.limit
                given = ["--limit", str(limit), "--direct", str(direct), "--data", str(options.data)]
                usage, text = run_measured([*module, *given])
                cases[name][way] = {**json.loads(text), "peak_mb": usage.peak_mb}
                print(name, way, json.dumps(cases[name][way])[:200], flush=True)
    if not options.only:
        write_json(RESULTS, {"machine": describe_machine(), "limit": options.limit, "cases": cases})
    return 0


def main() -> int:
    """Read the command line."""
    parser = argparse.ArgumentParser(prog="python -m bench.large_theories")
    parser.add_argument("--data", type=Path, default=Path("../shared/data"))
    parser.add_argument("--limit", type=float, default=60)
    parser.add_argument("--only", metavar="NAME")
    parser.add_argument("--case", nargs=2, help=argparse.SUPPRESS)
    parser.add_argument("--direct", type=Path, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.case:
        name, way = options.case
        print(json.dumps(measure(name, way, options)))
        return 0
    return run(options)


if __name__ == "__main__":
    sys.exit(main())
