"""How well time limits of queries are kept, and what a long chain takes.

    python -m bench.query_limits [--limits 0.5 1 2 5] [--json OUT]

Hard questions: is one class below another in a random graph of uncertain inclusions, with 60 to 3,000 of them, and in a
grid that is linked both ways. Each is asked anew, on an ontology that was not asked before, with every limit. Then a
chain of 1,500 uncertain axioms, in a process that has answered another question, in seconds of the processor.
"""

from __future__ import annotations

import argparse
import random
import time
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from fractions import Fraction
from pathlib import Path

from bench.measure import describe_machine, write_json
from moose.owl.model.axioms import SubClassOf
from moose.owl.model.expressions import Class
from moose.owl.ontology import Ontology, ontology_from_axioms
from moose.queries.probabilities.probabilities import Probabilities
from moose.queries.query import query

RESULT = Path(__file__).parent / "results" / "query_limits.json"
LIMITS = (0.5, 1.0, 2.0, 5.0)
GRAPHS = ((30, 60), (60, 240), (120, 1000), (400, 3000))
"""Classes and inclusions."""
SIDE = 12
TENTH = 0.1
CHAIN = 1500
REPETITIONS = 5
Question = tuple[str, Sequence[SubClassOf], SubClassOf]


def main() -> None:
    """Measure and write."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--limits", type=float, nargs="+", default=list(LIMITS))
    parser.add_argument("--json", type=Path, default=RESULT)
    options = parser.parse_args()
    machine = describe_machine()
    rows = [limited(*question, limit) for question in questions() for limit in options.limits]
    shares = [row.over for row in rows]
    found = {
        "machine": machine,
        "rows": [asdict(row) for row in rows],
        "largest_share_over": max(shares),
        "over_a_tenth": sum(share > TENTH for share in shares),
        "chain": {"axioms": CHAIN, **chain_seconds()},
    }
    write_json(options.json, found)
    print(found["chain"], "largest share over:", found["largest_share_over"], "over a tenth:", found["over_a_tenth"])


def questions() -> Iterator[Question]:
    """Yield hard questions by name."""
    for classes, inclusions in GRAPHS:
        source = random.Random(classes)  # noqa: S311  # nothing is secret here
        pairs = [(source.randrange(classes), source.randrange(classes)) for _ in range(inclusions)]
        axioms = [below(*pair) for pair in dict.fromkeys(pairs) if pair[0] != pair[1]]
        yield f"random graph, {inclusions} inclusions", axioms, below(0, classes - 1)
    cells = [(row, column) for row in range(SIDE) for column in range(SIDE)]
    near = [(one, (one[0] + down, one[1] + right)) for one in cells for down, right in ((0, 1), (1, 0))]
    numbers = [
        (row * SIDE + column, down * SIDE + right) for (row, column), (down, right) in near if max(down, right) < SIDE
    ]
    both = [below(*pair) for first, last in numbers for pair in ((first, last), (last, first))]
    yield f"grid of {SIDE} by {SIDE}", both, below(0, SIDE * SIDE - 1)


def below(sub: int, sup: int) -> SubClassOf:
    """Return that one class is below another."""
    return SubClassOf(Class(f"urn:c{sub}"), Class(f"urn:c{sup}"))


def posed(axioms: Sequence[SubClassOf], chance: Fraction) -> tuple[Ontology, Probabilities]:
    """Return an ontology all of whose axioms are equally likely."""
    ontology = ontology_from_axioms(axioms)
    return ontology, Probabilities(ontology, dict.fromkeys(range(len(axioms)), chance))


@dataclass(frozen=True, slots=True)
class Row:
    """A question that was asked with a limit, and by which share of it the answer came too late."""

    question: str
    limit: float
    seconds: float
    over: float
    is_exact: bool
    width: float
    """Of the bounds."""


def limited(name: str, axioms: Sequence[SubClassOf], goal: SubClassOf, limit: float) -> Row:
    """Ask with a limit, and say by which share of it the answer came too late."""
    ontology, probabilities = posed(axioms, Fraction(1, 3))
    start = time.perf_counter()
    answer = query(ontology, goal, probabilities=probabilities, limit=limit)
    seconds = time.perf_counter() - start
    over, width = round(max(0.0, seconds / limit - 1), 4), round(float(answer.upper - answer.lower), 6)
    row = Row(name, limit, round(seconds, 4), over, answer.is_exact, width)
    print(row, flush=True)
    return row


def chain_seconds() -> dict[str, float]:
    """Return what the first question on a chain takes, and the second one."""
    axioms = [below(one, one + 1) for one in range(CHAIN)]
    firsts: list[float] = []
    seconds: list[float] = []
    for _ in range(REPETITIONS):
        ontology, probabilities = posed(axioms, Fraction(999, 1000))
        for several in (firsts, seconds):
            start = time.process_time()
            query(ontology, below(0, CHAIN), probabilities=probabilities)
            several.append(time.process_time() - start)
    return {
        "first_question": round(sorted(firsts)[REPETITIONS // 2], 4),
        "next": round(sorted(seconds)[REPETITIONS // 2], 4),
    }


if __name__ == "__main__":
    main()
