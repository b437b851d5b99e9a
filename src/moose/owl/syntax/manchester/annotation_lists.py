"""Annotations of Manchester syntax, and lists whose items may bear them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TypeVar

from moose.owl.model.axioms import Annotation, Annotations
from moose.owl.model.expressions import AnonymousIndividual, Literal
from moose.owl.syntax.manchester.cursor import Reader
from moose.owl.syntax.manchester.data_ranges import is_literal, read_literal

T = TypeVar("T")


def read_annotations(reader: Reader, depth: int = 0) -> Annotations:
    """Read `Annotations: p v, …` if it comes; each annotation may bear annotations of its own."""
    reader.check_depth(depth)
    if not reader.accept_section("Annotations"):
        return ()
    annotations = [read_annotation(reader, depth)]
    while reader.accept(","):
        annotations.append(read_annotation(reader, depth))
    return tuple(annotations)


def read_annotation(reader: Reader, depth: int = 0) -> Annotation:
    """Read one annotation, behind those that it bears itself."""
    inner = read_annotations(reader, depth + 1)
    return Annotation(reader.iri("an annotation property"), _value(reader), inner)


def _value(reader: Reader) -> str | Literal | AnonymousIndividual:
    if is_literal(reader):
        return read_literal(reader)
    if reader.peek().startswith("_:"):
        return AnonymousIndividual(reader.take()[2:])
    return reader.iri("a literal, an IRI or a node such as '_:x'")


def read_annotated(reader: Reader, read: Callable[[Reader], T]) -> Iterator[tuple[T, Annotations]]:
    """Read items parted by commas, each behind its annotations."""
    while True:
        annotations = read_annotations(reader)
        yield read(reader), annotations
        if not reader.accept(","):
            return
