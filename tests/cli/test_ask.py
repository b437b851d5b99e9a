"""`moose ask` prints what evidence entails and how probable the rest is."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.running import Command


def test_an_answer_for_people(moose: Command) -> None:
    outcome = moose("ask", "mnist1", "--evidence", "Even(a), Prime(a)")
    assert (outcome.code, outcome.err) == (0, "")
    lines = outcome.out.splitlines()
    assert lines[0] == "evidence\tEven(a), Prime(a)"
    assert lines[1] == "models\t1"
    assert "D2(a)" in lines[2]
    assert lines[3] == "most probable\tD2(a), Even(a), Prime(a) (1)"
    assert "  D2(a)\t1" in lines
    assert lines[-1].startswith("under the assumptions\tEL fragment, named individuals, ")


@pytest.mark.parametrize("encoding", ["full", "paper"])
def test_an_answer_for_programs(moose: Command, encoding: str) -> None:
    asked = ("ask", "mnist2", "--evidence", "Even(a), not Prime(b)", "--encoding", encoding, "--json")
    found = moose(*asked).json
    assert found["evidence"] == ["Even(a)", "not Prime(b)"]
    assert found["models"] == 2  # 0 and 1, 8 and 9: after 2, 4 and 6 comes a prime
    assert found["posterior"]["D0(a)"] == pytest.approx(0.5)
    assert found["posterior"]["D9(b)"] == pytest.approx(0.5)
    assert {"Odd(b)", "not Odd(a)", "not D2(a)"} <= set(found["entailed"])
    assert not {"Even(a)", "not Prime(b)"} & set(found["entailed"])
    assert found["most_probable"]["probability"] == pytest.approx(0.5)


def test_without_evidence(moose: Command) -> None:
    outcome = moose("ask", "mnist1")
    assert outcome.out.startswith("evidence\tnone\nmodels\t10\nentailed\tnothing more\n")


def test_weights_move_the_posterior(moose: Command, tmp_path: Path) -> None:
    weights = tmp_path / "weights.json"
    weights.write_text('{"D3(a)": 0.9, "D5(a)": [2, 1]}')
    asked = ("ask", "mnist1", "--evidence", "Odd(a), Prime(a)", "--json")
    found = moose(*asked, "--weights", weights).json
    # the odds of the digits are 9 : 2 : 1
    assert found["posterior"]["D3(a)"] == pytest.approx(9 / 12)
    assert found["posterior"]["D5(a)"] == pytest.approx(2 / 12)
    assert "D3(a)" in found["most_probable"]["true"]


def test_contradictory_evidence_is_refused_with_a_clash(moose: Command) -> None:
    outcome = moose("ask", "mnist1", "--evidence", "Even(a), Prime(a), D4(a)")
    assert (outcome.code, outcome.out) == (1, "")
    (line,) = outcome.err.splitlines()
    assert line.startswith("moose: the evidence contradicts the theory")
    found = moose("ask", "mnist1", "--evidence", "Even(a), Prime(a), D4(a)", "--json")
    assert found.code == 1
    assert {"D4(a)", "Prime(a)"} <= set(found.json["literals"]) <= {"D4(a)", "Prime(a)", "Even(a)"}
    assert found.json["clauses"]
    both = moose("ask", "mnist1", "--evidence", "Even(a), not Even(a)")
    assert (both.code, "says both" in both.err) == (1, True)


MISTAKES = [
    (("--evidence", "Evn(a)"), "no concept or role 'Evn'; did you mean Even?"),
    (("--evidence", "Even(b)"), "no individual 'b'"),
    (("--evidence", "Even"), "expected literals such as"),
    (("--evidence", "D2(a)", "--observed-only"), "D2(a) is latent, so it cannot be evidence"),
]


@pytest.mark.parametrize(("arguments", "message"), MISTAKES)
def test_mistakes_are_one_line(moose: Command, arguments: tuple[str, ...], message: str) -> None:
    assert message in moose("ask", "mnist1", *arguments).one_complaint()


@pytest.mark.parametrize(("text", "message"), [
    ("[1]", 'expected an object such as {"D3(a)": 0.9}, but got list'),
    ("{", "expected probabilities by atom in JSON"),
    ('{"D3(a)": "high"}', "D3(a)"),
    ('{"D3": 0.5}', "D3"),
    ('{"D3(a)": 0.5, "D3(a)": 0.25}', "'D3(a)' stands twice, with 0.5 and 0.25; keep one"),
    ('{"D3(a)": 0.5, "D3( a )": 0.25}', "the weights say both 0.5 and 0.25 of D3(a); keep one"),
    (f'{{"D3(a)": {"9" * 5000}}}', "atom in JSON, but a number in it has thousands of digits"),
    (f'{{"D3(a)": {"[" * 99999}', "atom in JSON, but its lists are nested too deeply"),
])  # fmt: skip
def test_bad_weights_are_named(moose: Command, tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "weights.json"
    path.write_text(text)
    assert message in moose("ask", "mnist1", "--weights", path).one_complaint()


def test_missing_weights_are_named(moose: Command, tmp_path: Path) -> None:
    complaint = moose("ask", "mnist1", "--weights", tmp_path / "none.json").one_complaint()
    assert "none.json: no such file or directory" in complaint


def test_bounds_of_an_answer(moose: Command, tmp_path: Path) -> None:
    weights = tmp_path / "weights.json"
    weights.write_text('{"D3(a)": 0.9, "D5(a)": [2, 1]}')
    asked = ("ask", "mnist1", "--evidence", "Odd(a), Prime(a)", "--weights", weights, "--bounds")
    found = moose(*asked, "--json").json
    assert found["evidence"] == ["Odd(a)", "Prime(a)"]
    assert found["posterior"]["D3(a)"]["lower"] <= 9 / 12 <= found["posterior"]["D3(a)"]["upper"]
    assert found["posterior"]["Odd(a)"] == {"lower": 1.0, "upper": 1.0}
    assert found["log_wmc"]["lower"] <= found["log_wmc"]["upper"] < 0
    lines = moose(*asked).out.splitlines()
    assert "  D3(a)\t[0.75, 0.75]" in lines
    assert lines[1].startswith("log WMC\t[")


def test_bounds_of_contradictory_evidence(moose: Command) -> None:
    outcome = moose("ask", "mnist1", "--evidence", "Even(a), Prime(a), D4(a)", "--bounds")
    assert (outcome.code, outcome.out) == (1, "")
    assert outcome.err.startswith("moose: the evidence contradicts the theory")
    outcome = moose("ask", "mnist2", "--encoding", "paper", "--evidence", "not succ(a,b)", "--bounds")
    assert outcome.code == 1 and "is given in every instance" in outcome.err


def test_bounds_refuse_what_they_do_not_take(moose: Command) -> None:
    outcome = moose("ask", "mnist1", "--bounds", "--vtree", "linear")
    assert outcome.code == 2 and "--vtree linear" in outcome.err
    outcome = moose("ask", "mnist1", "--bounds", "--observed-only", "--evidence", "D1(a)")
    assert outcome.code == 2 and "D1(a)" in outcome.err
