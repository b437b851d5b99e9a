"""The paper's six regimes, bundled as task files."""

from __future__ import annotations

from pathlib import Path

from moose.base.errors import UnknownName
from moose.base.suggestions import close_files, close_matches, did_you_mean, unknown_word
from moose.grounding.task.task import Task
from moose.grounding.task.task_file import read_task

FOLDER = Path(__file__).parents[2] / "regimes"
REGIMES = ("mnist1", "mnist2", "mnist3", "pizzaA", "pizzaB", "pizzaC")


def regime(name: str) -> Task:
    """Return the task of one of the paper's regimes.

    >>> regime("mnist1")
    Task(1 individual, 4 observed, 10 latent)
    """
    return read_task(regime_path(name))


def regime_path(name: str) -> Path:
    """Return the task file of one of the paper's regimes."""
    if name not in REGIMES:
        raise unknown_word("a regime", name, REGIMES)
    return FOLDER / f"{name}.toml"


def task_path(name: str) -> Path:
    """Return the task file that a name stands for: a regime's, or the file itself.

    A regime's name comes first: a file of the same name is meant by a path such as ./mnist1.

    >>> task_path("mnist1").name, task_path("own/task.toml").name
    ('mnist1.toml', 'task.toml')
    """
    if name in REGIMES:
        return regime_path(name)
    path = Path(name)
    if path.suffix != ".toml" and len(path.parts) == 1 and not path.exists():
        if files := close_files(path):
            hint = did_you_mean([*close_matches(name, REGIMES), *files], otherwise="")
            raise UnknownName(f"expected a regime or a task's file, but got {name!r}; {hint}")
        raise unknown_word("a regime or a task's file", name, REGIMES)
    return path
