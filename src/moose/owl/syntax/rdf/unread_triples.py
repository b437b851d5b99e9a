"""Show what stands for no axiom: the triple or node, with the structure that hangs below it, and the reason."""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator
from dataclasses import dataclass, field

from moose.owl.model.axioms import Annotations, UnreadAxiom
from moose.owl.syntax.rdf.expression_nodes import Broken, Expressions
from moose.owl.syntax.rdf.graph import Graph, Term, is_blank, show_triple
from moose.owl.syntax.rdf.rdf_vocabulary import EXPRESSION_PARTS, FIRST, INVERSE_OF, STRUCTURE, SWRL, TYPE

NO_USE = "no axiom uses this structure"


@dataclass(slots=True)
class Unread:
    """Makes unread axioms of parts of a graph, each part once."""

    graph: Graph
    shown: set[str] = field(default_factory=set)

    def triple(self, triple: tuple[str, str, Term], reason: str | Broken, annotations: Annotations = ()) -> UnreadAxiom:
        """Return a triple and the structure that its blank nodes describe."""
        subject, word, value = triple
        lines = dict.fromkeys([show_triple(*triple), *self._structure([subject, value])])
        if word in STRUCTURE:
            self.shown.add(subject)
        return UnreadAxiom("\n".join(lines), str(reason), annotations)

    def node(self, node: str, reason: str | Broken, annotations: Annotations = ()) -> UnreadAxiom:
        """Return a node and the structure below it."""
        told = [(word, value) for word, value in self.graph.pairs[node] if _is_structure(word) or word == TYPE]
        self.shown.add(node)
        own = [show_triple(node, word, value) for word, value in told]
        return UnreadAxiom("\n".join([*own, *self._structure(value for _, value in told)]), str(reason), annotations)

    def _structure(self, terms: Iterable[Term]) -> Iterator[str]:
        for node in self.nodes_below(terms, self.shown):
            self.shown.add(node)
            for word, value in self.graph.pairs.get(node, ()):
                if _is_structure(word) or word == TYPE:
                    yield show_triple(node, word, value)

    def nodes_below(self, terms: Iterable[Term], known: Container[str] = ()) -> dict[str, None]:
        """Return the blank nodes among the terms, and those that these consist of, unless they are known."""
        found: dict[str, None] = {}
        waiting = [term for term in terms if isinstance(term, str) and is_blank(term)][::-1]
        while waiting:
            node = waiting.pop()
            if node not in found and node not in known:
                found[node] = None
                for word, value in reversed(self.graph.pairs.get(node, ())):
                    if _is_structure(word) and isinstance(value, str) and is_blank(value):
                        waiting.append(value)
        return found

    def rest(self, read: Expressions, accounted: Iterable[str]) -> Iterator[UnreadAxiom]:
        """Return the nodes that have structure, but are part of no axiom; a whole expression is no loss."""
        self.shown.update(accounted)
        on_names = STRUCTURE - {INVERSE_OF}
        with_structure = [
            node
            for node, pairs in self.graph.pairs.items()
            if any(word in STRUCTURE and (word in on_names or is_blank(node)) for word, _ in pairs)
        ]
        for node in with_structure:
            if self._is_left(node, read) and any(word in EXPRESSION_PARTS for word, _ in self.graph.pairs[node]):
                try:
                    if not is_blank(node):
                        raise Broken(NO_USE)
                    read.read(node)
                except Broken as problem:
                    yield self.node(node, problem)
        left = [node for node in with_structure if self._is_left(node, read)]
        parts = {value for _, word, value in self.graph.triples(left) if word in STRUCTURE}
        heads = [node for node in left if node not in parts]
        for node in heads + left:
            if self._is_left(node, read):
                is_list = any(word == FIRST for word, _ in self.graph.pairs[node])
                yield self.node(node, "no axiom uses this list" if is_list else NO_USE)

    def _is_left(self, node: str, read: Expressions) -> bool:
        return node not in self.shown and node not in read.used


def _is_structure(word: str) -> bool:
    return word in STRUCTURE or word.startswith(SWRL)
