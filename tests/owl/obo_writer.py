"""A plain writer of OBO, for tests: clauses for what OBO has clauses for, the rest as `owl-axioms` in the header."""

from __future__ import annotations

from collections.abc import Iterable

from moose.owl.model import axioms as ax
from moose.owl.model import expressions as owl
from moose.owl.model.axioms import Document
from moose.owl.model.expressions import (
    Class,
    NamedIndividual,
    ObjectIntersectionOf,
    ObjectProperty,
    ObjectSomeValuesFrom,
)
from moose.owl.syntax.functional.write_functional import write_functional

HEADINGS = {Class: "Term", ObjectProperty: "Typedef", NamedIndividual: "Instance"}
Stanzas = dict[owl.Entity, list[str]]


def write_obo(axioms: Iterable[ax.Axiom], names: Iterable[owl.Entity] = ()) -> str:
    """Write axioms, with a stanza for each of the names."""
    stanzas: Stanzas = {name: [] for name in names if type(name) in HEADINGS}
    rest = [axiom for axiom in axioms if not is_written(axiom, stanzas)]
    header = ["format-version: 1.4", "ontology: http://example.org/ontology"]
    if rest:
        text = write_functional(Document(axioms=tuple(rest)))
        header.append("owl-axioms: " + escaped(text))
    body = [f"\n[{HEADINGS[type(name)]}]\nid: {name.iri}\n" + "".join(lines) for name, lines in stanzas.items()]
    return "\n".join(header) + "\n" + "".join(body)


def escaped(text: str) -> str:
    """Write a text on one line, as the value of a clause."""
    for found, written in (("\\", "\\\\"), ("\n", "\\n"), ('"', '\\"'), ("{", "\\{"), ("}", "\\}"), ("!", "\\!")):
        text = text.replace(found, written)
    return text


def is_written(axiom: ax.Axiom, stanzas: Stanzas) -> bool:
    """Write an axiom as clauses and say whether there are any for it."""
    found = clauses(axiom)
    if found is None:
        return False
    subject, lines = found
    stanza = stanzas.setdefault(subject, [])
    if lines[0].startswith("intersection_of") and any(line.startswith("intersection_of") for line in stanza):
        return False  # a term has one definition of this kind
    stanza += [line + "\n" for line in lines]
    return True


def clauses(axiom: ax.Axiom) -> tuple[owl.Entity, list[str]] | None:
    """Return the subject of an axiom and the clauses that say it."""
    match axiom:
        case ax.SubClassOf(Class() as sub, Class() as sup):
            return sub, [f"is_a: {sup.iri}"]
        case ax.SubClassOf(Class() as sub, ObjectSomeValuesFrom(ObjectProperty() as role, Class() as filler)):
            return sub, [f"relationship: {role.iri} {filler.iri}"]
        case ax.EquivalentClasses((Class() as cls, Class() as other)):
            return cls, [f"equivalent_to: {other.iri}"]
        case ax.EquivalentClasses((Class() as cls, ObjectIntersectionOf(operands))):
            parts = [part(operand) for operand in operands]
            return (cls, [f"intersection_of: {one}" for one in parts]) if all(parts) else None
        case ax.DisjointClasses((Class() as one, Class() as other)):
            return one, [f"disjoint_from: {other.iri}"]
        case ax.ClassAssertion(Class() as cls, NamedIndividual() as individual):
            return individual, [f"instance_of: {cls.iri}"]
        case ax.ObjectPropertyAssertion(ObjectProperty() as role, NamedIndividual() as one, NamedIndividual() as other):
            return None if axiom.negative else (one, [f"relationship: {role.iri} {other.iri}"])
    return role_clauses(axiom)


def part(operand: owl.ClassExpression) -> str:
    """Write a part of a definition: a class, or a relation and a class."""
    match operand:
        case Class(iri):
            return iri
        case ObjectSomeValuesFrom(ObjectProperty(role), Class(iri)):
            return f"{role} {iri}"
    return ""


def role_clauses(axiom: ax.Axiom) -> tuple[owl.Entity, list[str]] | None:
    match axiom:
        case ax.SubObjectPropertyOf((ObjectProperty() as sub,), ObjectProperty() as sup):
            return sub, [f"is_a: {sup.iri}"]
        case ax.SubObjectPropertyOf((ObjectProperty() as one, ObjectProperty() as over), ObjectProperty() as sup):
            over_chain = f"transitive_over: {over.iri}" if one == sup else f"holds_over_chain: {one.iri} {over.iri}"
            return sup, [over_chain]
        case ax.EquivalentObjectProperties((ObjectProperty() as one, ObjectProperty() as other)):
            return one, [f"equivalent_to: {other.iri}"]
        case ax.ObjectPropertyCharacteristic("Transitive" | "Reflexive" as word, ObjectProperty() as role):
            return role, [f"is_{word.lower()}: true"]
        case ax.ObjectPropertyDomain(ObjectProperty() as role, Class() as domain):
            return role, [f"domain: {domain.iri}"]
        case ax.ObjectPropertyRange(ObjectProperty() as role, Class() as range_):
            return role, [f"range: {range_.iri}"]
    return None
