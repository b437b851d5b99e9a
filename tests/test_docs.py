"""Documents that are written from something else say what that says."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import moose
from bench import table
from docs import make_api
from moose.saturation.checker_rules import RULES

ROOT = Path(__file__).parent.parent


def test_the_api_page_is_what_the_docstrings_say() -> None:
    assert make_api.PAGE.read_text(encoding="utf-8") == make_api.render_api(), "run `python docs/make_api.py`"


def test_the_api_page_leaves_out_no_public_name() -> None:
    listed = {name for names in make_api.FACADE.values() for name in names}
    assert listed == set(moose.__all__) - {"__version__"}


@pytest.mark.parametrize("document", table.documents(), ids=lambda path: path.name)
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
    assert lines[4] == "| go | 12.35 | 2.00 | 1.50 | 0.25 | 900 | 450 | yes |"
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
    }
    return {
        "machine": {"cores": 2, "processor": "a processor", "memory_gb": 8, "load_average_at_start": 0.1},
        "versions": {"ELK": "0.6.0", "Java": "17", "Python": "3.11", "numba": "0.60"},
        "settings": {"runs": 3},
        "ontologies": {"go": {"end_to_end": end_to_end, "alone": alone, "has_equal_edges": True}},
    }


def test_the_page_on_proofs_lists_every_rule() -> None:
    page = (ROOT / "docs" / "explain.md").read_text(encoding="utf-8")
    for name, rule in RULES.items():
        assert f"| `{name}` | {' '.join((rule.__doc__ or '').split())} |" in page
