"""The drawing of a circuit: well-formed, with every name and one box for each side of an element."""

from __future__ import annotations

from pathlib import Path
from xml.etree import ElementTree as ET

import pytest
from hypothesis import given

from moose.base.errors import MooseError
from moose.circuit.picture import draw_diagram, reachable
from moose.grounding.atoms import Atom
from moose.grounding.clauses import Clauses, clauses_from_lists
from tests.circuit.plain_compiler import both, circuit_of
from tests.circuit.random_clauses import clause_sets
from tests.searching import examples

SVG = "{http://www.w3.org/2000/svg}"


@given(clause_sets(most=6))
@examples(40)
def test_every_element_is_drawn(clauses: Clauses) -> None:
    for diagram in both(clauses):
        picture = ET.fromstring(draw_diagram(diagram, [str(atom) for atom in clauses.atoms], most=1000))
        decisions = reachable(diagram)
        elements = sum(int(diagram.starts[decision + 1] - diagram.starts[decision]) for decision in decisions)
        assert len(picture.findall(f"{SVG}circle")) == len(decisions)
        assert len(picture.findall(f"{SVG}rect")) == 1 + (2 * elements or 1)


def test_names_are_shown_and_escaped(tmp_path: Path) -> None:
    circuit = circuit_of(clauses_from_lists([Atom("A<&", ("a",)), Atom("B", ("a",))], [(1, 2)]))
    circuit.write_svg(tmp_path / "circuit.svg")
    texts = [text.text for text in ET.parse(tmp_path / "circuit.svg").iter(f"{SVG}text")]
    assert texts == ["∨", "A<&(a)", "⊤", "¬A<&(a)", "●", "∧", "B(a)", "⊤"]


def test_a_literal_alone_is_drawn() -> None:
    assert ">A(a)<" in circuit_of(clauses_from_lists([Atom("A", ("a",))], [(1,)])).svg()
    assert ">⊤<" in circuit_of(clauses_from_lists([Atom("A", ("a",))], [])).svg()


def test_too_large_a_circuit_is_refused_politely() -> None:
    diagram = circuit_of(clauses_from_lists([Atom("A", ("a",)), Atom("B", ("a",))], [(1, 2)])).diagram
    with pytest.raises(MooseError, match=r"the circuit has 2 decisions, too many to read in one drawing \(at most 0\)"):
        draw_diagram(diagram, ["A", "B"], most=0)
