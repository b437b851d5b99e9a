"""Write measured figures into the documents that show them: `python -m bench.table`.

A table stands between two marker lines, `<!-- bench: NAME -->` and `<!-- bench: end -->`. What is between them is made
from the files in `bench/results` and `results` alone, so that no figure is typed by hand; a test compares the documents
with what this writes.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

from bench.diagnosis_tables import DIAGNOSIS_TABLES
from bench.engineer_tables import ENGINEER_TABLES
from bench.graph_tables import latent_role_table
from bench.headline_tables import HEADLINE_TABLES
from bench.measure import machine_and_load
from bench.pizza_tables import PIZZA_TABLES
from bench.query_tables import QUERY_TABLES
from bench.run_tables import RUN_TABLES
from bench.system_tables import SYSTEM_TABLES
from bench.worlds.tables import garment_methods_table, garments_table, worlds_table

ROOT = Path(__file__).parent.parent
RESULTS = ROOT / "bench" / "results"
MARKED = re.compile(r"(<!-- bench: (?!end)(\w+) -->\n).*?(<!-- bench: end -->)", re.DOTALL)

Measured = Mapping[str, Any]  # as the JSON files have it; bench/classify.py and bench/choices.py write them


def classify_table(measured: Measured) -> str:
    """Return CPU seconds and memory of ELK and Moose, a line for each ontology."""
    lines = [
        (
            "| ontology | end to end, CPU s: ELK | Moose | alone, CPU s: ELK | Moose | Moose, from axioms "
            "| peak MB: ELK | Moose | same edges |"
        ),
        "| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | --- |",
        *(_classify_line(name, row) for name, row in measured["ontologies"].items()),
    ]
    versions = measured["versions"]
    runs = (
        f"Medians of {measured['settings']['runs']} runs; ELK {versions['ELK']} on Java {versions['Java']}, "
        f"Moose on Python {versions['Python']} with numba {versions['numba']}"
    )
    return "\n".join([*lines, "", f"{runs}; {machine_and_load(measured)}."])


def _classify_line(name: str, row: Measured) -> str:
    elk, ours = row["end_to_end"]["elk"], row["end_to_end"]["moose"]
    alone = [spread["cpu"]["middle"] for side, spread in row["alone"].items() if not side.startswith("moose")]
    cells = [
        f"{elk['cpu']['middle']:.2f}",
        f"{ours['cpu']['middle']:.2f}",
        f"{min(alone):.2f}",
        f"{row['alone']['moose']['cpu']['middle']:.2f}",
        f"{row['alone']['moose, from axioms']['cpu']['middle']:.2f}",
        f"{elk['peak_mb']['middle']:.0f}",
        f"{ours['peak_mb']['middle']:.0f}",
        "yes" if row["has_equal_edges"] else "no",
    ]
    return f"| {name} | {' | '.join(cells)} |"


def kernel_table(measured: Measured) -> str:
    """Return the CPU seconds of the kernel, compiled in two ways."""
    return _choices_table(measured, "kernel")


def reader_table(measured: Measured) -> str:
    """Return the CPU seconds of two readers of functional syntax."""
    return _choices_table(measured, "read", "parse")


def _choices_table(measured: Measured, *beginnings: str) -> str:
    rows = [
        f"| {name} | {value:.2f} |" for name, value in measured["cpu_seconds"].items() if name.startswith(beginnings)
    ]
    runs = f"The Gene Ontology; the smallest of {measured['repetitions']} repetitions"
    return "\n".join(["| what | CPU s |", "| --- | ---: |", *rows, "", f"{runs}; {machine_and_load(measured)}."])


def circuits_table(measured: Measured) -> str:
    """Return the counts of the regimes' circuits: as published, in the paper's encoding, and by default."""
    lines = [
        "| regime | published: atoms / clauses / size | paper's encoding, balanced | s | default | s |",
        "| --- | ---: | ---: | ---: | ---: | ---: |",
    ]
    for name, row in measured["regimes"].items():
        cells = [name, _counts(row["published"])]
        for way in ("paper", "default"):
            cells += [_counts(row[way]), f"{row[way]['seconds']['middle']:.2f}"]
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join([*lines, "", f"Medians of three compilations; {machine_and_load(measured)}."])


def _counts(row: Measured) -> str:
    return f"{row['atoms']} / {row['clauses']} / {row['size']}"


def scaling_table(measured: Measured) -> str:
    """Return size and seconds for chains and trees of ever more individuals, and for free roles."""
    lines = [
        "| individuals | joined as | atoms | size | ground s | compile s | layer, batch 8, s |",
        "| ---: | --- |" + " ---: |" * 5,
    ]
    for shape, counts in measured["pinned"].items():
        for count, row in counts.items():
            seconds = [row[key]["middle"] for key in ("ground_seconds", "compile_seconds", "layer_seconds")]
            cells = [f"{int(count):,}", shape, f"{row['atoms']:,}", f"{row['size']:,}"]
            lines.append(f"| {' | '.join([*cells, *(f'{one:.2g}' for one in seconds)])} |")
    lines += [
        "",
        "| individuals, role free | clause by clause: size | s | default: size | s |",
        "| ---: |" + " ---: |" * 4,
    ]
    for count, row in measured["free"].items():
        cells = [
            f"{row[way]['size']:,} | {row[way]['compile_seconds']['middle']:.2f}" for way in ("plain", "structure")
        ]
        lines.append(f"| {count} | {' | '.join(cells)} |")
    fitted = "; ".join(
        f"{shape}: size {found['size']:.2f}, compile {found['compile_seconds']:.2f}, layer {found['layer_seconds']:.2f}"
        for shape, found in measured["exponents"].items()
    )
    runs = f"Exponents over all counts: {fitted}. Medians of {measured['settings']['runs']} runs"
    return "\n".join([*lines, "", f"{runs}; {machine_and_load(measured)}."])


def layer_table(measured: Measured) -> str:
    """Return the CPU microseconds of a forward and backward pass, a line for each circuit and batch size."""
    peers = ("klay, log", "klay, real", "per node", "max-propagation", "max-propagation, pairs")
    columns = ("moose", "moose, torch executor", *peers)
    names = ("Moose", "in torch", "KLay, log", "KLay, real", "node by node", "max-propagation: dense", "pairs")
    lines = [
        f"| circuit | batch | {' | '.join(names)} | KLay / Moose | KLay / in torch |",
        "| --- |" + " ---: |" * (len(names) + 3),
    ]
    for name, regime in measured["regimes"].items():
        for batch, row in regime["batches"].items():
            times = {label: spread["middle"] for label, spread in row["microseconds"].items()}
            least = {label: min(times[label], times.get(f"{label}, compiled", times[label])) for label in times}
            cells = [f"{least[label]:,.0f}" if label in least else "–" for label in columns]
            ratios = [row["times_faster"][f"{ours} / klay"]["middle"] for ours in columns[:2]]
            lines.append(f"| {name} | {batch} | {' | '.join(cells + [f'{ratio:.1f}' for ratio in ratios])} |")
    versions, runs = measured["versions"], measured["settings"]["repetitions"]
    end = f"CPU μs, medians of {runs} blocks; KLay {versions['klaycircuits']}, torch {versions['torch']}, one thread"
    return "\n".join([*lines, "", f"{end}; {machine_and_load(measured)}."])


def cost_table(measured: Measured) -> str:
    """Return what each method costs beside Moose, a line each."""
    regimes = measured["regimes"]
    lines = [
        "| method | " + " | ".join(f"{regime}: times Moose" for regime in regimes) + " |",
        "| --- |" + " ---: |" * len(regimes),
    ]
    for method in next(iter(regimes.values())):
        rows = [regimes[regime][method] for regime in regimes]
        cells = [f"{row['ratio']:.2f} ({row['least']:.2f}–{row['most']:.2f})" for row in rows]
        lines.append(f"| {method} | {' | '.join(cells)} |")
    sizes = f"{measured['count']} examples, {measured['epochs']} epochs, {measured['blocks']} blocks"
    told = f"{sizes}: medians, least and most"
    return "\n".join([*lines, "", f"{told}; {machine_and_load(measured)}."])


def fuzz_table(measured: Measured) -> str:
    """Return how many spoilt inputs were read and refused, a line for each target, and what the worst took."""
    states = ("read", "refused", "found")
    rows = [
        f"| `{target}` | {sum(row.values()):,} | {' | '.join(f'{row[state]:,}' for state in states)} |"
        for target, row in measured["targets"].items()
    ]
    minutes = f"{measured['cases']:,} cases in {measured['seconds'] / 60:.0f} minutes, seed {measured['seed']}"
    worst = f"the slowest took {measured['slowest_seconds']:.1f} s of processor time"
    end = f"{minutes}; {worst}, the largest process had {measured['largest_megabytes']:,} MB, all libraries included."
    return "\n".join(
        ["| target | cases | read | refused | found |", "| --- | ---: | ---: | ---: | ---: |", *rows, "", end]
    )


def large_theories_table(measured: Measured) -> str:
    """Return how long hierarchies and graphs take to compile, a line for each, by tables and by diagrams."""
    lines = [
        "| theory | atoms | grounding | by default: wall, CPU | rows, elements | memory | `structure` |",
        "| --- | ---: | ---: | --- | ---: | ---: | --- |",
    ]
    for name, ways in measured["cases"].items():
        auto, before = ways["auto"], ways.get("structure", {})
        cells = [f"{auto['atoms']:,}", f"{auto['ground']:.2f} s"]
        if "size" in auto:
            cells += [f"{auto['wall']:.2f} s, {auto['cpu']:.2f} ({auto['how'].partition(':')[0]})"]
            cells += [f"{auto['size']:,}, {auto['elements']:,}"]
        else:
            cells += ["not in time" if "error" in auto else "–", "–"]
        old = "–" if not before else f"more than {measured['limit']:.0f} s"
        if "size" in before:
            old = f"{before['wall']:.2f} s, {before['size']:,}, {before['elements']:,}"
        cells += [f"{auto['peak_mb']:,.0f} MB", old]
        lines.append(f"| {name} | {' | '.join(cells)} |")
    return "\n".join([*lines, "", f"{machine_and_load(measured)}."])


def table_certificates_table(measured: Measured) -> str:
    """Return what certificates of circuits by tables take to make and to check, a line for each theory."""
    lines = [
        "| theory | atoms | elements | compile | certify | lines | size | `moose verify` | extracted checker |",
        "| --- |" + " ---: |" * 8,
    ]
    for name, case in measured["cases"].items():
        cells = [f"{case['atoms']:,}", f"{case['elements']:,}", f"{case['compile']:.2f} s", f"{case['certify']:.2f} s"]
        cells += [f"{case['lines']:,}", f"{case['bytes'] / 1e6:.2f} MB"]
        for side in ("python", "extracted"):
            cells.append(f"{case[side]['cpu']:.2f} s, {case[side]['peak_mb']:,.0f} MB" if side in case else "–")
        lines.append(f"| {name} | {' | '.join(cells)} |")
    counted = [case["same count as Ganak"] for case in measured["cases"].values()]
    wrong = measured["wrong"]
    end = (
        "CPU seconds; memory is at least that of the process that measures. Ganak counts as many models in "
        f"{counted.count(True)} of {len(counted) - counted.count(None)} theories that it was asked about. "
        f"Of {wrong['certificates']:,} certificates made wrong, {_refused(wrong)}; "
        f"{measured['changes that left a right certificate']:,} further changes left a right one."
    )
    return "\n".join([*lines, "", f"{end} {machine_and_load(measured)}."])


def _refused(outcome: Measured) -> str:
    sides = {"python": "`moose verify`", "extracted": "the extracted checker"}
    told = [f"{sides[side]} refused {outcome[side].get('refused', 0):,}" for side in sides if outcome[side]]
    return " and ".join(told)


def bounds_table(measured: Measured) -> str:
    """Return bounds of log WMC, a line for each theory, kind of weights and limit."""
    lines = [
        (
            "| theory | atoms | weights | limit | rows | log WMC | gap | exact | posteriors: median gap "
            "| given evidence: gap | told before | memory |"
        ),
        "| --- | ---: | --- | --- | ---: | --- | ---: | ---: | ---: | ---: | ---: | ---: |",
    ]
    for name, kinds in measured["cases"].items():
        for kind, row in kinds.items():
            for number, run in enumerate(row["runs"]):
                low, high = run["log_wmc"]
                between = f"{'-∞' if low is None else f'{low:.4f}'} … {high:.4f}"
                cells = [
                    name,
                    f"{row['atoms']:,}",
                    kind,
                    f"{run['limit']:.0f} s" if run["limit"] else "few rows",
                    f"{run['rows']:,}",
                    between,
                    _gap(run["log_wmc"]),
                    f"{row['exact']:.4f}" if "exact" in row else "",
                    f"{run['posterior_gap']['median']:.1g}",
                    _gap(run["evidence"]),
                    _gap(row["evidence_told"]) if number == 0 else "",
                    f"{row['peak_mb']:.0f} MB" if number == 0 else "",
                ]
                lines.append(f"| {' | '.join(cells)} |")
    return "\n".join([*lines, "", f"{machine_and_load(measured)}."])


def _gap(interval: list[float | None]) -> str:
    low, high = interval
    return "∞" if low is None or high is None else f"{high - low:.2g}"


def many_graphs_table(measured: Measured) -> str:
    """Return what training on twenty trees costs beside one of them, a line for each number of examples."""
    lines = [
        "| examples | one tree, CPU s | twenty trees | times one tree | each tree anew |",
        "| ---: |" + " ---: |" * 4,
    ]
    for count, row in measured["counts"].items():
        ratio = f"{row['ratio']['middle']:.2f} ({row['ratio']['smallest']:.2f}–{row['ratio']['largest']:.2f})"
        one, twenty, anew = (f"{row[way]['middle']:.2f}" for way in ("one", "twenty", "anew"))
        lines.append(f"| {int(count):,} | {one} | {twenty} | {ratio} | {anew} |")
    settings = measured["settings"]
    sizes = f"{settings['epochs']} epochs, batches of {settings['batch_size']}, compilation included"
    told = f"{sizes}; medians of {settings['blocks']} blocks, least and most; each tree anew once"
    return "\n".join([*lines, "", f"{told}; {machine_and_load(measured)}."])


TABLES: dict[str, tuple[str, Callable[[Measured], str]]] = {
    "classify": ("classify", classify_table),
    "circuits": ("circuits", circuits_table),
    "layer": ("layer", layer_table),
    "scaling": ("scaling", scaling_table),
    "method_cost": ("method_cost", cost_table),
    "kernel": ("choices", kernel_table),
    "readers": ("choices", reader_table),
    "fuzz": ("fuzz", fuzz_table),
    "large_theories": ("large_theories", large_theories_table),
    "table_certificates": ("table_certificates", table_certificates_table),
    "bounds": ("bounds", bounds_table),
    "many_graphs": ("many_graphs", many_graphs_table),
    "latent_role": ("latent_role", latent_role_table),
    "garments": ("garments", garments_table),
    "garment_methods": ("garment_methods", garment_methods_table),
    "worlds": ("worlds", worlds_table),
    **ENGINEER_TABLES,
    **DIAGNOSIS_TABLES,
    **QUERY_TABLES,
    **SYSTEM_TABLES,
    **PIZZA_TABLES,
}
"""Name of a table to the command that measures for it, `python -m bench.…`, and the function that writes it."""


def render(name: str, results: Path = RESULTS) -> str:
    """Return a table as Markdown, or one line where nothing has been measured."""
    if name in RUN_TABLES | HEADLINE_TABLES:
        return (RUN_TABLES | HEADLINE_TABLES)[name]()
    command, write = TABLES[name]
    file = results / f"{command}.json"
    if not file.exists():
        module = "tools.fuzz --results bench/results/fuzz.json" if command == "fuzz" else f"bench.{command}"
        return f"Not measured yet: `python -m {module}` measures, `python -m bench.table` writes the table here."
    return write(json.loads(file.read_text(encoding="utf-8")))


def fill(text: str, results: Path = RESULTS) -> str:
    """Put the tables between the markers of a document."""
    return MARKED.sub(lambda found: f"{found[1]}{render(found[2], results)}\n{found[3]}", text)


def documents() -> Iterator[Path]:
    """Yield the documents that may show a table."""
    yield ROOT / "README.md"
    yield from sorted((ROOT / "docs").rglob("*.md"))


def main() -> None:
    """Write the tables into every document that shows one."""
    for document in documents():
        text = document.read_text(encoding="utf-8")
        wanted = fill(text)
        if wanted != text:
            document.write_text(wanted, encoding="utf-8", newline="\n")
            print(f"wrote {document.relative_to(ROOT)}", file=sys.stderr)


if __name__ == "__main__":
    main()
