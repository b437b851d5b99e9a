"""Read OWL 2 from RDF: go through the triples in order, and put what they say together; the rest is kept as unread."""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace

from moose.base.memory import paused_collection
from moose.owl.model.axioms import (
    Annotation,
    AnnotationAssertion,
    Annotations,
    Axiom,
    Declaration,
    Document,
    UnreadAxiom,
)
from moose.owl.model.expressions import OWL, AnnotationProperty, Entity
from moose.owl.syntax.common.arguments import RULE_REASON
from moose.owl.syntax.rdf.axiom_triples import READERS, READERS_ON_NAMES, Reader, assertion
from moose.owl.syntax.rdf.entity_kinds import find_kinds
from moose.owl.syntax.rdf.expression_nodes import Broken, Expressions, Statement
from moose.owl.syntax.rdf.graph import Graph, Pair, RdfSyntax, Term, is_blank, show, show_triple
from moose.owl.syntax.rdf.misspelt_words import PREDICATES, meant
from moose.owl.syntax.rdf.node_shapes import SHAPES
from moose.owl.syntax.rdf.rdf_vocabulary import (
    DECLARED_AS,
    EXPRESSION_PARTS,
    FIRST,
    IMPORTS,
    INVERSE_OF,
    ONTOLOGY,
    RULE,
    STRUCTURE,
    SWRL,
    TYPE,
    VERSION,
)
from moose.owl.syntax.rdf.read_graph import read_graph
from moose.owl.syntax.rdf.reification import Notes
from moose.owl.syntax.rdf.type_triples import NODE_READERS, read_type

# ── What is not read ──────────────────────────────────────────────────────────────────────────────────────────────

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
        below: dict[str, None] = {}
        waiting = [term for term in terms if isinstance(term, str) and is_blank(term)][::-1]
        while waiting:
            node = waiting.pop()
            if node not in below and node not in known:
                below[node] = None
                for word, value in reversed(self.graph.pairs.get(node, ())):
                    if _is_structure(word) and isinstance(value, str) and is_blank(value):
                        waiting.append(value)
        return below

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


# ── The document ──────────────────────────────────────────────────────────────────────────────────────────────────

HEADER_LINKS = (IMPORTS, *(OWL + name for name in ("priorVersion", "backwardCompatibleWith", "incompatibleWith")))
HEADER_WORDS = frozenset([TYPE, VERSION, IMPORTS])
NOT_STATED = "it annotates a statement that the document does not make"
PART = ""
"""Marks nodes that others account for."""

Positions = dict[str, list[int]]
"""For each predicate, where among the axioms its triples stand."""


@dataclass(slots=True)
class Assembly:
    """A document in the making."""

    graph: Graph
    read: Expressions
    notes: Notes
    unread: Unread
    header: str | None = None
    version_iri: str | None = None
    imports: dict[str, None] = field(default_factory=dict)
    annotations: list[Annotation] = field(default_factory=list)
    declarations: dict[Declaration, None] = field(default_factory=dict)
    axioms: list[Axiom] = field(default_factory=list)
    annotation_assertions: list[AnnotationAssertion] = field(default_factory=list)
    readers: dict[str, Reader] = field(default_factory=lambda: dict(READERS))

    def document(self) -> Document:
        """Read every triple; what is left at the end is returned as unread."""
        self.header = find_header(self.graph)
        special = self._special_nodes()
        copies = self._copied_triples()
        for subject, pairs in self.graph.pairs.items():
            if subject in special:
                self._read_node(subject, special[subject])
            else:
                self._read_subject(subject, pairs, copies.get(_key(subject)))
        self._attach_notes(copies)
        self.axioms += self.unread.rest(self.read, special)
        self.axioms += [UnreadAxiom(text, "OWL 2 has no triples about triples") for text in self.graph.quoted]
        return Document(
            iri=None if self.header is None or is_blank(self.header) else self.header,
            version_iri=self.version_iri,
            imports=tuple(self.imports),
            annotations=tuple(self.annotations),
            declarations=tuple(self.declarations),
            axioms=tuple(self.axioms),
            annotation_assertions=tuple(self.annotation_assertions),
            prefixes=self.graph.prefixes,
        )

    # ── Triples ───────────────────────────────────────────────────────────────────────────────────────────────────

    def _read_subject(self, subject: str, pairs: list[Pair], positions: Positions | None) -> None:
        about = self.notes.about.get(subject)
        for pair in pairs:
            word, value = pair
            if word in STRUCTURE and not self._is_statement(subject, word, value):
                continue
            first = len(self.axioms)
            if about is None or pair not in about:
                self._read_triple(subject, word, value, ())
            else:
                for node in about[pair]:
                    self._read_triple(subject, word, value, self.notes.on(node))
            if positions is not None and word in positions:
                positions[word] += range(first, len(self.axioms))

    def _is_statement(self, subject: str, word: str, value: Term) -> bool:
        """Return whether a word that is mostly part of some structure makes an axiom here."""
        if is_blank(subject):
            # The first says what the node stands for; any other, that this is the inverse of something.
            return word == INVERSE_OF and value != next(v for w, v in self.graph.pairs[subject] if w == INVERSE_OF)
        return word == INVERSE_OF or word in READERS_ON_NAMES

    def _read_triple(self, subject: str, word: str, value: Term, notes: Annotations) -> None:
        statements: Sequence[Statement] = ()
        if not self._is_header(subject, word, value):
            try:
                statements = self._statements(subject, word, value, notes)
            except Broken as problem:
                self.axioms.append(self.unread.triple((subject, word, value), problem, notes))
                return
        for statement in statements:
            self._add(subject, statement)
        if notes and not statements:
            self.axioms.append(self.unread.triple((subject, word, value), "only axioms have annotations", notes))

    def _statements(self, subject: str, word: str, value: Term, notes: Annotations) -> Sequence[Statement]:
        if word == TYPE:
            return read_type(self.read, subject, value, notes)
        reader = self.readers.get(word)
        if reader is None:
            reader = READERS_ON_NAMES.get(word) or self._reader_of(word)
            self.readers[word] = reader
        return (reader(self.read, subject, value, notes),)

    def _reader_of(self, word: str) -> Reader:
        """Return the reader of a property that is no word of the mapping."""
        kinds = self.read.kinds
        if kinds.is_foreign(word) and word != VERSION:
            return _refusal(word)
        return assertion(word, kinds.of(word) or (AnnotationProperty,))

    def _add(self, subject: str, statement: Statement) -> None:
        if isinstance(statement, AnnotationAssertion):
            if subject == self.header:
                self.annotations.append(Annotation(statement.property, statement.value, statement.annotations))
            else:
                self.annotation_assertions.append(statement)
        elif isinstance(statement, Declaration):
            self.declarations[statement] = None
        else:
            self.axioms.append(statement)

    def _is_header(self, subject: str, word: str, value: Term) -> bool:
        """Take note of what only an ontology has: its type, its version, its imports."""
        if word not in HEADER_WORDS or not isinstance(value, str) or is_blank(value):
            return False
        if word == IMPORTS:
            self.imports[value] = None
        elif subject != self.header or (word == TYPE and value != ONTOLOGY):
            return False
        elif word == VERSION:
            self.version_iri = self.version_iri or value
            return self.version_iri == value
        return True

    # ── Nodes ─────────────────────────────────────────────────────────────────────────────────────────────────────

    def _special_nodes(self) -> dict[str, str]:
        """Return the nodes that are read as a whole, each with the type that says how."""
        special = dict.fromkeys(self.notes.nodes, PART)
        for kind in (*NODE_READERS, RULE):
            for node in self.graph.instances.get(kind, ()):
                special.setdefault(node, kind)
        below: dict[str, None] = {}
        for rule in self.graph.instances.get(RULE, ()):
            values = [value for word, value in self.graph.pairs[rule] if word.startswith(SWRL)]
            below.update(self.unread.nodes_below(values, below))
        for node in below:
            if any(str(value).startswith(SWRL) for value in self.graph.objects(node, TYPE)):
                special.setdefault(node, PART)
        return special

    def _read_node(self, node: str, kind: str) -> None:
        if kind == PART:
            return
        notes = self.notes.on(node)
        if kind == RULE:
            self.axioms.append(self.unread.node(node, RULE_REASON, notes))
            return
        try:
            self.axioms.append(NODE_READERS[kind](self.read, node, notes))
        except Broken as problem:
            self.axioms.append(self.unread.node(node, problem, notes))

    # ── Annotations that copy the expressions of their axiom ──────────────────────────────────────────────────────

    def _copied_triples(self) -> dict[str, Positions]:
        """Return the subjects and predicates of annotated triples that the graph has only with other blank nodes."""
        copies: dict[str, Positions] = {}
        for source, annotated in self.notes.about.items():
            if any(is_blank(source) or is_blank(target) for _, target in annotated):
                for word, _ in annotated.keys() - set(self.graph.pairs.get(source, ())):
                    copies.setdefault(_key(source), {})[word] = []
        return copies

    def _attach_notes(self, copies: dict[str, Positions]) -> None:
        """Give the annotations that have found no triple to the axioms that say the same as the triple they name."""
        notes_at: dict[int, list[Annotations]] = {}
        stated: dict[tuple[str, str], dict[Statement, int]] = {}
        for node, triple in self.notes.nodes.items():
            if node in self.notes.attached:
                continue
            if triple is None:
                reason = "it needs one owl:annotatedSource, one owl:annotatedProperty and one owl:annotatedTarget"
                self.axioms.append(self.unread.node(node, reason))
            elif triple[1] == TYPE and triple[2] in DECLARED_AS:
                self._read_triple(*triple, self.notes.on(node))
            else:
                key = (_key(triple[0]), triple[1])
                if key not in stated:
                    stated[key] = self._without_notes(copies.get(key[0], {}).get(key[1], []))
                position = self._position(triple, stated[key])
                if position is None:
                    self.axioms.append(self.unread.triple(triple, NOT_STATED, self.notes.on(node)))
                else:
                    notes_at.setdefault(position, []).append(self.notes.on(node))
        if notes_at:
            self.axioms = [
                noted
                for position, axiom in enumerate(self.axioms)
                for noted in _with_notes(axiom, notes_at.get(position))
            ]

    def _without_notes(self, positions: list[int]) -> dict[Statement, int]:
        """Return the axioms at some positions, each without annotations and with the first of its positions."""
        return {replace(self.axioms[position], annotations=()): position for position in reversed(positions)}

    def _position(self, triple: tuple[str, str, Term], positions: dict[Statement, int]) -> int | None:
        """Return the position of the axiom that a triple would be."""
        try:
            statements = self._statements(*triple, ()) if positions else ()
        except Broken:
            return None
        return positions.get(statements[0]) if len(statements) == 1 else None


def _key(subject: str) -> str:
    return "_:" if is_blank(subject) else subject


def _with_notes(axiom: Axiom, notes: list[Annotations] | None) -> list[Axiom]:
    if notes is None:
        return [axiom]
    return [axiom] * bool(axiom.annotations) + [replace(axiom, annotations=each) for each in notes]


def _refusal(word: str) -> Reader:
    """Return what refuses a word that the document cannot use so."""

    def refuse(_read: Expressions, _subject: str, value: Term, _notes: Annotations) -> Statement:
        what = "this word of OWL, RDF or SWRL makes no axiom"
        raise Broken(f"{what} with {show(value)} here{meant(word, PREDICATES)}")

    return refuse


def find_header(graph: Graph) -> str | None:
    """Return the node that is the ontology: of several, the first that no other one imports or replaces."""
    ontologies = graph.instances.get(ONTOLOGY, [])
    linked = {value for subject, word, value in graph.triples(ontologies) if word in HEADER_LINKS and value != subject}
    return next((node for node in ontologies if node not in linked), ontologies[0] if ontologies else None)


def read_rdf(data: bytes, where: str, *, syntax: RdfSyntax, known: Iterable[Entity] = ()) -> Document:
    """Read a document; `where` names it in error messages, `known` are entities that its imports declare.

    >>> read_rdf(b"<urn:x:o> a <http://www.w3.org/2002/07/owl#Ontology> .", "o.ttl", syntax="turtle").iri
    'urn:x:o'
    """
    with paused_collection():
        graph = read_graph(data, where, syntax=syntax)
        expressions = Expressions(graph, find_kinds(graph, known), where, SHAPES)
        return Assembly(graph, expressions, Notes.of(graph, where), Unread(graph)).document()
