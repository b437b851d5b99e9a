"""People may write IRIs, CURIEs, short names and labels; what they see is the shortest name that is not ambiguous."""

from __future__ import annotations

import time

import pytest

from moose.base.errors import UnknownName
from moose.owl.model.axioms import Axiom, ClassAssertion, Document, ObjectPropertyAssertion, SubClassOf
from moose.owl.model.expressions import Class, Datatype, NamedIndividual, ObjectProperty
from moose.owl.names import Names, short_name
from moose.owl.ontology import Ontology, merge_documents, ontology_from_axioms
from moose.owl.syntax.functional.read_functional import read_functional

TEXT = """
Prefix(e:=<http://e.org/a#>) Prefix(:=<http://e.org/default#>) Prefix(obo:=<http://purl.obolibrary.org/obo/>)
Prefix(rdfs:=<http://www.w3.org/2000/01/rdf-schema#>)
Ontology(
  Declaration(Class(e:Pizza)) Declaration(Class(e:Twice)) Declaration(Class(<http://e.org/b#Twice>))
  Declaration(Class(:Plain)) Declaration(Class(<urn:x:Urn>)) Declaration(Class(<http://e.org/path/Last>))
  Declaration(Class(obo:GO_0008150)) Declaration(Class(obo:GO_0000001)) Declaration(Class(<http://e.org/a+b(c)>))
  Declaration(ObjectProperty(e:hasTopping)) Declaration(NamedIndividual(e:gina)) Declaration(NamedIndividual(e:Pizza))
  AnnotationAssertion(rdfs:label obo:GO_0008150 "Vorgang"@de)
  AnnotationAssertion(rdfs:label obo:GO_0008150 "biological process"@en)
  AnnotationAssertion(rdfs:label obo:GO_0000001 "same label") AnnotationAssertion(rdfs:label e:Pizza "same label")
  AnnotationAssertion(rdfs:label :Plain "einfach"@de)
)"""
GO = "http://purl.obolibrary.org/obo/GO_"


@pytest.fixture(scope="module")
def ontology() -> Ontology:
    return merge_documents([read_functional(TEXT, "names.ofn")])


@pytest.fixture(scope="module")
def names(ontology: Ontology) -> Names:
    return Names(ontology)


@pytest.mark.parametrize(
    ("text", "iri"),
    [
        ("Pizza", "http://e.org/a#Pizza"),
        ("e:Pizza", "http://e.org/a#Pizza"),
        ("http://e.org/a#Pizza", "http://e.org/a#Pizza"),
        ("<http://e.org/a#Pizza>", "http://e.org/a#Pizza"),
        ("  Pizza ", "http://e.org/a#Pizza"),
        (":Plain", "http://e.org/default#Plain"),
        ("einfach", "http://e.org/default#Plain"),
        ("Urn", "urn:x:Urn"),
        ("urn:x:Urn", "urn:x:Urn"),
        ("Last", "http://e.org/path/Last"),
        ("GO:0008150", GO + "0008150"),
        ("GO_0008150", GO + "0008150"),
        ("obo:GO_0008150", GO + "0008150"),
        ("biological process", GO + "0008150"),
        ("'biological process'", GO + "0008150"),
        ("GO:0008150 'biological process'", GO + "0008150"),
        ("GO_0008150   'biological  process'", GO + "0008150"),
        ("e:Twice", "http://e.org/a#Twice"),
        ("owl:Thing", "http://www.w3.org/2002/07/owl#Thing"),
        ("Nothing", "http://www.w3.org/2002/07/owl#Nothing"),
    ],
)
def test_a_class_by_any_of_its_names(names: Names, text: str, iri: str) -> None:
    assert names.resolve_class(text) == Class(iri)


def test_white_space_inside_a_label_does_not_count() -> None:
    text = """Prefix(e:=<http://e.org/>) Prefix(rdfs:=<http://www.w3.org/2000/01/rdf-schema#>) Ontology(
      Declaration(Class(e:F)) Declaration(Class(e:G)) Declaration(Class(e:H))
      AnnotationAssertion(rdfs:label e:F "carbon frame") AnnotationAssertion(rdfs:label e:G " steel\n frame")
      AnnotationAssertion(rdfs:label e:H "end 3'"))"""
    names = Names(merge_documents([read_functional(text, "spaces.ofn")]))
    for asked in ("'carbon  frame'", "carbon\tframe", "' carbon frame '"):
        assert names.resolve_class(asked).iri == "http://e.org/F"
    assert names.resolve_class("'steel frame'").iri == "http://e.org/G"
    assert names.resolve_class("'end 3''").iri == "http://e.org/H"  # as goals give it, without their backslash
    with pytest.raises(UnknownName, match=r"has no 'carbon  fram'; did you mean 'carbon frame'\?"):
        names.resolve_class("'carbon  fram'")


def test_each_kind_has_its_names(names: Names) -> None:
    assert names.resolve(ObjectProperty, "hasTopping") == ObjectProperty("http://e.org/a#hasTopping")
    assert names.resolve(NamedIndividual, "Pizza") == NamedIndividual("http://e.org/a#Pizza")
    assert names.resolve(Datatype, "xsd:integer").iri.endswith("#integer")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("Pizzza", "the ontology has no 'Pizzza'; did you mean Pizza?"),
        ("pizza", "did you mean Pizza?"),
        ("GO_0008151", "did you mean GO:0008150 'biological process'"),
        ("http://e.org/other#Pizza", "did you mean Pizza?"),
        ("<Pizza>", "did you mean Pizza?"),
        ("biological proces", "did you mean 'biological process'?"),
        ("Xylophone", "write it as the ontology does, or as a full IRI"),
        ("", "the ontology has no ''"),
        ("gina", "expected the name of a class, but 'gina' is an individual"),
        ("e:hasTopping", "is an object property"),
        (
            "'Plain'",
            "none has the label 'Plain', and single quotes mean labels (rdfs:label); without them Plain is a class",
        ),
        ("'hasTopping'", "without them hasTopping is an object property"),
        ("Twice", "'Twice' fits <http://e.org/a#Twice>, <http://e.org/b#Twice>; write the full IRI"),
        ("same label", "'same label' fits <http://e.org/a#Pizza>, <http://purl.obolibrary.org/obo/GO_0000001>"),
    ],
)
def test_a_name_that_fits_none_or_several(names: Names, text: str, said: str) -> None:
    with pytest.raises(UnknownName) as caught:
        names.resolve_class(text)
    assert said in str(caught.value)


@pytest.mark.parametrize(
    ("iri", "shown"),
    [
        ("http://e.org/a#Pizza", "Pizza"),
        ("http://e.org/a#Twice", "e:Twice"),
        ("http://e.org/b#Twice", "<http://e.org/b#Twice>"),
        ("http://e.org/a+b(c)", "<http://e.org/a+b(c)>"),
        (GO + "0008150", "GO_0008150"),
        ("http://www.w3.org/2002/07/owl#Thing", "owl:Thing"),
        ("http://nobody.org/x", "<http://nobody.org/x>"),
    ],
)
def test_the_name_that_is_shown(names: Names, iri: str, shown: str) -> None:
    assert names.display(iri) == shown


def test_the_label_is_shown_on_request(names: Names) -> None:
    assert names.display(GO + "0008150", with_label=True) == "GO_0008150 (biological process)"
    assert names.display("http://e.org/a#Twice", with_label=True) == "e:Twice"


def test_numbers_of_a_prefix_without_a_name_are_shown_without_its_colon() -> None:
    text = """Prefix(:=<http://e.org/>) Prefix(ex:=<http://ex.org/>) Prefix(other:=<http://other.org/>)
    Prefix(rdfs:=<http://www.w3.org/2000/01/rdf-schema#>) Ontology(
      Declaration(Class(:EX_0000020)) AnnotationAssertion(rdfs:label :EX_0000020 "rusty") Declaration(Class(:Bicycle))
      Declaration(Class(ex:EX_0000021)) Declaration(Class(:EX_0000022)) Declaration(Class(other:EX_0000022)))"""
    names = Names(merge_documents([read_functional(text, "numbers.ofn")]))
    iris = ["http://e.org/EX_0000020", "http://e.org/Bicycle", "http://ex.org/EX_0000021"]
    assert [*map(names.show, iris)] == ["EX_0000020 'rusty'", "Bicycle", "ex:EX_0000021"]
    assert names.show("http://e.org/EX_0000022") == ":EX_0000022"  # without the colon it would be another's, too


def test_what_is_shown_is_understood(ontology: Ontology, names: Names) -> None:
    for iri in ontology.classes:
        assert names.resolve_class(names.display(iri)).iri == iri
        assert names.resolve_class(names.show(iri)).iri == iri


def test_a_name_with_the_label_of_another_is_refused(names: Names) -> None:
    with pytest.raises(UnknownName, match="GO:0008150 has the label 'biological process', and 'cell' came; write one"):
        names.resolve_class("GO:0008150 'cell'")
    with pytest.raises(UnknownName, match="urn:x:Urn has no label, and 'cell' came"):
        names.resolve_class("urn:x:Urn 'cell'")


def test_short_names() -> None:
    assert short_name("http://e.org/a/b#c/d") == "c/d"
    assert short_name("http://e.org/a/") == "http://e.org/a/"
    assert short_name("plain") == "plain"


def test_many_names_take_no_time_to_speak_of() -> None:
    axioms = [SubClassOf(Class(f"http://e.org/Class{place:06}"), Class("http://e.org/Top")) for place in range(50_000)]
    start = time.process_time()
    names = Names(ontology_from_axioms(axioms))
    assert names.resolve_class("Class000123").iri == "http://e.org/Class000123"
    with pytest.raises(UnknownName, match="did you mean"):
        names.resolve_class("Class00012")
    assert time.process_time() - start < 5


# ── The ontology that the names come from ─────────────────────────────────────────────────────────────────────────


def test_the_signature_is_what_is_declared_or_used() -> None:
    axioms: list[Axiom] = [
        SubClassOf(Class("B"), Class("A")),
        ClassAssertion(Class("http://www.w3.org/2002/07/owl#Thing"), NamedIndividual("i")),
        ObjectPropertyAssertion(ObjectProperty("r"), NamedIndividual("j"), NamedIndividual("i")),
        SubClassOf(Class("B"), Class("A")),
    ]
    ontology = ontology_from_axioms(axioms, iri="urn:o", declarations=[Class("C"), Class("C")])
    assert ontology.classes == ("A", "B", "C")
    assert ontology.object_properties == ("r",)
    assert ontology.individuals == ("i", "j")
    assert ontology.data_properties == ()
    assert ontology.axioms == tuple(axioms[:3])
    assert repr(ontology) == "Ontology(<urn:o>, 3 axioms, 0 outside OWL 2 EL)"


def test_an_ontology_is_frozen() -> None:
    with pytest.raises(AttributeError):
        ontology_from_axioms([]).iri = "other"  # type: ignore[misc]  # the point


def test_prefixes_of_the_importing_document_win() -> None:
    documents = [Document(prefixes={"e": "http://one/"}), Document(prefixes={"e": "http://two/", "f": "http://three/"})]
    assert merge_documents(documents).prefixes == {"e": "http://one/", "f": "http://three/"}


def test_find_returns_nothing_for_a_name_of_another_kind() -> None:
    names = Names(merge_documents([read_functional(TEXT, "test")]))
    assert names.find(Class, "gina") is None
    assert names.find(Class, "<nowhere>") is None
    assert names.find(NamedIndividual, " gina ") == NamedIndividual("http://e.org/a#gina")
    assert names.close(Class, "Plane") == ["Plain"]
    with pytest.raises(UnknownName, match="'Twice' fits"):
        names.find(Class, "Twice")
