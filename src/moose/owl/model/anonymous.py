"""Anonymous individuals, which are known in one document only: keep those of several documents apart."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import fields
from typing import TypeVar

from moose.owl.model.axioms import Annotation, AnnotationAssertion, Axiom, Declaration, Document
from moose.owl.model.expressions import AnonymousIndividual
from moose.owl.model.signature import LEAVES, NODES, walk

Statement = TypeVar("Statement", Axiom, Declaration, AnnotationAssertion, Annotation)

_FIELDS: dict[type, tuple[str, ...]] = {
    kind: tuple(field.name for field in fields(kind))
    for kind in (*NODES, Declaration, AnnotationAssertion, Annotation)
    if kind not in LEAVES
}


def renamings(documents: Sequence[Document]) -> list[dict[str, str]]:
    """Return for each document which of its anonymous individuals are renamed, as an earlier one has their name."""
    if len(documents) == 1:
        return [{}]
    taken: set[str] = set()
    renamed = []
    for document in documents:
        own = set(_nodes(document))
        fresh = {node: fresh_name(node, taken | own) for node in sorted(own & taken)}
        renamed.append(fresh)
        taken |= own | set(fresh.values())
    return renamed


def rename_each(statements: Iterable[Statement], fresh: dict[str, str]) -> Iterator[Statement]:
    """Yield statements with their anonymous individuals renamed, each built anew only where one is."""
    if not fresh:
        yield from statements
        return
    for statement in statements:
        has_some = any(node in fresh for node in nodes_in(statement))
        yield _rebuild(statement, fresh) if has_some else statement  # type: ignore[misc]  # of the same type


def _rebuild(value: object, fresh: dict[str, str]) -> object:
    if isinstance(value, AnonymousIndividual):
        return AnonymousIndividual(fresh.get(value.node, value.node))
    if isinstance(value, tuple):
        return tuple(_rebuild(part, fresh) for part in value)
    names = _FIELDS.get(type(value))
    if names is None:
        return value
    return type(value)(**{name: _rebuild(getattr(value, name), fresh) for name in names})


def _nodes(document: Document) -> Iterator[str]:
    for statements in (document.axioms, document.annotation_assertions, document.declarations, document.annotations):
        for statement in statements:
            yield from nodes_in(statement)


def nodes_in(statement: Axiom | Declaration | AnnotationAssertion | Annotation) -> Iterator[str]:
    """Yield the names of the anonymous individuals that a statement mentions."""
    if isinstance(statement, AnnotationAssertion | Annotation):
        ends = (
            (statement.value, statement.subject) if isinstance(statement, AnnotationAssertion) else (statement.value,)
        )
        yield from (end.node for end in ends if isinstance(end, AnonymousIndividual))
    elif not isinstance(statement, Declaration):
        yield from (part.node for part in walk(statement) if isinstance(part, AnonymousIndividual))
    for note in statement.annotations:
        yield from nodes_in(note)


def fresh_name(node: str, taken: set[str]) -> str:
    """Return a name like another that is not taken."""
    count = 1
    while f"{node}.{count}" in taken:
        count += 1
    return f"{node}.{count}"
