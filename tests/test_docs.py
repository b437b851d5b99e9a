"""Documents that are written from something else say what that says."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from typer.core import TyperGroup
from typer.main import get_command

import moose
from bench import table
from docs import make_api
from moose.certificates.make.from_proof import RULES
from moose.cli.app import make_app
from moose.owl.profile.bounds import Bounder
from moose.owl.profile.weaken import weaken
from tests.owl.short_syntax import read, write

ROOT = Path(__file__).parent.parent


def test_the_api_page_is_what_the_docstrings_say() -> None:
    assert make_api.PAGE.read_text(encoding="utf-8") == make_api.render_api(), "run `python docs/make_api.py`"


def test_the_api_page_leaves_out_no_public_name() -> None:
    listed = {name for names in make_api.FACADE.values() for name in names}
    assert listed == set(moose.__all__) - {"__version__"}


@pytest.mark.parametrize("document", list(table.documents()), ids=lambda path: path.name)
def test_every_table_is_what_the_measured_file_says(document: Path) -> None:
    text = document.read_text(encoding="utf-8")
    assert text == table.fill(text), "run `python -m bench.table`"


def test_the_readme_has_its_table() -> None:
    assert "<!-- bench: classify -->" in (ROOT / "README.md").read_text(encoding="utf-8")


def test_a_table_is_written_from_the_measured_file_alone(tmp_path: Path) -> None:
    text = "before\n<!-- bench: classify -->\nold\n<!-- bench: end -->\nafter\n"
    assert "Not measured yet" in table.fill(text, tmp_path)
    (tmp_path / "classify.json").write_text(json.dumps(measured()), encoding="utf-8")
    lines = table.fill(text, tmp_path).splitlines()
    assert lines[4] == "| go | 12.35 | 2.00 | 1.50 | 0.25 | 0.75 | 900 | 450 | yes |"
    assert lines[6].startswith("Medians of 3 runs; ELK 0.6.0 on Java 17, Moose on Python 3.11")
    assert lines[-2:] == ["<!-- bench: end -->", "after"]


def measured() -> dict[str, object]:
    def spread(middle: float) -> dict[str, float]:
        return {"smallest": middle, "middle": middle, "largest": middle}

    end_to_end = {
        "elk": {"cpu": spread(12.345), "peak_mb": spread(900.4)},
        "moose": {"cpu": spread(2.0), "peak_mb": spread(450)},
    }
    alone = {
        "elk_1_worker": {"cpu": spread(1.5)},
        "elk_default": {"cpu": spread(1.75)},
        "moose": {"cpu": spread(0.25)},
        "moose, from axioms": {"cpu": spread(0.75)},
    }
    return {
        "machine": {"cores": 2, "processor": "a processor", "memory_gb": 8, "load_average_at_start": 0.1},
        "versions": {"ELK": "0.6.0", "Java": "17", "Python": "3.11", "numba": "0.60"},
        "settings": {"runs": 3},
        "ontologies": {"go": {"end_to_end": end_to_end, "alone": alone, "has_equal_edges": True}},
    }


def test_the_page_on_proofs_lists_every_rule() -> None:
    page = make_api.PROOFS.read_text(encoding="utf-8")
    assert page == make_api.render_proofs(page), "run `python docs/make_api.py`"
    assert [name for name, _ in make_api.rules()] == list(RULES)


# ── What docs/owl.md says is used of axioms outside EL ────────────────────────────────────────────────────────────

CODE = re.compile(r"`([^`]*)`")


def rows_outside() -> list[tuple[str, list[str], bool]]:
    """Return the rows of the table that consist of axioms alone: the axiom, what is used, whether that is the same."""
    found = []
    for line in (ROOT / "docs" / "owl.md").read_text(encoding="utf-8").splitlines():
        cells = [cell.strip() for cell in line.strip("|").split(" | ")]
        if len(cells) == 3 and cells[2] in ("yes", "no"):
            axioms, used = CODE.findall(cells[0]), CODE.findall(cells[1])
            if CODE.sub("", cells[0]) == "" and CODE.sub("", cells[1]).replace(", ", "") in ("", "nothing"):
                found += [(axiom, used, cells[2] == "yes") for axiom in axioms]
    return found


@pytest.mark.parametrize(("axiom", "used", "is_exact"), rows_outside())
def test_of_axioms_outside_el_is_used_what_the_page_says(axiom: str, used: list[str], is_exact: bool) -> None:
    weakened = weaken(read(axiom), Bounder())
    assert ([write(one) for one in weakened.used], weakened.is_exact) == (used, is_exact)


def test_the_page_has_rows_to_compare() -> None:
    assert len(rows_outside()) > 10


# ── The command line ──────────────────────────────────────────────────────────────────────────────────────────────


def test_the_page_on_the_command_line_names_every_command_and_option() -> None:
    page = (ROOT / "docs" / "cli.md").read_text(encoding="utf-8")
    group = get_command(make_app())
    assert isinstance(group, TyperGroup)
    for name, command in group.commands.items():
        assert f"## `moose {name}`" in page
        for option in (spelling for parameter in command.params for spelling in parameter.opts):
            assert not option.startswith("-") or f"`{option}" in page, f"{name} {option} is not in docs/cli.md"


# ── The design ────────────────────────────────────────────────────────────────────────────────────────────────────


def test_the_page_on_the_design_names_files_that_are_there() -> None:
    page = (ROOT / "docs" / "design.md").read_text(encoding="utf-8")
    named = {name for name in CODE.findall(page) if name.endswith(".py") and not name.startswith("tests/")}
    source = Path(moose.__file__).parent
    folders = (source, source.parent)
    named = {Path(name).name if any((folder / name).is_file() for folder in folders) else name for name in named}
    assert [name for name in sorted(named) if not list(source.rglob(name))] == []
    files = [path for path in sorted((source / "saturation").rglob("*.py")) if path.name not in OWN_WORDS]
    left_out = [path.name for path in files if not any(path.match(name) for name in named)]
    assert left_out == [], "name these files in docs/design.md"


OWN_WORDS = {"__init__.py", "arrays.py", "proof.py"}
"""Files that hold the values of the other ones."""
