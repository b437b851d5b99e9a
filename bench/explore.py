"""The explorer on a large ontology: how long it takes to start, how much memory, how long each answer takes.

    python -m bench.explore [--classes 275000] [--json bench/results/explore.json]

The ontology is drawn: a tree with second parents, three words to a label, a restriction for every tenth class, and one
class with 20,000 children. The server runs in a process of its own and is asked over HTTP.
"""

from __future__ import annotations

import argparse
import json
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from statistics import median, quantiles
from typing import Any
from urllib.parse import urlencode
from urllib.request import ProxyHandler, build_opener

from bench.measure import describe_machine, write_json

PREFIX = "http://purl.obolibrary.org/obo/DRAWN_"
WORDS = "cell muscle nerve blood early late anterior left right layer part duct gland cortex bone skin tissue vein root"
WIDE = 20_000
ASKED = 200
OPENER = build_opener(ProxyHandler({}))


def draw(classes: int, seed: int = 0) -> Iterator[str]:
    """Yield the lines of an ontology of this many classes."""
    drawn = random.Random(seed)  # noqa: S311 - an experiment, not a secret
    words = WORDS.split()
    yield "Prefix(rdfs:=<http://www.w3.org/2000/01/rdf-schema#>)\nOntology(<urn:drawn>\n"
    for number in range(classes):
        name = f"<{PREFIX}{number:07}>"
        label = f"{drawn.choice(words)} {drawn.choice(words)} {drawn.choice(words)} {number}"
        yield f'AnnotationAssertion(rdfs:label {name} "{label}")\n'
        if not number:
            continue
        parent = 1 if 1 < number <= WIDE else drawn.randrange(max(0, number // 9 - 20), number // 3 + 1)
        yield f"SubClassOf({name} <{PREFIX}{parent:07}>)\n"
        if number % 5 == 0:
            yield f"SubClassOf({name} <{PREFIX}{drawn.randrange(number):07}>)\n"
        if number % 10 == 0:
            yield f"SubClassOf({name} ObjectSomeValuesFrom(<urn:part> <{PREFIX}{drawn.randrange(number):07}>))\n"
    yield ")\n"


def ask(address: str, name: str, **parameters: str) -> tuple[float, dict[str, Any]]:
    """Return how many milliseconds an answer takes, and the answer."""
    start = time.perf_counter()
    with OPENER.open(f"{address}api/{name}?{urlencode(parameters)}", timeout=600) as response:
        body = response.read()
    return 1000 * (time.perf_counter() - start), json.loads(body)


def spread(times: list[float]) -> dict[str, float]:
    """Return the middle, the 95th percentile and the largest of some times in milliseconds."""
    return {
        "median_ms": round(median(times), 2),
        "p95_ms": round(quantiles(times, n=20)[-1], 2),
        "largest_ms": round(max(times), 2),
    }


def memory_of(process: int) -> dict[str, float]:
    """Return the memory of a process now and at its peak, in megabytes."""
    lines = Path(f"/proc/{process}/status").read_text("ascii").splitlines()
    rows = dict(line.split(":", 1) for line in lines)
    return {
        "resident_mb": round(int(rows["VmRSS"].split()[0]) / 1000, 1),
        "peak_mb": round(int(rows["VmHWM"].split()[0]) / 1000, 1),
    }


def measure(address: str, classes: int, seed: int = 1) -> dict[str, object]:
    """Ask a server many things."""
    drawn = random.Random(seed)  # noqa: S311 - an experiment, not a secret
    words = WORDS.split()
    iris = [f"{PREFIX}{drawn.randrange(classes):07}" for _ in range(ASKED)]
    texts = [" ".join(drawn.sample(words, 2)) for _ in range(ASKED // 2)]
    texts += [str(drawn.randrange(classes)) for _ in range(ASKED // 4)]
    texts += [drawn.choice(words)[: drawn.randint(1, 4)] for _ in range(ASKED // 4)]
    rows: dict[str, object] = {
        "search": spread([ask(address, "search", text=text)[0] for text in texts]),
        "search_without_match": spread([ask(address, "search", text=f"{one}q")[0] for one in texts[:1] * 2]),
        "children": spread([ask(address, "children", iri=iri)[0] for iri in iris]),
        "children_of_20000": spread([ask(address, "children", iri=f"{PREFIX}0000001")[0] for _ in range(10)]),
        "path": spread([ask(address, "path", iri=iri)[0] for iri in iris]),
        "class": spread([ask(address, "class", iri=iri)[0] for iri in iris]),
    }
    queries = [f"<urn:part> some <{iri}>" for iri in iris[:50]]
    first, _ = ask(address, "query", text=queries[0])
    rows["first_query_ms"] = round(first, 1)
    rows["query"] = spread([ask(address, "query", text=text)[0] for text in queries])
    pairs = []
    for iri in iris[:20]:
        described = ask(address, "class", iri=iri)[1]
        pairs += [(iri, parent["iri"]) for parent in described["parents"][:1]]
    rows["why"] = spread([ask(address, "why", sub=sub, sup=sup)[0] for sub, sup in pairs])
    first, _ = ask(address, "annotations", iri=iris[0])
    rows["first_annotations_ms"] = round(first, 1)
    return rows


def main() -> None:
    """Draw, serve, ask, and print or write what it took."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--classes", type=int, default=275_000)
    parser.add_argument("--json", type=Path)
    arguments = parser.parse_args()
    machine = describe_machine()
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "drawn.ofn"
        with file.open("w", encoding="utf-8") as stream:
            stream.writelines(draw(arguments.classes))
        start = time.perf_counter()
        command = [sys.executable, "-m", "moose", "explore", str(file)]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
            assert process.stdout is not None
            try:
                address = process.stdout.readline().strip()
                seconds = time.perf_counter() - start
                about = ask(address, "about")[1]
                at_start = memory_of(process.pid)
                rows = measure(address, arguments.classes)
                at_end = memory_of(process.pid)
            finally:
                process.terminate()
    result = {
        "machine": machine,
        "classes": about["classes"],
        "axioms": about["axioms"],
        "start_seconds": round(seconds, 1),
        "memory_at_start": at_start,
        "memory_at_end": at_end,
        **rows,
    }
    print(json.dumps(result, indent=2))
    if arguments.json:
        write_json(arguments.json, result)


if __name__ == "__main__":
    main()
