"""Graphs that other libraries hold in memory, as N-Triples: rdflib graphs, pyoxigraph stores, owlready2 worlds.

No library is imported here before a graph of it comes: who passes one has imported it.
"""

from __future__ import annotations

from collections.abc import Iterator
from io import BytesIO
from typing import Any, Protocol

from moose.base.errors import MooseError

OWLREADY_UNNAMED = b"<http://anonymous>"
"""What owlready2 calls the ontology of what belongs to none."""


class RdflibGraph(Protocol):
    """What is asked of a graph of rdflib."""

    def serialize(self, *, format: str, encoding: str) -> bytes:  # noqa: A002  # rdflib's word
        """Return the graph as text."""


class OwlreadyWorld(Protocol):
    """What is asked of a world or an ontology of owlready2."""

    def save(self, file: BytesIO, format: str) -> None:  # noqa: A002  # owlready2's word
        """Write the triples."""


class QuadStore(Protocol):
    """What is asked of a store or a data set of pyoxigraph."""

    def __iter__(self) -> Iterator[Any]:
        """Yield quads."""


Graph = RdflibGraph | OwlreadyWorld | QuadStore


def triples_of(graph: Graph) -> tuple[bytes, str]:
    """Return the triples of a graph, of all named graphs together, and what messages call it."""
    library = library_of(graph)
    reader = LIBRARIES.get(library)
    if reader is None:
        raise MooseError(
            f"expected a file, a stream of bytes, or a graph of {', '.join(LIBRARIES)}, but got a "
            f"{type(graph).__name__}; write it to a file that can be loaded"
        )
    return reader(graph), f"the {library} {type(graph).__name__}"


def library_of(graph: object) -> str:
    """Return the library that made something; nothing for what is none of theirs."""
    homes = (base.__module__.split(".")[0] for base in type(graph).__mro__)
    return next((home for home in homes if home in LIBRARIES), "")


def _rdflib(graph: Any) -> bytes:
    if hasattr(graph, "quads"):
        import rdflib

        together = rdflib.Graph()
        for subject, predicate, value, _ in graph.quads((None, None, None, None)):
            together.add((subject, predicate, value))
        graph = together
    return bytes(graph.serialize(format="nt", encoding="utf-8"))


def _oxigraph(store: Any) -> bytes:
    import pyoxigraph as oxigraph

    output = BytesIO()
    oxigraph.serialize((quad.triple for quad in store), output, format=oxigraph.RdfFormat.N_TRIPLES)
    return output.getvalue()


def _owlready(world: Any) -> bytes:
    output = BytesIO()
    world.save(file=output, format="ntriples")
    lines = output.getvalue().splitlines(keepends=True)
    return b"".join(line for line in lines if not line.startswith(OWLREADY_UNNAMED))


LIBRARIES = {"rdflib": _rdflib, "pyoxigraph": _oxigraph, "owlready2": _owlready}
