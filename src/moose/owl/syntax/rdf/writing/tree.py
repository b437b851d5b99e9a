"""Triples as a tree: what is said of each subject, blank nodes inside what they belong to."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from hashlib import blake2b

from moose.owl.model.expressions import Literal
from moose.owl.syntax.rdf.rdf_vocabulary import FIRST, NIL, REST

Pairs = list[tuple[str, "Object"]]
"""Predicates and objects."""


@dataclass(slots=True, eq=False)
class Blank:
    """A blank node. It has a label where it stands in more than one place, and else is written where it stands."""

    seed: str
    """What its label is made of: the same for the same axiom, whatever else the document says."""

    pairs: Pairs = field(default_factory=list)
    uses: int = 0
    """In how many triples it is the object."""

    name: str | None = None
    """A label of its own: anonymous individuals have one."""

    @property
    def label(self) -> str:
        """Return its label."""
        return self.name or f"node-{blake2b(self.seed.encode(), digest_size=10).hexdigest()}"


@dataclass(slots=True, eq=False)
class Listed:
    """An RDF list that one triple has as its object."""

    items: tuple[Object, ...]


Subject = str | Blank
"""An IRI or a blank node."""

Object = str | Blank | Listed | Literal


@dataclass(slots=True)
class Tree:
    """The triples of a document."""

    prefixes: dict[str, str] = field(default_factory=dict)
    comments: list[str] = field(default_factory=list)
    subjects: dict[Subject, Pairs] = field(default_factory=dict)
    """What is said of each subject that is written by itself, in the order in which they are written."""

    notes: dict[Subject, list[Blank]] = field(default_factory=dict)
    """The nodes that annotate triples of a subject; they stand behind it."""

    seen: set[tuple[Subject, str, Object]] = field(default_factory=set)

    def add(self, subject: Subject, predicate: str, value: Object) -> None:
        """Add a triple, unless it is there."""
        pairs = self.subjects.setdefault(subject, subject.pairs if isinstance(subject, Blank) else [])
        if (subject, predicate, value) not in self.seen:
            self.seen.add((subject, predicate, value))
            pairs.append((predicate, value))
            use(value)

    def annotate(self, subject: Subject, node: Blank) -> None:
        """Add a node that annotates a triple of a subject."""
        self.notes.setdefault(subject, []).append(node)

    def is_inside(self, blank: Blank) -> bool:
        """Return whether a blank node is written where it is used."""
        return blank.uses == 1 and blank.name is None and blank not in self.subjects

    def blocks(self) -> Iterator[tuple[Subject, Pairs]]:
        """Yield what is written by itself: each subject, labelled blank nodes that it uses, annotations of its triples.

        A blank node that belongs to several subjects comes with the first.
        """
        written: set[Subject] = set()
        for first in self.subjects:
            waiting: list[Subject] = [first]
            while waiting:
                subject = waiting.pop()
                if subject in written:
                    continue
                written.add(subject)
                pairs = subject.pairs if isinstance(subject, Blank) else self.subjects[subject]
                yield subject, pairs
                waiting.extend(reversed([*_labelled(pairs), *self.notes.get(subject, ())]))


def use(value: Object) -> None:
    """Count that a value is the object of a triple."""
    if isinstance(value, Blank):
        value.uses += 1


def _labelled(pairs: Pairs) -> Iterator[Blank]:
    """Yield the blank nodes below some pairs that are not written where they are used."""
    waiting: list[Object] = [value for _, value in reversed(pairs)]
    while waiting:
        value = waiting.pop()
        if isinstance(value, Listed):
            waiting.extend(reversed(value.items))
        elif isinstance(value, Blank) and value.name is None:
            if value.uses > 1:
                yield value
            else:
                waiting.extend(inner for _, inner in reversed(value.pairs))


def cells(items: Sequence[Object], seed: str) -> str | Blank:
    """Return a list as cells, for one that stands in several places or holds what the other form cannot.

    The items have been counted as used.
    """
    head: str | Blank = NIL
    for position, item in reversed([*enumerate(items)]):
        use(head)
        head = Blank(f"{seed} cell {position}", [(FIRST, item), (REST, head)])
    return head
