"""Nothing that is read reaches out: no entity from elsewhere, no file by a trick of its name, no address."""

from __future__ import annotations

import socket
from contextlib import nullcontext
from pathlib import Path

import pytest

from moose.base.errors import MooseError
from moose.owl.files.catalogue import read_catalogue
from moose.owl.load import load

SECRET = "secret-in-a-file"
RDF = '<r:RDF xmlns:r="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:s="http://www.w3.org/2000/01/rdf-schema#">'
CATALOGUE = '<catalog xmlns="urn:oasis:names:tc:entity:xmlns:xml:catalog">{}</catalog>'
ROOTS = {
    "o.owx": '<Ontology xmlns="http://www.w3.org/2002/07/owl#" ontologyIRI="a:o"><Annotation><AnnotationProperty '
    'abbreviatedIRI="rdfs:label"/><Literal>{}</Literal></Annotation></Ontology>',
    "o.rdf": RDF + '<r:Description r:about="a:A"><s:label>{}</s:label></r:Description></r:RDF>',
    "catalog-v001.xml": CATALOGUE.format('<uri name="a" uri="{}"/>'),
}
LAUGHS = '<!ENTITY l0 "lol">' + "".join(f'<!ENTITY l{i} "{f"&l{i - 1};" * 10}">' for i in range(1, 10))
SUBSETS = {
    "a billion laughs": (LAUGHS, "&l9;"),
    "a quadratic blow-up": (f'<!ENTITY a "{"x" * 1000}">', "&a;" * 100_000),
    "an external entity": ('<!ENTITY a SYSTEM "{file}">', "&a;"),
    "a public entity": ('<!ENTITY a PUBLIC "-//A//B" "{file}">', "&a;"),
    "an address": ('<!ENTITY a SYSTEM "http://127.0.0.1:9/">', "&a;"),
    "a parameter entity": ('<!ENTITY % a SYSTEM "{file}"> %a;', ""),
    "a parameter entity inside": ("<!ENTITY % a '<!ENTITY b SYSTEM \"{file}\">'> %a;", "&b;"),
    "an entity of itself": ('<!ENTITY a "&a;">', "&a;"),
}


@pytest.fixture(autouse=True)
def no_network(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise AssertionError("something asked for the network")

    monkeypatch.setattr(socket.socket, "connect", refuse)
    monkeypatch.setattr(socket, "getaddrinfo", refuse)


@pytest.mark.parametrize("case", SUBSETS)
@pytest.mark.parametrize("name", ROOTS)
def test_entities_that_do_harm(tmp_path: Path, name: str, case: str) -> None:
    (tmp_path / "secret.txt").write_text(SECRET, encoding="utf-8")
    subset, content = SUBSETS[case]
    subset = subset.replace("{file}", (tmp_path / "secret.txt").as_uri())
    text = f'<?xml version="1.0"?><!DOCTYPE a [{subset}]>{ROOTS[name].format(content)}'
    (tmp_path / name).write_text(text, encoding="utf-8")
    with pytest.raises(MooseError) as caught:
        read_catalogue(tmp_path / name) if name.startswith("catalog") else load(tmp_path / name)
    assert SECRET not in str(caught.value) and "\n" not in str(caught.value)


@pytest.mark.parametrize("doctype", ['SYSTEM "{file}"', 'PUBLIC "-//A//B" "{file}"', 'SYSTEM "http://127.0.0.1:9/"'])
@pytest.mark.parametrize("name", ROOTS)
def test_a_document_type_from_elsewhere_is_not_read(tmp_path: Path, name: str, doctype: str) -> None:
    (tmp_path / "secret.dtd").write_text(f'<!ENTITY a "{SECRET}">', encoding="utf-8")
    doctype = doctype.replace("{file}", (tmp_path / "secret.dtd").as_uri())
    (tmp_path / name).write_text(f"<!DOCTYPE a {doctype}>{ROOTS[name].format('&a;')}", encoding="utf-8")
    if name.startswith("catalog"):  # catalogues have one as a rule, which nobody needs
        assert SECRET not in str(read_catalogue(tmp_path / name))
        return
    with pytest.raises(MooseError) as caught:
        load(tmp_path / name)
    assert SECRET not in str(caught.value)


STRANGE = {
    "a zero": "file:///a%00b",
    "a long name": f"file:///{'x' * 5_000}",
    "no address": "http://[a",
    "a bracket": "http://a]/b[",
    "a host": "file://elsewhere/etc/hostname",
    "a device": "file:///dev/zero",
    "a folder": "file:///",
    "nothing": "",
    "a scheme": "javascript:alert(1)",
    "half a pair": "file:///a%ED%A0%80",
    "a port": "http://a:99999999999/b",
}


@pytest.mark.parametrize("case", STRANGE)
def test_strange_imports(tmp_path: Path, case: str) -> None:
    (tmp_path / "o.ofn").write_text(f"Ontology(<a:o> Import(<{STRANGE[case]}>))", encoding="utf-8")
    with pytest.raises(MooseError) as caught:
        load(tmp_path / "o.ofn")
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    "entry",
    [
        "<uri name='a:i' uri='{}'/>",
        "<nextCatalog catalog='{}'/>",
        "<rewriteURI uriStartString='a:' rewritePrefix='{}'/>",
    ],
)
@pytest.mark.parametrize("case", STRANGE)
def test_strange_entries_of_a_catalogue(tmp_path: Path, case: str, entry: str) -> None:
    content = entry.format(STRANGE[case])
    (tmp_path / "catalog-v001.xml").write_text(
        f'<catalog xmlns="urn:oasis:names:tc:entity:xmlns:xml:catalog">{content}</catalog>', encoding="utf-8"
    )
    (tmp_path / "o.ofn").write_text("Ontology(<a:o> Import(<a:i>))", encoding="utf-8")
    with pytest.raises(MooseError) as caught:
        load(tmp_path / "o.ofn")
    assert "\n" not in str(caught.value)


def test_catalogues_in_a_circle(tmp_path: Path) -> None:
    for name, other in (("catalog-v001.xml", "b.xml"), ("b.xml", "catalog-v001.xml")):
        text = (
            f'<catalog xmlns="urn:oasis:names:tc:entity:xmlns:xml:catalog"><nextCatalog catalog="{other}"/></catalog>'
        )
        (tmp_path / name).write_text(text, encoding="utf-8")
    (tmp_path / "o.ofn").write_text("Ontology(<a:o>)", encoding="utf-8")
    assert load(tmp_path / "o.ofn").iri == "a:o"


# ── Bytes that are no text ────────────────────────────────────────────────────────────────────────────────────────

TEXTS = {
    "o.ofn": 'Ontology(<a:o> AnnotationAssertion(<a:p> <a:A> "{}"))',
    "o.omn": 'Prefix: : <a:>\nOntology: <a:o>\nAnnotationProperty: p\nClass: A Annotations: p "{}"',
    "o.owx": ROOTS["o.owx"],
    "o.rdf": ROOTS["o.rdf"],
    "o.ttl": '<a:A> <a:p> "{}" .',
    "o.nt": '<a:A> <a:p> "{}" .\n',
    "o.obo": "format-version: 1.4\n\n[Term]\nid: X:1\nname: {}\n",
}
STRICT = ("o.owx", "o.rdf")
"""Where a zero is no character; elsewhere one that comes late is a control character like others."""

LATE = "x" * (1 << 20)
BYTES = {
    "half a pair": b"\xed\xa0\x80",
    "a byte of Latin-1": b"\xe9",
    "an overlong slash": b"\xc0\xaf",
    "beyond Unicode": b"\xf4\x90\x80\x80",
    "a cut character": b"\xe2\x82",
    "a zero": b"\0",
    "a late zero": LATE.encode() + b"\0",
    "a late byte": LATE.encode() + b"\xff",
}


@pytest.mark.parametrize("case", BYTES)
@pytest.mark.parametrize("name", TEXTS)
def test_bytes_that_are_no_text(tmp_path: Path, name: str, case: str) -> None:
    before, _, after = TEXTS[name].partition("{}")
    (tmp_path / name).write_bytes(before.encode() + BYTES[case] + after.encode())
    with pytest.raises(MooseError) if case != "a late zero" or name in STRICT else nullcontext() as caught:
        load(tmp_path / name)
    assert caught is None or "\n" not in str(caught.value)


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-16-be", "utf-32"])
@pytest.mark.parametrize("name", TEXTS)
def test_other_encodings(tmp_path: Path, name: str, encoding: str) -> None:
    (tmp_path / name).write_bytes(TEXTS[name].format("é").encode(encoding))
    with pytest.raises(MooseError):
        load(tmp_path / name)


@pytest.mark.parametrize("name", TEXTS)
def test_a_byte_order_mark_is_dropped(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_bytes(TEXTS[name].format("é").encode("utf-8-sig"))
    load(tmp_path / name)


@pytest.mark.parametrize("name", ["a" * 5_000, "a" * 5_000 + "/o.ofn", "a\0b/o.ofn"])
def test_a_path_that_no_file_can_have(tmp_path: Path, name: str) -> None:
    with pytest.raises(MooseError):
        load(tmp_path / name)
    with pytest.raises(MooseError):
        load(tmp_path / "o.ofn", imports_from=tmp_path / name)
