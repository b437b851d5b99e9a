"""Small tasks for the tests, from functional syntax without prefixes."""

from __future__ import annotations

from pathlib import Path

from moose.grounding.clauses import Clauses, Origin
from moose.owl.load import load
from moose.owl.ontology import Ontology

DIGITS = [f"D{digit}" for digit in range(10)]
PROPERTIES = ["Even", "Odd", "Prime", "Composite"]


def ontology_of(folder: Path, axioms: str) -> Ontology:
    """Read axioms whose names are all written with a colon."""
    path = folder / "small.ofn"
    path.write_text(f"Prefix(:=<http://e.org/>)\nOntology(<http://e.org/small>\n{axioms}\n)", encoding="utf-8")
    return load(path)


def texts(clauses: Clauses, *origins: Origin) -> list[str]:
    """Spell the clauses of some origins, or all of them."""
    return [
        clauses.clause_text(clause)
        for clause, origin in zip(clauses, clauses.origins.tolist(), strict=True)
        if not origins or origin in origins
    ]
