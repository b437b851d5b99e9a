"""The clause that says an axiom or an annotation, if OBO has one; the writer tries each by reading it again."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from moose.base.errors import ParseError
from moose.owl.model import axioms as ax
from moose.owl.model import expressions as model
from moose.owl.model.axioms import Annotation, AnnotationAssertion, Annotations
from moose.owl.model.expressions import LABEL_IRI, STRING_IRI, Literal
from moose.owl.syntax.obo.annotation_clauses import CROSS_REFERENCE, ENTITIES, FLAGS, QUOTED, TEXTS
from moose.owl.syntax.obo.clauses import Clause, split_stanzas
from moose.owl.syntax.obo.identifiers import OBO_IN_OWL
from moose.owl.syntax.obo.writing.written_identifiers import WrittenIdentifiers, escaped_word

_IN_STRING = {"\\": "\\\\", '"': '\\"', "\n": "\\n"}  # the OWLAPI takes an escaped tab for a line end
_IN_TEXT = {**_IN_STRING, "!": "\\!", "{": "\\{", "}": "\\}"}
_SYNONYM = re.compile(re.escape(OBO_IN_OWL) + "has(Exact|Broad|Narrow|Related)Synonym")
_SYNONYM_TYPE = OBO_IN_OWL + "hasSynonymType"
_COUNTED: dict[type, str] = {
    model.ObjectExactCardinality: "cardinality",
    model.ObjectMinCardinality: "minCardinality",
    model.ObjectMaxCardinality: "maxCardinality",
}


def string(text: str) -> str:
    """Write a text in double quotes."""
    return f'"{_escaped(text, _IN_STRING)}"'


def free_text(text: str) -> str:
    """Write a text that stands by itself."""
    inner = text.strip(" ")
    left, right = text[: len(text) - len(text.lstrip(" "))], text[len(text.rstrip(" ")) :] if inner else ""
    return left.replace(" ", "\\W") + _escaped(inner, _IN_TEXT) + right.replace(" ", "\\W")


def _escaped(text: str, escapes: dict[str, str]) -> str:
    return "".join(escapes.get(character, character) for character in text)


def read_line(line: str) -> Clause | None:
    """Return the one clause that a line is read as."""
    try:
        stanzas = split_stanzas(line, "")
    except ParseError:
        return None
    return stanzas[0].clauses[0] if len(stanzas) == 1 and len(stanzas[0].clauses) == 1 else None


Words = tuple[str | None, ...]


@dataclass(frozen=True, slots=True)
class ClauseLines:
    """Writes clauses with the identifiers of one file; None wherever OBO has no words for something."""

    names: WrittenIdentifiers
    labels: dict[str, str]

    # ── Annotations ───────────────────────────────────────────────────────────────────────────────────────────────

    def assertions(self, told: AnnotationAssertion) -> Iterator[str]:
        """Yield the clauses that may say an annotation, the most specific first."""
        lines = (self._own_tag(told), self.property_value(told.property, told.value, told.annotations))
        yield from (line for line in lines if line is not None)

    def _own_tag(self, told: AnnotationAssertion) -> str | None:
        """Return a clause with a tag that is there for a property."""
        text = told.value.lexical if isinstance(told.value, Literal) else None
        if told.property in _TAG_OF_TEXT and text is not None:
            return self._qualified(f"{_TAG_OF_TEXT[told.property]}: {free_text(text)}", told.annotations)
        if told.property in _TAG_OF_QUOTED and text is not None:
            head = f"{_TAG_OF_QUOTED[told.property]}: {string(text)}"
            return self._with_references(head, told.annotations)
        if told.property in _TAG_OF_ENTITY and isinstance(told.value, str):
            return self._clause(_TAG_OF_ENTITY[told.property], (self.names.entity(told.value),), told.annotations)
        if told.property in _TAG_OF_FLAG and text is not None:
            return self._clause(_TAG_OF_FLAG[told.property], (text,), told.annotations)
        if told.property == CROSS_REFERENCE and text is not None:
            return self._reference(text, told.annotations)
        synonym = _SYNONYM.fullmatch(told.property)
        return self._synonym(synonym[1].upper(), text, told.annotations) if synonym and text is not None else None

    def _synonym(self, scope: str, text: str, notes: Annotations) -> str | None:
        kinds = [note for note in notes if note.property == _SYNONYM_TYPE and isinstance(note.value, str)]
        rest = tuple(note for note in notes if note not in kinds[:1])
        words = [string(text), scope]
        if kinds:
            kind = self.names.entity(str(kinds[0].value))
            if kind is None or kinds[0].annotations:
                return None
            words.append(kind)
        return self._with_references(f"synonym: {' '.join(words)}", rest)

    def _reference(self, text: str, notes: Annotations) -> str | None:
        described = [note for note in notes if note.property == LABEL_IRI and isinstance(note.value, Literal)]
        rest = tuple(note for note in notes if note not in described[:1])
        words = " ".join(escaped_word(word) for word in text.split(" "))
        line = f"xref: {words}"
        if described and isinstance(described[0].value, Literal):
            line += f" {string(described[0].value.lexical)}"
        return self._qualified(line, rest)

    def _with_references(self, line: str, notes: Annotations) -> str | None:
        """Return a clause with its cross-references in brackets, and other annotations as qualifiers."""
        listed: list[Annotation] = []
        rest: list[Annotation] = []
        for note in notes:
            is_text = isinstance(note.value, Literal) and note.value.datatype == STRING_IRI
            (listed if note.property == CROSS_REFERENCE and is_text and not note.annotations else rest).append(note)
        texts = [note.value.lexical for note in listed if isinstance(note.value, Literal)]
        words = ", ".join(escaped_word(text) for text in sorted(texts, key=lambda text: (text.lower(), text)))
        return self._qualified(f"{line} [{words}]", tuple(rest))

    def property_value(
        self, property_: str, value: str | Literal | model.AnonymousIndividual, notes: Annotations = ()
    ) -> str | None:
        """Return the clause that says any annotation with a value that is an IRI, or a literal without language."""
        name = self.names.relation(property_)
        if isinstance(value, Literal):
            datatype = self.names.entity(value.datatype)
            return (
                None
                if value.language
                else self._clause("property_value", (name, string(value.lexical), datatype), notes)
            )
        target = self.names.entity(value) if isinstance(value, str) else None
        return self._clause("property_value", (name, target), notes)

    def _clause(self, tag: str, words: Words, notes: Annotations, *qualifiers: tuple[str, str]) -> str | None:
        if any(word is None for word in words):
            return None
        return self._qualified(f"{tag}: {' '.join(word for word in words if word is not None)}", notes, *qualifiers)

    def _qualified(self, line: str, notes: Annotations, *qualifiers: tuple[str, str]) -> str | None:
        """Return a clause with qualifiers: what belongs to its meaning, and annotations."""
        written = [f"{key}={string(text)}" for key, text in qualifiers]
        for note in notes:
            key = self._key(note)
            if key is None or not isinstance(note.value, Literal):
                return None
            written.append(f"{key}={string(note.value.lexical)}")
        return f"{line} {{{', '.join(written)}}}" if written else line

    def _key(self, note: Annotation) -> str | None:
        if note.annotations or not isinstance(note.value, Literal) or note.value.datatype != STRING_IRI:
            return None
        if note.property == CROSS_REFERENCE:
            return "xref"
        if note.property.startswith(OBO_IN_OWL) and note.property[len(OBO_IN_OWL) :].isidentifier():
            return note.property[len(OBO_IN_OWL) :]
        return _TAG_OF_TEXT.get(note.property) or self.names.entity(note.property)

    # ── Axioms ────────────────────────────────────────────────────────────────────────────────────────────────────

    def axiom(self, axiom: ax.Axiom) -> tuple[model.Entity, tuple[str, ...]] | None:
        """Return what an axiom is about and the clauses that say it; a definition takes several."""
        found = self._class_axiom(axiom) or self._role_axiom(axiom)
        if found is None or any(line is None for line in found[1]):
            return None
        return found[0], tuple(line for line in found[1] if line is not None)

    def _class_axiom(self, axiom: ax.Axiom) -> tuple[model.Entity, Words] | None:
        notes = axiom.annotations
        match axiom:
            case ax.SubClassOf(sub, sup) if (about := self._narrowed(sub)) is not None:
                subject, narrowing = about
                if isinstance(sup, model.Class):
                    line = self._clause("is_a", (self.names.entity(sup.iri),), notes, *narrowing)
                    return subject, (self._commented(line, sup.iri),)
                return subject, (self._relationship("relationship", sup, notes, *narrowing),)
            case ax.EquivalentClasses((first, model.Class() as second)) if (about := self._narrowed(first)) is not None:
                line = self._clause("equivalent_to", (self.names.entity(second.iri),), notes, *about[1])
                return about[0], (self._commented(line, second.iri),)
            case ax.DisjointClasses((first, model.Class() as second)) if (about := self._narrowed(first)) is not None:
                line = self._clause("disjoint_from", (self.names.entity(second.iri),), notes, *about[1])
                return about[0], (self._commented(line, second.iri),)
            case ax.EquivalentClasses((model.Class() as cls, model.ObjectIntersectionOf(operands))):
                return cls, tuple(
                    self._part("intersection_of", one, notes if not n else ()) for n, one in enumerate(operands)
                )
            case ax.EquivalentClasses((model.Class() as cls, model.ObjectUnionOf(operands))):
                return cls, tuple(self._parts("union_of", operands, notes))
        return None

    def _narrowed(self, sub: model.ClassExpression) -> tuple[model.Class, tuple[tuple[str, str], ...]] | None:
        """Return the class on the left and, where it is narrowed to A ⊓ ∃r.B, the qualifiers that say so."""
        match sub:
            case model.Class():
                return sub, ()
            case model.ObjectIntersectionOf(
                (model.Class() as cls, model.ObjectSomeValuesFrom(model.ObjectProperty(role), model.Class(filler)))
            ):
                names = (self.names.relation(role), self.names.entity(filler))
                if names[0] is not None and names[1] is not None:
                    return cls, (("gci_relation", names[0]), ("gci_filler", names[1]))
        return None

    def _parts(self, tag: str, operands: tuple[model.ClassExpression, ...], notes: Annotations) -> Iterator[str | None]:
        """Yield the parts of a definition, the annotations of all with the first."""
        yield self._part(tag, operands[0], notes)
        yield from (self._part(tag, operand, ()) for operand in operands[1:])

    def _part(self, tag: str, operand: model.ClassExpression, notes: Annotations) -> str | None:
        if isinstance(operand, model.Class):
            return self._commented(self._clause(tag, (self.names.entity(operand.iri),), notes), operand.iri)
        return self._relationship(tag, operand, notes) if tag == "intersection_of" else None

    def _relationship(
        self, tag: str, sup: model.ClassExpression, notes: Annotations, *narrowing: tuple[str, str]
    ) -> str | None:
        """Return `relation class` with the qualifiers that say how they are related."""
        match sup:
            case model.ObjectSomeValuesFrom(model.ObjectProperty(role), model.Class(filler)):
                more: tuple[tuple[str, str], ...] = ()
            case model.ObjectHasValue(model.ObjectProperty(role), model.NamedIndividual(filler)):
                more = ()
            case model.ObjectAllValuesFrom(model.ObjectProperty(role), model.Class(filler)):
                more = (("all_only", "true"),)
            case (
                model.ObjectExactCardinality(number, model.ObjectProperty(role), model.Class(filler))
                | model.ObjectMinCardinality(number, model.ObjectProperty(role), model.Class(filler))
                | model.ObjectMaxCardinality(number, model.ObjectProperty(role), model.Class(filler))
            ):
                more = ((_COUNTED[type(sup)], str(number)),)
            case _:
                return None
        words = (self.names.relation(role), self.names.entity(filler))
        is_word = words[0] is not None and ":" not in words[0]  # which needs no label beside it
        return self._commented(
            self._clause(tag, words, notes, *narrowing, *more), *(() if is_word else (role,)), filler
        )

    def _commented(self, line: str | None, *iris: str) -> str | None:
        """Return a clause with the labels of what it leads to behind it, as OBO files have it."""
        label = " ".join(self.labels[iri] for iri in iris if iri in self.labels)
        is_short = label and label.isprintable() and "\\" not in label
        return f"{line} ! {label}" if line is not None and is_short else line

    def _role_axiom(self, axiom: ax.Axiom) -> tuple[model.Entity, Words] | None:
        notes = axiom.annotations
        match axiom:
            case ax.SubObjectPropertyOf(chain, model.ObjectProperty() as sup):
                roles = [self._role(one) for one in chain]
                if len(chain) == 1 and isinstance(chain[0], model.ObjectProperty):
                    return chain[0], (self._clause("is_a", (self._role(sup),), notes),)
                if len(chain) == 2 and chain[0] == sup:
                    return sup, (self._clause("transitive_over", (roles[1],), notes),)
                return (sup, (self._clause("holds_over_chain", tuple(roles), notes),)) if len(chain) == 2 else None
            case ax.ObjectPropertyCharacteristic(word, model.ObjectProperty() as role) if word in _CHARACTERISTICS:
                return role, (self._clause(_CHARACTERISTICS[word], ("true",), notes),)
            case ax.ObjectPropertyDomain(model.ObjectProperty() as role, model.Class(iri)):
                return role, (self._commented(self._clause("domain", (self.names.entity(iri),), notes), iri),)
            case ax.ObjectPropertyRange(model.ObjectProperty() as role, model.Class(iri)):
                return role, (self._commented(self._clause("range", (self.names.entity(iri),), notes), iri),)
            case (
                ax.EquivalentObjectProperties((model.ObjectProperty() as role, other))
                | ax.DisjointObjectProperties((model.ObjectProperty() as role, other))
                | ax.InverseObjectProperties(model.ObjectProperty() as role, other)
            ):
                return role, (self._clause(_PAIRS[type(axiom)], (self._role(other),), notes),)
        return None

    def _role(self, role: model.ObjectPropertyExpression) -> str | None:
        return self.names.relation(role.iri) if isinstance(role, model.ObjectProperty) else None


def _turned(table: dict[str, str]) -> dict[str, str]:
    return {iri: tag for tag, iri in table.items()}


_TAG_OF_TEXT = _turned(TEXTS)
_TAG_OF_QUOTED = _turned(QUOTED)
_TAG_OF_ENTITY = _turned(ENTITIES)
_TAG_OF_FLAG = _turned(FLAGS)
_CHARACTERISTICS = {
    "Transitive": "is_transitive",
    "Reflexive": "is_reflexive",
    "Symmetric": "is_symmetric",
    "Asymmetric": "is_asymmetric",
    "Functional": "is_functional",
    "InverseFunctional": "is_inverse_functional",
}
_PAIRS: dict[type, str] = {
    ax.EquivalentObjectProperties: "equivalent_to",
    ax.DisjointObjectProperties: "disjoint_from",
    ax.InverseObjectProperties: "inverse_of",
}
