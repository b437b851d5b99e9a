"""Evidence is read in every form, and what is wrong with it is said of the atom."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from moose.base.errors import ContradictoryEvidence, MooseError, UnknownName
from moose.grounding.atoms import Atom, parse_atom, parse_literals
from moose.grounding.clauses import Clauses
from moose.grounding.evidence import read_evidence
from moose.grounding.ground import ground
from moose.grounding.task.regimes import regime
from moose.grounding.task.task import Task
from tests.grounding.tasks import ontology_of
from tests.searching import examples


@pytest.fixture(scope="module")
def pinned() -> Clauses:
    return ground(regime("mnist2"), encoding="paper", pin_roles=True)


def test_literals_are_parted_by_commas() -> None:
    assert parse_literals(" Even( a ) ,not succ(a , b),¬Odd(b) ") == [
        (Atom("Even", ("a",)), True),
        (Atom("succ", ("a", "b")), False),
        (Atom("Odd", ("b",)), False),
    ]
    assert parse_literals("") == []
    assert parse_literals("not(a), nothing(b)") == [(Atom("not", ("a",)), True), (Atom("nothing", ("b",)), True)]
    assert parse_literals("<http://e.org/f(x)>(a)") == [(Atom("<http://e.org/f(x)>", ("a",)), True)]
    assert parse_literals("Even(<http://e.org/in,d>)") == [(Atom("Even", ("<http://e.org/in,d>",)), True)]


@pytest.mark.parametrize("text", ["Even", "Even(a", "Even(a) Odd(a)", "not", "Even()", "Even(a,b,c)", ",", "Even(a),,"])
def test_other_text_is_refused(text: str) -> None:
    with pytest.raises(MooseError, match="expected literals such as Even"):
        parse_literals(text)


IRIS = st.text("ab:/,(). ", max_size=5).map("<{}>".format)
NAMES = st.text("abcxyz:_-.09é", min_size=1, max_size=5) | IRIS | st.text("ab '\\(),<>¬", min_size=1, max_size=6)
ATOMS = st.builds(Atom, NAMES, st.lists(NAMES, min_size=1, max_size=2).map(tuple))


@given(st.lists(st.tuples(ATOMS, st.booleans()), max_size=5))
@examples(60)
def test_printed_literals_are_read_back(literals: list[tuple[Atom, bool]]) -> None:
    text = ", ".join(str(atom) if is_true else f"not {atom}" for atom, is_true in literals)
    assert parse_literals(text) == literals
    assert all(parse_atom(str(atom)) == atom for atom, _ in literals)


FORMS: list[Any] = [
    {"Even(a)": True, "Prime(b)": False},
    {Atom("Even", ("a",)): True, Atom("Prime", ("b",)): np.bool_(False)},
    {"Even( a )": 1, Atom("Prime", ("b",)): 0},
    ["Even(a)", "not Prime(b)"],
    "Even(a), not Prime(b)",
    ("Even(a), not Prime(b)", "Even(a)"),
]


@pytest.mark.parametrize("evidence", FORMS)
def test_every_form_means_the_same(pinned: Clauses, evidence: Any) -> None:
    expected = {pinned.positions[Atom("Even", ("a",))]: True, pinned.positions[Atom("Prime", ("b",))]: False}
    assert read_evidence(pinned, evidence) == expected


def test_no_evidence(pinned: Clauses) -> None:
    assert read_evidence(pinned, None) == read_evidence(pinned, {}) == read_evidence(pinned, []) == {}


def test_what_is_known_in_advance_may_be_repeated_but_not_denied(pinned: Clauses) -> None:
    assert read_evidence(pinned, ["succ(a,b)", "not succ(b,a)"]) == {}
    for literal in ("not succ(a,b)", "succ(b,a)", "succ(a,a)"):
        with pytest.raises(ContradictoryEvidence, match="is known to be") as caught:
            read_evidence(pinned, [literal])
        assert caught.value.literals == (literal,)


def test_both_polarities_contradict_each_other(pinned: Clauses) -> None:
    with pytest.raises(ContradictoryEvidence, match=r"says both Even\(a\) and not Even\(a\)") as caught:
        read_evidence(pinned, "Even(a), not Even(a)")
    assert caught.value.literals == ("Even(a)", "not Even(a)")


def test_latent_atoms_may_be_refused(pinned: Clauses) -> None:
    assert len(read_evidence(pinned, ["D3(a)"])) == 1
    with pytest.raises(MooseError, match=r"D3\(a\) is latent, so it cannot be evidence; observe Even, Odd, Prime"):
        read_evidence(pinned, ["D3(a)"], allow_latent=False)


def test_latent_roles_may_be_refused(tmp_path: Path) -> None:
    axioms = "Declaration(Class(:A)) Declaration(ObjectProperty(:r)) Declaration(ObjectProperty(:s))"
    task = Task(ontology_of(tmp_path, axioms), ["a", "b"], observed=["A", "s"], latent=["r"])
    clauses = ground(task, encoding="paper")
    assert len(read_evidence(clauses, ["s(a,b)"], allow_latent=False)) == 1
    with pytest.raises(MooseError, match=r"r\(a,b\) is latent, so it cannot be evidence; observe A, s"):
        read_evidence(clauses, ["r(a,b)"], allow_latent=False)


MISTAKES: list[tuple[Any, type[MooseError], str]] = [
    ({"Evn(a)": True}, UnknownName, r"no atom Evn\(a\): the task has no concept or role 'Evn'; did you mean Even"),
    ({"Even(c)": True}, UnknownName, r"no atom Even\(c\): the task has no individual 'c'; its individuals are a, b"),
    ({"Even(a,b)": True}, UnknownName, r"no atom Even\(a,b\) in the task; the atoms of Even are such as Even\(a\)"),
    ({"succ(a)": True}, UnknownName, r"the atoms of succ are such as succ\(a,b\)"),
    ({"Even(a)": 0.5}, MooseError, r"expected true or false for Even\(a\), but got 0.5; a probability is a weight"),
    ({"Even(a)": None}, MooseError, "expected true or false"),
    ({"Even": True}, MooseError, "expected an atom such as"),
    ([Atom("Even", ("a",))], MooseError, "expected literals such as"),
    (3, MooseError, "expected evidence such as .*, but got 3"),
    ({3: True}, MooseError, "expected an atom such as .*, but got 3"),
    ({"Even(a)": np.array([1, 0])}, MooseError, r"expected true or false for Even\(a\), but got array"),
    ({"Even(a)": "yes"}, MooseError, r"expected true or false for Even\(a\), but got 'yes'"),
    ({"<http://e.org/Even>(a)": True}, UnknownName, "its predicates, as the task writes them, are D0, D1"),
]


@pytest.mark.parametrize(("evidence", "kind", "message"), MISTAKES)
def test_mistakes_are_named(pinned: Clauses, evidence: Any, kind: type[MooseError], message: str) -> None:
    with pytest.raises(kind, match=message):
        read_evidence(pinned, evidence)
