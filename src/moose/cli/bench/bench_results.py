"""`moose bench report` and `moose bench pack`: a store of results as one page, and as one small file for each plan."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from moose.base.errors import MooseError
from moose.cli.common.options import Json, Output
from moose.cli.common.output import print_json, writing

if TYPE_CHECKING:
    from collections.abc import Sequence

    from moose.benchmark.report.model.model import Table
    from moose.benchmark.store.store import Store

StorePath = Annotated[
    Path, typer.Argument(metavar="DIR", help="The store that `moose bench run` filled, or a packed file.")
]


def make_page(
    store: StorePath,
    *,
    output: Output = None,
    scale: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME", help="The scale, if the store has several; or some of them, one after the other."),
    ] = None,
    tables: Annotated[
        Path | None, typer.Option(metavar="FOLDER", help="Also write each table here, as Markdown and as LaTeX.")
    ] = None,
) -> None:
    """Make one HTML page of all that DIR has. Tables stand beside the paper's, with figures and the paper's claims.

    The same results make the same page, whatever came first or how long it took.
    """
    from moose.benchmark.report.assemble import make_report
    from moose.benchmark.report.render.page import write_page

    results = make_report(open_store(store), scale)
    page = write_page(results)
    if tables is not None:
        write_tables(results.tables, tables)
    with writing(output) as stream:
        stream.write(page)


def write_tables(tables: Sequence[Table], folder: Path) -> None:
    """Write each table to a file named by its key, as Markdown and as LaTeX."""
    from moose.benchmark.report.render.latex import write_latex
    from moose.benchmark.report.render.markdown import write_markdown

    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise MooseError(f"{folder}: expected a folder for tables, but it cannot be made ({error.strerror})") from None
    for table in tables:
        for ending, write in (("md", write_markdown), ("tex", write_latex)):
            with writing(folder / f"{table.key}.{ending}") as stream:
                stream.write(write(table))


def pack_store(
    store: StorePath,
    *,
    output: Annotated[
        Path | None, typer.Option("-o", "--output", metavar="FOLDER", help="Write the files here, not into DIR.")
    ] = None,
    json: Json = False,
) -> None:
    """Write one small file for each plan that was run in DIR. It is PLAN-SCALE.jsonl.gz, with all its records.

    A folder of such files is read like DIR itself, and `moose bench run` goes on from it. DIR stays as it is.
    """
    from moose.benchmark.store.packing import pack

    files = pack(open_store(store), output or (store if store.is_dir() else store.parent))
    rows = [
        {"file": str(path), "records": len(one.finished), "failures": len(one.failed)} for path, one in files.items()
    ]
    if json:
        print_json({"files": [{**row, "bytes": path.stat().st_size} for row, path in zip(rows, files)]})
        return
    with writing(None) as stream:
        for row in rows:
            stream.write(f"{row['file']}\t{row['records']} records\t{row['failures']} failures\n")


def open_store(store: Path) -> Store:
    """Open a store that is there."""
    from moose.benchmark.store.store import Store

    if not store.exists():
        raise MooseError(f"{store}: expected a folder of results, but there is none; `moose bench run` makes it")
    return Store(store)
