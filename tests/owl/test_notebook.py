"""What notebooks and other libraries get of the values: HTML with every text escaped, data frames, graphs."""

from __future__ import annotations

import builtins
from html.parser import HTMLParser

import pytest

import moose
from moose.base.errors import MooseError
from moose.owl.model.axioms import SubClassOf
from moose.owl.model.expressions import Class, ObjectIntersectionOf, ObjectProperty, ObjectSomeValuesFrom
from moose.owl.notebook import html_table
from moose.owl.syntax.functional.functional_tokens import Kind
from moose.owl.syntax.goal_text import parse_axiom

BASE = "https://example.org/pizzeria#"


class Tags(HTMLParser):
    """The tags of a text, and what stands between them."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: set[str] = set()
        self.texts: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)

    def handle_data(self, data: str) -> None:
        self.texts.append(data)


@pytest.fixture(scope="module")
def taxonomy() -> moose.Taxonomy:
    return moose.classify(moose.load(moose.PIZZERIA))


def test_html_of_each_value(taxonomy: moose.Taxonomy) -> None:
    values = [taxonomy, taxonomy.ontology, taxonomy.query("contains some Fish"), moose.realise(taxonomy.ontology)]
    for value in values:
        page = Tags(value._repr_html_())  # type: ignore[attr-defined]  # each has one
        assert page.tags <= {"table", "caption", "tr", "th", "td"}
        assert repr(value) in page.texts


def test_hostile_names_stay_text() -> None:
    hostile = "<img src=x onerror=alert(1)>"
    ontology = moose.ontology([SubClassOf(Class(f"http://e.org/{hostile}"), Class("http://e.org/B"))])
    for value in (moose.classify(ontology), ontology, moose.classify(ontology).query("B")):
        assert "img" not in Tags(value._repr_html_()).tags


def test_a_long_table_says_what_is_left() -> None:
    assert "and 980 more" in Tags(html_table("many", ["n"], ([str(one)] for one in range(1000)), count=1000)).texts


def test_a_proof_is_drawn(taxonomy: moose.Taxonomy) -> None:
    explanation = taxonomy.explain("Napoli", "Food")
    assert explanation is not None
    assert (explanation._repr_svg_() or "").startswith("<svg")
    assert repr(explanation).startswith("Explanation(SubClassOf(Napoli Food), ")


def test_goals_as_text(taxonomy: moose.Taxonomy) -> None:
    ontology = taxonomy.ontology
    assert moose.entailment(ontology, "Napoli SubClassOf Food")
    assert moose.explain(ontology, "Food SubClassOf Napoli") is None
    assert moose.explain(ontology, "SubClassOf(Napoli Food)") == taxonomy.explain("Napoli", "Food")


@pytest.mark.parametrize("iri", ["A", "a:b c", "http://e.org/<img>", "Ä|{}", "1", "urn:plain"])
def test_a_name_may_stand_for_an_iri_that_the_syntax_cannot_write(iri: str) -> None:
    def resolve(kind: type[Kind], name: str) -> Kind:
        return kind(iri if name == "'odd'" else f"urn:{name}")

    told = parse_axiom("'odd' and C SubClassOf r some 'odd'", "the goal", resolve)
    odd, role = Class(iri), ObjectProperty("urn:r")
    assert told == SubClassOf(ObjectIntersectionOf((odd, Class("urn:C"))), ObjectSomeValuesFrom(role, odd))


def test_networkx(taxonomy: moose.Taxonomy) -> None:
    networkx = pytest.importorskip("networkx", reason="networkx is not installed")
    graph = taxonomy.to_networkx()
    assert set(graph.edges) == set(taxonomy.direct_pairs())
    assert networkx.descendants(graph, BASE + "Napoli") == set(taxonomy.ancestors("Napoli"))
    assert set(taxonomy.to_networkx(closure=True).edges) == set(taxonomy.closure_pairs())


def test_pandas(taxonomy: moose.Taxonomy) -> None:
    pytest.importorskip("pandas", reason="pandas is not installed")
    frame = taxonomy.to_pandas()
    assert list(zip(frame["sub"], frame["super"], strict=True)) == taxonomy.direct_pairs()
    matches = taxonomy.query("contains some Fish").to_pandas()
    assert set(matches[matches.relation == "sub"].iri) == set(taxonomy.query("contains some Fish").descendants)
    types = moose.realise(taxonomy.ontology).to_pandas()
    assert list(zip(types["individual"], types["class"], strict=True)) == moose.realise(taxonomy.ontology).types()


@pytest.mark.parametrize("name", ["pandas", "networkx"])
def test_what_is_not_installed_is_said(taxonomy: moose.Taxonomy, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    original = builtins.__import__

    def without(module: str, *rest: object, **more: object) -> object:
        if module == name:
            raise ImportError(module)
        return original(module, *rest, **more)  # type: ignore[arg-type]  # passed on as it came

    monkeypatch.setattr(builtins, "__import__", without)
    with pytest.raises(
        MooseError, match=f"expected {name} to make a .*, but it is not installed; `pip install {name}`"
    ):
        getattr(taxonomy, f"to_{name}")()
