"""What compiling may take by default, what an error advises, and settings that hold for whatever compiles."""

from __future__ import annotations

from pathlib import Path

import pytest

import moose
from moose.base.errors import LimitReached, MooseError
from moose.circuit.compile.settings import current_settings
from moose.circuit.limits import Deadline, Limits, advice_for
from moose.grounding.atoms import Atom
from moose.grounding.clauses import Clauses, clauses_from_lists


def wide(individuals: int, *, has_roles: bool) -> Clauses:
    """Return a theory in which everything hangs together."""
    names = [f"n{number}" for number in range(individuals)]
    count = 24 // individuals
    atoms = [Atom(f"C{number}", (name,)) for name in names for number in range(count)]
    if has_roles:
        atoms += [Atom("r", (names[0], names[-1]))]
    pairs = [(-one, -other) for one in range(1, len(atoms) + 1) for other in range(one + 1, len(atoms) + 1)]
    return clauses_from_lists(atoms, [pair for pair in pairs if sum(pair) % 3])


BOUNDS = "take bounds (moose.compile_bounds, --bounds)"


def test_there_are_limits_unless_they_are_taken_away() -> None:
    limits = Limits()
    assert limits.seconds == 600 and limits.megabytes is not None and 100 < limits.megabytes < 1e7
    assert Limits(seconds=None, megabytes=None).seconds is None
    with pytest.raises(MooseError, match="megabytes is 0"):
        Limits(megabytes=0)


@pytest.mark.parametrize(
    ("individuals", "has_roles", "wanted"),
    [
        (1, False, f"raise the limit, leave out concepts, or {BOUNDS}"),
        (2, False, f"raise the limit, leave out individuals, or {BOUNDS}"),
        (2, True, f"raise the limit, fix the truth of role atoms in advance, leave out individuals, or {BOUNDS}"),
    ],
)
def test_only_what_there_is_can_be_left_out_or_fixed(individuals: int, has_roles: bool, wanted: str) -> None:
    assert advice_for(wide(individuals, has_roles=has_roles)) == wanted


@pytest.mark.parametrize("vtree", ["tables", "structure"])
def test_a_limit_on_memory_holds(vtree: str) -> None:
    theory = wide(1, has_roles=False) if vtree == "tables" else moose.ground(moose.regime("mnist2"))
    with pytest.raises(LimitReached, match=r"MB of memory.*MB are allowed") as error:
        moose.compile_circuit(theory, vtree=vtree, limits=Limits(megabytes=1e-6))
    assert "\n" not in str(error.value)


def test_what_is_not_said_is_as_the_settings_around_it_say(tmp_path: Path) -> None:
    clauses = moose.ground(moose.regime("mnist1"))
    with moose.compiling(vtree="tables", cache=tmp_path):
        assert moose.compile_circuit(clauses).statistics.vtree.startswith("tables")
        assert len(list(tmp_path.iterdir())) == 1
        with moose.compiling(limits=Limits(size=3)):
            assert current_settings().vtree == "tables"
            with pytest.raises(LimitReached, match="3 are allowed"):
                moose.compile_circuit(clauses, cache=False)
            assert moose.compile_circuit(clauses, limits=Limits(), cache=False).statistics.size > 3
        assert current_settings().limits.size is None
    assert current_settings().vtree == "auto" and current_settings().cache is None
    with pytest.raises(MooseError, match="expected a vtree among"), moose.compiling(vtree="tree"):
        pass


def test_learners_and_shortcuts_compile_as_the_settings_say() -> None:
    pytest.importorskip("torch")
    from moose.learning.binding import bind

    task = moose.regime("mnist1")
    with moose.compiling(vtree="tables"):
        assert bind(task).layer.circuit.statistics.vtree.startswith("tables")
    with moose.compiling(limits=Limits(size=3)), pytest.raises(LimitReached):
        bind(task)


def test_a_deadline_without_clauses_advises_to_raise_the_limit() -> None:
    assert Deadline.begin(Limits()).advice == "raise the limit"


def test_a_nearer_deadline_is_kept() -> None:
    deadline = Deadline.begin(Limits(seconds=10))
    assert deadline.within(60).limits.seconds == 10
    assert deadline.within(1).limits.seconds == pytest.approx(1, abs=0.5)
    assert Deadline.begin(Limits(seconds=None)).within(60).limits.seconds == pytest.approx(60, abs=0.5)


def test_what_is_tried_for_a_while_does_not_speak_of_a_limit_that_nobody_set() -> None:
    trial = Deadline.begin(Limits()).within(1e-9)
    with pytest.raises(LimitReached, match=r"tried for 1e-09 seconds \(half\), which no limit changes") as error:
        trial.check("half")
    assert "raise the limit" not in str(error.value)
    with pytest.raises(LimitReached, match=r"the 1e-09 seconds allowed \(half\): raise the limit"):
        Deadline.begin(Limits(seconds=1e-9)).within(60).check("half")


def test_the_size_limit_says_how_large_a_table_may_be() -> None:
    assert Limits().table_rows == Limits(size=5).table_rows == 4_000_000
    assert Limits(size=20_000_000).table_rows == 20_000_000


@pytest.mark.parametrize("value", ["10", -1, float("nan"), [3]])
@pytest.mark.parametrize("name", ["seconds", "size", "megabytes"])
def test_a_limit_is_a_positive_number(name: str, value: object) -> None:
    with pytest.raises(MooseError, match=f"positive number or None, but {name} is"):
        Limits(**{name: value})  # type: ignore[arg-type]


def test_what_are_no_limits_and_no_folder_is_refused_before_anything_is_compiled() -> None:
    theory = wide(1, has_roles=False)
    for compiler in (moose.compile_circuit, moose.compile_bounds):
        with pytest.raises(MooseError, match=r"expected limits such as moose.Limits\(seconds=10\), but got 5"):
            compiler(theory, limits=5)  # type: ignore[arg-type]
    with pytest.raises(MooseError, match="expected a folder, True or False as the cache, but got 5"):
        moose.compile_circuit(theory, cache=5)  # type: ignore[arg-type]
