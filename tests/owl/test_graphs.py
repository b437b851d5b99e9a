"""Ontologies out of the graphs of other libraries, where these are installed."""

from __future__ import annotations

import io
from typing import Any

import pyoxigraph
import pytest

import moose
from moose.base.errors import MooseError


@pytest.fixture(scope="module")
def turtle() -> bytes:
    text = io.StringIO()
    moose.write(moose.load(moose.PIZZERIA), text, "turtle")
    return text.getvalue().encode()


def test_a_stream(turtle: bytes) -> None:
    assert same(moose.load(io.BytesIO(turtle)))


def same(ontology: moose.Ontology) -> bool:
    expected = moose.load(moose.PIZZERIA)
    assert set(ontology.axioms) == set(expected.axioms)
    assert ontology.iri == expected.iri
    assert set(ontology.annotations.assertions) == set(expected.annotations.assertions)
    return True


@pytest.mark.parametrize("graph", [None, "urn:a-graph"])
def test_a_store_of_pyoxigraph(turtle: bytes, graph: str | None) -> None:
    store = pyoxigraph.Store()
    into = pyoxigraph.NamedNode(graph) if graph else None
    store.load(turtle, format=pyoxigraph.RdfFormat.TURTLE, to_graph=into)
    assert same(moose.load(store))


def test_a_graph_of_rdflib(turtle: bytes) -> None:
    rdflib = pytest.importorskip("rdflib", reason="rdflib is not installed")
    graph = rdflib.Graph()
    graph.parse(data=turtle, format="turtle")
    assert same(moose.load(graph))
    dataset = rdflib.Dataset()
    dataset.graph("urn:a-graph").parse(data=turtle, format="turtle")
    assert same(moose.load(dataset))


def test_a_world_of_owlready2() -> None:
    owlready2 = pytest.importorskip("owlready2", reason="owlready2 is not installed")
    world = owlready2.World()
    made = world.get_ontology("http://e.org/o#")
    with made:
        first: Any = type("A", (owlready2.Thing,), {})
        second: Any = type("B", (owlready2.Thing,), {})
        role: Any = type("r", (owlready2.ObjectProperty,), {})
        first.is_a.append(role.some(second))
        first.label = ["the first"]
    for source in (world, made):
        ontology = moose.load(source)
        taxonomy = moose.classify(ontology)
        assert taxonomy.query("r some B").descendants == ("http://e.org/o#A",)
        assert ontology.labels["http://e.org/o#A"] == "the first"


def test_anything_else_is_refused() -> None:
    with pytest.raises(MooseError, match="expected a file, a stream of bytes, or a graph of rdflib, pyoxigraph"):
        moose.load(42)  # type: ignore[arg-type]  # what is tested
