"""`moose bench report`: one page of what a store of results has, and its tables in other forms."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from moose.base.errors import MooseError
from moose.cli.common.output import writing

if TYPE_CHECKING:
    from collections.abc import Sequence

    from moose.benchmark.report.model.model import Table

Folder = Annotated[
    Path, typer.Argument(metavar="DIR", help="The store that `moose bench run` filled, or a packed file.")
]


def report(
    store: Folder,
    output: Annotated[
        Path | None, typer.Option("-o", "--output", metavar="FILE", help="Write the page here, not to standard output.")
    ] = None,
    scale: Annotated[str | None, typer.Option(metavar="NAME", help="The scale, if the store has several.")] = None,
    tables: Annotated[
        Path | None, typer.Option(metavar="FOLDER", help="Also write each table here, as Markdown and as LaTeX.")
    ] = None,
) -> None:
    """Make one HTML page of all that DIR has: tables beside the paper's, figures, and the paper's claims.

    The same results make the same page, whatever came first or how long it took.
    """
    from moose.benchmark.report.assemble import make_report
    from moose.benchmark.report.render.page import write_page
    from moose.benchmark.sweep.store import Store

    if not store.exists():
        raise MooseError(f"{store}: expected a folder of results, but there is none; `moose bench run` makes it")
    found = make_report(Store(store), scale)
    page = write_page(found)
    if tables is not None:
        write_tables(found.tables, tables)
    with writing(output) as stream:
        stream.write(page)


def write_tables(found: Sequence[Table], folder: Path) -> None:
    """Write each table to a file named by its key, as Markdown and as LaTeX."""
    from moose.benchmark.report.render.latex import write_latex
    from moose.benchmark.report.render.markdown import write_markdown

    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise MooseError(f"{folder}: expected a folder for tables, but it cannot be made ({error.strerror})") from None
    for table in found:
        for ending, write in (("md", write_markdown), ("tex", write_latex)):
            with writing(folder / f"{table.key}.{ending}") as stream:
                stream.write(write(table))
