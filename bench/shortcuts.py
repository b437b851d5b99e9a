"""Measure how long shortcuts take to be found: `python -m bench.shortcuts`."""

from __future__ import annotations

from time import perf_counter

import moose
from moose.shortcuts.count.ceiling import ceiling
from moose.shortcuts.problem.options import Showing

PRIMALITY, PARITY = ("Prime", "Composite"), ("Even", "Odd")
KINDS = ("NonVegetarianPizza", "SpicyPizza", "RealFrenchPizza", "VegetarianPizza")
CASES = (
    ("mnist1", Showing()),
    ("mnist1", Showing(literals="positive")),
    ("mnist2", Showing(())),
    ("mnist2", Showing(PRIMALITY)),
    ("mnist3", Showing(())),
    ("mnist3", Showing(PARITY)),
    ("mnist3", Showing((*PARITY, *PRIMALITY))),
    ("mnist3", Showing((*PARITY, *PRIMALITY), most=3)),
    ("pizzaB", Showing(KINDS, "positive")),
    ("pizzaC", Showing(("SpicyPizza",))),
)


def main() -> None:
    """Print, for each regime and what is shown of it, the number of maps and the seconds that they took."""
    for name, showing in CASES:
        task = moose.regime(name)
        start = perf_counter()
        found = moose.find_shortcuts(task, showing)
        maps, reach = found.maps, ceiling(found).accuracy
        shown = "all" if showing.concepts is None else ", ".join(showing.concepts) or "nothing"
        most = "" if showing.most is None else f", {showing.most} at once"
        print(f"{name}\t{shown} ({showing.literals}{most})\t{maps:,}\t{reach:.3f}\t{perf_counter() - start:.2f} s")


if __name__ == "__main__":
    main()
