"""A user's own features: columns of a table, found by name, with what is said of each row."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import pytest
import torch

import moose
from moose.base.errors import MooseError, MooseWarning
from moose.datasets.open import Dataset, open_dataset
from moose.datasets.table import read_instances
from moose.grounding.task.task import Task
from tests.datasets.places import make_table


def write(path: Path, *lines: str) -> Path:
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def opened(path: Path, *features: str, task: Task | str = "mnist1") -> Dataset:
    known = task if isinstance(task, Task) else moose.regime(task)
    return open_dataset("table", regime=known, folder=path, features=features)


def test_all_columns_that_hold_no_words_are_features(tmp_path: Path) -> None:
    dataset = opened(make_table(tmp_path / "digits.csv"))
    assert repr(dataset) == "Dataset(table, task: train 10, test 2)"
    assert dataset.train.inputs[3, 0].tolist() == [3.0, 9 / 8]
    assert dataset.train.literals(3) == ("not Even(a)",)
    assert dataset.test.truth[1, 0, 1] == 1
    named = write(tmp_path / "named.csv", "id,x,site,literals", "L01,1,pond,Odd(a)", "L02,2,,")
    assert opened(named).train.inputs[:, 0].tolist() == [[1.0], [2.0]]


def test_columns_are_chosen_by_pattern_in_the_order_of_the_patterns(tmp_path: Path) -> None:
    path = write(tmp_path / "t.csv", "name,x2,x1,y,literals", "one,2,1,9,Odd(a)")
    assert opened(path, "x*").train.inputs[0, 0].tolist() == [2.0, 1.0]
    assert opened(path, "y", "x1").train.inputs[0, 0].tolist() == [9.0, 1.0]
    assert opened(path, "x1", "x*").train.inputs[0, 0].tolist() == [1.0, 2.0]
    odd = write(tmp_path / "odd.csv", "x[1],x1,literals", "5,6,")
    assert opened(odd, "x[1]").train.inputs[0, 0].tolist() == [5.0]  # a name that is spelled out is no pattern


@pytest.mark.parametrize(
    ("task", "pattern", "said"),
    [
        ("mnist1", "tru*", "truth is read as what the rows say, and is no feature; leave 'tru*' out of the features"),
        ("mnist1", "z*", "expected columns like 'z*', but there is none; there is u_a, u_b, v_a, v_b, id and 1 more"),
        ("mnist2", "*_a", "features are named without the individual, as all have the same; for '*_a' give '*'"),
        ("mnist2", "v_b", "features are named without the individual, as all have the same; for 'v_b' give 'v'"),
        ("mnist2", "id", "id is a column, but of no individual; those of a end in _a"),
        ("mnist2", "literals", "literals is read as what the rows say"),
    ],
)
def test_a_pattern_without_features_says_why(tmp_path: Path, task: str, pattern: str, said: str) -> None:
    path = write(tmp_path / "t.csv", "u_a,u_b,v_a,v_b,id,w,literals,truth", "1,2,3,4,77,5,,")
    with pytest.raises(MooseError, match=re.escape(f"t.csv: {said}")):
        opened(path, pattern, task=task)


def test_individuals_have_columns_of_their_own(tmp_path: Path) -> None:
    path = write(tmp_path / "t.csv", "u_b,u_a,v_a,v_b,id,literals", "1,2,3,4,77,Prime(b)")
    train = opened(path, task="mnist2").train
    assert train.inputs[0].tolist() == [[2.0, 3.0], [1.0, 4.0]]
    assert opened(path, "v", task="mnist2").train.inputs[0].tolist() == [[3.0], [4.0]]


def test_graphs_and_who_is_there(tmp_path: Path) -> None:
    task = replace(moose.regime("mnist2"), roles={"succ": []})
    path = write(tmp_path / "t.csv", "x_a,x_b,literals,roles,individuals", '1,2,,"succ(a,b)",', "3,,,,a")
    train = opened(path, task=task).train
    assert train.graphs is not None and train.graphs[1].individuals == (0,)
    assert train.inputs.flatten().tolist() == [1.0, 2.0, 3.0, 0.0]


def test_who_is_in_no_row_needs_no_columns(tmp_path: Path) -> None:
    task = replace(moose.regime("mnist2"), roles={"succ": []})
    path = write(tmp_path / "t.csv", "x_b,y_b,literals,individuals", "3,4,Odd(b),b")
    assert opened(path, task=task).train.inputs.tolist() == [[[0.0, 0.0], [3.0, 4.0]]]
    everybody = write(tmp_path / "all.csv", "x_b,y_b,literals,individuals", "3,4,Odd(b),b", "3,4,,")
    with pytest.raises(MooseError, match="columns with features"):
        opened(everybody, task=task)


def test_what_is_wrong_with_a_row_is_said_of_its_line(tmp_path: Path) -> None:
    path = write(tmp_path / "t.csv", "x,literals", "1,Odd(a)", "2,", '3,"Odd(a), Even(a)"')
    data = opened(path)
    assert data.train[1:].title(1) == f"{path}:4"
    with pytest.raises(MooseError, match=r"the evidence of .*t\.csv:4"):
        moose.ConceptLearner(data.train.task, moose.mlp_encoder(1, 10)).fit(data.train, moose.Training(epochs=1))


@pytest.mark.parametrize("split", ["tset", "Train", "tests", "training", "validaton"])
def test_a_slip_of_a_split_is_one_sentence(tmp_path: Path, split: str) -> None:
    path = write(tmp_path / "t.csv", "x,literals,split", f"1,Odd(a),{split}")
    with pytest.raises(MooseError, match="did you mean"):
        opened(path)


def test_splits_may_have_other_names(tmp_path: Path) -> None:
    path = write(tmp_path / "t.csv", "x,literals,split", "1,,", "2,,test2", "3,,hospital", "4,,valid")
    assert list(opened(path)) == ["train", "test2", "hospital", "valid"]
    path = write(tmp_path / "u.csv", "x,literals,split", "1,,test")
    with pytest.raises(MooseError, match="nothing to learn from"):
        len(opened(path).train)


@pytest.mark.parametrize(
    ("lines", "features", "message"),
    [
        (["x,literals"], (), "at least one row below the header"),
        (["x", "1"], (), "expected a column literals"),
        (["literals", "Even(a)"], (), "expected columns with features"),
        (["x,literals", "1"], (), r"t\.csv:2: expected 2 fields, but got 1"),
        (["x,x,literals", "1,2,"], (), "expected one column 'x', but there are 2"),
        (["x,name,literals", "1,7,", "1,bob,"], (), r"t\.csv:3: expected a number under name, but got 'bob'.*'x\*'"),
        (["x,name,literals", "1,bob,"], ("name",), r"t\.csv:2: expected a number under name, but got 'bob'"),
        (["x;literals", "1,5;"], (), "expected commas between columns, but the header has semicolons"),
        (["x\tliterals", "1\t"], (), "expected commas between columns, but the header has tabs"),
        (["x,literals", "inf,"], (), "a number under x, but got 'inf'"),
        (["x,literals", "1,", ",Even(a)"], (), r"t\.csv:3: expected a number under x, but it is empty"),
        (["x,literals", "1,"], ("z*",), r"columns like 'z\*', but there is none; there is x"),
        (["x,literals", "1,Evn(a)"], (), "did you mean Even"),
        (["x,literals", "1,D3(a)"], (), "is latent in the task"),
        (["x,literals", '1,"'], (), "cannot be read as such"),
    ],
)
def test_mistakes_are_named(tmp_path: Path, lines: list[str], features: tuple[str, ...], message: str) -> None:
    with pytest.raises(MooseError, match=message):
        opened(write(tmp_path / "t.csv", *lines), *features)


@pytest.mark.parametrize("word", ["NA", " NaN", "nan", "null", "N/A", "None", "?"])
def test_words_for_nothing_are_no_labels_and_no_numbers(tmp_path: Path, word: str) -> None:
    path = write(tmp_path / "t.csv", "x,literals,truth", f"1,{word},D3(a)", f"2,Even(a),{word}", "3,,")
    data = opened(path).train
    assert [data.literals(row) for row in range(3)] == [(), ("Even(a)",), ()]
    assert [int(data.truth[row].count_nonzero()) for row in range(3)] == [14, 0, 0], "of 3 all is known"
    bad = write(tmp_path / "u.csv", "x,y,literals", "1,2,", f"3,{word},")
    with pytest.raises(
        MooseError, match=rf"u\.csv:3: expected a number under y, but got '{re.escape(word.strip())}'.*fill"
    ):
        opened(bad)
    assert opened(bad, "x").train.inputs.flatten().tolist() == [1.0, 3.0], "a column that is not looked at may have it"
    absent = write(tmp_path / "v.csv", "x_a,x_b,literals,roles,individuals", f"1,{word},,,a")
    task = replace(moose.regime("mnist2"), roles={"succ": []})
    assert opened(absent, task=task).train.inputs.flatten().tolist() == [1.0, 0.0], "who is not there has no number"


@pytest.mark.parametrize(
    ("header", "wanted", "named"),
    [
        ("x,literals,Truth", "truth", "Truth"),
        ("x,literals,label", "truth", "label"),
        ("x,literals,trut", "truth", "trut"),
        ("x,literals,SPLIT", "split", "SPLIT"),
    ],
)
def test_a_column_that_is_nearly_called_so_is_warned_of(tmp_path: Path, header: str, wanted: str, named: str) -> None:
    path = write(tmp_path / "t.csv", header, "1,Odd(a),D3(a)")
    with pytest.warns(MooseWarning, match=f"no column {wanted}, but one {named}, which is not read; rename it"):
        opened(path)


def test_other_columns_are_not_taken_for_one(tmp_path: Path) -> None:
    opened(write(tmp_path / "t.csv", "label,Split,name,literals,truth,split", "1,2,Trust,Odd(a),D3(a),"))


def signs_of(task: Task, known: Mapping[str, bool]) -> dict[str, int]:
    return {one.name: {None: 0, True: 1, False: -1}[known.get(f"{one.name}(a)")] for one in task.concepts}


@pytest.mark.parametrize("said", ["D3(a)", "D0(a)", "Prime(a), Even(a)", "not Prime(a)", "Odd(a)"])
def test_truth_is_completed_by_what_follows_from_it(tmp_path: Path, said: str) -> None:
    """What follows is asked of the circuit of the same clauses."""
    task = moose.regime("mnist1")
    told = moose.Components.without("profiles", "only", "links", "reverse_links")
    circuit = moose.compile_circuit(moose.ground(task, components=told))
    train = opened(write(tmp_path / "t.csv", "x,literals,truth", f'1,,"{said}"', "2,Odd(a),")).train
    names = [one.name for one in task.concepts]
    assert dict(zip(names, train.truth[0, 0].tolist())) == signs_of(task, circuit.entailed(said))
    assert not train.truth[1].any(), "nothing is known of what nothing is said of"
    assert train.literals(1) == ("Odd(a)",), "evidence stays as it is"


def test_truth_is_not_completed_by_what_is_assumed_of_members(tmp_path: Path) -> None:
    (tmp_path / "birds.ofn").write_text(
        "Ontology(SubClassOf(<Duck> <Swims>) DisjointClasses(<Duck> <Raptor>) SubClassOf(<Hawk> <Raptor>))"
    )
    task = moose.Task(
        moose.load(tmp_path / "birds.ofn"),
        individuals=["a"],
        latent=["Duck", "Hawk"],
        observed=["Swims", "Raptor"],
        families=[["Duck", "Hawk"]],
        closure=["mutex", "cover", "profiles", "only"],
    )
    path = write(tmp_path / "t.csv", "x,literals,truth", "1,,Duck(a)", "2,,Hawk(a)", '3,,"Hawk(a), Swims(a)"')
    truth = opened(path, task=task).train.truth[:, 0].tolist()
    place = [one.name for one in task.concepts].index
    assert [row[place("Raptor")] for row in truth] == [-1, 1, 1], "of disjoint classes and of superclasses"
    assert [row[place("Swims")] for row in truth] == [1, 0, 1], "that a hawk does not swim is assumed, not known"


def test_a_truth_that_contradicts_the_theory_is_refused_where_it_is_judged_by(tmp_path: Path) -> None:
    path = write(tmp_path / "t.csv", "x,literals,truth", "1,,D3(a)", '2,,"D3(a), Even(a)"')
    with pytest.raises(MooseError, match=r"the truth of .*t\.csv:3 contradicts the theory: .*Even\(a\).* cannot hold"):
        opened(path)
    assert len(read_instances(path, moose.regime("mnist1"), ["x"])[1]) == 2, "predictions need no truth"


def test_a_truth_that_can_never_hold_is_refused(tmp_path: Path) -> None:
    (tmp_path / "o.ofn").write_text(
        "Ontology(SubClassOf(<Bad> <A>) SubClassOf(<Bad> <B>) DisjointClasses(<A> <B>) SubClassOf(<Good> <A>))"
    )
    task = moose.Task(moose.load(tmp_path / "o.ofn"), ["a"], latent=["Bad", "Good"], observed=["A", "B"])
    with pytest.raises(MooseError, match=r"t\.csv:2 contradicts the theory: Bad\(a\) cannot hold"):
        opened(write(tmp_path / "t.csv", "x,literals,truth", "1,,Bad(a)"), task=task)


def test_truth_is_completed_for_those_who_are_there(tmp_path: Path) -> None:
    task = replace(moose.regime("mnist2"), roles={"succ": []})
    path = write(tmp_path / "t.csv", "x_a,x_b,literals,truth,individuals", "1,2,,D2(b),", ",3,,D3(b),b")
    train = opened(path, task=task).train
    odd = [one.name for one in task.concepts].index("Odd")
    assert train.truth[:, :, odd].tolist() == [[0, -1], [0, 1]]


def test_literals_under_another_name_are_asked_for(tmp_path: Path) -> None:
    path = write(tmp_path / "t.csv", "x,Literals", "1,Odd(a)")
    with pytest.raises(MooseError, match="expected a column literals, but there is none; rename Literals to literals"):
        opened(path)
    with pytest.warns(MooseWarning, match="no column literals, but one Literals"):
        read_instances(path, moose.regime("mnist1"), ["x"])


def test_more_mistakes(tmp_path: Path) -> None:
    path = write(tmp_path / "t.csv", "x_a,literals,individuals", "1,,")
    with pytest.raises(MooseError, match="expected a column x_b, but there is none"):
        opened(path, task="mnist2")
    absent = write(tmp_path / "u.csv", "x_a,x_b,literals,individuals", "1,2,,a")
    with pytest.raises(MooseError, match="expected nothing under x_b, as b is not among"):
        opened(absent, task=replace(moose.regime("mnist2"), roles={"succ": []}))
    with pytest.raises(MooseError, match="no such file"):
        opened(tmp_path / "none.csv")
    with pytest.raises(MooseError, match="--table FILE"):
        open_dataset("table", regime=moose.regime("mnist1"))
    with pytest.raises(MooseError, match="instances of its file"):
        open_dataset("table", regime=moose.regime("mnist1"), folder=make_table(tmp_path / "v.csv"), count=3)
    with pytest.raises(MooseError, match="features are columns of a table"):
        open_dataset("digits", regime="mnist1", features="x*")


def test_parquet_says_the_same(tmp_path: Path) -> None:
    pyarrow = pytest.importorskip("pyarrow", reason="pyarrow is not installed")
    from pyarrow import parquet

    columns = {
        "x": [1, 2, None],
        "literals": ["Even(a)", None, ""],
        "split": ["train", "test", "test"],
        "y": [0.5, 1, 2],
    }
    parquet.write_table(pyarrow.table(columns), tmp_path / "t.parquet")
    dataset = opened(tmp_path / "t.parquet", "y")
    assert (dataset.train.literals(0), dataset.test.inputs[:, 0, 0].tolist()) == (("Even(a)",), [1.0, 2.0])
    with pytest.raises(MooseError, match="row 2: expected a number under x, but it is empty"):
        opened(tmp_path / "t.parquet", "x")
    write(tmp_path / "u.parquet", "x,literals")
    with pytest.raises(MooseError, match="expected a table in Parquet"):
        opened(tmp_path / "u.parquet")


def test_without_pyarrow_parquet_is_one_sentence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("moose.datasets.table.find_spec", lambda _: None)
    with pytest.raises(MooseError, match=r"needs pyarrow, which is not installed; .* or give CSV"):
        opened(write(tmp_path / "t.parquet", "x"))


def test_a_table_is_learnt(tmp_path: Path) -> None:
    generator = torch.Generator().manual_seed(0)
    lines = ["id," + ",".join(f"x{place}" for place in range(10)) + ",literals"]
    for number in range(200):
        digit = number % 10
        values = torch.eye(10)[digit] * 900 + 100 * torch.rand(10, generator=generator)
        parity = "Even(a)" if digit % 2 == 0 else "Odd(a)"
        lines.append(f"n{number}," + ",".join(f"{value:.1f}" for value in values.tolist()) + f",{parity}")
    train = opened(write(tmp_path / "t.csv", *lines), "x*").train
    predictor = moose.make_method("moose").fit(train.task, train, training=moose.Training(epochs=5, learning_rate=0.01))
    assert (predictor.evaluate(train).observed.acc_y or 0) > 0.45  # of four concepts, two are spoken of
