"""Values as data frames, as graphs, and as HTML for notebooks; pandas and networkx are loaded only if asked for."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from html import escape
from itertools import islice
from typing import TYPE_CHECKING

from moose.base.errors import MooseError

if TYPE_CHECKING:
    import networkx as nx
    import pandas as pd

MOST_ROWS = 20
"""Rows of a table that a notebook shows."""


def data_frame(columns: Mapping[str, Sequence[object]]) -> pd.DataFrame:
    """Return columns as a data frame of pandas."""
    try:
        import pandas as pd
    except ImportError:
        raise MooseError(
            "expected pandas to make a data frame, but it is not installed; `pip install pandas`"
        ) from None
    return pd.DataFrame({name: list(values) for name, values in columns.items()})


def directed_graph(
    nodes: Iterable[str], edges: Iterable[tuple[str, str]], *, labels: Callable[[str], str | None]
) -> nx.DiGraph:
    """Return a directed graph of networkx, whose nodes are IRIs with their labels."""
    try:
        import networkx as nx
    except ImportError:
        raise MooseError("expected networkx to make a graph, but it is not installed; `pip install networkx`") from None
    graph = nx.DiGraph()
    graph.add_nodes_from((iri, {} if (label := labels(iri)) is None else {"label": label}) for iri in nodes)
    graph.add_edges_from(edges)
    return graph


def html_table(caption: str, heads: Sequence[str], rows: Iterable[Sequence[str]], *, count: int) -> str:
    """Write the first of so many rows as a table of HTML, every text escaped.

    >>> html_table("1 < 2", ["a"], [["b"]], count=1)
    '<table><caption>1 &lt; 2</caption><tr><th>a</th></tr><tr><td>b</td></tr></table>'
    """
    shown = list(islice(rows, MOST_ROWS))
    head = "".join(f"<th>{escape(name)}</th>" for name in heads)
    body = "".join(f"<tr>{''.join(f'<td>{escape(cell)}</td>' for cell in row)}</tr>" for row in shown)
    left = count - len(shown)
    more = f'<tr><td colspan="{len(heads)}">and {left:,} more</td></tr>' if left else ""
    return f"<table><caption>{escape(caption)}</caption><tr>{head}</tr>{body}{more}</table>"
