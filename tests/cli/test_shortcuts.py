"""`moose shortcuts`: counts, lists, advice, and what a trained model follows."""

from __future__ import annotations

import re
from importlib.util import find_spec
from pathlib import Path

import pytest

from moose.shortcuts.count import search_compiler
from tests.cli.running import Command

KEYS = {"maps", "shortcuts", "identifiable", "confused", "accuracy_ceiling"}


def test_counts_for_programs(moose: Command) -> None:
    found = moose("shortcuts", "mnist1", "--json")
    assert found.code == 0
    assert found.json.keys() >= KEYS
    assert (found.json["maps"], found.json["shortcuts"]) == (729, 728)
    assert found.json["identifiable"] == ["D0", "D1", "D2", "D9"]
    assert found.json["confused"]["D3"] == ["D5", "D7"]
    assert found.json["accuracy_ceiling"] == 0.6


@pytest.mark.parametrize(
    ("arguments", "maps"),
    [
        (("mnist1", "--literals", "positive"), 18_225),
        (("mnist2", "--shown", ""), 10),
        (("mnist2",), 1),
        (("mnist3", "--shown", "Even,Odd"), 25),
        (("mnist2", "--shown", "", "--injective"), 10),
        (("mnist2", "--own-encoders"), 108),
        (("mnist1", "--most", "1"), 729),
        (("mnist1", "--no-closure"), 562_500),
        (("pizzaB",), 27),
        (("pizzaC", "--reads", "apart"), 8),
        (("pizzaC", "--reads", "apart", "--all-evidence"), 16),
        (("pizzaC",), 4096),
        (("pizzaC", "--all-evidence"), 16**15),
    ],
)
def test_regimes_are_counted_as_they_are_shown(moose: Command, arguments: tuple[str, ...], maps: int) -> None:
    assert moose("shortcuts", *arguments, "--json").json["maps"] == maps


def test_lists_and_symmetries_for_people(moose: Command) -> None:
    found = moose("shortcuts", "mnist1", "--list", "2", "--sample", "1", "--seed", "3", "--symmetries")
    assert ("  the truth",) in found.rows and ("  D8→D4; the rest right",) in found.rows
    assert ("maps up to symmetry", "25") in found.rows
    assert ("readings of a state", "1 for 4 states, 3 for 6 states") in found.rows


def test_no_shortcut_is_said_to_be_none(moose: Command) -> None:
    found = moose("shortcuts", "mnist2")
    assert ("confused", "nothing") in found.rows
    assert ("confused", "with what each may be read as") in moose("shortcuts", "mnist1").rows
    assert "only the right map agrees" in found.out and "optimisation" not in found.out


def test_advice_names_what_removes_all_shortcuts(moose: Command) -> None:
    advice = moose("shortcuts", "mnist1", "--advise", "--json").json["advice"]
    assert advice["of_any_kind"]["fewest"] == ["show pairs that are known to stand in plus_two"]
    assert advice["literals_alone"]["maps_left"] == 1
    assert len(advice["literals_alone"]["fewest"]) == 4
    lines = moose("shortcuts", "mnist2", "--advise").rows
    assert ("  nothing is to be done",) in lines


def test_ablation_lists_what_removes_maps(moose: Command) -> None:
    found = moose("shortcuts", "pizzaC", "--ablate", "--all-evidence")
    assert "  axiom EquivalentClasses(SpicyTopping SpicyPizza)\t18,446,744,073,709,551,616 maps" in found.out
    assert len(moose("shortcuts", "pizzaC", "--ablate", "--json").json["ablation"]) == 5


def test_a_task_of_ones_own(moose: Command, tmp_path: Path) -> None:
    (tmp_path / "own.ofn").write_text(
        "Prefix(:=<http://e.org/>) Ontology(SubClassOf(:Cat :Pet) SubClassOf(:Dog :Pet) SubClassOf(:Owl :Wild))"
    )
    task = tmp_path / "own.toml"
    task.write_text(
        'ontology = "own.ofn"\nindividuals = ["a"]\nlatent = ["Cat", "Dog", "Owl"]\nobserved = ["Pet", "Wild"]\n'
        'families = [["Cat", "Dog", "Owl"]]\n'
    )
    found = moose("shortcuts", task, "--json").json
    assert (found["maps"], found["identifiable"]) == (4, ["Owl"])
    assert found["confused"] == {"Cat": ["Dog"], "Dog": ["Cat"]}


def test_bounds_are_given_when_the_time_is_up(moose: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(search_compiler, "MOST_WORK", 0)
    arguments = ("shortcuts", "mnist2", "--shown", "", "--injective", "--time-limit", "0.5")
    if find_spec("pyapproxmc") is None:
        assert "pip install" in moose(*arguments).one_complaint()
        return
    found = moose(*arguments, "--json")
    if found.code == 2:  # a slow machine finds no bounds in that time, either
        assert "no bounds" in found.one_complaint()
    else:
        assert found.json["interval"]["low"] <= 10 <= found.json["interval"]["high"]


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        ((), "expected a task, but got none"),
        (("mnist9",), "expected a regime or a task's file"),
        (("mnist1", "--shown", "Evven"), "did you mean Even"),
        (("mnist1", "--data", "digits", "--most", "1"), "--data brings its own evidence"),
        (("--model", "there", "--advise"), "--advise has no meaning"),
        (("mnist1", "--folder", "there"), "name one with --data or --table"),
        (("mnist1", "--axiom", "SubClassOf(D3 D4)"), "ask for advice"),
        (("--model", "there", "--shown", ""), "--shown has no meaning"),
        (("mnist1", "--model", "there"), "but got both"),
        (("--model", "nowhere"), "expected a folder that `moose train -o DIR` wrote"),
        (("mnist1", "--advise", "--axiom", "SubClassOf(D3 D4)"), "cannot be added"),
        (("mnist1", "--advise", "--axiom", "SubClassOf(D3"), "an axiom to add"),
        (("pizzaC", "--advise", "--reads", "exchanged"), "advice is not given"),
    ],
)
def test_bad_input_is_refused_in_one_sentence(moose: Command, arguments: tuple[str, ...], complaint: str) -> None:
    assert complaint in moose("shortcuts", *arguments).one_complaint()


def test_a_picture_is_drawn_beside_what_is_printed(moose: Command, tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    assert moose("shortcuts", "mnist1", "--picture", tmp_path / "maps.png").code == 0
    assert (tmp_path / "maps.png").read_bytes().startswith(b"\x89PNG")


def test_the_evidence_of_a_data_set_is_counted(moose: Command) -> None:
    pytest.importorskip("torch")
    found = moose("shortcuts", "mnist1", "--data", "digits", "--json").json
    assert (found["maps"], found["evidence"]) == (729, "of the data set digits: 10,000 examples")


def test_it_is_said_which_evidence_counts(moose: Command, tmp_path: Path) -> None:
    drawn, ideal, asked = (
        moose("shortcuts", "mnist1", *some).rows[0] for some in ((), ("--all-evidence",), ("--literals", "positive"))
    )
    assert drawn == ("evidence", "as the data of mnist1 are drawn: one to 3 literals over Even, Odd, Prime, Composite")
    assert ideal == ("evidence", "all literals of both kinds that the task can show")
    assert asked == ("evidence", "all literals that hold that the task can show")


STONES = """x1,x2,literals,truth
1,0,Pet(a),Cat(a)
0,1,Pet(a),Dog(a)
1,1,Wild(a),Owl(a)
"""


def test_data_that_show_less_leave_more_maps_and_advice_says_so(moose: Command, tmp_path: Path) -> None:
    pytest.importorskip("torch")
    (tmp_path / "own.ofn").write_text(
        "Prefix(:=<http://e.org/>) Ontology(SubClassOf(:Cat :Pet) SubClassOf(:Dog :Pet) SubClassOf(:Owl :Wild) "
        "SubClassOf(:Dog :Wild) DisjointClasses(:Owl :Pet) DisjointClasses(:Cat :Wild))"
    )
    task, table = tmp_path / "own.toml", tmp_path / "own.csv"
    table.write_text(STONES)
    task.write_text(
        'ontology = "own.ofn"\nindividuals = ["a"]\nlatent = ["Cat", "Dog", "Owl"]\nobserved = ["Pet", "Wild"]\n'
        'families = [["Cat", "Dog", "Owl"]]\n'
    )
    counts = {
        some: moose("shortcuts", task, "--table", table, "--json", *some).json["maps"]
        for some in ((), ("--all-evidence",))
    }
    assert counts == {(): 8, ("--all-evidence",): 1}
    assert moose("shortcuts", task, "--json").json["maps"] == 1, "without data, all that the task can show"
    advice = moose("shortcuts", task, "--table", table, "--advise").rows
    assert ("  show all that can be observed of each example", "observation", "1 map left") in advice
    assert ("  nothing is to be done",) not in advice


def test_a_model_is_told_which_map_it_follows(moose: Command, tmp_path: Path) -> None:
    pytest.importorskip("torch")
    folder, picture = tmp_path / "model", tmp_path / "followed.png"
    trained = moose("train", "mnist1", "--epochs", "1", "--count", "300", "--threads", "1", "-o", folder)
    assert trained.code == 0, trained.err
    found = moose("shortcuts", "--model", folder, "--data", "digits", "--picture", picture, "--json").json
    assert found.keys() >= KEYS
    said = found["model"]
    assert said["verdict"].removeprefix("mostly ") in VERDICTS
    assert set(said["map"]) == {f"D{digit}" for digit in range(10)}
    assert 0 <= said["off_map"] <= said["off_nearest_consistent"] <= said["off_truth"] <= 1
    assert said["confidence"]["honest"] == pytest.approx(1 / 3)
    assert picture.read_bytes().startswith(b"\x89PNG")
    assert found["diagnosis"]["verdict"] in WHY
    assert found["diagnosis"]["loss_at_truth"] == pytest.approx(0.0, abs=1e-6)
    assert found["diagnosis"]["loss_at_model"] > found["diagnosis"]["loss_at_truth"]
    assert said["confidence"]["predicted"] == pytest.approx(sureness_of_posteriors(folder), abs=1e-4)
    assert said["confidence"]["predicted"] != pytest.approx(said["confidence"]["model"], abs=1e-3)
    told = moose("shortcuts", "--model", folder)
    shown = {row[0]: row[1] for row in told.rows if len(row) > 1}
    assert shown["  on ambiguous states"].endswith("(of the network alone)")
    assert shown["  the same, predicted"].startswith(f"confidence {said['confidence']['predicted']:.3f} (given theory")
    assert "the model\t" in told.out and "\nwhy\t" in told.out and "\nwhy\t" in trained.out
    assert moose("shortcuts", "--model", folder, "--all-evidence", "--json").json["evidence"].startswith("all literals")


def sureness_of_posteriors(folder: Path) -> float:
    """Work out from what `moose predict` says how sure it is of 3 to 8, each by how often it is learnt from."""
    from moose.cli.learn.learning_output import run_on
    from moose.methods.load_predictor import load_predictor

    run, predictor = run_on(folder), load_predictor(folder)
    dataset = run.open(task=predictor.task)
    learnt, shown = (one.truth[:, 0, :10].argmax(1).numpy() for one in (run.split(dataset)[0], dataset.test))
    largest = predictor.predict(dataset.test).posteriors[:, 0, :10].max(1)
    counts = {digit: int((learnt == digit).sum()) for digit in range(3, 9)}
    means = {digit: float(largest[shown == digit].mean()) for digit in counts}
    return sum(counts[digit] * means[digit] for digit in counts) / sum(counts.values())


WHY = ("learnt", "the objective prefers this reading", "the evidence allows it", "optimisation")
VERDICTS = (
    "follows the truth",
    "follows a shortcut",
    "follows a map that the theory excludes",
    "follows no one map",
)


def test_data_without_truth_are_counted_by_their_evidence(moose: Command, tmp_path: Path) -> None:
    """What no truth is known of may be anything that the evidence allows; nobody is asked to make up a truth."""
    told, untold = tmp_path / "told.csv", tmp_path / "untold.csv"
    evidence = ["Even(a)", "not Even(a)"]
    told.write_text("x,literals,truth\n" + "".join(f"{n},{evidence[n % 2]},D{n}(a)\n" for n in range(10)))
    untold.write_text("x,literals\n" + "".join(f"{n},{evidence[n % 2]}\n" for n in range(10)))
    known = moose("shortcuts", "mnist1", "--table", told, "--json").json
    unknown = moose("shortcuts", "mnist1", "--table", untold, "--json").json
    assert known["maps"] == unknown["maps"] == 5**10, "an even digit for an even one, an odd digit for an odd one"
    assert unknown["evidence"].endswith("whatever is true of them, as the truth of some is not known")
    assert "what helps" in moose("shortcuts", "mnist1", "--table", untold).out
    assert "what helps" not in moose("shortcuts", "mnist2").out, "nothing is to be helped"


def test_an_unsatisfiable_concept_is_named_and_not_identifiable(moose: Command, tmp_path: Path) -> None:
    (tmp_path / "o.ofn").write_text(
        "Ontology(SubClassOf(<Both> <A>) SubClassOf(<Both> <B>) DisjointClasses(<A> <B>) SubClassOf(<One> <A>) "
        "SubClassOf(<Other> <B>))"
    )
    task, table = tmp_path / "t.toml", tmp_path / "t.csv"
    names = '["One", "Other", "Both"]'
    task.write_text(
        f'ontology = "o.ofn"\nindividuals = ["a"]\nlatent = {names}\nobserved = ["A", "B"]\nfamilies = [{names}]\n'
    )
    table.write_text("x,literals\n1,A(a)\n2,B(a)\n")
    train = ("train", task, "--table", table, "--epochs", "1", "--threads", "1")
    for command in (("compile", task), ("compile", task, "--bounds"), ("shortcuts", task), train):
        outcome = moose(*command)
        assert outcome.code == 0 and "moose: Both is unsatisfiable: nothing can ever be one" in outcome.err, command
    assert moose("shortcuts", task, "--json").json["identifiable"] == ["One", "Other"]
    assert "unsatisfiable" not in moose("shortcuts", "mnist1").err


def label_table(path: Path) -> Path:
    """Write a table with labels of some twos and threes, and notes on all digits but these."""
    rows = [f"{n},{'' if n in (2, 3) else 'not ' * (n % 2) + 'Even(a)'},D{n}(a)" for n in range(10)]
    labels = ["2,D2(a),D2(a)", '3,"D3(a), not Even(a)",D3(a)']
    path.write_text("\n".join(["x,literals,truth", *rows, *labels, ""]), encoding="utf-8")
    return path


def test_labels_of_latent_concepts_are_evidence_where_they_are_allowed(moose: Command, tmp_path: Path) -> None:
    table = label_table(tmp_path / "some.csv")
    ask = ("shortcuts", "mnist1", "--table", table)
    assert "--allow-latent" in moose(*ask).one_complaint()
    assert "about the literals of a data set" in moose("shortcuts", "mnist1", "--allow-latent").one_complaint()
    labelled = moose(*ask, "--allow-latent", "--json").json
    assert labelled["maps"] == 5**8, "eight digits are read as any of their parity, and two as what they are"
    assert labelled["identifiable"] == []
    model = tmp_path / "model"
    train = ("train", "mnist1", "--table", table, "--epochs", "1", "--threads", "1", "-o", model)
    assert moose(*train, "--allow-latent").code == 0
    follows = moose("shortcuts", "--model", model, "--json").json
    assert (follows["maps"], follows["readings"]) == (labelled["maps"], labelled["readings"])
    assert "--allow-latent" in moose("shortcuts", "--model", model, "--allow-latent").one_complaint()
    table.write_text(re.sub(r",D\d\(a\)$", ",", table.read_text(), flags=re.MULTILINE))
    blind = moose(*ask, "--allow-latent", "--json").json
    assert blind["evidence"].endswith("the truth of some is not known") and blind["maps"] == 5**8
    everything = moose(*ask, "--allow-latent", "--all-evidence", "--json").json
    assert everything["maps"] == 2**2 * 3**3, "as without labels, but that none of 3, 5 and 7 is taken for a 3"


def test_a_task_that_observes_nothing_is_told_to_bring_labels(moose: Command, tmp_path: Path) -> None:
    (tmp_path / "wings.ofn").write_text("Ontology(SubClassOf(<urn:w#Bird> <urn:w#Animal>))")
    task = tmp_path / "wings.toml"
    task.write_text('ontology = "wings.ofn"\nindividuals = ["a"]\nobserved = []\nlatent = ["Bird", "Animal"]\n')
    said = dict(row for row in moose("shortcuts", task).rows if len(row) == 2)
    assert said["evidence"].startswith("all literals of both kinds that the task can show, which is none")
    assert "--table FILE" in said["evidence"]
    assert "which is none" not in moose("shortcuts", "mnist1", "--json").json["evidence"]


def test_training_without_truth_says_what_the_evidence_allows(moose: Command, tmp_path: Path) -> None:
    untold = tmp_path / "untold.csv"
    rows = "".join(f"{n},{'not ' * (n % 2)}Even(a)\n" for n in range(10))
    untold.write_text(f"x,literals\n{rows}")
    train = ("train", "mnist1", "--table", untold, "--epochs", "1", "--threads", "1")
    said = dict(row for row in moose(*train).rows if len(row) == 2)
    assert said["whatever is true"].startswith("9,765,624 shortcuts: 0 of 10 concepts are identifiable")
    assert "moose-honest" in said["what helps"]
