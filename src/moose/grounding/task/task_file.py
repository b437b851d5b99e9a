"""Tasks as TOML files."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Iterable, Mapping
from pathlib import Path

from moose.base.errors import MooseError, ParseError
from moose.base.suggestions import no_such_file, unknown_word
from moose.base.user_files import is_there
from moose.base.whole_files import whole_file
from moose.grounding.task.components import USUAL_CLOSURE
from moose.grounding.task.task import Task
from moose.owl.files.catalogue import DEFAULT_NAME
from moose.owl.load import load
from moose.owl.ontology import Ontology

BUNDLED = "moose:"
"""What an ontology's name starts with when it comes with the package."""
FOLDER = Path(__file__).parents[2] / "ontologies"
KEYS = (
    "ontology",
    "individuals",
    "observed",
    "latent",
    "families",
    "closure",
    "facts",
    "roles",
    "profiles",
    "kinds",
    "unread",
)
NEEDED = ("ontology", "individuals")
BARE_KEY = re.compile(r"[A-Za-z0-9_-]+\Z")


def read_task(path: Path | str) -> Task:
    """Read a task from a TOML file; its ontology is a path beside that file, or `moose:` and the name of a bundled one.

    >>> from moose.grounding.task.regimes import FOLDER
    >>> read_task(FOLDER / "mnist2.toml").edges
    {'succ': frozenset({('a', 'b')})}
    """
    return read_task_and_files(Path(path))[0]


def read_task_and_files(path: Path) -> tuple[Task, tuple[Path, ...]]:
    """Read a task, and list the files that this took: its own, its ontology's, a catalogue, and what is imported."""
    table = read_table(path)
    for key in table:
        if key not in KEYS:
            raise MooseError(f"{path}: {unknown_word('a key of a task', key, KEYS)}")
    for key in NEEDED:
        if key not in table and not (key == "individuals" and "kinds" in table):
            raise MooseError(f"{path}: the key {key!r} is missing; a task needs {' and '.join(NEEDED)}")
    document = ontology_path(path, table["ontology"])
    try:
        ontology = load(document)
    except MooseError as error:
        if not is_there(document):  # what is wrong is the name that stands in the task
            error.args = (f"{path}: its ontology: {error}",)
        raise
    try:
        task = task_from_table(ontology, table)
    except MooseError as error:
        error.args = (f"{path}: {error}",)  # the kind of error, and what it carries, stay
        raise
    return task, (
        path,
        document,
        document.with_name(DEFAULT_NAME),
        *(Path(imported.path) for imported in ontology.imports),
    )


def task_from_table(ontology: Ontology, table: Mapping[str, object]) -> Task:
    """Make a task of the values of a TOML file; what is wrong with one, the task itself says."""
    chosen = table.get("closure", True)
    closure = (USUAL_CLOSURE if chosen else ()) if isinstance(chosen, bool) else chosen
    return Task(
        ontology,
        table.get("individuals", ()),  # type: ignore[arg-type]  # here and below: the task checks what it is given
        table.get("observed", ()),  # type: ignore[arg-type]
        table.get("latent", ()),  # type: ignore[arg-type]
        table.get("families", ()),  # type: ignore[arg-type]
        table.get("roles"),  # type: ignore[arg-type]
        profiles=table.get("profiles"),  # type: ignore[arg-type]
        facts=table.get("facts", ()),  # type: ignore[arg-type]
        closure=closure,  # type: ignore[arg-type]
        kinds=table.get("kinds"),  # type: ignore[arg-type]
        unread=table.get("unread", ()),  # type: ignore[arg-type]
    )


def read_table(path: Path) -> dict[str, object]:
    """Read a TOML file."""
    expected = f"{path}: expected a task in TOML, but"
    try:
        return tomllib.loads(_text(path))
    except UnicodeDecodeError:
        raise ParseError(f"{expected} it is no text; of a circuit that was saved, give the task instead") from None
    except tomllib.TOMLDecodeError as error:
        hint = "; if it is an ontology, give a task that names it" if path.suffix != ".toml" else ""
        raise ParseError(f"{expected} it cannot be read as such: {error}{hint}") from None
    except RecursionError:
        raise ParseError(f"{expected} its lists or tables are nested too deeply; a task needs three levels") from None
    except MooseError:
        raise
    except ValueError:  # Python reads no more than 4,300 digits
        raise ParseError(f"{expected} a number in it has thousands of digits; a task needs no numbers") from None


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8-sig")  # Windows' editors begin with a mark
    except UnicodeDecodeError:
        raise
    except FileNotFoundError:
        raise no_such_file(path, "a task's file") from None
    except (OSError, ValueError) as error:  # a path with a null character is a ValueError
        reason = (getattr(error, "strerror", None) or str(error) or type(error).__name__).lower()
        raise MooseError(f"{path}: cannot be read ({reason}); check the path and its permissions") from None


def ontology_path(path: Path, name: object) -> Path:
    """Return the file of the ontology that a task file names."""
    if not isinstance(name, str):
        raise MooseError(f"{path}: expected a path, or {BUNDLED}NAME, for ontology, but got {name!r}")
    if not name.startswith(BUNDLED):
        return path.parent / name
    known = {file.stem: file for file in sorted(FOLDER.glob("*.ofn"))}
    bundled = known.get(name.removeprefix(BUNDLED))
    if bundled is None:
        raise MooseError(f"{path}: {unknown_word('a bundled ontology', name, [BUNDLED + stem for stem in known])}")
    return bundled


def write_task(task: Task, path: Path | str, *, ontology: str) -> None:
    """Write a task to a TOML file, its ontology under the name that `read_task` is to load it by."""
    text = task_text(task, ontology=ontology)
    with whole_file(Path(path)) as draft:
        draft.write_text(text, encoding="utf-8", newline="\n")


def task_text(task: Task, *, ontology: str) -> str:
    """Return the text of a task file."""
    plain: dict[str, object] = {
        "ontology": ontology,
        "individuals": task.individuals,
        "observed": task.observed,
        "latent": task.latent,
        "families": task.families,
        "closure": task.closure,
        "facts": task.facts,
    }
    if task.unread:
        plain["unread"] = task.unread
    lines = [f"{key} = {toml_value(value)}\n" for key, value in plain.items()]
    if task.roles:
        lines.append("\n[roles]\n")
        lines += [f"{toml_key(name)} = {toml_value(pairs)}\n" for name, pairs in task.roles.items()]
    if task.profiles is not None:  # none given at all differs from an empty table, which allows no profile clauses
        lines.append("\n[profiles]\n")
    for member, profile in (task.profiles or {}).items():
        lines.append(f"\n[profiles.{toml_key(member)}]\n")
        lines += [f"{toml_key(name)} = {toml_value(holds)}\n" for name, holds in profile.items()]
    for name, kind in (task.kinds or {}).items():
        lines.append(f"\n[kinds.{toml_key(name)}]\n")
        lists = {key: getattr(kind, key) for key in ("individuals", "observed", "latent", "families")}
        lines += [f"{key} = {toml_value(value)}\n" for key, value in {**lists, "input": kind.has_input}.items()]
    return "".join(lines)


def toml_key(name: str) -> str:
    """Spell a key, in quotes where it needs them."""
    return name if BARE_KEY.match(name) else toml_value(name)


def toml_value(value: object) -> str:
    """Spell a text, a truth value, or lists of these."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        # JSON's escapes are TOML's, but for the delete character, which TOML does not take as it is
        return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
    assert isinstance(value, Iterable)
    return f"[{', '.join(toml_value(item) for item in value)}]"
