"""Files that are not what they should be: one clear line each, and nothing else."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest

from moose.base.errors import MooseError, ParseError
from moose.owl.files.fetch import as_utf8, fetch, unpack
from moose.owl.load import load

GOOD = "Ontology(<http://e.org/o> SubClassOf(<http://e.org/A> <http://e.org/B>))"


def write(path: Path, content: bytes | str) -> Path:
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return path


def complaint(path: Path) -> str:
    with pytest.raises(MooseError) as caught:
        load(path)
    message = str(caught.value)
    assert message.startswith(str(path)), message
    assert "\n" not in message
    return message


def test_a_missing_file(tmp_path: Path) -> None:
    assert "there is no such file" in complaint(tmp_path / "nowhere.owl")


def test_a_folder(tmp_path: Path) -> None:
    assert "this is a folder" in complaint(tmp_path)


def test_an_empty_file(tmp_path: Path) -> None:
    assert "the file is empty" in complaint(write(tmp_path / "o.owl", ""))


def test_an_empty_gzip(tmp_path: Path) -> None:
    assert "the file is empty" in complaint(write(tmp_path / "o.owl.gz", gzip.compress(b"")))


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"PK\x03\x04rest", "a zip archive"),
        (b"BZh91AY", "bzip2"),
        (b"%PDF-1.7", "PDF"),
        ("\ufeffOntology()".encode("utf-16"), "UTF-16"),
        (GOOD.encode("utf-16-le"), "zero: the file is binary or in UTF-16"),
        (GOOD.encode("utf-32"), "UTF-32"),
        (b"\x7fELF\x02\x01\x01\x00\x00", "binary"),
        (gzip.compress(gzip.compress(GOOD.encode())), "gzip twice"),
    ],
    ids=lambda value: value if isinstance(value, str) else "content",  # gzip writes the time: not fit for a name
)
def test_not_text(tmp_path: Path, content: bytes, said: str) -> None:
    assert said in complaint(write(tmp_path / "o.owl", content))


def test_not_utf8_says_where(tmp_path: Path) -> None:
    content = b"Ontology(\n# caf\xe9\n)"
    message = complaint(write(tmp_path / "o.ofn", content))
    assert f"o.ofn:2: expected UTF-8 text, but byte {content.index(0xE9)} is 0xe9" in message


def test_a_gzip_that_is_cut_short(tmp_path: Path) -> None:
    packed = gzip.compress(GOOD.encode() * 100)
    assert "cut short" in complaint(write(tmp_path / "o.ofn.gz", packed[: len(packed) // 2]))
    assert "cut short" in complaint(write(tmp_path / "p.ofn.gz", packed[:-4]))
    assert "cut short" in complaint(write(tmp_path / "q.ofn.gz", packed[:5]))


def test_a_gzip_that_is_damaged(tmp_path: Path) -> None:
    packed = bytearray(gzip.compress(GOOD.encode() * 100))
    packed[-8] ^= 0xFF
    assert "damaged" in complaint(write(tmp_path / "o.ofn.gz", bytes(packed)))


def test_a_gzip_bomb_is_stopped_at_the_cap() -> None:
    packed = gzip.compress(b"a" * 3_000_000)
    with pytest.raises(MooseError, match="expected at most 1,000,000 bytes"):
        unpack(packed, "bomb.gz", largest=1_000_000)
    assert len(unpack(packed, "bomb.gz", largest=3_000_000)) == 3_000_000


def test_a_plain_file_past_the_cap(tmp_path: Path) -> None:
    with pytest.raises(MooseError, match="expected at most 10 bytes"):
        fetch(write(tmp_path / "o.ofn", GOOD), largest=10)


def test_several_gzip_members_are_one_document(tmp_path: Path) -> None:
    packed = gzip.compress(b"Ontology(") + gzip.compress(b")")
    assert load(write(tmp_path / "o.ofn.gz", packed)).axioms == ()


def test_gzip_is_told_by_content_not_by_name(tmp_path: Path) -> None:
    assert len(load(write(tmp_path / "o.owl", gzip.compress(GOOD.encode()))).axioms) == 1
    assert len(load(write(tmp_path / "p.owl.gz", GOOD)).axioms) == 1


def test_a_byte_order_mark_is_no_harm(tmp_path: Path) -> None:
    assert len(load(write(tmp_path / "o.ofn", b"\xef\xbb\xbf" + GOOD.encode())).axioms) == 1


def test_xml_in_a_declared_encoding_is_read() -> None:
    latin = "<?xml version='1.0' encoding='ISO-8859-1'?><a>café</a>".encode("latin-1")
    assert as_utf8(latin, "o.owl").decode() == "<?xml version='1.0' encoding='UTF-8'?><a>café</a>"
    left = "<?xml version='1.0' encoding='UTF-16'?><a>café</a>".encode()
    assert as_utf8(left, "o.owl").decode() == "<?xml version='1.0' encoding='UTF-8'?><a>café</a>"
    with pytest.raises(ParseError, match="unknown encoding 'punycode'"):
        as_utf8(b"<?xml version='1.0' encoding='punycode'?><a/>", "o.owl")
    with pytest.raises(ParseError, match="not in the encoding that it declares"):
        as_utf8(b"<?xml version='1.0' encoding='gb2312'?><a>\xff\xff</a>", "o.owl")


NESTED = {
    "o.ofn": "Ontology(SubClassOf(<urn:x:A> {}))",
    "o.owx": '<Ontology xmlns="http://www.w3.org/2002/07/owl#" ontologyIRI="urn:x:o">'
    '<SubClassOf><Class IRI="A"/>{}</SubClassOf></Ontology>',
    "o.omn": "Ontology: <urn:x:o>\nObjectProperty: <urn:x:r>\nClass: <urn:x:A>\n  SubClassOf: {}",
    "o.ttl": "@prefix owl: <http://www.w3.org/2002/07/owl#> .\n"
    "@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .\n<urn:x:A> rdfs:subClassOf {} .",
}
LEVEL = {
    "o.ofn": ("ObjectSomeValuesFrom(<urn:x:r> ", ")", "<urn:x:A>"),
    "o.owx": ('<ObjectSomeValuesFrom><ObjectProperty IRI="r"/>', "</ObjectSomeValuesFrom>", '<Class IRI="A"/>'),
    "o.omn": ("<urn:x:r> some (", ")", "<urn:x:A>"),
    "o.ttl": ("[ a owl:Restriction ; owl:onProperty <urn:x:r> ; owl:someValuesFrom ", "]", "<urn:x:A>"),
}


@pytest.mark.parametrize("name", NESTED)
def test_a_nesting_of_ten_thousand_levels(tmp_path: Path, name: str) -> None:
    before, after, innermost = LEVEL[name]
    text = NESTED[name].format(before * 10_000 + innermost + after * 10_000)
    assert "nested" in complaint(write(tmp_path / name, text))


@pytest.mark.parametrize("name", NESTED)
def test_a_nesting_of_fifty_levels_is_fine(tmp_path: Path, name: str) -> None:
    before, after, innermost = LEVEL[name]
    text = NESTED[name].format(before * 50 + innermost + after * 50)
    assert len(load(write(tmp_path / name, text)).axioms) == 1


TRUNCATED = {
    "o.ofn": GOOD[:-1],
    "o.owx": '<Ontology xmlns="http://www.w3.org/2002/07/owl#" ontologyIRI="urn:x:o"><SubClassOf><Class IRI="A"/>',
    "o.owl": '<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description ',
    "o.ttl": "@prefix owl: <http://www.w3.org/2002/07/owl#> .\n<urn:x:A> a owl:Cla",
    "o.nt": "<urn:x:A> <urn:x:p> <urn:x:B> .\n<urn:x:A> <urn:x",
    "o.omn": "Ontology: <urn:x:o>\nClass: <urn:x:A>\n  SubClassOf:",
    "o.obo": "format-version: 1.2\n\n[Term]\nid",
}


@pytest.mark.parametrize(("name", "text"), TRUNCATED.items())
def test_a_truncated_file(tmp_path: Path, name: str, text: str) -> None:
    assert f"{name}:" in complaint(write(tmp_path / name, text))


@pytest.mark.parametrize("name", ["o.ofn", "o.owx", "o.ttl", "o.nt", "o.omn", "o.obo", "o.rdf", "o.owl", "o"])
def test_a_wrong_format(tmp_path: Path, name: str) -> None:
    complaint(write(tmp_path / name, "Dear all,\n\nplease find attached the ontology.\n"))
