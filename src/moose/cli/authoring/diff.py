"""`moose diff`: what changed between two ontologies."""

from __future__ import annotations

from collections.abc import Callable
from enum import StrEnum
from functools import partial
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Annotated

import typer

from moose.cli.common.messages import DOES_NOT_FOLLOW
from moose.cli.common.naming import Naming
from moose.cli.common.options import Imports, Json, Output
from moose.cli.common.output import print_json, writing
from moose.cli.common.progress import stages

if TYPE_CHECKING:
    from moose.authoring.diff import Difference
    from moose.owl.names import Names


class DiffFormat(StrEnum):
    """How a difference is written."""

    text = "text"
    markdown = "markdown"
    html = "html"


OldFile = Annotated[Path, typer.Argument(metavar="OLD", help="The ontology as it was; - is the input.")]
NewFile = Annotated[Path, typer.Argument(metavar="NEW", help="The ontology as it is.")]


def diff(
    old: OldFile,
    new: NewFile,
    *,
    format: Annotated[  # noqa: A002  # the option is called --format
        DiffFormat, typer.Option(help="Lines with + and -, Markdown for a pull request, or one HTML page.")
    ] = DiffFormat.text,
    asserted: Annotated[bool, typer.Option("--asserted", help="Do not compare what follows.")] = False,
    logical: Annotated[bool, typer.Option("--logical", help="Do not compare annotations of entities.")] = False,
    exit_code: Annotated[bool, typer.Option("--exit-code", help="Exit with 1 if there is a difference.")] = False,
    output: Output = None,
    json: Json = False,
    naming: Naming,
    imports: Imports,
) -> None:
    """Compare two ontologies, asserted and inferred.

    Compared are entities, asserted axioms, annotations, and what follows about named classes.

    Of what follows, the direct subsumptions of each side are listed that do not follow on the other.
    """
    start = perf_counter()
    with stages("reading") as stage:
        before, after = imports.read(old), imports.read(new)
        stage.enter("comparing")
        from moose.authoring.diff import diff as compare
        from moose.authoring.diff_text import as_html, as_json, as_markdown, as_text

        found = compare(before, after, infer=not asserted, annotations=not logical, progress=stage.count)
    if json:
        print_json(as_json(found) | {"seconds": round(perf_counter() - start, 3)})
    if output is not None or not json:
        files = (old.name, new.name) if old.name != new.name else (str(old), str(new))
        writers: dict[DiffFormat, Callable[[Difference, Names, Names], str]] = {
            DiffFormat.text: as_text,
            DiffFormat.markdown: as_markdown,
            DiffFormat.html: partial(as_html, files=files),
        }
        with writing(output, source=new) as stream:
            stream.write(writers[format](found, naming.of(before), naming.of(after)))
    if exit_code and found:
        raise typer.Exit(DOES_NOT_FOLLOW)
