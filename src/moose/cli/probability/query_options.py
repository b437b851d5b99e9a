"""The arguments of the commands on probabilities, and what they say of them."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from moose.base.errors import MooseError
from moose.cli.common.messages import say

if TYPE_CHECKING:
    from moose.owl.ontology import Ontology
    from moose.queries.probabilities.probabilities import Probabilities

ProbabilitiesFile = Annotated[
    Path | None,
    typer.Option("--probabilities", metavar="TSV", help="Lines `axiom<TAB>probability`, or JSON, beside annotations."),
]
WithoutAnnotations = Annotated[
    bool, typer.Option("--without-annotations", help="Take probabilities from the file alone.")
]


@dataclass(frozen=True, slots=True)
class ProbabilitySource:
    """Where probabilities are read from."""

    file: Path | None
    are_annotations_left_out: bool = False

    def __post_init__(self) -> None:
        if self.are_annotations_left_out and self.file is None:
            raise MooseError(
                "--without-annotations: expected a file to read instead, but got none; name it by --probabilities"
            )

    def read(self, ontology: Ontology) -> Probabilities:
        """Read all probabilities."""
        from moose.queries.probabilities.probabilities import probabilities_of, read_probabilities

        if self.are_annotations_left_out and self.file is not None:
            return read_probabilities(self.file, ontology)
        return probabilities_of(ontology, self.file)


def find_probabilities(ontology: Ontology, source: ProbabilitySource, file: Path) -> Probabilities:
    """Read all probabilities, and say which make no difference, or that there are none."""
    probabilities = source.read(ontology)
    if not probabilities.stated:
        say(f"{file}: no axiom has a probability, so all are certain; annotate some, or name a file by --probabilities")
    if probabilities.unused:
        noun = (
            "axiom that has a probability is"
            if len(probabilities.unused) == 1
            else "axioms that have a probability are"
        )
        say(
            f"{file}: {len(probabilities.unused):,} {noun} outside OWL 2 EL and not used at all; `moose check` says why"
        )
    return probabilities
