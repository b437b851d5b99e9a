"""Time our answers to DL queries on an ontology that is classified; started by `bench.dl_queries` in a fresh process.

    python -m bench.dl_alone ONTOLOGY WARM-UP QUERIES ANSWERS

Prints a line "classify first wall cpu": seconds for classifying, until the first answer, then for all queries.
"""

from __future__ import annotations

import gc
import sys
import time
from pathlib import Path

import moose
from moose.owl.model.axioms import EquivalentClasses
from moose.owl.model.expressions import Class, ClassExpression
from moose.saturation.dl.dl_queries import ClassMatches

QUERY = "urn:query:"


def queries(file: str) -> list[ClassExpression]:
    """Return the expressions of axioms EquivalentClasses(<urn:query:N> expression), by their numbers."""
    found: dict[int, ClassExpression] = {}
    for axiom in moose.load(file).axioms:
        if isinstance(axiom, EquivalentClasses):
            name, expression = sorted(axiom.operands, key=lambda side: not is_query(side))
            assert isinstance(name, Class)
            found[int(name.iri.removeprefix(QUERY))] = expression
    return [found[number] for number in sorted(found)]


def is_query(side: ClassExpression) -> bool:
    """Return whether one side of an equivalence is the name of a query."""
    return isinstance(side, Class) and side.iri.startswith(QUERY)


def answer(found: ClassMatches) -> dict[str, tuple[str, ...]]:
    """Read the three relations, as names."""
    return {"equivalent": found.equivalents, "super": found.ancestors, "sub": found.descendants}


def main() -> None:
    """Load, classify, warm up, ask."""
    file, warm_up, timed, output = sys.argv[1:]
    gc.disable()  # as the command `moose` does
    ontology = moose.load(file)
    start = time.perf_counter()
    taxonomy = moose.classify(ontology)
    classified = time.perf_counter()
    for position, query in enumerate(queries(warm_up)):
        answer(taxonomy.query(query))
        if position == 0:
            first = time.perf_counter() - classified
    asked = queries(timed)
    wall, cpu = time.perf_counter(), time.process_time()
    answers = [answer(taxonomy.query(query)) for query in asked]
    wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
    lines = [
        f"{number}\t{relation}\t{iri}\n"
        for number, found in enumerate(answers)
        for relation, iris in found.items()
        for iri in iris
    ]
    Path(output).write_text("".join(lines), "utf-8")
    print(f"{classified - start:.6f} {first:.6f} {wall:.6f} {cpu:.6f}")


if __name__ == "__main__":
    main()
