"""No beginning of a file makes it slow to recognise, and the root of XML is found where a parser finds it."""

from __future__ import annotations

from pathlib import Path
from xml.parsers import expat

import pytest
from hypothesis import given
from hypothesis import strategies as st

from moose.owl.files.imports import peek_iris
from moose.owl.load import SYNTAXES
from moose.owl.syntax.common.xml_prologue import end_of_prologue
from tests.hostile.confined import confined, moose

WINDOW = 1 << 20

# Each filled up to the window that is looked at.
WEARING = {
    "comments in a DOCTYPE": ("<!DOCTYPE a [", "<!---->", ""),
    "quotes in a DOCTYPE": ("<!DOCTYPE a [", "\"'", ""),
    "brackets in a DOCTYPE": ("<!DOCTYPE a [", "]", ""),
    "DOCTYPE after DOCTYPE": ("", "<!DOCTYPE a ", ""),
    "instructions": ("", "<?a?>", "<"),
    "slashes of an IRI": ("<", "/", ""),
    "hashes of an IRI": ("<a:", "#/", " "),
    "blanks after BASE": ("BASE", " ", "x"),
    "blanks after prefix": ("Prefix", " ", "x"),
    "a line of angles": ("<a:b> <c:d> <e:f> .\n_:", "<", ""),
    "blank nodes": ("<a:b> <c:d> <e:f> .\n", "_:a<", ""),
    "quotes of a literal": ('<a:b> <c:d> "', '\\"', ""),
    "ontologies": ("", "<Ontology ", ""),
    "named ontologies": (
        "<rdf:RDF xmlns:rdf='http://www.w3.org/1999/02/22-rdf-syntax-ns#'>",
        "<Ontology about='&a;'/>",
        "",
    ),
    "names of ontologies": ("Ontology(a:b)", " Ontology(a:b)", ""),
    "prefixes": ("Ontology(a:b)", " Prefix(a:=<b>)", ""),
    "words": ("", "a", ""),
    "comments": ("", "# \n", ""),
}


@pytest.mark.parametrize("case", WEARING)
def test_recognising_a_file_takes_one_pass(tmp_path: Path, case: str) -> None:
    before, pump, after = WEARING[case]
    file = tmp_path / "beside.owl"
    file.write_text(before + pump * (WINDOW // len(pump)) + after, encoding="utf-8")
    code = (
        "import sys; from pathlib import Path; from moose.owl.files.imports import peek_iris\n"
        "from moose.owl.files.sniff import sniff; from moose.owl.load import SYNTAXES\n"
        "from moose.base.errors import MooseError\n"
        "path = Path(sys.argv[1]); peek_iris(path, SYNTAXES)\n"
        "try: sniff(path.read_bytes(), path.name, SYNTAXES)\n"
        "except MooseError: pass"
    )
    confined("-c", code, str(file), seconds=30).assert_clean(0)


def test_a_file_that_merely_lies_beside_does_no_harm(tmp_path: Path) -> None:
    (tmp_path / "a.owl").write_text("<!DOCTYPE a [" + "<!---->" * 30, encoding="utf-8")
    (tmp_path / "main.ofn").write_text("Ontology(<http://a/o> Import(<http://a/i>))", encoding="utf-8")
    (tmp_path / "z.ofn").write_text("Ontology(<http://a/i>)", encoding="utf-8")
    moose("check", tmp_path / "main.ofn").assert_clean(0)


def test_a_thousand_names_are_no_header(tmp_path: Path) -> None:
    file = tmp_path / "o.ofn"
    file.write_text("".join(f"Ontology(<http://a/{number}>)\n" for number in range(1000)), encoding="utf-8")
    assert 0 < len(peek_iris(file, SYNTAXES)) < 100


# ── The prologue of XML ───────────────────────────────────────────────────────────────────────────────────────────

SUBSET_ITEMS = (
    "<!-- ]> ' \" -->",
    "<!ENTITY a ']>'>",
    '<!ENTITY b "it\'s [">',
    "<?a ]> ' ?>",
    "<!ELEMENT a ANY>",
    "\n  ",
)
ITEMS = ("<!-- a > ' -- \">-->".replace(" -- ", " - "), "<?a b='>' ?>", "\n", "  ", "<!---->")


@st.composite
def prologues(draw: st.DrawFn) -> str:
    """Return what may stand before a root element."""
    before = draw(st.lists(st.sampled_from(ITEMS), max_size=4))
    after = draw(st.lists(st.sampled_from(ITEMS), max_size=4))
    subset = draw(st.none() | st.lists(st.sampled_from(SUBSET_ITEMS), max_size=5))
    doctype = draw(st.sampled_from(("", "<!DOCTYPE a", "<!DOCTYPE a SYSTEM '>[' ", "<!DOCTYPE a PUBLIC '-' \"']>\"")))
    if doctype:
        doctype += f" [{''.join(subset)}] >" if subset is not None else ">"
    return "".join([*before, doctype, *after])


@given(prologues())
def test_the_root_stands_where_a_parser_finds_it(prologue: str) -> None:
    positions = []
    parser = expat.ParserCreate()
    parser.StartElementHandler = lambda *_: positions.append(parser.CurrentByteIndex)
    parser.Parse(prologue + "<a/>", True)
    assert end_of_prologue(prologue + "<a/>", 0) == positions[0]


@pytest.mark.parametrize(
    "text", ["<!-- a", "<?a", "<!DOCTYPE a", "<!DOCTYPE a [", "<!DOCTYPE a 'b", "<!DOCTYPE a [']", "<!DOCTYPE a []"]
)
def test_what_is_not_closed_is_not_passed_over(text: str) -> None:
    assert end_of_prologue("  " + text, 0) == 2
