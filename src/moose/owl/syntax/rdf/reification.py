"""Find the annotations of axioms: nodes of type owl:Axiom or owl:Annotation that name the triple they are about."""

from __future__ import annotations

from dataclasses import dataclass, field

from moose.base.errors import ParseError
from moose.owl.model.axioms import Annotation, Annotations
from moose.owl.model.nesting import MAX_NESTING, TOO_DEEP
from moose.owl.syntax.rdf.graph import Graph, Pair, Term, annotation_value
from moose.owl.syntax.rdf.rdf_vocabulary import (
    ANNOTATION,
    AXIOM,
    NODE_PARTS,
    PROPERTY,
    RESERVED,
    SOURCE,
    SWRL,
    TARGET,
    TYPE,
)


@dataclass(slots=True)
class Notes:
    """Which nodes annotate which triples."""

    graph: Graph
    where: str
    about: dict[str, dict[Pair, list[str]]] = field(default_factory=dict)
    """For each subject and each of its pairs, the nodes that annotate that triple."""

    nodes: dict[str, tuple[str, str, Term] | None] = field(default_factory=dict)
    """For each annotating node, its triple; none where it does not name one."""

    attached: set[str] = field(default_factory=set)
    """The nodes whose annotations have been asked for."""

    @classmethod
    def of(cls, graph: Graph, where: str) -> Notes:
        """Collect the annotating nodes of a graph."""
        notes = cls(graph, where)
        for kind in (AXIOM, ANNOTATION):
            for node in graph.instances.get(kind, ()):
                if node not in notes.nodes:
                    notes.nodes[node] = triple = _triple(graph, node)
                    if triple is not None:
                        source, word, target = triple
                        notes.about.setdefault(source, {}).setdefault((word, target), []).append(node)
        return notes

    def on(self, node: str, depth: int = 0) -> Annotations:
        """Return the annotations that stand on a node."""
        if depth > MAX_NESTING:
            raise ParseError(f"{self.where}: {TOO_DEEP}")
        self.attached.add(node)
        annotated = self.about.get(node)
        annotations = []
        for pair in self.graph.pairs[node]:
            word, value = pair
            if not _is_structure(word, value):
                inner: Annotations = ()
                for nested in (annotated or {}).get(pair, ()):
                    inner += self.on(nested, depth + 1)
                annotations.append(Annotation(word, annotation_value(value), inner))
        return tuple(annotations)


def _triple(graph: Graph, node: str) -> tuple[str, str, Term] | None:
    sources, words, targets = (graph.objects(node, part) for part in (SOURCE, PROPERTY, TARGET))
    if len(sources) != 1 or len(words) != 1 or len(targets) != 1:
        return None
    source, word = sources[0], words[0]
    return (source, word, targets[0]) if isinstance(source, str) and isinstance(word, str) else None


def _is_structure(word: str, value: Term) -> bool:
    is_own_type = word == TYPE and isinstance(value, str) and value.startswith(RESERVED)
    return word in NODE_PARTS or is_own_type or word.startswith(SWRL)
