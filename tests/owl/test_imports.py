"""Imports come from a catalogue, or from a folder by ontology IRI and by file name, each document once."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest

from moose.base.errors import MissingImport, MooseError, ParseError
from moose.owl.files.imports import peek_iris
from moose.owl.load import SYNTAXES, load
from moose.owl.model.axioms import Imported, ObjectPropertyAssertion, SubClassOf
from moose.owl.model.expressions import (
    Class,
    DataProperty,
    DataSomeValuesFrom,
    Datatype,
    NamedIndividual,
    ObjectProperty,
)
from moose.owl.ontology import Ontology

E = "http://e.org/"


def document(name: str, *imports: str, iri: str | None = None) -> str:
    """Write an ontology with one axiom of its own: name ⊑ Top."""
    told = "".join(f"Import(<{imported}>)" for imported in imports)
    return f"Ontology(<{iri or E + name}> {told} SubClassOf(<{E}{name}> <{E}Top>))"


def subclasses(ontology: Ontology) -> list[str]:
    return [axiom.sub.iri.removeprefix(E) for axiom in ontology.axioms]  # type: ignore[union-attr]  # all are named


def write(folder: Path, **documents: str) -> Path:
    for name, text in documents.items():
        folder.mkdir(parents=True, exist_ok=True)
        (folder / f"{name}.ofn").write_text(text)
    return folder


def test_by_ontology_iri_whatever_the_file_is_called(tmp_path: Path) -> None:
    write(tmp_path, a=document("a", E + "b"), zzz=document("b"))
    ontology = load(tmp_path / "a.ofn")
    assert subclasses(ontology) == ["a", "b"]
    assert ontology.imports == (Imported(E + "b", str(tmp_path / "zzz.ofn")),)
    assert ontology.iri == E + "a"


def test_by_version_iri(tmp_path: Path) -> None:
    write(tmp_path, a=document("a", E + "b/2"), x=f"Ontology(<{E}b> <{E}b/2> SubClassOf(<{E}b> <{E}Top>))")
    assert subclasses(load(tmp_path / "a.ofn")) == ["a", "b"]


@pytest.mark.parametrize("address", ["http://far.org/store/b.owl", "http://far.org/store/b", "http://far.org/b.ofn"])
def test_by_file_name(tmp_path: Path, address: str) -> None:
    write(tmp_path, a=document("a", address), b=document("b"))
    assert subclasses(load(tmp_path / "a.ofn")) == ["a", "b"]


def test_the_ontology_iri_counts_more_than_the_file_name(tmp_path: Path) -> None:
    write(tmp_path, a=document("a", E + "b"), b=document("wrong"), other=document("b"))
    assert subclasses(load(tmp_path / "a.ofn")) == ["a", "b"]


def test_from_another_folder(tmp_path: Path) -> None:
    write(tmp_path, a=document("a", E + "b"))
    write(tmp_path / "store", b=document("b"))
    with pytest.raises(MissingImport):
        load(tmp_path / "a.ofn")
    assert subclasses(load(tmp_path / "a.ofn", imports_from=tmp_path / "store")) == ["a", "b"]


def test_from_a_gzip_file(tmp_path: Path) -> None:
    write(tmp_path, a=document("a", E + "b"))
    (tmp_path / "x.owl.gz").write_bytes(gzip.compress(document("b").encode()))
    assert subclasses(load(tmp_path / "a.ofn")) == ["a", "b"]


def test_by_a_file_address_and_by_a_relative_path(tmp_path: Path) -> None:
    write(tmp_path, a=document("a", (tmp_path / "b c.ofn").as_uri(), "sub/d.ofn"))
    write(tmp_path, **{"b c": document("b")})
    write(tmp_path / "sub", d=document("d"))
    assert subclasses(load(tmp_path / "a.ofn")) == ["a", "b", "d"]


def test_imports_of_imports_in_order_each_once(tmp_path: Path) -> None:
    write(
        tmp_path,
        a=document("a", E + "b", E + "c"),
        b=document("b", E + "d"),
        c=document("c", E + "d", E + "b"),
        d=document("d"),
    )
    ontology = load(tmp_path / "a.ofn")
    assert subclasses(ontology) == ["a", "b", "d", "c"]
    assert ontology.import_cycles == ()


def test_a_missing_import_says_all_that_is_needed(tmp_path: Path) -> None:
    write(tmp_path, a=document("a", E + "b"), b=document("x", E + "gone"), c=document("b", E + "gone"))
    with pytest.raises(MissingImport) as caught:
        load(tmp_path / "a.ofn")
    message = str(caught.value)
    assert message.startswith(f"{tmp_path / 'c.ofn'}: imports <{E}gone>")
    assert str(tmp_path) in message and "--ignore-missing-imports" in message and "\n" not in message


def test_a_missing_import_can_be_ignored_and_is_returned(tmp_path: Path) -> None:
    write(tmp_path, a=document("a", E + "gone", E + "b"), b=document("b", E + "gone"))
    ontology = load(tmp_path / "a.ofn", ignore_missing_imports=True)
    assert subclasses(ontology) == ["a", "b"]
    assert ontology.ignored_imports == (E + "gone",)


def test_a_broken_import_is_not_ignored(tmp_path: Path) -> None:
    write(tmp_path, a=document("a", E + "b"), b=f"Ontology(<{E}b> SubClassOf(")
    with pytest.raises(ParseError, match=r"b\.ofn"):
        load(tmp_path / "a.ofn", ignore_missing_imports=True)


# ── Circles ───────────────────────────────────────────────────────────────────────────────────────────────────────


def test_a_circle_is_read_once_and_reported(tmp_path: Path) -> None:
    write(tmp_path, a=document("a", E + "b"), b=document("b", E + "c"), c=document("c", E + "a", E + "b"))
    with pytest.raises(MooseError, match=f"they go {E}a → {E}b → {E}c → {E}a; take one"):
        load(tmp_path / "a.ofn")
    ontology = load(tmp_path / "a.ofn", allow_import_cycles=True)
    assert subclasses(ontology) == ["a", "b", "c"]
    assert ontology.import_cycles == ((E + "a", E + "b", E + "c", E + "a"), (E + "b", E + "c", E + "b"))


def test_an_ontology_that_imports_itself(tmp_path: Path) -> None:
    write(tmp_path, a=document("a", E + "a"))
    assert load(tmp_path / "a.ofn", allow_import_cycles=True).import_cycles == ((E + "a", E + "a"),)


def test_an_ontology_that_imports_its_own_file_under_another_name(tmp_path: Path) -> None:
    write(tmp_path, a=document("a", (tmp_path / "a.ofn").as_uri()))
    ontology = load(tmp_path / "a.ofn", allow_import_cycles=True)
    assert subclasses(ontology) == ["a"] and ontology.import_cycles == ((E + "a", E + "a"),)


def test_a_file_is_not_the_copy_of_what_it_imports(tmp_path: Path) -> None:
    write(tmp_path, a=document("a", "http://far.org/a.owl"))
    with pytest.raises(MissingImport, match=r"far\.org/a\.owl"):
        load(tmp_path / "a.ofn")


def test_a_link_to_a_file_is_the_same_file(tmp_path: Path) -> None:
    write(tmp_path, a=document("a", "b.ofn", "c.ofn"), b=document("b"))
    (tmp_path / "c.ofn").symlink_to(tmp_path / "b.ofn")
    assert subclasses(load(tmp_path / "a.ofn")) == ["a", "b"]


def test_a_long_chain_of_imports(tmp_path: Path) -> None:
    names = [f"n{place:04}" for place in range(1_200)]
    for name, following in zip(names, [*names[1:], None], strict=True):
        write(tmp_path, **{name: document(name, *([f"{following}.ofn"] if following else []))})
    assert subclasses(load(tmp_path / "n0000.ofn")) == names


# ── Catalogues ────────────────────────────────────────────────────────────────────────────────────────────────────


def catalogue(*entries: str) -> str:
    return (
        '<?xml version="1.0" encoding="UTF-8" standalone="no"?>\n'
        '<catalog prefer="public" xmlns="urn:oasis:names:tc:entity:xmlns:xml:catalog">'
        + "".join(entries)
        + "</catalog>"
    )


def test_the_catalogue_beside_the_file(tmp_path: Path) -> None:
    write(tmp_path, a=document("a", E + "b"))
    write(tmp_path / "deep" / "er", x=document("b", iri="http://e.org/quite/other"))
    (tmp_path / "catalog-v001.xml").write_text(catalogue(f'<uri id="1" name="{E}b" uri="deep/er/x.ofn"/>'))
    assert subclasses(load(tmp_path / "a.ofn")) == ["a", "b"]


def test_groups_bases_rewriting_and_further_catalogues(tmp_path: Path) -> None:
    write(tmp_path, a=document("a", E + "b", "http://far.org/x/c.ofn", "http://far.org/x/y/d.ofn", E + "e"))
    for folder, name in [("one", "b"), ("two", "c"), ("three", "d"), ("four", "e")]:
        write(tmp_path / folder, **{name: document(name)})
    (tmp_path / "mine.xml").write_text(
        catalogue(
            f'<group xml:base=""><group xml:base="one/"><uri name="{E}b" uri="b.ofn"/></group></group>',
            '<rewriteURI uriStartString="http://far.org/x/" rewritePrefix="two/"/>',
            '<rewriteURI uriStartString="http://far.org/x/y/" rewritePrefix="three/"/>',
            '<nextCatalog catalog="four/next.xml"/>',
        )
    )
    (tmp_path / "four" / "next.xml").write_text(
        catalogue(f'<uri name="{E}e" uri="e.ofn"/><uri name="{E}b" uri="no.ofn"/><nextCatalog catalog="../mine.xml"/>')
    )
    assert subclasses(load(tmp_path / "a.ofn", catalogue=tmp_path / "mine.xml")) == ["a", "b", "c", "d", "e"]


@pytest.mark.parametrize("target", ["gone.ofn", "http://far.org/b.ofn"])
def test_a_catalogue_that_leads_nowhere(tmp_path: Path, target: str) -> None:
    write(tmp_path, a=document("a", E + "b"))
    (tmp_path / "catalog-v001.xml").write_text(catalogue(f'<uri name="{E}b" uri="{target}"/>'))
    with pytest.raises(MissingImport, match=f"imports <{E}b>, which leads to .*{target}"):
        load(tmp_path / "a.ofn")
    assert load(tmp_path / "a.ofn", ignore_missing_imports=True).ignored_imports == (E + "b",)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("<catalog>", r"mine\.xml:1: expected an OASIS XML catalogue"),
        ('<!DOCTYPE catalog [<!ENTITY a "b">]><catalog/>', "without entity declarations"),
        ('<!DOCTYPE catalog [<!ENTITY a SYSTEM "file:///etc/passwd">]><catalog>&a;</catalog>', "without entity"),
    ],
)
def test_a_bad_catalogue(tmp_path: Path, text: str, said: str) -> None:
    write(tmp_path, a=document("a"))
    (tmp_path / "mine.xml").write_text(text)
    with pytest.raises(ParseError, match=said):
        load(tmp_path / "a.ofn", catalogue=tmp_path / "mine.xml")


def test_a_catalogue_or_folder_that_is_not_there(tmp_path: Path) -> None:
    write(tmp_path, a=document("a"))
    with pytest.raises(MooseError, match=r"gone\.xml: expected an XML catalogue"):
        load(tmp_path / "a.ofn", catalogue=tmp_path / "gone.xml")
    with pytest.raises(MooseError, match="gone: expected a folder"):
        load(tmp_path / "a.ofn", imports_from=tmp_path / "gone")


# ── Headers ───────────────────────────────────────────────────────────────────────────────────────────────────────

HEADERS = {
    "functional": "Prefix(:=<http://e.org/>)\nOntology(<http://e.org/o>\n  <http://e.org/o/1>)",
    "prefixed": "Prefix(x:=<http://e.org/>)\nOntology(x:o x:o/1)",
    "owlxml": '<Ontology xmlns="http://www.w3.org/2002/07/owl#" ontologyIRI="http://e.org/o" versionIRI="http://e.org/o/1">',
    "rdfxml": '<!DOCTYPE rdf:RDF [<!ENTITY e "http://e.org/">]>\n<rdf:RDF xmlns:rdf="x" xmlns:owl="y">'
    '<owl:Ontology rdf:about="&e;o">\n<owl:versionIRI rdf:resource="http://e.org/o/1"/></owl:Ontology></rdf:RDF>',
    "based": '<rdf:RDF xmlns:rdf="x" xml:base="http://e.org/o">'
    '<owl:Ontology rdf:about=""><owl:versionIRI rdf:resource="http://e.org/o/1"/></owl:Ontology></rdf:RDF>',
    "turtle": "@prefix : <http://e.org/> .\n<http://e.org/o> rdf:type owl:Ontology ;\n owl:versionIRI :o/1 .",
    "short": "@prefix e: <http://e.org/> .\ne:o a owl:Ontology ; owl:versionIRI <http://e.org/o/1> .",
    "ntriples": "<http://e.org/o> <http://www.w3.org/1999/02/22-rdf-syntax-ns#type> "
    "<http://www.w3.org/2002/07/owl#Ontology> .\n"
    "<http://e.org/o> <http://www.w3.org/2002/07/owl#versionIRI> <http://e.org/o/1> .",
    "manchester": "Prefix: : <http://e.org/>\nOntology: <http://e.org/o> <http://e.org/o/1>\nClass: :A",
}


@pytest.mark.parametrize("text", HEADERS.values(), ids=HEADERS)
def test_the_header_is_read_from_the_opening(tmp_path: Path, text: str) -> None:
    (tmp_path / "o").write_text(text)
    assert peek_iris(tmp_path / "o", SYNTAXES) == ("http://e.org/o", "http://e.org/o/1")


def test_the_header_of_obo(tmp_path: Path) -> None:
    (tmp_path / "o").write_text("format-version: 1.2\nontology: go\n")
    assert peek_iris(tmp_path / "o", SYNTAXES)[0] == "http://purl.obolibrary.org/obo/go.owl"


def test_what_is_no_ontology_has_no_header(tmp_path: Path) -> None:
    for content in (b"", b"\x00\x01", b"hello", b"\x1f\x8b", b"w" * 200_000 + b":"):
        (tmp_path / "o").write_bytes(content)
        assert peek_iris(tmp_path / "o", SYNTAXES) == ()


# ── What another document declares ────────────────────────────────────────────────────────────────────────────────


def test_rdf_knows_a_property_that_an_import_declares(tmp_path: Path) -> None:
    owl = "@prefix owl: <http://www.w3.org/2002/07/owl#> ."
    (tmp_path / "a.ttl").write_text(
        f"{owl} <{E}a> a owl:Ontology ; owl:imports <{E}b> . <urn:i> a owl:NamedIndividual ; <urn:p> <urn:j> ."
    )
    (tmp_path / "b.ttl").write_text(f"{owl} <{E}b> a owl:Ontology . <urn:p> a owl:ObjectProperty .")
    expected = ObjectPropertyAssertion(ObjectProperty("urn:p"), NamedIndividual("urn:i"), NamedIndividual("urn:j"))
    assert load(tmp_path / "a.ttl").axioms == (expected,)


def test_manchester_knows_a_property_that_an_import_declares(tmp_path: Path) -> None:
    (tmp_path / "a.omn").write_text(
        f"Ontology: <{E}a>\nImport: <{E}b>\nClass: <urn:A>\n  SubClassOf: <urn:p> some <urn:D>\n"
    )
    (tmp_path / "b.ofn").write_text(
        f"Ontology(<{E}b> Declaration(DataProperty(<urn:p>)) Declaration(Datatype(<urn:D>)))"
    )
    expected = SubClassOf(Class("urn:A"), DataSomeValuesFrom((DataProperty("urn:p"),), Datatype("urn:D")))
    assert load(tmp_path / "a.omn").axioms == (expected,)


# ── Several files of one IRI ──────────────────────────────────────────────────────────────────────────────────────


def test_several_files_of_one_iri_are_named(tmp_path: Path) -> None:
    write(tmp_path, a=document("a", E + "b"), b=document("b"), old=document("b", E + "c"), c=document("c"))
    with pytest.raises(
        MooseError, match=r"2 files in .* bear that IRI: b\.ofn, old\.ofn; keep one .*--catalogue"
    ) as caught:
        load(tmp_path / "a.ofn", ignore_missing_imports=True)
    assert "\n" not in str(caught.value)


def test_a_catalogue_chooses_among_files_of_one_iri(tmp_path: Path) -> None:
    write(tmp_path, a=document("a", E + "b"), b=document("b"), old=document("b", E + "c"), c=document("c"))
    (tmp_path / "catalog-v001.xml").write_text(
        f'<catalog xmlns="urn:oasis:names:tc:entity:xmlns:xml:catalog"><uri name="{E}b" uri="old.ofn"/></catalog>',
        encoding="utf-8",
    )
    assert subclasses(load(tmp_path / "a.ofn")) == ["a", "b", "c"]


def test_a_version_chooses_among_files_of_one_iri(tmp_path: Path) -> None:
    for number in (1, 2):
        text = f"Ontology(<{E}b> <{E}b/{number}> SubClassOf(<{E}b{number}> <{E}B>))"
        (tmp_path / f"b{number}.ofn").write_text(text, encoding="utf-8")
    write(tmp_path, a=document("a", E + "b/2"))
    assert "b2.ofn" in load(tmp_path / "a.ofn").imports[0].path


def test_copies_of_one_text_are_as_good_as_one(tmp_path: Path) -> None:
    write(tmp_path, a=document("a", E + "b"), b=document("b"), copy=document("b"))
    with gzip.open(tmp_path / "packed.ofn.gz", "wb") as stream:
        stream.write((tmp_path / "b.ofn").read_bytes())
    assert subclasses(load(tmp_path / "a.ofn")) == ["a", "b"]


def test_a_file_that_only_mentions_an_ontology_is_not_it(tmp_path: Path) -> None:
    write(tmp_path, b=document("b"))
    owl = "http://www.w3.org/2002/07/owl#"
    text = f"<{E}a> a <{owl}Ontology> ; <{owl}imports> <{E}b> . <{E}b> a <{owl}Ontology> ."
    (tmp_path / "a.ttl").write_text(text, encoding="utf-8")
    assert subclasses(load(tmp_path / "a.ttl")) == ["b"]
