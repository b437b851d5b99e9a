"""The arguments of the commands on probabilities, and what they say of them."""

from __future__ import annotations

import re
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

UNITS = {"ms": 0.001, "s": 1.0, "": 1.0, "m": 60.0, "min": 60.0, "h": 3600.0}
DURATION = re.compile(r"(?P<count>[0-9]+(?:\.[0-9]*)?|\.[0-9]+)\s*(?P<unit>[a-z]*)")


def read_duration(text: str | None) -> float | None:
    """Return a duration such as 10s, 500ms or 2m in seconds.

    >>> read_duration("1.5m"), read_duration("10"), read_duration(None)
    (90.0, 10.0, None)
    """
    if text is None:
        return None
    match = DURATION.fullmatch(text.strip())
    if match is None or match["unit"] not in UNITS or float(match["count"]) == 0:
        raise MooseError(f"--limit: expected a time such as 10s, 500ms or 2m, but got {text!r}; write it like that")
    return float(match["count"]) * UNITS[match["unit"]]


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
