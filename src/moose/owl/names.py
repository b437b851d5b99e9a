"""What people call the entities of an ontology: IRIs, CURIEs, short names, labels; which entity is meant, and back."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from enum import StrEnum
from functools import cached_property
from itertools import chain, islice
from typing import TypeVar

from moose.base.errors import MooseError, UnknownName
from moose.base.suggestions import MOST_SUGGESTIONS, close_matches, did_you_mean
from moose.owl.atom_text import unquoted
from moose.owl.label_text import QUOTE, as_labels, asked_label, quoted, spaced
from moose.owl.model.expressions import (
    BOTTOM_DATA_PROPERTY,
    BOTTOM_OBJECT_PROPERTY,
    LABEL_IRI,
    NOTHING,
    OBO,
    STANDARD_PREFIXES,
    THING,
    TOP_DATA_PROPERTY,
    TOP_OBJECT_PROPERTY,
    AnnotationProperty,
    Class,
    DataProperty,
    Datatype,
    Entity,
    Literal,
    NamedIndividual,
    ObjectProperty,
)
from moose.owl.ontology import Ontology

KIND_NAMES: dict[type[Entity], str] = {
    Class: "a class",
    ObjectProperty: "an object property",
    DataProperty: "a data property",
    NamedIndividual: "an individual",
    Datatype: "a datatype",
    AnnotationProperty: "an annotation property",
}
RESERVED: dict[type[Entity], tuple[str, ...]] = {
    Class: (THING.iri, NOTHING.iri),
    ObjectProperty: (TOP_OBJECT_PROPERTY.iri, BOTTOM_OBJECT_PROPERTY.iri),
    DataProperty: (TOP_DATA_PROPERTY.iri, BOTTOM_DATA_PROPERTY.iri),
}
SYNONYMS = (
    "http://www.geneontology.org/formats/oboInOwl#hasExactSynonym",
    "http://www.w3.org/2004/02/skos/core#prefLabel",
    "http://www.w3.org/2004/02/skos/core#altLabel",
    OBO + "IAO_0000118",
)
"""Annotation properties whose texts mean the same as the label."""
# CL_0000084, Q42 and C1234567 tell nothing; Pizza2 and Route_66b do.
OPAQUE = re.compile(r"[A-Za-z][A-Za-z0-9]*_[0-9]+|[A-Za-z]{0,4}[0-9]{2,}")
OBO_NAME = re.compile(r"([A-Za-z][A-Za-z0-9]*)_([A-Za-z0-9]+)")
PRINTABLE = re.compile(r"\w[\w.-]*+\Z")
SHOWN = re.compile(rf"([^\s{QUOTE}]\S*)\s+({QUOTE}.*{QUOTE})", re.DOTALL)
"""A name and its label, as `Names.show` writes them."""

# Comparing with all of 50,000 names takes a second; with this many of like length and like beginning, a moment.
MOST_COMPARED = 2_000
LARGEST_LENGTH_DIFFERENCE = 3
LONGEST_NUMBER = 12
"""Digits of an identifier for which others that differ by one are tried."""

Kind = TypeVar("Kind", Class, ObjectProperty, DataProperty, NamedIndividual, Datatype, AnnotationProperty)


def short_name(iri: str) -> str:
    """Return the last part of an IRI: its fragment, or what follows the last slash, or the last colon.

    >>> short_name("http://example.org/pizza#Margherita")
    'Margherita'
    """
    mark = "#" if "#" in iri else "/" if "/" in iri else ":"
    return iri.rpartition(mark)[2] or iri


class NameStyle(StrEnum):
    """How an entity is shown to people."""

    auto = "auto"
    """A short name, or a CURIE and the label where the short name tells nothing."""
    iri = "iri"
    curie = "curie"
    label = "label"
    """A CURIE or short name, and the label of everything that has one."""


class Names:
    """The names of one ontology. Indexes are built when first needed.

    `display` gives a name that `resolve` takes back; `show` gives what people read, by the style and language.
    """

    def __init__(self, ontology: Ontology, style: NameStyle | str = NameStyle.auto, *, language: str = "") -> None:
        self._ontology = ontology
        self._style = NameStyle(style)
        self._language = language.lower()
        self._prefixes = {**STANDARD_PREFIXES, **ontology.prefixes}
        self._shorts: dict[type[Entity], dict[str, list[str]]] = {}
        self._labelled: dict[type[Entity], dict[str, list[str]]] = {}
        self._synonyms: dict[type[Entity], dict[str, list[str]]] = {}

    def resolve_class(self, text: str) -> Class:
        """Return the class that a name stands for."""
        return self.resolve(Class, text)

    def resolve(self, kind: type[Kind], text: str) -> Kind:
        """Return the entity of a kind that a name stands for: an IRI, a CURIE, a short name, a label or a synonym."""
        entity = self.find(kind, text)
        if entity is not None:
            return entity
        matches = self._by_synonym(kind).get(asked_label(text), [])
        if len(matches) > 1:
            raise self._ambiguous(kind, text.strip(), matches)
        if not matches:
            raise self._unknown(kind, text.strip())
        return kind(matches[0])

    def find(self, kind: type[Kind], text: str) -> Kind | None:
        """Return what `resolve` does, or None for a name that stands for nothing of this kind."""
        text = text.strip()
        if (iri := self._by_iri(kind, text)) is not None:
            return kind(iri)
        if text.startswith("<"):
            return None
        for name in (None, *as_labels(text)):
            matches = self._by_short(kind).get(text, []) if name is None else self._by_label(kind).get(name, [])
            if len(matches) == 1:
                return kind(matches[0])
            if matches:
                raise self._ambiguous(kind, text, matches)
        built_in = next((iri for iri in RESERVED.get(kind, ()) if short_name(iri) == text), None)
        return self._as_shown(kind, text) if built_in is None else kind(built_in)

    def _as_shown(self, kind: type[Kind], text: str) -> Kind | None:
        """Return what a name with its label behind it stands for, CL:0000084 'T cell', as `show` writes it."""
        parts = SHOWN.fullmatch(text)
        entity = self.find(kind, parts[1]) if parts else None
        if parts is None or entity is None:
            return None
        labels = {quoted(label) for label in (self.label(entity.iri), self._ontology.labels.get(entity.iri)) if label}
        if spaced(parts[2]) not in labels:
            own = f"the label {min(labels)}" if labels else "no label"
            raise UnknownName(
                f"expected the name of {KIND_NAMES[kind]}, perhaps with its label behind it, but {parts[1]} has {own}, "
                f"and {spaced(parts[2])} came; write one of the two, or a keyword between them"
            )
        return entity

    def mentions(self, entity: Entity) -> bool:
        """Return whether the ontology has an entity of that kind, or the language has it."""
        return entity.iri in self._known[type(entity)] or entity.iri in RESERVED.get(type(entity), ())

    def close(self, kind: type[Entity], text: str) -> list[str]:
        """Return a few names of a kind that look like one, of different entities, among a bounded number of names."""
        if numbered := [self.show(iri) for iri in self._close_numbers(kind, text)]:
            return numbered
        wanted = short_name(text.strip("<>'")).lower()
        shorts, labels = self._by_short(kind), self._by_label(kind)
        names = (name for name in chain(shorts, labels) if name[:1].lower() == wanted[:1])
        like = (name for name in names if abs(len(name) - len(wanted)) <= LARGEST_LENGTH_DIFFERENCE)
        folded: dict[str, str] = {}
        for name in islice(like, MOST_COMPARED):
            folded.setdefault(name.lower(), name)
        suggestions: dict[str, str] = {}
        for match in close_matches(wanted, folded, most=2 * MOST_SUGGESTIONS):
            name = folded[match]
            iris, shown = (shorts[name], name) if name in shorts else (labels[name], f"'{name}'")
            suggestions.setdefault(iris[0], shown)
        return list(suggestions.values())[:MOST_SUGGESTIONS]

    def _close_numbers(self, kind: type[Entity], text: str) -> list[str]:
        """Return the IRIs of a few identifiers that differ from one by a digit, zeros in front or small letters."""
        name = text.strip("<>'")
        prefix, separator, number = name.rpartition("_" if text.startswith("<") or ":" not in name else ":")
        if not separator or not number.isascii() or not number.isdigit() or len(number) > LONGEST_NUMBER:
            return []
        zeros = [number, *(number.lstrip("0").rjust(length, "0") for length in range(4, 10))]
        for numbers in (zeros, [*_one_off(number)]):
            spellings = dict.fromkeys(
                iri for case in (prefix, prefix.upper()) for one in numbers for iri in self._numbered(kind, case, one)
            )
            if close := [iri for iri in spellings if iri in self._known[kind]]:
                return close[:MOST_SUGGESTIONS]
        return []

    def _numbered(self, kind: type[Entity], prefix: str, number: str) -> Iterator[str]:
        """Yield what a number may be with a prefix: the beginning of an IRI, of a short name, or of a CURIE."""
        yield f"{prefix}_{number}"
        yield from self._by_short(kind).get(f"{prefix}_{number}", ())
        yield from self._spellings(f"{prefix}:{number}")

    def show(self, iri: str) -> str:
        """Return what people read for an IRI, e.g. CL:0000084 'T cell'."""
        if self._style is NameStyle.iri:
            return f"<{iri}>"
        if self._style is NameStyle.curie:
            return self.curie(iri) or self._display(iri)
        is_opaque = OPAQUE.fullmatch(short_name(iri)) is not None
        if self._style is NameStyle.auto and not is_opaque:
            return self._display(iri)
        curie = self.curie(iri) if is_opaque else None
        # The prefix of a CURIE tells whose number it is; one without a name tells nothing.
        name = curie if curie and curie[0] != ":" else self._display(iri)
        label = self.label(iri)
        return name if label is None or label == name else f"{name} {quoted(label)}"

    def label(self, iri: str) -> str | None:
        """Return the label of an IRI in the language that is wanted, or else the one that Moose would choose."""
        return self._in_language.get(iri) or self._ontology.labels.get(iri)

    @cached_property
    def _in_language(self) -> dict[str, str]:
        """Return the labels in the language that is wanted; one of another region serves where there is no better."""
        if not self._language:
            return {}
        best: dict[str, tuple[int, str]] = {}
        for told in self._ontology.annotations.assertions:
            if told.property == LABEL_IRI and isinstance(told.subject, str) and isinstance(told.value, Literal):
                rank = _fitness(told.value.language.lower(), self._language)
                if rank and rank > best.get(told.subject, (0, ""))[0]:
                    best[told.subject] = (rank, told.value.lexical)
        return {iri: text for iri, (_, text) in best.items()}

    def curie(self, iri: str) -> str | None:
        """Return prefix:name, by a declared prefix or as the OBO Foundry writes its identifiers."""
        declared = self._curie(iri)
        found = OBO_NAME.fullmatch(iri, len(OBO)) if iri.startswith(OBO) else None
        if found and (declared is None or declared.endswith(f":{found[0]}")):
            return f"{found[1]}:{found[2]}"
        return declared

    def display(self, iri: str, *, with_label: bool = False) -> str:
        """Return the shortest name that `resolve` takes for this entity alone, with its label where one is wanted."""
        label = self.label(iri) if with_label else None
        name = self._display(iri)
        return f"{name} ({label})" if label and label != name else name

    def _display(self, iri: str) -> str:
        short = short_name(iri)
        if self._short_counts.get(short) == 1 and PRINTABLE.match(short) and iri.endswith(short):
            return short
        return self._curie(iri) or f"<{iri}>"

    def _curie(self, iri: str) -> str | None:
        """Return prefix:name for the longest namespace that has a prefix."""
        prefix_of, lengths = self._namespaces
        for length in lengths:
            name = prefix_of.get(iri[:length]) if length <= len(iri) else None
            if name is not None and PRINTABLE.match(iri, length):
                return f"{name}:{iri[length:]}"
        return None

    @cached_property
    def _namespaces(self) -> tuple[dict[str, str], list[int]]:
        """Return the prefix of each namespace, of several the last, and how long namespaces are, the longest first."""
        prefix_of = {space: name for name, space in sorted(self._prefixes.items()) if space}
        return prefix_of, sorted(set(map(len, prefix_of)), reverse=True)

    # ── From a name to an IRI ─────────────────────────────────────────────────────────────────────────────────────

    def _by_iri(self, kind: type[Entity], text: str) -> str | None:
        """Return the IRI that a full IRI or a CURIE stands for, if the ontology has it."""
        return next((iri for iri in self._spellings(text) if self._has(kind, iri)), None)

    def _spellings(self, text: str) -> Iterator[str]:
        if text.startswith("<") and text.endswith(">"):
            yield text[1:-1]
            return
        yield text
        prefix, colon, local = text.partition(":")
        if colon and prefix in self._prefixes:
            yield self._prefixes[prefix] + local
        if colon:
            yield f"{OBO}{prefix}_{local}"

    def _has(self, kind: type[Entity], iri: str) -> bool:
        if kind in (Datatype, AnnotationProperty) and self._is_in_a_namespace(iri):
            return True
        return iri in self._known[kind] or iri in RESERVED.get(kind, ())

    def _is_in_a_namespace(self, iri: str) -> bool:
        prefix_of, lengths = self._namespaces
        return "" in self._prefixes.values() or any(iri[:length] in prefix_of for length in lengths)

    # ── Indexes ───────────────────────────────────────────────────────────────────────────────────────────────────

    def _iris(self, kind: type[Entity]) -> tuple[str, ...]:
        signature = self._ontology.signature
        return {
            Class: signature.classes,
            ObjectProperty: signature.object_properties,
            DataProperty: signature.data_properties,
            NamedIndividual: signature.individuals,
            Datatype: signature.datatypes,
            AnnotationProperty: signature.annotation_properties,
        }[kind]

    @cached_property
    def _known(self) -> dict[type[Entity], frozenset[str]]:
        return {kind: frozenset(self._iris(kind)) for kind in KIND_NAMES}

    @cached_property
    def _short_counts(self) -> dict[str, int]:
        """Count the IRIs that end in each short name; an IRI that is two kinds of entity at once counts once."""
        counts: dict[str, int] = {}
        for iri in frozenset().union(*self._known.values()):
            counts[short_name(iri)] = counts.get(short_name(iri), 0) + 1
        return counts

    def _by_short(self, kind: type[Entity]) -> dict[str, list[str]]:
        if kind not in self._shorts:
            self._shorts[kind] = _grouped((short_name(iri), iri) for iri in self._iris(kind))
        return self._shorts[kind]

    def _by_label(self, kind: type[Entity]) -> dict[str, list[str]]:
        if kind not in self._labelled:
            labels = self._ontology.labels
            self._labelled[kind] = _grouped((spaced(labels[iri]), iri) for iri in self._iris(kind) if iri in labels)
        return self._labelled[kind]

    def _by_synonym(self, kind: type[Entity]) -> dict[str, list[str]]:
        """Return what exact synonyms, and labels in other languages, stand for; nothing if the file is gone."""
        if kind not in self._synonyms:
            try:
                annotations = self._ontology.annotations
            except MooseError:
                return {}
            pairs = {
                (spaced(text.lexical), iri): None
                for iri in self._iris(kind)
                for text in annotations.texts(iri, LABEL_IRI, *SYNONYMS)
            }
            self._synonyms[kind] = _grouped(pairs)
        return self._synonyms[kind]

    # ── What to say ───────────────────────────────────────────────────────────────────────────────────────────────

    def _ambiguous(self, kind: type[Entity], text: str, matches: list[str]) -> UnknownName:
        listed = ", ".join(f"<{iri}>" for iri in matches[:MOST_SUGGESTIONS])
        more = f" and {len(matches) - MOST_SUGGESTIONS} more" if len(matches) > MOST_SUGGESTIONS else ""
        return UnknownName(
            f"expected the name of {KIND_NAMES[kind]}, but {text!r} fits {listed}{more}; write the full IRI"
        )

    def _unknown(self, kind: type[Entity], text: str) -> UnknownName:
        expected, bare = f"expected the name of {KIND_NAMES[kind]}, but", unquoted(text)
        if found := next((KIND_NAMES[one] for one in (kind, *KIND_NAMES) if self._is_one(one, bare)), None):
            label = f"none has the label {text}, and single quotes mean labels (rdfs:label); without them {bare}"
            return UnknownName(f"{expected} {label if bare != text else repr(text)} is {found}")
        close = self.close(kind, text) or self._with_words(kind, text)
        hint = did_you_mean(close, otherwise="write it as the ontology does, or as a full IRI")
        return UnknownName(f"{expected} the ontology has no {text.strip(QUOTE)!r}; {hint}")

    def _with_words(self, kind: type[Entity], text: str) -> list[str]:
        """Return a few labels that have all the words of a text, the shortest first."""
        words = frozenset(text.strip(QUOTE).lower().split())
        fitting = [label for label in self._by_label(kind) if words and words <= frozenset(label.lower().split())]
        return [quoted(label) for label in sorted(fitting, key=lambda label: (len(label), label))[:MOST_SUGGESTIONS]]

    def _is_one(self, kind: type[Entity], text: str) -> bool:
        return any(iri in self._known[kind] for iri in self._spellings(text)) or text in self._by_short(kind)


def _grouped(pairs: Iterable[tuple[str, str]]) -> dict[str, list[str]]:
    groups: dict[str, list[str]] = {}
    for key, value in pairs:
        groups.setdefault(key, []).append(value)
    return groups


def _fitness(language: str, wanted: str) -> int:
    """Return how well the language of a label serves: 3 the same, 2 of the same tongue, 0 another."""
    if language == wanted:
        return 3
    return 2 if language.partition("-")[0] == wanted.partition("-")[0] else 0


def _one_off(number: str) -> Iterator[str]:
    """Yield the numbers that differ by two digits exchanged, one changed, one too many or one missing."""
    for at in range(len(number) - 1):
        yield number[:at] + number[at + 1] + number[at] + number[at + 2 :]
    for at in range(len(number)):
        yield from (f"{number[:at]}{digit}{number[at + 1 :]}" for digit in range(10))
    for at in range(len(number) + 1):
        yield from (f"{number[:at]}{digit}{number[at:]}" for digit in range(10))
        yield number[:at] + number[at + 1 :]
