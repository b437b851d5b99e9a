"""What the commands read: the files in `inputs/` beside this one, the checkout's own, and large ontologies."""

from __future__ import annotations

import re
import shutil
from collections.abc import Sequence
from pathlib import Path

from tools.same_outputs import Mistake

WRITTEN = Path(__file__).parent / "inputs"
DATA = ("pizza.ofn.gz", "pato.ofn.gz", "go.ofn.gz", "not-galen.owl.gz")
OF_TESTS = ("family.rdf", "family.ttl", "chain.nt")


def gather_inputs(checkout: Path, folder: Path, data: Path | None) -> None:
    """Put all that the commands read into `inputs/`, wherever the checkout keeps it."""
    inputs = folder / "inputs"
    (inputs / "golden").mkdir(parents=True)
    copy_files(sorted(WRITTEN.iterdir()), inputs)
    for pattern in ("*.ofn", "mnist?.toml", "pizza?.toml"):
        copy_files(sorted((checkout / "src" / "moose").rglob(pattern)), inputs)
    for name in OF_TESTS:
        copy_files(sorted((checkout / "tests").rglob(name)), inputs)
    for golden in sorted((checkout / "tests").rglob("golden")):
        copy_files(sorted([*golden.glob("*.ofn"), *golden.glob("*.toml")]), inputs / "golden")
    for golden in sorted((inputs / "golden").glob("*.ofn")):
        golden.with_suffix(".tsv").write_text(weigh_axioms(golden.read_text("utf-8")), encoding="utf-8")
    if data is not None:
        copy_files([data / name for name in DATA if (data / name).exists()], inputs)


def copy_files(files: Sequence[Path], target: Path) -> None:
    """Copy files, none onto another."""
    for file in files:
        if (target / file.name).exists():
            raise Mistake(f"{file}: there is another file {file.name} already; give one of them another name")
        shutil.copyfile(file, target / file.name)


def copy_store(checkout: Path, folder: Path) -> str | None:
    """Copy the committed results, a folder or one file; say where they are, seen from a case."""
    for store in sorted((checkout / "results").glob("standard*")):
        target = folder / "inputs" / "store" / store.name
        target.parent.mkdir()
        if store.is_dir():
            shutil.copytree(store, target)
        else:
            shutil.copyfile(store, target)
        return f"../../../inputs/store/{store.name}"
    return None


def weigh_axioms(ontology: str) -> str:
    """Give every axiom that has a line of its own a probability."""
    lines = (line.strip() for line in ontology.partition("Ontology(")[2].splitlines()[1:])
    axioms = [line for line in lines if re.match(r"[A-Z]\w+\(.*\)$", line) and not line.startswith("Declaration")]
    weights = ("0.5", "0.9", "1/3", "0.25", "0.8")
    return "".join(f"{axiom}\t{weights[number % len(weights)]}\n" for number, axiom in enumerate(axioms))
