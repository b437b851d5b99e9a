"""One ontology in every syntax is one ontology: the same axioms, and the same closure."""

from __future__ import annotations

import gzip
from collections.abc import Callable, Iterable, Sequence
from dataclasses import fields, is_dataclass, replace
from itertools import pairwise
from pathlib import Path

import pyoxigraph as rdf
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import moose
from moose.owl.files.sniff import sniff
from moose.owl.load import SYNTAXES
from moose.owl.model import axioms as ax
from moose.owl.model import expressions as owl
from moose.owl.model.axioms import Document
from moose.owl.ontology import merge_documents
from moose.owl.syntax.functional.read_functional import read_functional
from moose.owl.syntax.functional.write_functional import write_functional
from moose.owl.syntax.manchester.read_manchester import read_manchester
from moose.owl.syntax.obo.read_obo import read_obo
from moose.owl.syntax.owlxml.read_owlxml import read_owlxml
from moose.owl.syntax.rdf.read_rdf import read_rdf
from tests.owl.manchester_writer import expressible, write_axioms
from tests.owl.obo_writer import write_obo
from tests.owl.owlxml_writer import write_owlxml
from tests.owl.plain_rdf_writer import write_ntriples
from tests.owl.strategies import axioms as any_axioms
from tests.saturation.answers import NAMES, our_answer
from tests.saturation.random_ontologies import ALL_FEATURES, DATA_ROLES, ROLES, ontologies
from tests.searching import examples

Axioms = Sequence[ax.Axiom]
DECLARED: tuple[owl.Entity, ...] = (*NAMES, *ROLES, *DATA_ROLES)


def document(axioms: Axioms) -> Document:
    declarations = tuple(ax.Declaration(name) for name in DECLARED)
    return Document("http://example.org/ontology", axioms=tuple(axioms), declarations=declarations)


def as_rdf(axioms: Axioms, form: rdf.RdfFormat) -> bytes:
    """Have another writer put the triples into another syntax."""
    triples = rdf.parse(write_ntriples(axioms, DECLARED), format=rdf.RdfFormat.N_TRIPLES)
    written = rdf.serialize((quad.triple for quad in triples), format=form, prefixes={"ex": "http://example.org/"})
    assert isinstance(written, bytes)
    return written


def manchester(axioms: Axioms) -> bytes:
    frames = [f"{type(name).__name__.removeprefix('Named')}: <{name.iri}>\n" for name in DECLARED]
    return (write_axioms(axioms) + "".join(frames)).encode()


WRITERS: dict[str, Callable[[Axioms], bytes]] = {
    "functional": lambda axioms: write_functional(document(axioms)).encode(),
    "owlxml": lambda axioms: write_owlxml(document(axioms)),
    "manchester": manchester,
    "ntriples": lambda axioms: write_ntriples(axioms, DECLARED),
    "turtle": lambda axioms: as_rdf(axioms, rdf.RdfFormat.TURTLE),
    "rdfxml": lambda axioms: as_rdf(axioms, rdf.RdfFormat.RDF_XML),
    "obo": lambda axioms: write_obo(axioms, DECLARED).encode(),
}


READERS: dict[str, Callable[[bytes], Document]] = {
    "functional": lambda data: read_functional(data.decode(), "a file"),
    "owlxml": lambda data: read_owlxml(data, "a file"),
    "manchester": lambda data: read_manchester(data.decode(), "a file"),
    "ntriples": lambda data: read_rdf(data, "a file", syntax="ntriples"),
    "turtle": lambda data: read_rdf(data, "a file", syntax="turtle"),
    "rdfxml": lambda data: read_rdf(data, "a file", syntax="rdfxml"),
    "obo": lambda data: read_obo(data.decode(), "a file"),
}


def written_in_pairs(axioms: Iterable[ax.Axiom]) -> set[ax.Axiom]:
    """Cut equivalences into pairs, as RDF does, and forget the order, which RDF does not have."""
    found: set[ax.Axiom] = set()
    for axiom in axioms:
        match axiom:
            case ax.SameIndividual(individuals):
                found.update(ax.SameIndividual(pair) for pair in pairwise(individuals))
            case ax.EquivalentClasses(operands):
                found.update(ax.EquivalentClasses(pair) for pair in pairwise(operands))
            case ax.EquivalentObjectProperties(roles):
                found.update(ax.EquivalentObjectProperties(pair) for pair in pairwise(roles))
            case ax.EquivalentDataProperties(data_roles):
                found.update(ax.EquivalentDataProperties(pair) for pair in pairwise(data_roles))
            case _:
                found.add(axiom)
    return found


# ── Random ontologies of OWL 2 EL ─────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("syntax", WRITERS)
@examples(40)
@given(axioms=ontologies())
def test_axioms_are_read_as_they_were_written(syntax: str, axioms: Axioms) -> None:
    data = WRITERS[syntax](axioms)
    assert sniff(data, "a file", SYNTAXES).name == syntax
    assert written_in_pairs(READERS[syntax](data).axioms) == written_in_pairs(axioms)


@examples(60)
@given(ontologies())
def test_closure_is_the_same_in_every_syntax(axioms: Axioms) -> None:
    answers = {
        syntax: our_answer(merge_documents([READERS[syntax](write(axioms))])) for syntax, write in WRITERS.items()
    }
    assert answers.keys() == READERS.keys()
    assert [syntax for syntax in answers if answers[syntax].differences(answers["functional"])] == []


@pytest.mark.parametrize("feature", sorted(ALL_FEATURES))
@examples(4)
@given(st.data())
def test_closure_with_one_feature_is_the_same_in_every_syntax(feature: str, data: st.DataObject) -> None:
    axioms = data.draw(ontologies(frozenset({feature, "data", "assertions"}), max_axioms=10))
    expected = our_answer(merge_documents([document(axioms)]))
    for syntax, write in WRITERS.items():
        found = our_answer(merge_documents([READERS[syntax](write(axioms))]))
        assert found.differences(expected) == [], syntax


@pytest.mark.parametrize("is_packed", [False, True])
@pytest.mark.parametrize("syntax", WRITERS)
def test_file_is_loaded_whatever_its_name_and_packing(tmp_path: Path, syntax: str, is_packed: bool) -> None:
    a, b, c = owl.Class("http://example.org/A"), owl.Class("http://example.org/B"), owl.Class("http://example.org/C")
    role = owl.ObjectProperty("http://example.org/r")
    axioms: list[ax.Axiom] = [
        ax.SubClassOf(a, owl.ObjectSomeValuesFrom(role, b)),
        ax.EquivalentClasses((c, owl.ObjectIntersectionOf((a, owl.ObjectSomeValuesFrom(role, b))))),
        ax.DisjointClasses((a, b, owl.Class("http://example.org/D"))),
    ]
    data = WRITERS[syntax](axioms)
    path = tmp_path / "ontology.unknown"
    path.write_bytes(gzip.compress(data) if is_packed else data)
    ontology = moose.load(path)
    assert written_in_pairs(ontology.axioms) == written_in_pairs(axioms)
    assert moose.classify(ontology).equivalents("A") == (c.iri,)


# ── All of OWL 2 through RDF ──────────────────────────────────────────────────────────────────────────────────────


def plain(axiom: ax.Axiom) -> ax.Axiom:
    """Drop annotations; give each kind of name names of its own, as RDF needs them to be told apart."""
    said = own_names(expressible(axiom))
    assert is_dataclass(said)
    return replace(said, annotations=())  # type: ignore[type-var,return-value]  # an axiom still


def own_names(value: object) -> object:
    """Take names out of the namespaces that OWL reserves."""
    if isinstance(value, tuple):
        return tuple(map(own_names, value))
    if isinstance(value, owl.Entity):
        return replace(value, iri=value.iri.replace("www.w3.org", "example.org"))
    if isinstance(value, owl.Literal):
        return replace(value, language=value.language.lower())  # as RDF 1.1 has it
    if not is_dataclass(value) or isinstance(value, ax.Annotation):
        return value
    parts = {field.name: own_names(getattr(value, field.name)) for field in fields(value)}
    return replace(value, **parts)  # type: ignore[type-var]  # a value of the model


def is_in_rdf(axiom: ax.Axiom) -> bool:
    """Leave out what the mapping cannot write, or writes like something else."""
    match axiom:
        case ax.UnreadAxiom():
            return False
        case ax.HasKey():
            return bool(axiom.object_properties or axiom.data_properties)
        case ax.ObjectPropertyAssertion(property=owl.ObjectInverseOf()):
            return False
        case ax.InverseObjectProperties(first, second):
            return isinstance(first, owl.ObjectProperty) and isinstance(second, owl.ObjectProperty)
    several = getattr(axiom, "operands", None) or getattr(axiom, "individuals", None)
    return several is None or isinstance(axiom, ax.DisjointUnion) or len(several) > 1


def is_about_someone(axiom: object) -> bool:
    """Recognise an anonymous individual, whose node has another name after reading."""
    if isinstance(axiom, owl.AnonymousIndividual):
        return True
    if isinstance(axiom, tuple):
        return any(map(is_about_someone, axiom))
    return is_dataclass(axiom) and any(is_about_someone(getattr(axiom, field.name)) for field in fields(axiom))


@examples(300)
@given(any_axioms())
def test_every_axiom_of_owl_2_is_read_from_rdf_as_it_was_written(axiom: ax.Axiom) -> None:
    assume(is_in_rdf(axiom) and not is_about_someone(axiom))
    said = plain(axiom)
    found = READERS["ntriples"](write_ntriples([said])).axioms
    assert written_in_pairs(found) == written_in_pairs([said])
