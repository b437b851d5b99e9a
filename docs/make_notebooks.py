"""Run the notebooks of docs/notebooks and keep what their cells print and show: `python docs/make_notebooks.py`.

A notebook is JSON; its cells run here in one namespace, without Jupyter. What a value shows is what a notebook would
ask it for: text, a picture, a table.
"""

from __future__ import annotations

import ast
import contextlib
import io
import json
from pathlib import Path
from typing import Any

NOTEBOOKS = Path(__file__).parent / "notebooks"
SHOWN = {"image/svg+xml": "_repr_svg_", "text/html": "_repr_html_"}
Notebook = dict[str, Any]


def executed(notebook: Notebook) -> Notebook:
    """Return a notebook with the outputs that its cells have now."""
    names: dict[str, object] = {"__name__": "__main__"}
    cells = []
    count = 0
    for cell in notebook["cells"]:
        if cell["cell_type"] == "code":
            count += 1
            outputs = run("".join(cell["source"]), names, count)
            cells.append({**cell, "execution_count": count, "outputs": outputs})
        else:
            cells.append(cell)
    return {**notebook, "cells": cells}


def run(code: str, names: dict[str, object], count: int) -> list[dict[str, object]]:
    """Run a cell; return what it prints, and what the value of its last line shows."""
    tree = ast.parse(code)
    last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(compile(tree, "cell", "exec"), names)  # noqa: S102  # a notebook of this repository
        value = None
        if isinstance(last, ast.Expr):
            value = eval(compile(ast.Expression(last.value), "cell", "eval"), names)  # noqa: S307  # as above
    outputs: list[dict[str, object]] = []
    if printed.getvalue():
        outputs.append({"output_type": "stream", "name": "stdout", "text": lines(printed.getvalue())})
    if value is not None:
        shown = {kind: getattr(value, method)() for kind, method in SHOWN.items() if hasattr(value, method)}
        data = {"text/plain": repr(value), **shown}
        kept = {kind: lines(text) for kind, text in data.items() if text}
        outputs.append({"output_type": "execute_result", "execution_count": count, "metadata": {}, "data": kept})
    return outputs


def lines(text: str) -> list[str]:
    """Return a text as notebooks keep it."""
    return text.splitlines(keepends=True)


def main() -> None:
    """Run all notebooks."""
    for path in sorted(NOTEBOOKS.glob("*.ipynb")):
        notebook = executed(json.loads(path.read_text(encoding="utf-8")))
        path.write_text(json.dumps(notebook, ensure_ascii=False, indent=1) + "\n", encoding="utf-8", newline="\n")


if __name__ == "__main__":
    main()
