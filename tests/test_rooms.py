"""The house: rooms of at most a dozen files, no cycle between files or rooms, names that say where one is."""

from __future__ import annotations

import ast
from collections import Counter, defaultdict
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

import moose
from moose.base.graphs import strong_components

SOURCE = Path(moose.__file__).parent
MOST_FILES = 12
LONGEST_CHAIN = 8
LONGEST_FILE = 400

BODIES = ("body", "orelse", "finalbody", "handlers", "cases")
"""Where a node of a syntax tree has statements."""

Graph = dict[str, set[str]]


def module_name(path: Path) -> str:
    """Return the dotted name of a file."""
    parts = ("moose", *path.relative_to(SOURCE).with_suffix("").parts)
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


@cache
def modules() -> dict[str, Path]:
    return {module_name(path): path for path in sorted(SOURCE.rglob("*.py"))}


def statements(node: ast.AST) -> Iterator[ast.AST]:
    """Yield the statements inside a node, without going into expressions, which are most of a file."""
    for part in BODIES:
        for inner in getattr(node, part, ()):
            yield inner
            yield from statements(inner)


@cache
def imports() -> Graph:
    """Return what each file imports: at its top, inside functions, and for types only."""
    known = modules()
    graph: Graph = {name: set() for name in known}
    for name, path in known.items():
        for node in statements(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Import):
                graph[name] |= {alias.name for alias in node.names if alias.name in known}
            elif isinstance(node, ast.ImportFrom) and node.module is not None:
                for alias in node.names:
                    inner = f"{node.module}.{alias.name}"
                    graph[name] |= {inner} if inner in known else {node.module} & known.keys()
    del graph["moose"]  # the façade stands outside the order: it looks names up when they are first used
    return {name: targets - {"moose", name} for name, targets in graph.items()}


def cycles(graph: Graph) -> list[list[str]]:
    """Return what imports itself in a circle."""
    numbers = {name: number for number, name in enumerate(graph)}
    names = list(graph)
    found = strong_components(numbers.values(), lambda one: [numbers[target] for target in graph[names[one]]])
    return [[names[one] for one in component] for component in found if len(component) > 1]


def room_of(name: str) -> str:
    """Return the sub-package that a file is in; a file beside the rooms of a package counts as one."""
    path = modules()[name]
    is_inside = path.name != "__init__.py" and SOURCE not in (path.parent.parent, path.parent)
    return name.rpartition(".")[0] if is_inside else name


def chain(names: set[str]) -> int:
    """Return how many files the longest way of imports among some files passes."""
    graph = imports()

    @cache
    def depth(name: str) -> int:
        return 1 + max((depth(target) for target in graph[name] & names), default=0)

    return max(map(depth, names))


def packages() -> dict[str, set[str]]:
    """Return the files of each package of Moose, its rooms included."""
    found = defaultdict[str, set[str]](set)
    for name in imports():
        found[name.split(".")[1]].add(name)
    return found


def folders() -> dict[Path, set[str]]:
    found = defaultdict[Path, set[str]](set)
    for name, path in modules().items():
        if name != "moose":
            found[path.parent].add(name)
    return found


def test_no_file_imports_itself_in_a_circle() -> None:
    assert cycles(imports()) == []


def test_no_room_imports_itself_in_a_circle() -> None:
    rooms: Graph = defaultdict(set)
    for name, targets in imports().items():
        rooms[room_of(name)] |= {room_of(target) for target in targets} - {room_of(name)}
    assert cycles(rooms) == []


@pytest.mark.parametrize("folder", sorted(folders()), ids=lambda folder: str(folder.relative_to(SOURCE)))
def test_a_folder_has_a_dozen_files_at_most(folder: Path) -> None:
    assert len(list(folder.glob("*.py"))) <= MOST_FILES


@pytest.mark.parametrize("package", sorted(packages()))
def test_the_way_through_a_package_is_short(package: str) -> None:
    assert chain(packages()[package]) <= LONGEST_CHAIN


def test_no_two_modules_of_a_package_have_one_name() -> None:
    inner = [name.split(".") for name, path in modules().items() if path.name != "__init__.py" and name.count(".") > 1]
    counts = Counter((parts[1], parts[-1]) for parts in inner)
    assert [pair for pair, count in counts.items() if count > 1] == []


@pytest.mark.parametrize("folder", sorted(folders()), ids=lambda folder: str(folder.relative_to(SOURCE)))
def test_a_room_says_what_it_is_and_imports_nothing_of_moose(folder: Path) -> None:
    if folder == SOURCE:
        return
    path = folder / "__init__.py"
    tree = ast.parse(path.read_text("utf-8"))
    said = ast.get_docstring(tree) or ""
    assert "In:" in said or "Out:" in said or "tart" in said, (
        f"{path}: say what comes in, what goes out, where to start"
    )
    lazy = {"moose.cli"}  # whose `main` is the command
    if module_name(path) not in lazy:
        assert not [
            node
            for node in ast.walk(tree)
            if isinstance(node, ast.ImportFrom)
            and "moose.base" not in str(node.module)
            and str(node.module).startswith("moose")
        ]


def test_no_file_is_long() -> None:
    long = {str(path.relative_to(SOURCE)): len(path.read_text("utf-8").splitlines()) for path in modules().values()}
    assert {path: lines for path, lines in long.items() if lines > LONGEST_FILE} == {}


def test_a_circle_would_be_seen() -> None:
    assert cycles({"a": {"b"}, "b": {"c"}, "c": {"b"}}) == [["c", "b"]]
