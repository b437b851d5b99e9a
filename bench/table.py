"""Write the figures of `bench/results/classify.json` into the documents that show them: `python -m bench.table`.

A table stands between two marker lines. What is between them is made from the file alone, so that no figure is typed
by hand; a test compares the documents with what this writes.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parent.parent
RESULTS = ROOT / "bench" / "results" / "classify.json"
DOCUMENTS = (ROOT / "README.md", ROOT / "docs" / "saturation.md")
BEGIN = "<!-- classify: written by python -m bench.table -->"
END = "<!-- classify: end -->"
NOT_MEASURED = "Not measured yet: `make bench` measures, `python -m bench.table` writes the table here."

Row = Mapping[str, Any]  # as the JSON file has it; bench/classify.py writes it


def render(results: Path = RESULTS) -> str:
    """Return the table as Markdown, or one line where nothing has been measured."""
    if not results.exists():
        return NOT_MEASURED
    measured = json.loads(results.read_text(encoding="utf-8"))
    lines = [
        "| ontology | end to end, CPU s: ELK | Moose | alone, CPU s: ELK | Moose | peak MB: ELK | Moose | same edges |",
        "| --- | ---: | ---: | ---: | ---: | ---: | ---: | --- |",
        *(_line(name, row) for name, row in measured["ontologies"].items()),
        "",
        _conditions(measured),
    ]
    return "\n".join(lines)


def _line(name: str, row: Row) -> str:
    elk, ours = row["end_to_end"]["elk"], row["end_to_end"]["moose"]
    alone = [spread["cpu"]["middle"] for side, spread in row["alone"].items() if side != "moose"]
    cells = [
        f"{elk['cpu']['middle']:.2f}",
        f"{ours['cpu']['middle']:.2f}",
        f"{min(alone):.2f}",
        f"{row['alone']['moose']['cpu']['middle']:.2f}",
        f"{elk['peak_mb']['middle']:.0f}",
        f"{ours['peak_mb']['middle']:.0f}",
        "yes" if row["has_equal_edges"] else "no",
    ]
    return f"| {name} | {' | '.join(cells)} |"


def _conditions(measured: Row) -> str:
    machine, versions, settings = measured["machine"], measured["versions"], measured["settings"]
    return (
        f"Medians of {settings['runs']} runs on {machine['cores']} cores of {machine['processor']}, "
        f"{machine['memory_gb']} GB, load average {machine['load_average_at_start']} at the start; "
        f"ELK {versions['ELK']} on Java {versions['Java']}, Moose on Python {versions['Python']} "
        f"with numba {versions['numba']}."
    )


def fill(text: str, table: str) -> str:
    """Put a table between the markers of a document."""
    before, begin, rest = text.partition(BEGIN)
    _, end, after = rest.partition(END)
    if not (begin and end):
        raise ValueError(f"expected the lines {BEGIN} and {END} in the document; put them where the table should stand")
    return f"{before}{BEGIN}\n{table}\n{END}{after}"


def stale(table: str) -> Iterator[tuple[Path, str]]:
    """Yield the documents whose table is not this one, with the text that they should have."""
    for document in DOCUMENTS:
        text = document.read_text(encoding="utf-8")
        wanted = fill(text, table)
        if wanted != text:
            yield document, wanted


def main() -> None:
    """Write the table into every document that shows it."""
    for document, wanted in stale(render()):
        document.write_text(wanted, encoding="utf-8")
        print(f"wrote {document.relative_to(ROOT)}", file=sys.stderr)


if __name__ == "__main__":
    main()
