"""A document read by numbers is the one that the plainer reader reads, or it is left to that one."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from moose.base.errors import ParseError
from moose.owl.model.axioms import Declaration, Document, SubClassOf
from moose.owl.model.expressions import Class
from moose.owl.syntax import functional_syntax
from moose.owl.syntax.functional import plain_statements, read_plain
from moose.owl.syntax.functional.plain_statements import NAMES, NODES, OPERANDS, OTHER, SEED, STATEMENTS, TOP, Space
from moose.owl.syntax.functional.read_functional import read_functional
from moose.owl.syntax.functional.read_plain import Room
from moose.owl.syntax.functional.write_functional import write_functional
from tests.owl.strategies import documents

GOLDEN = sorted((Path(__file__).parent.parent / "golden").glob("*.ofn"))
EX = "http://example.org/"


def as_lists(room: Room) -> Space:
    arrays: tuple[Any, ...] = read_plain.new_space(room)
    return Space(*(one.tolist() for one in arrays))


def plain(text: str) -> Document | None:
    data = text.encode()
    return read_plain.read_plain(data, data, plain_statements.scan, as_lists)


def usual(text: str) -> Document | None:
    try:
        return read_functional(text, "o.ofn")
    except ParseError:
        return None


def others(text: str) -> int:
    """Count the statements that are not read as numbers."""
    data = text.encode()
    head = read_plain._HEAD.match(data)
    assert head is not None
    space = read_plain.run(data, data, plain_statements.scan, as_lists, head.end())
    assert space is not None
    return list(space.statement_kind)[: space.counters[STATEMENTS]].count(OTHER)


@given(documents())
def test_any_document_that_is_written_is_read(document: Document) -> None:
    text = write_functional(document)
    assert plain(text) == usual(text) is not None


@given(documents(), st.data())
def test_a_document_with_a_mistake_is_read_alike_or_left_alone(document: Document, data: st.DataObject) -> None:
    text = write_functional(document)
    for _ in range(data.draw(st.integers(1, 3))):
        start = data.draw(st.integers(0, len(text)))
        end = data.draw(st.integers(start, min(len(text), start + 3)))
        piece = data.draw(
            st.sampled_from([*'()<>"# \n\t\\:é\u00a0\x1c_', "A", "<a>", "Class(", "SubClassOf(", " (", ""])
        )
        text = text[:start] + piece + text[end:]
    assert plain(text) in (None, usual(text))


STATEMENTS_BY_HAND = [
    "SubClassOf(:A :B)",
    "SubClassOf(<http://example.org/A>:B)",
    "SubClassOf(:A <http://example.org/A>)",
    "SubClassOf( :A# a comment (of :C)\n\t:B )",
    "SubClassOf (:A :B)",
    "SubClassOf(:A ObjectSomeValuesFrom(:r ObjectIntersectionOf(:B :C ObjectSomeValuesFrom(:r :B))))",
    "SubClassOf(ObjectSomeValuesFrom(:r :A) ObjectSomeValuesFrom(:r :A))",
    "SubClassOf(:A ObjectUnionOf(:B :C))",
    "SubClassOf(Class(:A) Class(:B))",
    'SubClassOf(Annotation(rdfs:comment "it is \\" ) so") :A :B)',
    'AnnotationAssertion(rdfs:label <http://example.org/(A)#x> "é # )"@en)',
    "EquivalentClasses(:A)",
    "EquivalentClasses(:A ObjectIntersectionOf(:B :B))",
    "EquivalentClasses(:A ObjectIntersectionOf(:B) :A)",
    "DisjointClasses(:A :B :C)",
    "Declaration(Class(:A))",
    "Declaration(ObjectProperty(:A))",
    "Declaration(NamedIndividual(:A))",
    "Declaration(DataProperty(:d))",
    'Declaration(Annotation(rdfs:comment "x") Class(:A))',
    "ClassAssertion(ObjectSomeValuesFrom(:r :A) :i)",
    "ClassAssertion(:A _:x)",
    "ObjectPropertyAssertion(:r :i _:x)",
    "ObjectPropertyAssertion(ObjectInverseOf(:r) :i :j)",
    "SubClassOf(owl:Thing <http://www.w3.org/2002/07/owl#Nothing>)",
    "SubClassOf(:é <http://example.org/ü>)",
    'Annotation(rdfs:label "of the ontology")',
    "Import(<http://example.org/other>)",
    "TransitiveObjectProperty(:r)",
]
NO_STATEMENTS = [
    "SubClassOf(:A)",
    "SubClassOf(:A :B :C)",
    "SubClassOf(:A 5)",
    "SubClassOf(:A _:x)",
    "SubClassOf(:A none)",
    "SubClassOf(:A undeclared:B)",
    'SubClassOf(:A "B")',
    "SubClassOf(:A <a b>)",
    "SubClassOf(:A SubClassOf(:B :C))",
    "EquivalentClasses()",
    "EquivalentClasses(:A ObjectIntersectionOf())",
    "ObjectSomeValuesFrom(:r :A)",
    "Declaration(:A)",
    "Declaration(Class(:A) :B)",
    "Declaration(Class(:A) Class(:B))",
    "Declaration(Class(ObjectIntersectionOf(:A)))",
    "Declaration(NamedIndividual(_:x))",
    "Declaration(Class())",
    "Declaration(:A Class())",
    "Declaration(:r ObjectProperty())",
    "Declaration(:i NamedIndividual())",
    "ClassAssertion(:A ObjectSomeValuesFrom(:r :A))",
    "ObjectPropertyAssertion(:r :i)",
    "Ontology()",
    "Ontology(<a>)",
    "Prefix(a:=<b>)",
    ":A",
    "(:A)",
    "SubClassOf(:A :B",
    "SubClassOf(:A :B))",
]


def document(*statements: str) -> str:
    return f"Prefix(:=<{EX}>)\n# (\nOntology(<{EX}o> # )\n" + "\n".join(statements) + "\n) # end\n"


@pytest.mark.parametrize("statement", STATEMENTS_BY_HAND)
def test_each_statement_by_hand(statement: str) -> None:
    text = document("SubClassOf(:Z :Y)", statement, "SubClassOf(:Y :X)", statement)
    assert plain(text) == usual(text) is not None


def test_all_statements_together_keep_their_order() -> None:
    text = document(*STATEMENTS_BY_HAND, *reversed(STATEMENTS_BY_HAND))
    assert plain(text) == usual(text) is not None


@pytest.mark.parametrize("statement", NO_STATEMENTS)
def test_what_is_wrong_is_left_to_the_reader_that_says_so(statement: str) -> None:
    text = document("SubClassOf(:Z :Y)", statement)
    assert usual(text) is None
    assert plain(text) is None


@pytest.mark.parametrize(
    "text",
    [
        "",
        "Ontology(",
        "Prefix(:=<a>)",
        "SubClassOf(:A :B)",
        "Ontology() Ontology()",
        "Ontology() x",
        "Ontology(<a> <b> <c>)",
        "Prefix(:=<a>) Prefix(:=<b>) Ontology()",
    ],
)
def test_what_is_no_document_is_left_alone(text: str) -> None:
    assert usual(text) is None
    assert plain(text) is None


@pytest.mark.parametrize("text", ["Ontology()", "Ontology(<a>)", "Ontology(<a> <b>)", " # x\nOntology( )\n#"])
def test_a_document_of_nothing(text: str) -> None:
    assert plain(text) == usual(text) is not None


@pytest.mark.parametrize(
    "statement", ["SubClassOf(:A\u00a0:B)", "SubClassOf(:A\u2028:B)", "Declaration(Class(\u3000:B))"]
)
def test_white_space_beyond_ascii_is_left_to_the_usual_reader(statement: str) -> None:
    assert usual(document(statement)) is not None
    assert plain(document(statement)) is None


def test_plain_statements_are_read_as_numbers() -> None:
    text = document(*(one for one in STATEMENTS_BY_HAND if "SubClassOf(:A" in one or "EquivalentClasses" in one))
    assert others(text) == 1  # ObjectUnionOf


def test_one_object_stands_for_one_class() -> None:
    read = plain(document("SubClassOf(:A :B)", f"SubClassOf(<{EX}B> :A)", "Declaration(Class(:A))"))
    assert read is not None
    first, second = read.axioms
    assert isinstance(first, SubClassOf)
    assert isinstance(second, SubClassOf)
    assert first.sub is second.sup is read.declarations[0].entity
    assert read.declarations == (Declaration(Class(EX + "A")),)


@pytest.mark.parametrize("path", GOLDEN, ids=lambda path: path.stem)
def test_the_golden_documents(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert plain(text) == usual(text) is not None


def test_where_space_runs_out_it_begins_again_with_more(monkeypatch: pytest.MonkeyPatch) -> None:
    more = (f"EquivalentClasses(:A{n} ObjectIntersectionOf(:B :C{n}))" for n in range(50))
    many = f"DisjointClasses({' '.join(f':D{n}' for n in range(99))})"
    text = document(*STATEMENTS_BY_HAND, *more, many)
    rooms: list[Room] = []

    def make_space(room: Room) -> Space:
        rooms.append(dict(room))
        return as_lists(room)

    monkeypatch.setattr(read_plain, "usual_room", lambda _: dict.fromkeys((NAMES, NODES, OPERANDS, STATEMENTS, TOP), 4))
    data = text.encode()
    assert read_plain.read_plain(data, data, plain_statements.scan, make_space) == usual(text) is not None
    assert all(room > 4 for room in rooms[-1].values())  # each of them was short once
    for before, after in pairwise(rooms):
        (short,) = (part for part in before if before[part] != after[part])
        assert after[short] == 4 * before[short]


def test_a_comment_of_parentheses_takes_no_space() -> None:
    assert read_plain.usual_room(b"(" * 3_000_000) == read_plain.usual_room(b" " * 3_000_000)


def test_without_memory_the_usual_reader_reads() -> None:
    def none_left(_: Room) -> Space:
        raise MemoryError

    data = document("SubClassOf(:A :B)").encode()
    assert read_plain.read_plain(data, data, plain_statements.scan, none_left) is None


def test_names_hash_by_another_number_each_time() -> None:
    room = read_plain.usual_room(b"")
    assert read_plain.new_space(room).counters[SEED] != read_plain.new_space(room).counters[SEED]


def test_it_goes_on_after_a_pause(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(read_plain, "BETWEEN_PAUSES", 30)
    text = document(*STATEMENTS_BY_HAND)
    assert plain(text) == usual(text) is not None


def test_machine_code_reads_the_same() -> None:
    more = (f"SubClassOf(:A{n} ObjectSomeValuesFrom(:r{n % 7} :A{n // 2}))" for n in range(3000))
    text = document(*STATEMENTS_BY_HAND, *more)
    assert read_plain.read_large(text.encode()) == usual(text) is not None
    for statement in NO_STATEMENTS:
        assert read_plain.read_large(document(statement).encode()) is None


@pytest.mark.parametrize("is_large", [False, True])
def test_only_a_large_document_is_read_so(monkeypatch: pytest.MonkeyPatch, is_large: bool) -> None:
    text = document(*STATEMENTS_BY_HAND)
    seen: list[bytes] = []
    monkeypatch.setattr(functional_syntax, "LARGE", len(text.encode()) + (not is_large))
    monkeypatch.setattr(read_plain, "read_large", seen.append)
    assert functional_syntax.SYNTAX.read(text.encode(), "o.ofn", ()) == usual(text)
    assert seen == [text.encode()] * is_large


def test_without_a_folder_for_code_nothing_is_compiled(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(read_plain, "folder", lambda: None)
    assert read_plain.read_large(document("SubClassOf(:A :B)").encode()) is None
