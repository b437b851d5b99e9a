"""Cases that went wrong once: truth that contradicts its evidence, open families, long counts, odd predictions."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence

import numpy as np
import pytest

import moose
from moose.base.errors import InconsistentOntology, LimitReached, MooseError
from moose.cli.learn.shortcuts_output import bounds, describe, print_facts
from moose.grounding.task.task import Task
from moose.owl.model.axioms import Axiom, SubClassOf
from moose.owl.model.expressions import Class, Entity, ObjectProperty
from moose.owl.ontology import ontology_from_axioms
from moose.shortcuts.advice.advise import advise
from moose.shortcuts.advice.changes import Change
from moose.shortcuts.count import approximate
from moose.shortcuts.count.approximate import Interval
from moose.shortcuts.count.find_shortcuts import NO_END, find_shortcuts
from moose.shortcuts.count.verdict import verdict
from moose.shortcuts.model.examples import Seen, find_in_examples
from moose.shortcuts.model.follow import follow
from moose.shortcuts.problem.options import Encoder, Showing
from tests.shortcuts import plain


def small_task(axioms: Sequence[str], latent: str, families: Sequence[str] = (), closure: Sequence[str] = ()) -> Task:
    """Make a task of one-letter concepts; an axiom `AP` says that A is a P."""
    told: list[Axiom] = [SubClassOf(Class(one[0]), Class(one[1])) for one in axioms]
    used: list[Entity] = [*map(Class, (*latent, "P", "Q")), ObjectProperty("r")]
    groups = [[*family] for family in families]
    return Task(ontology_from_axioms(told, declarations=used), ["a"], ["P", "Q"], [*latent], groups, closure=closure)


@pytest.mark.parametrize("evidence", [("Even", "Prime"), ("Even",)])
def test_a_wrong_map_is_not_taken_for_the_right_one(evidence: Sequence[str]) -> None:
    """Of an example with a wrong label some maps are left, but the truth is not among them."""
    task = moose.regime("mnist1")
    names = [concept.name for concept in task.concepts]
    truth, seen = -np.ones((1, 1, 14), np.int8), np.zeros((1, 1, 14), np.int8)
    truth[0, 0, names.index("D1")] = 1
    seen[0, 0, [names.index(name) for name in evidence]] = 1
    with pytest.raises(InconsistentOntology, match=r"a is D1 and there is seen: Even\(a\)"):
        find_in_examples(Seen(task, seen, truth))


def test_a_family_that_is_not_closed_may_be_missed() -> None:
    found = find_shortcuts(small_task(["AP"], "AB", ["AB"]), Showing(("P",)))
    assert found.confused == {"A": ("B", "not A"), "B": ("not B",)}
    assert {*found.confused} == {"A", "B"} - {*found.identifiable}
    assert "confused: A, B" in verdict(found)


def test_examples_must_have_one_member_of_each_family() -> None:
    task = small_task(["AP"], "AB", ["AB"])
    for signs, state in (([-1, -1, 0, 0], "nothing"), ([1, 1, 0, 0], r"A \+ B")):
        with pytest.raises(MooseError, match=f"a is {state} in an example"):
            find_in_examples(Seen(task, np.zeros((1, 1, 4), np.int8), np.array([[signs]], np.int8)))


def test_a_concept_called_nothing_is_refused() -> None:
    task = Task(ontology_from_axioms([], declarations=[Class("nothing")]), ["a"], [], ["nothing"])
    with pytest.raises(MooseError, match="rename"):
        find_shortcuts(task)


def test_whose_state_it_is_must_be_said() -> None:
    own = find_shortcuts(moose.regime("mnist2"), Showing(("Prime",)), encoder=Encoder(is_shared=False))
    for individual, complaint in (("z", "expected an individual"), (None, "say whose state it is: a, b")):
        with pytest.raises(MooseError, match=complaint):
            own.belief("D3", individual)
    assert own.belief("D3", "b").keys() == own.belief("D3", "a").keys()
    assert find_shortcuts(moose.regime("mnist1")).belief("D3", "a")["D3"] > 0


def test_very_many_maps_are_counted_and_spelled(capsys: pytest.CaptureFixture[str]) -> None:
    """Python refuses to write a number of more than 4,300 digits, unless it is told to."""
    found = find_shortcuts(small_task([], "ABCDE"))
    assert found.maps == 32**32
    assert repr(find_shortcuts(small_task([], "ABCDEF"))).startswith("Shortcuts(maps=about 3.9e115,")
    facts, lines = describe(found, "all")
    assert "readings of a state\t32 for 32 states" in lines
    print_facts({**facts, "maps": 10**5000})
    assert '"maps": 1' + "0" * 5000 + "," in capsys.readouterr().out


def test_maps_that_are_settled_are_listed_where_they_belong() -> None:
    """Read for each other, neither A nor B can ever be predicted: that is far from the truth."""
    task = small_task(["AP", "BQ"], "AB")
    found = find_shortcuts(task, encoder=Encoder(reads="exchanged"))
    wrong = [sum(len(place[1] ^ read) for place, read in one.table.items()) for one in found.nearest(9)]
    assert wrong == sorted(wrong) == [0, 2, 2, 4, 4]


def test_changes_that_contradict_each_other_are_not_advised_together() -> None:
    task = small_task(["AP", "BP"], "ABC", ["ABC"], ["mutex", "cover", "profiles"])
    nobody = "SubClassOf(ObjectSomeValuesFrom(r owl:Thing) owl:Nothing)"
    advice = advise(task, Showing(), axioms=[nobody])
    assert advice.fewest == (Change("supervise", "A"),)
    assert advice.maps_left == 1
    clashing = ["SubClassOf(A X)", "DisjointClasses(A X)"]
    wide = Task(
        ontology_from_axioms(task.ontology.axioms, declarations=[*map(Class, "ABCPX")]),
        ["a"],
        ["P"],
        [*"ABC"],
        [[*"ABC"]],
    )
    assert all(step.maps >= 1 for step in advise(wide, Showing(), axioms=clashing).steps)


def test_a_consistent_map_that_is_most_common_is_the_nearest() -> None:
    task = small_task(["AP", "BP"], "AB")
    read = np.array([[[1, 0, 0, 0]]] * 4 + [[[0, 1, 0, 0]]] * 3 + [[[0, 0, 0, 0]]] * 2, np.float64)
    said = follow(find_shortcuts(task), task, read, np.ones((9, 1, 4), np.int8))
    assert said.is_consistent and str(said.nearest) == "A + B→A; the rest right"
    assert said.off_nearest == said.off_most_common == pytest.approx(5 / 9)


def digits() -> plain.Signs:
    found: plain.Signs = (2 * (np.arange(14) == np.arange(10)[:, None]) - 1).astype(np.int8)[:, None]
    return found


def test_equally_likely_members_are_no_prediction() -> None:
    task = moose.regime("mnist1")
    said = follow(find_shortcuts(task), task, np.full((10, 1, 14), 0.1), digits())
    assert set(said.most_common.values()) == {frozenset[str]()}


def test_probabilities_that_sum_to_more_than_one_are_scaled_down() -> None:
    task = moose.regime("mnist1")
    said = follow(find_shortcuts(task), task, np.where(digits() > 0, 1.0, 0.9), digits())
    assert said.verdict == "follows the truth"
    assert said.confidence is not None
    assert said.confidence.model == pytest.approx(1 / 9.1)
    assert 0 <= said.confidence.distance <= 1


@pytest.mark.parametrize(
    ("wrong", "complaint"),
    [
        (lambda signs: [[[1]], [[1, 2]]], "rows of different lengths"),
        (lambda signs: np.where(signs > 0, np.iinfo(np.int64).min, signs.astype(np.int64)), r"\+1 for true"),
    ],
)
def test_odd_truth_is_refused(wrong: Callable[[object], object], complaint: str) -> None:
    task = moose.regime("mnist1")
    with pytest.raises(MooseError, match=complaint):
        follow(find_shortcuts(task), task, np.zeros((10, 1, 14)), wrong(digits()))  # type: ignore[arg-type]


def test_bounds_have_the_same_keys_as_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("pyapproxmc")
    monkeypatch.setattr(approximate, "bound_maps", lambda *_, **__: iter([Interval(7, 9, 0.95)]))
    facts, lines = bounds(find_shortcuts(moose.regime("mnist1")).problem, 0, LimitReached("late"), NO_END)
    assert facts.keys() >= {"maps", "shortcuts", "identifiable", "confused", "accuracy_ceiling"}
    assert json.loads(json.dumps(facts))["interval"]["low"] == 7
    assert lines == ["maps\tbetween 7 and 9, with confidence 0.95"]
