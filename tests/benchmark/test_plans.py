from __future__ import annotations

from pathlib import Path

import pytest

from moose.base.errors import MooseError
from moose.benchmark.plans.baselines import BASELINES
from moose.benchmark.plans.cells import Choice, planned_cells
from moose.benchmark.plans.plans import PLANS, SCALES, read_plan
from moose.benchmark.store.versions import examples_key
from moose.grounding.task.regimes import REGIMES
from moose.methods.registry import METHODS
from tests.benchmark.plan_texts import CIRCUITS, TINY, plan

BUNDLED = [(name, scale) for name in PLANS for scale in SCALES]


def test_the_table_has_every_file() -> None:
    import moose.benchmark.plans.plans

    folder = Path(moose.benchmark.plans.plans.__file__).parent / "plan_files"
    assert {path.stem for path in folder.glob("*.toml")} == {*PLANS, "scales"}


@pytest.mark.parametrize(("name", "scale"), BUNDLED)
def test_every_plan_has_cells_at_every_scale(name: str, scale: str) -> None:
    plan = read_plan(name)
    assert tuple(plan.scales) == SCALES
    assert plan.title and plan.shows and set(plan.regimes) <= set(REGIMES)
    cells = planned_cells(plan, scale)
    variations = 1
    for values in plan.vary.values():
        variations *= len(values)
    assert len(cells) == len(plan.rows) * len(plan.regimes) * plan.seeds[scale] * variations
    assert len({one.cell.name for one in cells}) == len(cells)
    assert [one.cell.seed for one in cells] == sorted(one.cell.seed for one in cells), "first seeds first"


LABELLED = {"spl", "moose-labels", "moose-siblings", "max-constraint", "max-propagation"}
"""They learn from labels, and have plans of their own."""
SYSTEMS = {"a-nesi", "ilr", "top-k", "neurasp", "embed2sym", "df-el", "deepgozero", "owl2vec"}
"""Of the paper's related work: they stand beside all others in the plan of every method (decision 42)."""


def test_the_headline_has_every_method_and_regime() -> None:
    plan = read_plan("headline")
    assert {row.name for row in plan.rows} == {*METHODS, *BASELINES} - LABELLED - SYSTEMS
    assert plan.regimes == REGIMES


def test_the_plan_of_every_method_has_those_of_related_work() -> None:
    plan = read_plan(str(Path(__file__).parents[2] / "bench" / "plans" / "methods.toml"))
    assert {row.method or row.name for row in plan.rows} >= SYSTEMS


def test_scales_differ_in_data_and_settings() -> None:
    by_scale = {scale: planned_cells(read_plan("headline"), scale) for scale in SCALES}
    assert {one.cell.data for one in by_scale["smoke"]} == {"digits", "pizzas"}
    assert {one.cell.data for one in by_scale["standard"]} == {"mnist", "pizzaiolo"}
    sizes = {scale: {one.cell.configuration["size"] for one in cells} for scale, cells in by_scale.items()}
    assert sizes == {"smoke": {None, 32}, "standard": {None, 64}, "paper": {None, 224}}
    trained = [one.cell for one in by_scale["paper"] if one.cell.kind == "learning"]
    epochs = {cell.regime: cell.configuration["epochs"] for cell in trained}
    assert epochs == {"mnist1": 30, "mnist2": 30, "mnist3": 30, "pizzaA": 60, "pizzaB": 60, "pizzaC": 15}


def test_the_same_run_in_two_plans_is_one_cell() -> None:
    names = {plan: {one.cell.name for one in planned_cells(read_plan(plan), "standard")} for plan in PLANS}
    assert len(names["headline"] & names["significance"]) == 5 * 5 * 5
    assert names["headline"] & names["ablation"]
    assert not names["headline"] & names["inductive"]


def test_what_is_varied_is_in_the_configuration() -> None:
    choice = Choice(regimes=["mnist2"], rows=["moose"], seeds=[0])
    cells = planned_cells(read_plan("lr-sensitivity"), "smoke", choice)
    rates = [one.cell.configuration["learning_rate"] for one in cells]
    assert rates == [1e-4, 3e-4, 1e-3, 3e-3, 1e-2] == [one.varied["learning_rate"] for one in cells]


@pytest.mark.parametrize("plan", ["ablation", "inductive", "lr-sensitivity"])
def test_likelihood_given_the_theory_stands_beside_the_papers_count(plan: str) -> None:
    choice = Choice(regimes=["mnist2"], rows=["moose", "moose-conditional"], seeds=[0])
    by_row = {one.row: one.cell.configuration for one in planned_cells(read_plan(plan), "standard", choice)}
    assert by_row.keys() == {"moose", "moose-conditional"}
    plain, conditional = ({**by_row[row]} for row in ("moose", "moose-conditional"))
    ours, given = (one.pop("options") for one in (plain, conditional))
    assert plain == conditional
    assert isinstance(ours, dict) and isinstance(given, dict)
    assert "objective" not in ours, "what is left out is the paper's"
    assert given["objective"] == "conditional"
    assert ours["head"] == given["head"]


def test_a_choice_is_a_part() -> None:
    chosen = planned_cells(read_plan("headline"), "smoke", Choice(["pizzaC"], ["bears", "ltn"], [3, 7]))
    assert [(one.row, one.cell.seed) for one in chosen] == [("ltn", 3), ("bears", 3), ("ltn", 7), ("bears", 7)]
    with pytest.raises(MooseError, match="mnist2"):
        planned_cells(read_plan("inductive"), "smoke", Choice(regimes=["mnist4"]))
    with pytest.raises(MooseError, match="a row of the plan headline"):
        planned_cells(read_plan("headline"), "smoke", Choice(rows=["beers"]))
    with pytest.raises(MooseError, match="a scale of the plan headline"):
        planned_cells(read_plan("headline"), "huge")


def test_a_plan_of_ones_own_stands_on_the_shared_scales(tmp_path: Path) -> None:
    found = plan(tmp_path, TINY.replace("tiny", "smoke").replace("count = 48\n", ""))
    (first, second) = planned_cells(found, "smoke")
    assert first.cell.configuration["count"] == 800 and first.cell.configuration["size"] == 8
    assert (first.row, second.row, second.cell.method) == ("moose", "moose-open", "moose")
    assert first.cell.name != second.cell.name


@pytest.mark.parametrize(
    ("old", "new", "complaint"),
    [
        ('name = "moose"\n', 'name = "moose"\nnmae = 1\n', "nmae"),
        ('name = "moose-open"', 'name = "moose"', "a name of its own"),
        ('reference = "moose"', 'reference = "bears"', "bears"),
        ("tiny = 1", "tiny = 0", "positive number of seeds"),
        ("tiny = 1", "other = 1", "the scale other"),
        ("[seeds]", "[sedes]", "expected seeds"),
        ('title = "Few digits"', "", "title"),
        ('title = "Few digits"', "title = ", "expected a plan in TOML"),
        ('title = "Few digits"', 'title = ""\nkind = "other"', "learning or circuit"),
        ("[seeds]", "[vary]\ncolour = [1]\n[seeds]", "colour"),
        ('title = "Few digits"', "title = 3", "expected title as a str, but got 3"),
        ('regimes = ["mnist1"]', "regimes = 3", "expected regimes as a list"),
        ('regimes = ["mnist1"]', "regimes = [3]", "regimes as a list of names"),
        ('reference = "moose"', "reference = 3", "expected reference as a str"),
        ('title = "Few digits"', 'title = ""\nvary = 3', "expected vary as a dict"),
        ("[seeds]", "[vary]\ncount = 3\n[seeds]", "a list of values for count"),
        ('name = "moose-open"', "name = 3", "expected name as a str"),
        ('regimes = ["mnist1"]', "regimes = []", "the names of regimes, but there are none"),
        ("size = 8", "size = 0", r"scales\.tiny: expected size of a scale as a whole number from 1 on, but got 0"),
        ("size = 8", "size = true", "but got True"),
        ("size = 8", "size = inf", "but got inf"),
        ("[seeds]", "[vary]\nlearning_rate = [1e-3, nan]\n[seeds]", "positive numbers for learning_rate to vary"),
    ],
)
def test_a_mistake_in_a_plan_is_named(tmp_path: Path, old: str, new: str, complaint: str) -> None:
    assert old in TINY
    with pytest.raises(MooseError, match=complaint):
        plan(tmp_path, TINY.replace(old, new))


def test_a_plan_may_be_written_by_an_editor_of_windows(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_bytes(b"\xef\xbb\xbf" + TINY.replace("\n", "\r\n").encode())
    assert read_plan(path).title == "Few digits"


def test_an_unknown_plan_or_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(MooseError, match="headline"):
        read_plan("headlines")
    with pytest.raises(MooseError, match="cannot be read"):
        read_plan(tmp_path / "none.toml")


def test_a_plan_of_ones_own_does_not_take_the_name_of_the_papers(tmp_path: Path) -> None:
    with pytest.raises(MooseError, match="another name"):
        plan(tmp_path, TINY, "headline")


@pytest.mark.parametrize("name", ["two\nlines", "\x1b[2J", "a\\b"])
def test_a_plan_whose_name_is_not_fit_for_files_is_refused(tmp_path: Path, name: str) -> None:
    with pytest.raises(MooseError, match="whose name can be that of a file"):
        plan(tmp_path, name=name)


def test_the_name_of_a_circuits_row_stays_in_its_folder(tmp_path: Path) -> None:
    found = plan(tmp_path, CIRCUITS.replace('name = "paper"', 'name = "../up/there"'))
    assert all("/" not in one.cell.name for one in planned_cells(found, "smoke"))


def test_an_unknown_option_of_a_method_is_named(tmp_path: Path) -> None:
    found = plan(tmp_path, TINY + 'options = { colour = "red" }\n')
    with pytest.raises(MooseError, match="colour"):
        planned_cells(found, "tiny")


def test_a_plan_has_regimes_that_a_data_set_has_of_its_own(tmp_path: Path) -> None:
    text = TINY.replace('"mnist1"', '"imclef07d-hidden90", "imclef07d", "mnist1"')
    text = text.replace("[[rows]]", '[scales.tiny.hmc]\ndata = "hmc"\n\n[[rows]]', 1)
    cells = [one.cell for one in planned_cells(plan(tmp_path, text), "tiny") if one.row == "moose"]
    hidden, complete, digits = cells
    assert (hidden.data, complete.data, digits.data) == ("hmc", "hmc", "digits")
    assert (hidden.configuration["valid"], complete.configuration["valid"]) == ("stop", "learn")
    assert hidden.configuration["dropout"] == 0.7 and "dropout" not in digits.configuration
    options = hidden.configuration["options"]
    assert isinstance(options, dict) and options["objective"] == "auto"


def test_a_regime_that_no_data_set_has_is_named(tmp_path: Path) -> None:
    text = TINY.replace('"mnist1"', '"imclef07d-hiden90"')
    with pytest.raises(MooseError, match="imclef07d-hiden90"):
        planned_cells(plan(tmp_path, text), "tiny")
    text = text.replace("[[rows]]", '[scales.tiny.hmc]\ndata = "hmc"\n\n[[rows]]', 1)
    with pytest.raises(MooseError, match="hiden90"):
        planned_cells(plan(tmp_path, text), "tiny")


@pytest.mark.parametrize(("name", "data"), [("hmc", "hmc"), ("genes", "genes"), ("odds", "hmc")])
def test_plans_of_hierarchies_are_sound(name: str, data: str) -> None:
    cells = planned_cells(read_plan(Path(f"bench/plans/{name}.toml")), "two-cores")
    assert {one.cell.data for one in cells} == {data}
    assert {one.cell.configuration["dropout"] for one in cells} == {0.7}
    assert len({one.cell.name for one in cells}) == len(cells)


def test_a_row_may_close_families_by_parts(tmp_path: Path) -> None:
    parts = 'name = "moose"\nclosure = ["mutex", "only"]'
    (first, _) = planned_cells(plan(tmp_path, TINY.replace('name = "moose"', parts, 1)), "tiny")
    assert first.cell.configuration["closure"] == ["mutex", "only"]
    usual = planned_cells(plan(tmp_path, TINY), "tiny")[0].cell
    assert usual.configuration["closure"] is True
    assert examples_key(first.cell) != examples_key(usual)
    for closure, same in (('["only", "mutex", "only"]', ["mutex", "only"]), ('["profiles", "cover", "mutex"]', True)):
        told = TINY.replace('name = "moose"', f'name = "moose"\nclosure = {closure}', 1)
        assert planned_cells(plan(tmp_path, told), "tiny")[0].cell.configuration["closure"] == same
    empty = TINY.replace('name = "moose"', 'name = "moose"\nclosure = []', 1)
    assert planned_cells(plan(tmp_path, empty), "tiny")[0].cell.configuration["closure"] is False


@pytest.mark.parametrize(
    ("closure", "said"),
    [
        ('"only"', "the row moose, but got 'only'"),
        ('["onyl"]', "the row moose"),
        ("[1]", r"but got \[1\]"),
        ("3", "but got 3"),
    ],
)
def test_other_closures_of_a_row_are_refused(tmp_path: Path, closure: str, said: str) -> None:
    with pytest.raises(MooseError, match=said):
        plan(tmp_path, TINY.replace('name = "moose"', f'name = "moose"\nclosure = {closure}', 1))


@pytest.mark.parametrize("name", ["ablation", "inductive"])
def test_only_stands_beside_the_papers_closure(name: str) -> None:
    choice = Choice(regimes=["mnist2"], rows=["moose-conditional", "moose-only"], seeds=[0])
    given, only = (one.cell.configuration for one in planned_cells(read_plan(name), "standard", choice))
    assert only["closure"] == ["mutex", "cover", "profiles", "only"]
    assert {**only, "closure": True} == given
