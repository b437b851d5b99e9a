"""The packages stand on a staircase: a file imports only what stands lower; `import moose` loads next to nothing."""

from __future__ import annotations

import ast
import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import moose

SOURCE = Path(moose.__file__).parent

# The one table: each package and the packages that it may import, besides itself and moose.base.errors.
BASE = frozenset({"base"})
OWL = BASE | {"owl"}
SATURATION = OWL | {"saturation"}
GROUNDING = SATURATION | {"grounding"}
CIRCUIT = GROUNDING | {"circuit"}
LAYER = CIRCUIT | {"layer"}
LEARNING = LAYER | {"learning"}
TRAINING = LEARNING | {"shortcuts", "methods", "datasets"}
ALL = TRAINING | {"authoring", "certificates", "hermit", "queries", "ranking", "training"}
MAY_IMPORT = {
    "base": frozenset[str](),
    "owl": BASE,
    "hermit": OWL,
    "saturation": OWL,
    "authoring": SATURATION,
    "grounding": SATURATION,
    "circuit": GROUNDING,
    "certificates": CIRCUIT,
    "queries": CIRCUIT,
    "ranking": SATURATION | {"queries"},
    "shortcuts": CIRCUIT,
    "explore": CIRCUIT | {"queries", "shortcuts"},
    "layer": CIRCUIT,
    "learning": LAYER,
    "methods": LEARNING | {"shortcuts"},
    "datasets": LEARNING,
    "training": TRAINING,
    "benchmark": ALL,
    "cli": ALL | {"benchmark", "explore"},
}
WITHOUT_TORCH = frozenset(
    {
        *("base", "authoring", "certificates", "owl", "hermit", "saturation", "grounding", "circuit", "queries"),
        *("shortcuts", "explore", "ranking"),
    }
)
TOP = frozenset({"__init__", "__main__"})
HEAVY = ("torch", "numba", "numpy", "pyhornedowl", "pyoxigraph", "typer", "rich")


def imported(path: Path) -> Iterator[tuple[int, str]]:
    """Yield every import of a file, those inside functions included, as line and full module name."""
    package = ("moose", *path.relative_to(SOURCE).parent.parts)
    for node in ast.walk(ast.parse(path.read_text("utf-8"), filename=str(path))):
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield node.lineno, alias.name
        elif isinstance(node, ast.ImportFrom):
            above = package[: len(package) - node.level + 1] if node.level else ()
            module = ".".join([*above, *([node.module] if node.module else [])])
            for alias in node.names:
                yield node.lineno, f"{module}.{alias.name}"


def package_of(module: str) -> str | None:
    """Return the package inside Moose that a module belongs to; none for the façade and for other libraries."""
    parts = module.split(".")
    return parts[1] if parts[0] == "moose" and len(parts) > 1 else None


def modules() -> list[Path]:
    return sorted(path for path in SOURCE.rglob("*.py") if path.parent != SOURCE)


def test_every_package_has_its_place_in_the_table() -> None:
    packages = {path.relative_to(SOURCE).parts[0] for path in modules()}
    assert packages <= MAY_IMPORT.keys()
    assert {path.stem for path in SOURCE.glob("*.py")} == TOP


def test_the_table_is_a_staircase() -> None:
    order = list(MAY_IMPORT)
    for place, package in enumerate(order):
        assert MAY_IMPORT[package] <= set(order[:place]), f"{package} may import something that stands above it"


@pytest.mark.parametrize("path", modules(), ids=lambda path: str(path.relative_to(SOURCE)))
def test_a_file_imports_only_what_stands_lower(path: Path) -> None:
    own = path.relative_to(SOURCE).parts[0]
    for line, module in imported(path):
        other = package_of(module)
        if other in MAY_IMPORT and other != own:
            assert other in MAY_IMPORT[own], f"{path.name}:{line}: moose.{own} must not import {module}"
        elif module.split(".")[0] == "moose" and other != own:
            may_see_facade = own in ("training", "benchmark", "cli")
            assert may_see_facade, f"{path.name}:{line}: moose.{own} must not import {module}"
        if own in WITHOUT_TORCH:
            assert module.split(".")[0] != "torch", f"{path.name}:{line}: moose.{own} must do without torch"


def loaded_by(statement: str) -> set[str]:
    """Return the modules that a statement loads in a fresh interpreter."""
    code = f"import sys, json; {statement}; print(json.dumps(sorted(sys.modules)))"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return set(json.loads(run.stdout))


def test_importing_moose_loads_nothing_heavy() -> None:
    assert not loaded_by("import moose").intersection(HEAVY)
    assert not any(module.startswith("moose.") for module in loaded_by("import moose"))


def test_reading_functional_syntax_loads_no_other_parser_and_no_compiler() -> None:
    loaded = loaded_by("import moose; moose.load(moose.PIZZERIA)")
    assert not loaded.intersection(HEAVY)


def test_an_import_that_climbs_would_be_seen(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    climbing = tmp_path / "owl" / "climbing.py"
    climbing.parent.mkdir()
    climbing.write_text("def f():\n    from ..saturation import proof\n    import moose.cli.common.output\n")
    monkeypatch.setattr(sys.modules[__name__], "SOURCE", tmp_path)
    assert list(imported(climbing)) == [(2, "moose.saturation.proof"), (3, "moose.cli.common.output")]
    with pytest.raises(AssertionError, match=r"moose\.owl must not import moose\.saturation\.proof"):
        test_a_file_imports_only_what_stands_lower(climbing)
