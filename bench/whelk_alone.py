"""Time whelk-rs on DL queries, in an environment that has py-whelk and py-horned-owl; started by `bench.dl_queries`.

    python bench/whelk_alone.py ONTOLOGY QUERIES ANSWERS SINGLES

py-whelk 0.4.0 answers only which classes are below a named class. So a query is added as Q ≡ expression, the reasoner
flushed and asked for what is below Q; SINGLES of the queries are timed so. What all of them cost at once is timed too:
all are added, everything is saturated again, and each is asked for.

Imports nothing of Moose. Prints a line "classify singles_wall singles_cpu batch_wall batch_cpu".
"""

from __future__ import annotations

import sys
import time
from pathlib import Path
from typing import Any

import pyhornedowl
import pywhelk

QUERY = "urn:query:"


def queries(file: str) -> dict[int, tuple[Any, Any]]:
    """Return the axioms EquivalentClasses(<urn:query:N> expression) and the names in them, by their numbers."""
    found = {}
    for annotated in pyhornedowl.open_ontology(file).get_axioms():
        axiom = annotated.component
        if type(axiom).__name__ == "EquivalentClasses":
            name = next(side for side in axiom.first if iri_of(side).startswith(QUERY))
            found[int(iri_of(name).removeprefix(QUERY))] = (axiom, name)
    return dict(sorted(found.items()))


def iri_of(expression: Any) -> str:
    """Return the IRI of a named class, and nothing for another expression."""
    return str(expression.first) if type(expression).__name__ == "Class" else ""


def below(reasoner: Any, name: Any) -> list[str]:
    """Ask for the named classes below a query."""
    return sorted(iri for cls in reasoner.get_subclasses(name) if not (iri := iri_of(cls)).startswith(QUERY))


def main() -> None:
    """Load, classify, ask one by one, then all at once."""
    file, timed, output, singles = sys.argv[1:]
    ontology = pyhornedowl.open_ontology(file)
    asked = queries(timed)
    start = time.perf_counter()
    reasoner = pywhelk.create_reasoner(ontology)
    reasoner.flush()
    times = [time.perf_counter() - start]
    wall, cpu = time.perf_counter(), time.process_time()
    for axiom, name in list(asked.values())[: int(singles)]:
        ontology.add_axiom(axiom)
        reasoner.flush()
        below(reasoner, name)
        ontology.remove_axiom(axiom)
    reasoner.flush()
    times += [time.perf_counter() - wall, time.process_time() - cpu]
    for axiom, _ in asked.values():
        ontology.add_axiom(axiom)
    wall, cpu = time.perf_counter(), time.process_time()
    reasoner.flush()
    answers = {number: below(reasoner, name) for number, (_, name) in asked.items()}
    times += [time.perf_counter() - wall, time.process_time() - cpu]
    lines = [f"{number}\tsub\t{iri}\n" for number, iris in answers.items() for iri in iris]
    Path(output).write_text("".join(lines), "utf-8")
    print(" ".join(f"{seconds:.6f}" for seconds in times))


if __name__ == "__main__":
    main()
