"""The explorer on a large ontology: how long it takes to start, how much memory, how long each answer takes.

    python -m bench.explore [--classes 275000] [--json bench/results/explore.json]

The ontology is drawn: a tree with second parents, three words to a label, a restriction for every tenth class, and one
class with 20,000 children. The server runs in a process of its own and is asked over HTTP.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from statistics import median, quantiles
from typing import Any, NamedTuple
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


class Server(NamedTuple):
    """A server that is asked, and its process."""

    address: str
    process: int


def spread(times: list[float]) -> dict[str, float]:
    """Return the middle, the 95th percentile and the largest of some times in milliseconds."""
    return {
        "median_ms": round(median(times), 2),
        "p95_ms": round(quantiles(times * 2, n=20, method="inclusive")[-1], 2),  # of a single time there are none
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


def cpu_of(process: int) -> float:
    """Return the CPU seconds that a process has taken, in user and system mode."""
    fields = Path(f"/proc/{process}/stat").read_text("ascii").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def answers(server: Server, name: str, questions: list[dict[str, str]]) -> dict[str, float]:
    """Ask for many answers of one kind; return what they take, the CPU time of the server on the average."""
    before = cpu_of(server.process)
    times = [ask(server.address, name, **parameters)[0] for parameters in questions]
    return {**spread(times), "mean_cpu_ms": round(1000 * (cpu_of(server.process) - before) / len(times), 2)}


def measure(server: Server, classes: int, seed: int = 1) -> dict[str, object]:
    """Ask a server many things."""
    drawn = random.Random(seed)  # noqa: S311 - an experiment, not a secret
    words = WORDS.split()
    iris = [f"{PREFIX}{drawn.randrange(classes):07}" for _ in range(ASKED)]
    texts = [" ".join(drawn.sample(words, 2)) for _ in range(ASKED // 2)]
    texts += [str(drawn.randrange(classes)) for _ in range(ASKED // 4)]
    texts += [drawn.choice(words)[: drawn.randint(1, 4)] for _ in range(ASKED // 4)]
    without_match = [{"text": f"{texts[0]}q"}]
    rows: dict[str, object] = {
        "search": answers(server, "search", [{"text": text} for text in texts]),
        "first_search_without_match": answers(server, "search", without_match),
        "search_without_match": answers(server, "search", without_match * 20),
        "children": answers(server, "children", [{"iri": iri} for iri in iris]),
        "children_of_20000": answers(server, "children", [{"iri": f"{PREFIX}0000001"}] * 10),
        "path": answers(server, "path", [{"iri": iri} for iri in iris]),
        "class": answers(server, "class", [{"iri": iri} for iri in iris]),
    }
    queries = [{"text": f"<urn:part> some <{iri}>"} for iri in iris[:50]]
    rows["first_query"] = answers(server, "query", queries[:1])
    rows["query"] = answers(server, "query", queries)
    pairs = []
    for iri in iris[:20]:
        described = ask(server.address, "class", iri=iri)[1]
        pairs += [{"sub": iri, "sup": parent["iri"]} for parent in described["parents"][:1]]
    rows["why"] = answers(server, "why", pairs)
    rows["first_annotations"] = answers(server, "annotations", [{"iri": iris[0]}])
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
                cpu = cpu_of(process.pid)
                about = ask(address, "about")[1]
                at_start = memory_of(process.pid)
                rows = measure(Server(address, process.pid), arguments.classes)
                at_end = memory_of(process.pid)
            finally:
                process.terminate()
    result = {
        "machine": machine,
        "classes": about["classes"],
        "axioms": about["axioms"],
        "start_seconds": round(seconds, 1),
        "start_cpu_seconds": round(cpu, 1),
        "memory_at_start": at_start,
        "memory_at_end": at_end,
        **rows,
    }
    print(json.dumps(result, indent=2))
    if arguments.json:
        write_json(arguments.json, result)


if __name__ == "__main__":
    main()
