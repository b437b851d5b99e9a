"""A taxonomy and the types of individuals by HermiT, for ontologies of which EL does not use all."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from moose.cli.common.messages import INCONSISTENT, say

if TYPE_CHECKING:
    from moose.hermit.hermit import Hermit, Row
    from moose.owl.ontology import Ontology
    from moose.owl.profile.profile import Outside
    from moose.saturation.answers.taxonomy import Taxonomy


@dataclass(frozen=True, slots=True)
class Source:
    """Whom an answer is from, and what it leaves open."""

    unused: tuple[Outside, ...]
    reasoner: str | None = None

    def facts(self) -> dict[str, object]:
        """Return it for JSON."""
        from moose.cli.common.completeness import unused_texts

        return {"complete": not self.unused, "unused": unused_texts(self.unused), "reasoner": self.reasoner}


def by_hermit(
    kind: str, ontology: Ontology, hermit: Hermit, unused: Sequence[Outside], file: Path
) -> tuple[list[Row], Source]:
    """Return what HermiT says of classes, types or roles; end with the exit code for that if there is no model."""
    from moose.owl.model.axioms import UnreadAxiom

    rows = hermit.rows(kind, [axiom for axiom in ontology.axioms if not isinstance(axiom, UnreadAxiom)])
    if rows is None:
        say(f"{file}: the ontology is inconsistent, says {hermit.name}")
        raise typer.Exit(INCONSISTENT)
    say(f"{file}: not all of it is in OWL 2 EL, so the answer is from {hermit.name}")
    return rows, Source(tuple(row for row in unused if isinstance(row.axiom, UnreadAxiom)), hermit.name)


def hermit_taxonomy(taxonomy: Taxonomy, rows: Sequence[Row]) -> Taxonomy:
    """Return a taxonomy with the subsumptions that HermiT lists in place of those that EL found."""
    from moose.saturation.answers.taxonomy import rows_of_pairs

    empty = {row[1] for row in rows if row[0] == "unsatisfiable"}
    listed = [name for name in taxonomy.classes if name not in empty]
    pairs = [(row[1], row[2]) for row in rows if row[0] == "sub"]
    return replace(taxonomy, unsatisfiable=tuple(sorted(empty)), rows=rows_of_pairs(listed, pairs))
