"""What several commands say about an ontology: what is outside OWL 2 EL, and whether it is consistent."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from moose.cli.common.messages import INCONSISTENT, say

if TYPE_CHECKING:
    from moose.owl.names import Names
    from moose.owl.ontology import Ontology
    from moose.saturation.answers.taxonomy import Taxonomy


def outside_rows(ontology: Ontology) -> list[dict[str, object]]:
    """Return each axiom outside EL for JSON: why, what is used in its place, and whether that means the same."""
    from moose.owl.model.axioms import without_annotations
    from moose.owl.syntax.functional.write_functional import render

    return [
        {
            "axiom": render(outside.axiom),
            "reason": outside.reason,
            "used": [render(without_annotations(axiom)) for axiom in outside.used],
            "exact": outside.is_exact,
        }
        for outside in ontology.profile.outside
    ]


def summarise_outside(ontology: Ontology) -> str:
    """Say in a few words how much is outside EL and how much of that is used."""
    outside = ontology.profile.outside
    if not outside:
        return "every axiom is in OWL 2 EL"
    exact = sum(row.is_exact for row in outside)
    partly = sum((bool(row.used) or row.is_used_with_others) and not row.is_exact for row in outside)
    noun = "axiom is" if len(outside) == 1 else "axioms are"
    return (
        f"{len(outside):,} {noun} outside OWL 2 EL: "
        f"{exact:,} used whole, {partly:,} used in part, {len(outside) - exact - partly:,} not used"
    )


def say_outside(ontology: Ontology, file: Path) -> None:
    """Say that something is outside EL, if it is."""
    if ontology.profile.outside:
        say(f"{file}: {summarise_outside(ontology)}; `moose check` lists them")


def say_probabilities(ontology: Ontology, file: Path) -> None:
    """Say that axioms have probabilities, if some have, to somebody who asked a question that passes over them."""
    from moose.owl.model.expressions import PROBABILITY_IRIS

    noted = (axiom.annotations for axiom in ontology.axioms if axiom.annotations)
    count = sum(any(note.property in PROBABILITY_IRIS for note in notes) for notes in noted)
    if count:
        noun = "1 axiom has a probability" if count == 1 else f"{count:,} axioms have probabilities"
        say(f"{file}: {noun}, but all are taken as certain here; `moose query` counts with them")


MOST_NAMED = 3


def say_unsatisfiable(taxonomy: Taxonomy, file: Path, names: Names) -> None:
    """Say which classes can have no element, if some cannot; they have no lines in the taxonomy."""
    empty = taxonomy.unsatisfiable
    if empty and taxonomy.is_consistent:
        named = ", ".join(map(names.show, empty[:MOST_NAMED])) + (", …" if len(empty) > MOST_NAMED else "")
        count = "1 class is" if len(empty) == 1 else f"{len(empty):,} classes are"
        command = shlex.join(["moose", "explain", str(file), f"unsatisfiable {names.display(empty[0])}"])
        say(f"{file}: {count} unsatisfiable: {named}; `{command}` shows why")


def exit_if_inconsistent(is_consistent: bool, file: Path) -> None:
    """Say that the ontology is inconsistent and end with the exit code for that."""
    if not is_consistent:
        say(f"{file}: the ontology is inconsistent; `moose explain FILE --inconsistency` shows why")
        raise typer.Exit(INCONSISTENT)
