"""Tasks are read from TOML, and written back."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from moose.base.errors import ContradictoryEvidence, MooseError, ParseError, UnknownName
from moose.grounding.ground import ground
from moose.grounding.task.regimes import REGIMES, regime
from moose.grounding.task.task import Task
from moose.grounding.task.task_file import read_table, read_task, task_text, toml_key, toml_value, write_task
from moose.owl.load import load
from tests.grounding.tasks import ontology_of, texts
from tests.searching import examples


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    ontology_of(tmp_path, "SubClassOf(:A :P) SubClassOf(:A ObjectSomeValuesFrom(:r :B)) Declaration(Class(:Q))")
    return tmp_path


GOOD = """
ontology = "small.ofn"
individuals = ["x", "y"]
observed = ["P", "Q"]
latent = ["A", "B"]
families = [["A", "B"]]
closure = ["cover", "profiles"]
facts = ["P(x)", "not Q(y)"]

[roles]
r = [["x", "y"]]

[profiles.A]
P = true
Q = false

[profiles.B]
P = false
Q = false
"""


def written(folder: Path, text: str) -> Path:
    path = folder / "task.toml"
    path.write_text(text, encoding="utf-8")
    return path


def test_a_byte_order_mark_is_no_part_of_a_task(tmp_path: Path) -> None:
    path = tmp_path / "task.toml"
    path.write_bytes(b'\xef\xbb\xbfontology = "x.ofn"\r\n')
    assert read_table(path) == {"ontology": "x.ofn"}


def same(one: Task, other: Task) -> bool:
    keys = (
        "individuals", "concepts", "role_predicates", "families", "roles", "profiles", "known", "closure", "iris",
    )  # fmt: skip
    return all(getattr(one, key) == getattr(other, key) for key in keys)


def test_every_key_is_read(folder: Path) -> None:
    task = read_task(written(folder, GOOD))
    assert task.edges == {"r": frozenset({("x", "y")})}
    assert task.closure == ("cover", "profiles")
    assert task.profiles == {"A": {"P": True, "Q": False}, "B": {"P": False, "Q": False}}
    assert "P(x) → Q(x) ∨ A(x)" in texts(ground(task, encoding="paper"))
    assert read_task(str(folder / "task.toml")).individuals == ("x", "y")


def test_what_is_written_is_read_back(folder: Path) -> None:
    task = read_task(written(folder, GOOD))
    write_task(task, folder / "again.toml", ontology="small.ofn")
    assert same(task, read_task(folder / "again.toml"))


def test_no_profiles_at_all_are_read_back(folder: Path) -> None:
    task = Task(load(folder / "small.ofn"), ["x"], ["P"], ["A", "B"], [["A", "B"]], profiles={})
    write_task(task, folder / "again.toml", ontology="small.ofn")
    assert read_task(folder / "again.toml").profiles == task.profiles == {}
    found = read_task(written(folder, 'ontology = "small.ofn"\nindividuals = ["x"]\nlatent = ["A"]'))
    write_task(found, folder / "again.toml", ontology="small.ofn")
    assert read_task(folder / "again.toml").profiles is None


def test_a_task_is_written_whole_or_not_at_all(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    task = read_task(written(folder, GOOD))
    with pytest.raises(MooseError, match=r"task\.toml: cannot be written \(.*\); check the folder"):
        write_task(task, folder / "none" / "task.toml", ontology="small.ofn")

    def full_disk(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "replace", full_disk)
    with pytest.raises(MooseError, match=r"cannot be written \(no space left on device\)"):
        write_task(task, folder / "task.toml", ontology="small.ofn")
    assert (folder / "task.toml").read_text(encoding="utf-8") == GOOD
    assert {file.name for file in folder.iterdir()} == {"small.ofn", "task.toml"}


@pytest.mark.parametrize("name", REGIMES)
def test_regimes_are_read_back(tmp_path: Path, name: str) -> None:
    import tomllib

    task = regime(name)
    stem = tomllib.loads((Path(__file__).parents[2] / f"src/moose/regimes/{name}.toml").read_text("utf-8"))["ontology"]
    write_task(task, tmp_path / "task.toml", ontology=stem)
    assert same(task, read_task(tmp_path / "task.toml"))


def test_closure_may_be_on_or_off(folder: Path) -> None:
    plain = 'ontology = "small.ofn"\nindividuals = ["x"]\nlatent = ["A"]\n'
    assert read_task(written(folder, plain + "closure = false")).closure == ()
    assert read_task(written(folder, plain + "closure = true")).closure == ("mutex", "cover", "profiles")
    assert read_task(written(folder, plain)).closure == ("mutex", "cover", "profiles")


START = 'ontology = "small.ofn"\nindividuals = ["x"]\nlatent = ["A"]\n'
MISTAKES = [
    (START + "observd = []", "expected a key of a task, but got 'observd'; did you mean observed"),
    ('individuals = ["x"]\nlatent = ["A"]', "the key 'ontology' is missing"),
    ('ontology = "small.ofn"', "the key 'individuals' is missing"),
    ('ontology = 3\nindividuals = ["x"]', "expected a path, or moose:NAME, for ontology, but got 3"),
    ('ontology = "moose:minst"\nindividuals = ["x"]', "'moose:minst'; did you mean moose:mnist"),
    ('ontology = "none.ofn"\nindividuals = ["x"]', "none.ofn: expected an ontology file, but there is no such file"),
    (START + 'observed = "P"', "task.toml: expected a list of names for observed, but got 'P'"),
    (START + "facts = 3", "task.toml: expected a list of names for facts, but got 3"),
    (START + "families = 3", "task.toml: expected a list of families"),
    (START + "closure = 3", "task.toml: expected a list of names for closure, but got 3"),
    (START + "roles = 3", "task.toml: expected a table from names for roles, but got 3"),
    (START + '[roles]\nr = [["x", 3]]', "task.toml: expected an individual of the task in roles, r, but got '3'"),
    (START + 'observed = ["Pp"]', "task.toml: expected the name of a class .* has no 'Pp'; did you mean P"),
    ("ontology = ", "task.toml: expected a task in TOML, but it cannot be read as such"),
    (START + f"facts = {'9' * 5000}", "task.toml: expected a task in TOML, but a number in it has thousands of digits"),
    (
        START + f"facts = {'[' * 5000}",
        "task.toml: expected a task in TOML, but its lists or tables are nested too deep",
    ),
    ('ontology = "a\\u0000b"\nindividuals = ["x"]', "null"),
]


@pytest.mark.parametrize(("text", "message"), MISTAKES)
def test_mistakes_are_named_with_the_file(folder: Path, text: str, message: str) -> None:
    with pytest.raises(MooseError, match=message) as caught:
        read_task(written(folder, text))
    assert "\n" not in str(caught.value)


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(MooseError, match=r"none\.toml: expected a task's file, but there is no such file"):
        read_task(tmp_path / "none.toml")
    (tmp_path / "task.toml").write_bytes(b"\xff\xfe")
    with pytest.raises(ParseError, match="expected a task in TOML"):
        read_task(tmp_path / "task.toml")
    with pytest.raises(MooseError, match=r"cannot be read \(.*null.*\); check the path"):
        read_task("a\0b")


def test_the_kind_of_mistake_is_kept(folder: Path) -> None:
    with pytest.raises(UnknownName, match=r"task\.toml: expected the name of a class"):
        read_task(written(folder, START + 'observed = ["Pp"]'))
    with pytest.raises(ContradictoryEvidence, match=r"task\.toml: the facts say both A\(x\) and not A\(x\)") as caught:
        read_task(written(folder, START + 'facts = ["A(x), not A(x)"]'))
    assert caught.value.literals == ("A(x)", "not A(x)")


@given(st.recursive(st.text() | st.booleans(), lambda inner: st.lists(inner, max_size=3), max_leaves=6), st.text())
@examples(80)
def test_values_and_keys_are_spelled_as_toml_reads_them(value: object, key: str) -> None:
    import tomllib

    assert tomllib.loads(f"{toml_key(key)} = {toml_value(value)}") == {key: value}


def test_a_task_without_roles_has_no_such_table() -> None:
    assert "[roles]" not in task_text(regime("mnist1"), ontology="moose:mnist")
