"""Axioms in contexts: by hand, against all worlds of the network, and against `moose.query`."""

from __future__ import annotations

import random
from collections.abc import Mapping
from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from moose.base.errors import MooseError
from moose.owl.model import axioms as ax
from moose.owl.model.expressions import Class
from moose.queries.contexts import (
    BayesianNetwork,
    ContextualOntology,
    Variable,
    query_in_context,
    read_contexts,
    read_network,
)
from moose.queries.probabilities.numbers import Number
from moose.queries.probabilities.probabilities import Probabilities
from moose.queries.query import query
from tests.queries.test_query import draw_goal
from tests.queries.worlds import chosen, entails
from tests.saturation.answers import make
from tests.saturation.random_ontologies import ontologies
from tests.searching import examples

A, B, C = (Class(f"urn:t#{name}") for name in "ABC")
CHAIN = [ax.SubClassOf(A, B), ax.SubClassOf(B, C)]
WINTER: dict[str, Number | Mapping[str, Number]] = {"winter": "0.3", "flu": {"winter": "1/5", "not winter": "1/20"}}


def winter(**contexts: str) -> ContextualOntology:
    """A ⊑ B and B ⊑ C in contexts."""
    named: dict[str | ax.Axiom, str] = {axiom: contexts[name] for name, axiom in zip("ab", CHAIN) if name in contexts}
    return ContextualOntology.of(make(CHAIN), WINTER, named)


def test_a_chain_by_hand() -> None:
    goal = ax.SubClassOf(A, C)
    flu = Fraction(3, 10) * Fraction(1, 5) + Fraction(7, 10) * Fraction(1, 20)
    assert query_in_context(winter(a="flu"), goal).probability == flu
    assert query_in_context(winter(a="flu", b="winter"), goal).probability == Fraction(3, 50)
    assert query_in_context(winter(a="flu", b="not flu"), goal).probability == 0
    assert query_in_context(winter(a="flu", b="flu"), goal).probability == flu  # once, not twice
    assert query_in_context(winter(a="flu"), goal, given="winter").probability == Fraction(1, 5)
    assert query_in_context(winter(a="winter"), goal, given="flu").probability == Fraction(3, 50) / flu
    assert query_in_context(winter(), goal).probability == 1


def test_a_probability_besides() -> None:
    ontology = make(CHAIN)
    chances = Probabilities(ontology, {0: Fraction(1, 2), 1: Fraction(1, 3)})
    one = ContextualOntology.of(ontology, WINTER, {ontology.axioms[0]: "winter"}, chances)
    assert query_in_context(one, ax.SubClassOf(A, C)).probability == Fraction(3, 10) / 6


def drawn_network(source: random.Random) -> BayesianNetwork:
    """Three variables, each with some of those before it as parents."""
    variables = list[Variable]()
    for name in "uvw":
        parents = tuple(one.name for one in variables if source.random() < 0.6)
        rows = [tuple(bool(bits >> place & 1) for place in range(len(parents))) for bits in range(2 ** len(parents))]
        variables.append(Variable(name, parents, {row: Fraction(source.randint(0, 6), 6) for row in rows}))
    return BayesianNetwork(tuple(variables))


def drawn_context(source: random.Random) -> dict[str, bool]:
    return {name: source.random() < 0.5 for name in "uvw" if source.random() < 0.5}


@examples(25)
@given(ontologies(max_axioms=10), st.randoms(use_true_random=False))
def test_probability_is_that_of_all_worlds(axioms: list[ax.Axiom], source: random.Random) -> None:
    ontology, network = make(axioms), drawn_network(source)
    contexts = {place: drawn_context(source) for place in range(len(ontology.axioms)) if source.random() < 0.7}
    one = ContextualOntology(ontology, network, contexts, Probabilities(ontology, {}))
    goal, evidence = draw_goal(source), drawn_context(source)
    whole = part = Fraction(0)
    for world, probability in network.worlds():
        if all(world[name] == value for name, value in evidence.items()):
            whole += probability
            held = [place for place in range(len(ontology.axioms)) if contexts.get(place, {}).items() <= world.items()]
            part += probability if entails(chosen(ontology, held), goal.sub, goal.sup) else 0
    text = ", ".join(name if value else f"not {name}" for name, value in evidence.items())
    if not whole:
        with pytest.raises(MooseError, match="probability 0"):
            query_in_context(one, goal, given=text)
        return
    found = query_in_context(one, goal, given=text)
    assert found.lower == part / whole and (found.upper == found.lower or ontology.profile.outside)


def test_variables_without_parents_are_the_probabilities_of_query() -> None:
    ontology = make(CHAIN)
    chances = Probabilities(ontology, {0: Fraction(1, 3), 1: Fraction(1, 4)})
    network = {"x": "1/3", "y": "1/4"}
    one = ContextualOntology.of(ontology, network, dict(zip(ontology.axioms, network)))
    for goal in (ax.SubClassOf(A, C), ax.SubClassOf(A, B)):
        exact = query(ontology, goal, probabilities=chances).probability
        assert query_in_context(one, goal).probability == exact


def test_a_file(tmp_path: Path) -> None:
    file = tmp_path / "contexts.toml"
    file.write_text(
        '[network]\nwinter = "0.3"\nflu = { winter = "1/5", "not winter" = "1/20" }\n'
        '[contexts]\n"SubClassOf(<urn:t#A> <urn:t#B>)" = "flu, not winter"\n'
    )
    one = read_contexts(file, make(CHAIN))
    assert query_in_context(one, ax.SubClassOf(A, C)).probability == Fraction(7, 200)


@pytest.mark.parametrize(
    ("network", "message"),
    [
        ({"flu": {"winter": 0.1, "not winter": 0.2}}, "winter"),  # its parent does not stand before it
        ({"winter": 0.3, "flu": {"winter": 0.1}}, "every value of its parents"),
        ({"winter": 0.3, "flu": {}}, "every value of its parents"),
        ({"winter": 1.3}, "1.3"),
        ({"not winter": 0.3}, "name of a variable"),
        ({" winter": 0.3}, "name of a variable"),  # no context could name it
        ({"winter": 0.3, "flu": {"winter": 0.1, "": 0.2}}, "every value of its parents"),
        ({"winter": 0.3, "flu": {"winter": 0.1, "winter, winter": 0.4, "not winter": 0.2}}, "once"),
    ],
)
def test_bad_networks_are_refused(network: dict[str, object], message: str) -> None:
    with pytest.raises(MooseError, match=message):
        read_network(network)  # type: ignore[arg-type]


def test_bad_contexts_are_refused(tmp_path: Path) -> None:
    with pytest.raises(MooseError, match="summer"):
        winter(a="summer")
    with pytest.raises(MooseError, match="hold and not hold"):
        winter(a="flu, not flu")
    twice: dict[str | ax.Axiom, str] = {CHAIN[0]: "flu", "SubClassOf(<urn:t#A> <urn:t#B>)": "winter"}
    with pytest.raises(MooseError, match="another context already"):
        ContextualOntology.of(make(CHAIN), WINTER, twice)
    for content in ("[network]\n", "network = 1\ncontexts = 2\n", "[", "[network]\n[contexts]\na = 1\n"):
        file = tmp_path / "contexts.toml"
        file.write_text(content)
        with pytest.raises(MooseError, match=r"contexts\.toml: expected"):
            read_contexts(file, make(CHAIN))
    with pytest.raises(MooseError, match="cannot be read"):
        read_contexts(tmp_path / "nothing.toml", make(CHAIN))
