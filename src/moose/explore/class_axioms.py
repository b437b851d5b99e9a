"""The axioms that speak of each class: those that say something of it, and those that use it elsewhere."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from moose.owl.model import axioms as ax
from moose.owl.model.axioms import Axiom
from moose.owl.model.expressions import Class, ClassExpression, ObjectIntersectionOf
from moose.owl.model.signature import walk


@dataclass(slots=True)
class Positions:
    """Where the axioms of one class stand in the ontology."""

    own: list[int] = field(default_factory=list)
    """The class is a side of the axiom that is defined by it."""
    other: list[int] = field(default_factory=list)


class ClassAxioms:
    """Positions of axioms by class, from one walk over all axioms."""

    def __init__(self, axioms: Sequence[Axiom]) -> None:
        self._axioms = axioms
        self._positions: defaultdict[str, Positions] = defaultdict(Positions)
        for position, axiom in enumerate(axioms):
            own = subjects(axiom)
            for iri in own:
                self._positions[iri].own.append(position)
            for iri in classes_in(axiom):
                if iri not in own:
                    self._positions[iri].other.append(position)

    def own(self, iri: str) -> list[Axiom]:
        """Return the axioms that say something of a class."""
        return [self._axioms[position] for position in self._of(iri).own]

    def other(self, iri: str, most: int) -> tuple[list[Axiom], int]:
        """Return some of the axioms that only use a class, and how many there are."""
        positions = self._of(iri).other
        return [self._axioms[position] for position in positions[:most]], len(positions)

    def asserted_parents(self, iri: str) -> frozenset[str]:
        """Return the classes that an axiom says a class is below, alone or in a conjunction, or equivalent to."""
        found: set[str] = set()
        for axiom in self.own(iri):
            match axiom:
                case ax.SubClassOf(_, sup):
                    found.update(conjuncts(sup))
                case ax.EquivalentClasses(operands):
                    found.update(name for one in operands if one != Class(iri) for name in conjuncts(one))
        return frozenset(found)

    def _of(self, iri: str) -> Positions:
        return self._positions.get(iri) or Positions()


def conjuncts(expression: ClassExpression) -> Iterator[str]:
    """Yield the classes that an expression is below by what it says itself."""
    if isinstance(expression, Class):
        yield expression.iri
    elif isinstance(expression, ObjectIntersectionOf):
        for operand in expression.operands:
            yield from conjuncts(operand)


def subjects(axiom: Axiom) -> frozenset[str]:
    """Return the classes that an axiom says something of."""
    match axiom:
        case ax.SubClassOf(Class(iri), _):
            return frozenset([iri])
        case ax.EquivalentClasses(operands) | ax.DisjointClasses(operands):
            return frozenset(one.iri for one in operands if isinstance(one, Class))
        case ax.DisjointUnion(Class(iri), operands):
            return frozenset([iri, *(one.iri for one in operands if isinstance(one, Class))])
    return frozenset()


def classes_in(axiom: Axiom) -> Iterator[str]:
    """Yield the classes in an axiom, each once."""
    if isinstance(axiom, ax.SubClassOf) and isinstance(axiom.sub, Class) and isinstance(axiom.sup, Class):
        yield axiom.sup.iri  # the most frequent axiom; its other side is its subject
        return
    yield from dict.fromkeys(one.iri for one in walk(axiom) if isinstance(one, Class))
