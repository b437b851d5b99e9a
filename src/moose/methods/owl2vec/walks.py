"""An ontology as a graph, and walks over it as sentences.

The projection of OWL2Vec* (Chen, Hu, Jiménez-Ruiz, Holter, Antonyrajah and Horrocks 2021, Machine Learning 110):

    A ⊑ B                      A subClassOf B, and B superClassOf A
    A ⊑ ∃r.B,  ∃r.B ⊑ A        A r B
    domain A and range B       A r B

Conjunctions are taken apart on both sides, and equivalences are inclusions both ways. What else there is (disjointness,
chains, nominals) has no edge.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import permutations

import torch

from moose.owl.model.axioms import (
    Axiom,
    EquivalentClasses,
    ObjectPropertyDomain,
    ObjectPropertyRange,
    SubClassOf,
)
from moose.owl.model.expressions import (
    Class,
    ClassExpression,
    ObjectIntersectionOf,
    ObjectProperty,
    ObjectSomeValuesFrom,
)

Edge = tuple[str, str, str]
"""A class, a relation and a class, by IRI."""
SUB, SUPER = "subClassOf", "superClassOf"
Sentence = tuple[str, ...]


def edges_of(axioms: Iterable[Axiom]) -> list[Edge]:
    """Return the graph of axioms, each edge once.

    >>> a, b, r = Class("a"), Class("b"), ObjectProperty("r")
    >>> edges_of([SubClassOf(a, ObjectIntersectionOf((b, ObjectSomeValuesFrom(r, b))))])
    [('a', 'subClassOf', 'b'), ('b', 'superClassOf', 'a'), ('a', 'r', 'b')]
    """
    edges, ends = dict[Edge, None](), dict[str, tuple[list[str], list[str]]]()
    for axiom in axioms:
        match axiom:
            case SubClassOf(sub, sup):
                edges |= dict.fromkeys(_inclusion(sub, sup))
            case EquivalentClasses(operands):
                edges |= dict.fromkeys(edge for pair in permutations(operands, 2) for edge in _inclusion(*pair))
            case ObjectPropertyDomain(ObjectProperty(iri), Class(domain)):
                ends.setdefault(iri, ([], []))[0].append(domain)
            case ObjectPropertyRange(ObjectProperty(iri), Class(image)):
                ends.setdefault(iri, ([], []))[1].append(image)
    edges |= dict.fromkeys((a, role, b) for role, (domains, ranges) in ends.items() for a in domains for b in ranges)
    return list(edges)


def _inclusion(sub: ClassExpression, sup: ClassExpression) -> Iterator[Edge]:
    """Yield the edges of C ⊑ D."""
    left, right = list(_conjuncts(sub)), list(_conjuncts(sup))
    for one in left:
        for other in right:
            match one, other:
                case Class(a), Class(b):
                    yield a, SUB, b
                    yield b, SUPER, a
                case Class(a), ObjectSomeValuesFrom(ObjectProperty(role), Class(b)):
                    yield a, role, b
                case ObjectSomeValuesFrom(ObjectProperty(role), Class(b)), Class(a):
                    yield a, role, b


def _conjuncts(expression: ClassExpression) -> Iterator[ClassExpression]:
    if isinstance(expression, ObjectIntersectionOf):
        for operand in expression.operands:
            yield from _conjuncts(operand)
    else:
        yield expression


def walk_sentences(
    edges: Sequence[Edge], starts: Sequence[str], *, count: int, depth: int, generator: torch.Generator
) -> list[Sentence]:
    """Walk at random from each start: its name, then relation and class, over and over, up to so many steps."""
    ways = dict[str, list[tuple[str, str]]]()
    for source, relation, target in edges:
        ways.setdefault(source, []).append((relation, target))
    return [_walk(start, ways, depth, generator) for start in starts for _ in range(count)]


def _walk(
    start: str, ways: Mapping[str, Sequence[tuple[str, str]]], depth: int, generator: torch.Generator
) -> Sentence:
    words, here = [start], start
    for _ in range(depth):
        if here not in ways:
            break
        relation, here = ways[here][int(torch.randint(len(ways[here]), (), generator=generator))]
        words += (relation, here)
    return tuple(words)
