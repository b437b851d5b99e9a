"""The stable models of a task's program against clingo."""

from __future__ import annotations

from pathlib import Path

import pytest

from moose.methods.neurasp.answer_sets import answer_set_program
from moose.methods.neurasp.clingo_text import clingo_text
from tests.learning.toys import task_of
from tests.methods.test_neurasp import Model, circle, stable_models

clingo = pytest.importorskip("clingo", reason="clingo is not installed: pip install 'moose-el[peers]'")


@pytest.mark.parametrize("name", ["mnist1", "mnist2", "mnist3", "pizzaC", "circle"])
def test_clingo_finds_the_same(name: str, tmp_path: Path) -> None:
    task = circle(tmp_path) if name == "circle" else task_of(name)
    program = answer_set_program(task)
    control = clingo.Control(["0", "--warn=none"])
    control.add("base", [], clingo_text(program))
    control.ground([("base", [])])
    theirs = set[Model]()
    with control.solve(yield_=True) as answers:
        theirs.update(frozenset(int(one.name[1:]) for one in answer.symbols(shown=True)) for answer in answers)
    assert theirs == stable_models(program)
