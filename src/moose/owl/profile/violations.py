"""Why an axiom is outside OWL 2 EL, in words: which of its parts EL does not have."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from typing import Any

from moose.owl.model import axioms as ax
from moose.owl.model import expressions as owl
from moose.owl.model.datatypes import is_known
from moose.owl.model.expressions import EL_DATATYPES, STANDARD_PREFIXES
from moose.owl.model.literals import OPAQUE, is_ill_typed, value_of
from moose.owl.model.signature import PARTS
from moose.owl.profile.el import is_el_literal, says_all_data


@dataclass(frozen=True, slots=True)
class Offence:
    """Something that OWL 2 EL does not have, as the end of "OWL 2 EL has no …".

    With a `remedy`, which says how, the axiom can be used with it as it stands; `is_lossless` says that this loses
    nothing. Without one, other axioms must stand in its place.
    """

    what: str
    remedy: str = ""
    is_lossless: bool = False


# What OWL 2 EL has no use of, whatever stands inside it.
WORDS: dict[type, str] = {
    owl.ObjectInverseOf: "inverse properties (ObjectInverseOf)",
    owl.ObjectUnionOf: "unions (ObjectUnionOf)",
    owl.ObjectComplementOf: "complements (ObjectComplementOf)",
    owl.ObjectAllValuesFrom: "universal restrictions (ObjectAllValuesFrom)",
    owl.ObjectMinCardinality: "cardinalities (ObjectMinCardinality)",
    owl.ObjectMaxCardinality: "cardinalities (ObjectMaxCardinality)",
    owl.ObjectExactCardinality: "cardinalities (ObjectExactCardinality)",
    owl.DataAllValuesFrom: "universal restrictions (DataAllValuesFrom)",
    owl.DataMinCardinality: "cardinalities (DataMinCardinality)",
    owl.DataMaxCardinality: "cardinalities (DataMaxCardinality)",
    owl.DataExactCardinality: "cardinalities (DataExactCardinality)",
    owl.DataUnionOf: "unions of data ranges (DataUnionOf)",
    owl.DataComplementOf: "complements of data ranges (DataComplementOf)",
    owl.DatatypeRestriction: "facets (DatatypeRestriction)",
    ax.DisjointUnion: "disjoint unions (DisjointUnion)",
    ax.DatatypeDefinition: "datatypes of one's own (DatatypeDefinition)",
    ax.DisjointObjectProperties: "disjoint properties (DisjointObjectProperties)",
    ax.InverseObjectProperties: "inverse properties (InverseObjectProperties)",
    ax.DisjointDataProperties: "disjoint properties (DisjointDataProperties)",
}


def find_offences(axiom: ax.Axiom, defined: Collection[str] = ()) -> tuple[Offence, ...]:
    """Return what puts an axiom outside OWL 2 EL, each once, left to right; `defined` are datatypes of one's own."""
    offences: dict[Offence, None] = {}
    for node in _walk(axiom):
        kind = type(node)
        if kind in WORDS:
            offences[Offence(WORDS[kind])] = None
        elif kind in _CHECKS and (offence := _CHECKS[kind](node)):
            offences[_of_own(node, offence, defined)] = None
    return tuple(offences)


def shorten(iri: str) -> str:
    """Write an IRI with one of the prefixes that OWL 2 reserves, or in full."""
    for prefix, namespace in STANDARD_PREFIXES.items():
        if iri.startswith(namespace):
            return f"{prefix}:{iri.removeprefix(namespace)}"
    return f"<{iri}>"


def _walk(axiom: ax.Axiom) -> Iterator[object]:
    """Yield the model values inside an axiom from left to right; what is inside facets is theirs."""
    stack: list[object] = [axiom]
    while stack:
        node = stack.pop()
        if isinstance(node, tuple):
            stack.extend(reversed(node))
        elif type(node) in PARTS:
            yield node
            if type(node) is not owl.DatatypeRestriction:
                stack.extend(getattr(node, name) for name in reversed(PARTS[type(node)]))


def _of_own(node: object, offence: Offence, defined: Collection[str]) -> Offence:
    """Leave out the remedy for a datatype that has a definition to put in its place."""
    return Offence(offence.what) if isinstance(node, owl.Datatype) and node.iri in defined else offence


def _check_characteristic(axiom: ax.ObjectPropertyCharacteristic) -> Offence | None:
    word = axiom.characteristic
    if word in ("Reflexive", "Transitive"):
        return None
    return Offence(f"{word[0].lower()}{word[1:]} properties ({word}ObjectProperty)".replace("inverseF", "inverse-f"))


def _check_all_data(axiom: ax.Axiom) -> Offence | None:
    if not says_all_data(axiom):
        return None
    what = "owl:topDataProperty but as a super-property"
    return Offence(what, "it is used as if it were a name, and that it relates everything to all values is not")


def _check_one_of(expression: owl.ObjectOneOf) -> Offence | None:
    return None if len(expression.individuals) == 1 else Offence("enumerations of several individuals (ObjectOneOf)")


def _check_data_one_of(data_range: owl.DataOneOf) -> Offence | None:
    return None if len(data_range.literals) == 1 else Offence("enumerations of several literals (DataOneOf)")


def _check_data_some(expression: owl.DataSomeValuesFrom) -> Offence | None:
    if len(expression.properties) == 1:
        return None
    return Offence("data ranges of several dimensions (DataSomeValuesFrom with several properties)")


def _check_anonymous(_: owl.AnonymousIndividual) -> Offence:
    return Offence("anonymous individuals", "they are used as if they had names, and nothing is lost", is_lossless=True)


def _check_datatype(datatype: owl.Datatype) -> Offence | None:
    if datatype.iri in EL_DATATYPES:
        return None
    name = f"datatype {shorten(datatype.iri)}"
    if not is_known(datatype.iri):
        return Offence(name, "it is used as a datatype of which nothing else is known")
    return Offence(name, "it is used as it stands, but what follows from its size may be missed")


def _check_literal(literal: owl.Literal) -> Offence | None:
    if is_el_literal(literal):
        return None
    name = shorten(literal.datatype)
    if is_ill_typed(literal):
        return Offence(f'literal "{literal.lexical}"^^{name} (it is not written as {name} asks)')
    value = value_of(literal)
    if value is not None and value.space == OPAQUE:
        return Offence(f"literals of {name}", "they are used as values of which nothing else is known")
    return Offence(
        f"literals of {name}", "they are used as the values they stand for, and nothing is lost", is_lossless=True
    )


# The key is the type that the check takes.
_CHECKS: dict[type, Callable[[Any], Offence | None]] = {
    ax.ObjectPropertyCharacteristic: _check_characteristic,
    **dict.fromkeys((ax.SubDataPropertyOf, ax.EquivalentDataProperties, ax.HasKey), _check_all_data),
    **dict.fromkeys((ax.DataPropertyRange, ax.FunctionalDataProperty), _check_all_data),
    owl.ObjectOneOf: _check_one_of,
    owl.DataOneOf: _check_data_one_of,
    owl.DataSomeValuesFrom: _check_data_some,
    owl.AnonymousIndividual: _check_anonymous,
    owl.Datatype: _check_datatype,
    owl.Literal: _check_literal,
}
