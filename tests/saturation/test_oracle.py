"""The whole closure of real ontologies equals ELK's, where the data folder is there."""

from __future__ import annotations

import gzip
import io
from pathlib import Path

import pytest

import moose

DATA = Path(__file__).parents[3] / "shared" / "data"
NAMES = ("pizza", "pato", "envo", "uberon", "galen", "go")


def find(*parts: str) -> Path:
    """Return a file of the data folder, or skip where there is none."""
    path = DATA.joinpath(*parts)
    if not path.exists():
        pytest.skip(f"the data folder ../shared/data has no {'/'.join(parts)}")
    return path


def read_lines(path: Path) -> list[str]:
    with gzip.open(path, "rt", encoding="utf-8") if path.suffix == ".gz" else path.open(encoding="utf-8") as stream:
        return stream.read().splitlines()


def assert_same(ours: list[str], oracle: list[str]) -> None:
    """Compare as sets, showing a few lines of what is missing or too much rather than all of them."""
    missing, extra = set(oracle) - set(ours), set(ours) - set(oracle)
    assert (len(missing), sorted(missing)[:5], len(extra), sorted(extra)[:5]) == (0, [], 0, [])
    assert len(ours) == len(set(ours))


@pytest.mark.parametrize("name", NAMES)
def test_closure_equals_the_oracles(name: str) -> None:
    ontology = find("ontologies", f"{name}.ofn.gz")
    subsumptions, unsatisfiable = find("oracle", f"{name}.subs.tsv.gz"), find("oracle", f"{name}.unsat.txt")
    taxonomy = moose.classify(moose.load(ontology))
    written = io.StringIO()
    taxonomy.write_tsv(written, closure=True)
    lines = written.getvalue().splitlines()
    assert taxonomy.is_consistent
    assert_same(list(taxonomy.unsatisfiable), read_lines(unsatisfiable))
    assert_same(lines, read_lines(subsumptions))
    assert lines == sorted(lines)


def test_types_of_individuals_equal_the_oracles() -> None:
    ontology, types = find("ontologies", "pizza.ofn.gz"), find("oracle", "pizza.types.tsv.gz")
    ours = ["\t".join(pair) for pair in moose.realise(moose.load(ontology)).types()]
    assert_same(ours, read_lines(types))
