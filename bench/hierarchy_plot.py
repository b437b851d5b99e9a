"""Draw AU(PRC) and exact match over the share of labels hidden: `python -m bench.hierarchy_plot`.

The picture is `docs/pictures/hidden_labels.svg`, made of `bench/results/hierarchies`.
"""

from __future__ import annotations

from bench.hierarchy_tables import FEW, ROOT, results_of
from moose.base.whole_files import write_whole
from moose.benchmark.report.figures.curves import hidden_share_figures, standalone

PICTURE = ROOT / "docs" / "pictures" / "hidden_labels.svg"


def main() -> int:
    """Draw it."""
    results = results_of("hmc", FEW)
    assert results is not None, "there is nothing to draw"
    figures = hidden_share_figures(results)
    write_whole(PICTURE, [standalone(figures)])
    print(f"{PICTURE}: {len(figures)} figures")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
