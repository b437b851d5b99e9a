"""What is identifiable, what can be reached, and the same under the evidence of examples."""

from __future__ import annotations

import subprocess
from fractions import Fraction
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import moose
from moose.base.errors import InconsistentOntology, LimitReached, MooseError
from moose.circuit.limits import Limits
from moose.grounding.task.task import Task
from moose.shortcuts.count import approximate, search_compiler
from moose.shortcuts.count.approximate import bound_maps
from moose.shortcuts.count.ceiling import ceiling
from moose.shortcuts.count.find_shortcuts import Effort, find_shortcuts
from moose.shortcuts.count.verdict import NO_SHORTCUT, verdict
from moose.shortcuts.model.examples import Seen, find_in_examples
from moose.shortcuts.model.picture import draw_maps
from moose.shortcuts.problem.options import Encoder, Showing
from tests.searching import examples
from tests.shortcuts import plain

KINDS = ("NonVegetarianPizza", "SpicyPizza", "RealFrenchPizza", "VegetarianPizza")


def test_pizza_b_leaves_three_pizzas_confused() -> None:
    found = find_shortcuts(moose.regime("pizzaB"), Showing(KINDS, "positive"))
    for pizza in ("Cajun", "Capricciosa", "FourSeasons"):
        assert {pizza, *found.confused[pizza]} == {"Cajun", "Capricciosa", "FourSeasons"}
    assert "Mushroom" in found.identifiable
    assert "confused: Cajun, Capricciosa, FourSeasons" in verdict(found)


def test_pizza_c_leaves_sixteen_subsets() -> None:
    found = find_shortcuts(moose.regime("pizzaC"), Showing(("SpicyPizza",)))
    readings = found.readings("PrawnTopping")
    assert len(readings) == 16
    assert set(readings.values()) == {Fraction(1, 16)}
    assert found.readings("nothing") == {"nothing": 1}
    assert sorted(found.reading_counts().values()) == [1, *[16] * 15]


def test_states_that_do_not_occur_are_left_out() -> None:
    pizzas = [[], ["PeperonataTopping", "PrawnTopping"], ["PeperonataTopping"], ["PeperoniSausageTopping"]]
    found = find_shortcuts(moose.regime("pizzaC"), Showing(("SpicyPizza",), states=pizzas))
    assert found.maps == 16**3
    assert find_shortcuts(moose.regime("mnist1"), Showing(states=[["D3"], ["D0"]])).maps == 3


def test_ceilings_are_those_of_uniform_maps() -> None:
    full = ceiling(find_shortcuts(moose.regime("mnist1")))
    assert (full.accuracy, full.honest_accuracy, full.honest_ece) == (0.6, 0.6, 0.0)
    positive = ceiling(find_shortcuts(moose.regime("mnist1"), Showing(literals="positive")))
    assert positive.accuracy == pytest.approx(0.44)
    none = find_shortcuts(moose.regime("mnist2"))
    assert ceiling(none).accuracy == ceiling(none, of_atoms=True).accuracy == 1.0
    assert verdict(none) == NO_SHORTCUT


@examples(30)
@given(plain.small_tasks(most_individuals=1))
def test_a_random_map_is_as_accurate_as_the_mean_of_all(task: Task) -> None:
    try:
        found = find_shortcuts(task, Showing(("P",)))
    except InconsistentOntology:
        return
    if not task.families or found.maps > 600:
        return
    [family] = task.families[:1]
    members = set(family)
    maps = found.nearest(found.maps)
    right = [
        sum((one.problem.frequencies[p] for p, read in one.table.items() if p[1] & members <= read), Fraction(0))
        for one in maps
    ]
    assert ceiling(found).committed_accuracy == pytest.approx(float(sum(right) / len(right)))


def signs(task: Task, rows: list[dict[str, int]]) -> plain.Signs:
    columns = {concept.name: column for column, concept in enumerate(task.concepts)}
    found = np.zeros((len(rows), 1, len(columns)), np.int8)
    for row, literals in enumerate(rows):
        for name, sign in literals.items():
            found[row, 0, columns[name]] = sign
    return found


def truth_of(task: Task, names: list[str]) -> plain.Signs:
    latent = [concept.name for concept in task.concepts if concept.is_latent]
    return signs(task, [{other: 1 if other == name else -1 for other in latent} for name in names])


def test_evidence_that_is_not_there_removes_nothing() -> None:
    task = moose.regime("mnist1")
    digits = [f"D{digit}" for digit in range(10)]
    full = [{name: 1 if label in members else -1 for name, members in PROPERTIES.items()} for label in range(10)]
    assert find_in_examples(Seen(task, signs(task, full), truth_of(task, digits))).maps == 729
    assert find_in_examples(Seen(task, signs(task, [{}] * 10), truth_of(task, digits))).maps == 10**10
    # Weaker evidence of the same state adds nothing to stronger.
    twice = Seen(task, signs(task, [*full, {"Even": 1}]), truth_of(task, [*digits, "D2"]))
    found = find_in_examples(twice)
    assert found.maps == 729
    assert found.problem.frequencies["", frozenset(["D2"])] == Fraction(2, 11)


PROPERTIES = {"Even": (0, 2, 4, 6, 8), "Odd": (1, 3, 5, 7, 9), "Prime": (2, 3, 5, 7), "Composite": (4, 6, 8, 9)}


def test_truth_must_be_known_and_agree_with_the_theory() -> None:
    task = moose.regime("mnist1")
    with pytest.raises(MooseError, match=r"truth of D0\(a\) is unknown"):
        find_in_examples(Seen(task, signs(task, [{}]), signs(task, [{"D1": 1}])))
    with pytest.raises(
        InconsistentOntology,
        match=r"the right map does not agree .* where a is D1 and there is seen: Even\(a\), Odd\(a\)",
    ):
        find_in_examples(Seen(task, signs(task, [{"Even": 1, "Odd": 1}]), truth_of(task, ["D1"])))
    with pytest.raises(MooseError, match="same examples"):
        Seen(task, signs(task, [{}, {}]), signs(task, [{}]))


@examples(20)
@given(plain.small_tasks(most_individuals=1), st.sampled_from(["whole", "apart"]))
def test_maps_that_read_apart_are_among_those_that_read_all(task: Task, reads: str) -> None:
    try:
        found = find_shortcuts(task, encoder=Encoder(reads=reads))
        whole = find_shortcuts(task)
    except InconsistentOntology:
        return
    assert all(whole.is_consistent(one.table) for one in found.nearest(40))
    if len(found.problem.vocabulary.variables) == 1:
        assert found.maps == whole.maps


def test_the_compiler_counts_what_the_search_does(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(search_compiler, "MOST_WORK", 0)
    for regime, showing, maps in (("mnist1", Showing(), 729), ("mnist3", Showing(("Even", "Odd")), 25)):
        assert find_shortcuts(moose.regime(regime), showing).maps == maps


def test_a_limit_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(search_compiler, "MOST_WORK", 0)
    with pytest.raises(LimitReached, match="maps could not be counted"):
        find_shortcuts(moose.regime("mnist2"), Showing(()), effort=Effort(Limits(size=5)))
    said: list[str] = []
    effort = Effort(Limits(seconds=1e-9), lambda message, share: said.append(message))
    with pytest.raises(LimitReached, match="was not gone through"):
        find_shortcuts(moose.regime("mnist2"), Showing(()), effort=effort)
    find_shortcuts(moose.regime("mnist1"), effort=Effort(progress=lambda message, share: said.append(message)))
    assert "copying the theory" in said


@pytest.mark.skipif(find_spec("pyapproxmc") is None, reason="pyapproxmc is not installed")
@pytest.mark.parametrize(("regime", "maps"), [("mnist1", 729), ("mnist2", 1), ("pizzaC", 16**15)])
def test_bounds_hold_the_count(regime: str, maps: int) -> None:
    problem = find_shortcuts(moose.regime(regime)).problem
    for number, interval in enumerate(bound_maps(problem)):
        assert interval.low <= maps <= interval.high
        if number == 1:
            break


@pytest.mark.skipif(find_spec("pyapproxmc") is None, reason="pyapproxmc is not installed")
def test_bounds_stop_when_the_time_is_up(monkeypatch: pytest.MonkeyPatch) -> None:
    def never(*_: object, **options: object) -> None:
        raise subprocess.TimeoutExpired("count", 1.0)

    monkeypatch.setattr(subprocess, "run", never)
    problem = find_shortcuts(moose.regime("mnist1")).problem
    with pytest.raises(LimitReached, match="no bounds"):
        next(bound_maps(problem, seconds=1.0))


def test_bounds_say_what_they_need(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(approximate, "find_spec", lambda _: None)
    with pytest.raises(MooseError, match="pip install"):
        next(bound_maps(find_shortcuts(moose.regime("mnist1")).problem))


def test_a_picture_of_maps_is_drawn(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    draw_maps(find_shortcuts(moose.regime("mnist1")), tmp_path / "maps.png")
    assert (tmp_path / "maps.png").read_bytes().startswith(b"\x89PNG")


def test_bad_arguments_are_refused() -> None:
    task = moose.regime("mnist1")
    for wrong, complaint in (
        (lambda: find_shortcuts("mnist1"), "expected a task"),  # type: ignore[arg-type]
        (lambda: find_shortcuts([]), "got none"),
        (lambda: find_shortcuts(task, "both"), "as Showing"),  # type: ignore[arg-type]
        (lambda: find_shortcuts([task, moose.regime("pizzaC")]), "different latent concepts"),
        (lambda: find_shortcuts(task, Showing(["Evven"])), "did you mean Even"),
        (lambda: Showing(literals="all"), "expected literals"),
        (lambda: Showing(most=-1), "not negative"),
        (lambda: Showing("Even"), "list of names"),
        (lambda: find_shortcuts(task, Showing(states=[["D3"], ["D33"]])), "did you mean D3"),
        (lambda: find_shortcuts(task, Showing(states=[["D3", "D4"]])), "allows no world"),
        (lambda: Encoder(reads="some"), "a way of reading"),
        (lambda: find_shortcuts(task).readings("D11"), "a state that is shown"),
    ):
        with pytest.raises(MooseError, match=complaint):
            wrong()


def test_one_encoder_for_several_tasks_has_fewer_maps() -> None:
    alone, pairs = moose.regime("mnist1"), moose.regime("mnist2")
    assert find_shortcuts([alone, pairs], Showing(())).maps == 10
    assert find_shortcuts([alone, pairs]).maps == 1
