"""`moose bench pack`: a store as one small file for each plan, to keep under version control or to hand on."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from moose.base.errors import MooseError
from moose.cli.common.options import Json
from moose.cli.common.output import print_json, writing


def pack_store(
    store: Annotated[Path, typer.Argument(metavar="DIR", help="The store that `moose bench run` filled.")],
    output: Annotated[
        Path | None, typer.Option("-o", "--output", metavar="FOLDER", help="Write the files here, not into DIR.")
    ] = None,
    json: Json = False,
) -> None:
    """Write one file PLAN-SCALE.jsonl.gz for each plan that was run in DIR, with all its records.

    A folder of such files is read like DIR itself, and `moose bench run` goes on from it. DIR stays as it is.
    """
    from moose.benchmark.store.packing import pack
    from moose.benchmark.sweep.store import Store

    if not store.exists():
        raise MooseError(f"{store}: expected a folder of results, but there is none; `moose bench run` makes it")
    files = pack(Store(store), output or (store if store.is_dir() else store.parent))
    rows = [
        {"file": str(path), "records": len(content.finished), "failures": len(content.failed)}
        for path, content in files.items()
    ]
    if json:
        print_json({"files": [{**row, "bytes": path.stat().st_size} for row, path in zip(rows, files)]})
        return
    with writing(None) as stream:
        for row in rows:
            stream.write(f"{row['file']}\t{row['records']} records\t{row['failures']} failures\n")
