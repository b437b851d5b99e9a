"""Keep the anonymous individuals of different documents apart: `_:x` here and `_:x` there are not the same."""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

from moose.owl.axioms import Axiom
from moose.owl.document import Document
from moose.owl.model import AnonymousIndividual
from moose.owl.signature import LEAVES, PARTS, walk


def rename_apart(documents: Sequence[Document]) -> list[tuple[Axiom, ...]]:
    """Return the axioms of each document, an anonymous individual renamed where an earlier document has its name."""
    if len(documents) == 1:
        return [documents[0].axioms]
    taken: set[str] = set()
    renamed = []
    for document in documents:
        own = _nodes(document.axioms)
        fresh = {node: _fresh(node, taken | own) for node in own & taken}
        renamed.append(tuple(rename(axiom, fresh) for axiom in document.axioms) if fresh else document.axioms)
        taken |= own | set(fresh.values())
    return renamed


def rename(axiom: Axiom, fresh: dict[str, str]) -> Axiom:
    """Return an axiom with its anonymous individuals renamed, built anew only where one is."""
    if not any(isinstance(part, AnonymousIndividual) and part.node in fresh for part in walk(axiom)):
        return axiom
    return cast(Axiom, _rebuild(axiom, fresh))


def _rebuild(value: object, fresh: dict[str, str]) -> object:
    if isinstance(value, AnonymousIndividual):
        return AnonymousIndividual(fresh.get(value.node, value.node))
    if isinstance(value, tuple):
        return tuple(_rebuild(part, fresh) for part in value)
    kind = type(value)
    if kind in LEAVES or kind not in PARTS:
        return value
    changed = {name: _rebuild(getattr(value, name), fresh) for name in PARTS[kind]}
    kept = {"annotations": value.annotations} if hasattr(value, "annotations") else {}
    return kind(**changed, **kept)


def _nodes(axioms: tuple[Axiom, ...]) -> set[str]:
    return {part.node for axiom in axioms for part in walk(axiom) if isinstance(part, AnonymousIndividual)}


def _fresh(node: str, taken: set[str]) -> str:
    count = 1
    while f"{node}.{count}" in taken:
        count += 1
    return f"{node}.{count}"
