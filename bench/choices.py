"""Measure what the pages in docs/decisions say was measured: `python -m bench.choices [--data DIR] [--json OUT]`.

Each figure is the smallest CPU time of several repetitions on the Gene Ontology (`go.ofn.gz` of the data folder).
"""

from __future__ import annotations

import argparse
import gzip
import sys
import time
from collections.abc import Callable
from pathlib import Path
from unittest import mock

import numba
import pyhornedowl

from bench.classify import ROOT
from bench.measure import describe_machine, write_json
from moose.base.compiled.numba_compilation import dispatchers
from moose.owl.normal.normal_form import TOP, NormalForm
from moose.owl.ontology import merge_documents
from moose.owl.syntax.functional.read_functional import read_functional
from moose.owl.syntax.functional.read_plain import read_large
from moose.saturation.engine import agenda, kernel
from moose.saturation.engine.run import Run, World

REPETITIONS = 5


def smallest(work: Callable[[], object]) -> float:
    """Return the smallest CPU time of several repetitions."""
    times = []
    for _ in range(REPETITIONS):
        start = time.process_time()
        work()
        times.append(time.process_time() - start)
    return round(min(times), 3)


def compiled(**changed: object) -> Run:
    """Compile the kernel with other options of numba's than it is compiled with, and without the cache on disk."""
    plain: Callable[..., object] = numba.njit

    def njit(*function: object, **options: object) -> object:
        return plain(*function, **{**options, **changed, "cache": False})

    with mock.patch.object(numba, "njit", njit):
        run: Run = dispatchers([agenda, kernel], ["run"])["run"]  # type: ignore[assignment]  # the entry, kept nowhere
    return run


def saturate(form: NormalForm, run: Run) -> None:
    """Saturate from all named classes with a compiled kernel."""
    world = World(form)
    world.start([TOP, *form.nominal_concepts.tolist(), *form.class_concepts.tolist()])
    while not world.advance(run):
        pass


def measure(text: str) -> dict[str, float]:
    """Measure every choice on one ontology in functional syntax."""
    form = merge_documents([read_functional(text, "go.ofn")]).normal_form
    kernels = {
        "without reference counts": compiled(),
        "with reference counts": compiled(_nrt=True),
        "with reference counts, its functions inlined by LLVM": compiled(_nrt=True, inline="never"),
    }
    for run in kernels.values():  # compiles
        saturate(form, run)
    times = {f"kernel {name}": smallest(lambda run=run: saturate(form, run)) for name, run in kernels.items()}  # type: ignore[misc]  # bound at once
    times["read by moose.owl.syntax.functional.read_functional"] = smallest(lambda: read_functional(text, "go.ofn"))
    data = text.encode()
    read_large(data)  # compiles, or takes what was compiled
    times["read by moose.owl.syntax.functional.read_plain, machine code"] = smallest(lambda: read_large(data))
    times["parse by py-horned-owl"] = smallest(lambda: pyhornedowl.open_ontology_from_string(text, "ofn"))
    times["parse by py-horned-owl and list its axioms"] = smallest(
        lambda: pyhornedowl.open_ontology_from_string(text, "ofn").get_axioms()
    )
    return times


def main() -> None:
    """Read the options, measure, print and write the figures."""
    parser = argparse.ArgumentParser(prog="python -m bench.choices", description="What docs/decisions has measured.")
    parser.add_argument("--data", type=Path, default=ROOT.parent / "shared" / "data", help="folder with ontologies/")
    parser.add_argument("--json", type=Path, default=ROOT / "bench" / "results" / "choices.json")
    options = parser.parse_args()
    packed = options.data / "ontologies" / "go.ofn.gz"
    if not packed.exists():
        sys.exit(f"{packed}: expected the Gene Ontology here, but there is no such file; give its folder with --data")
    machine = describe_machine()  # before, as it notes the load
    times = measure(gzip.decompress(packed.read_bytes()).decode("utf-8"))
    for name, seconds in times.items():
        print(f"{seconds:8.3f} s  {name}")
    write_json(options.json, {"machine": machine, "repetitions": REPETITIONS, "cpu_seconds": times})


if __name__ == "__main__":
    main()
