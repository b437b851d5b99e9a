"""The table of what is learnt of toppings where a flag tells the kind of a pizza."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from statistics import mean
from typing import Any

from bench.measure import machine_line

Measured = Mapping[str, Any]
WORDS = {"plain": "without", "flags": "with"}
SORTS = ("same", "other", "held_out")


def giveaways_table(measured: Measured) -> str:
    """Return a line for each encoder and sort of picture, means over seeds."""
    lines = [
        (
            "| encoder | learnt from pizzas | seeds | the same: found | false | flags off (or on): found | false "
            "| kinds never seen: found | false |"
        ),
        "| --- | --- |" + " ---: |" * 7,
    ]
    groups = dict.fromkeys((row["encoder"], row["data"]) for row in measured["rows"])
    for encoder, data in groups:
        rows = [row for row in measured["rows"] if (row["encoder"], row["data"]) == (encoder, data)]
        shares = [f"{100 * mean(row[sort][kind] for row in rows):.1f}" for sort in SORTS for kind in ("found", "false")]
        lines.append(f"| `{encoder}` | {WORDS[data]} flags | {len(rows)} | {' | '.join(shares)} |")
    settings = measured["settings"]
    told = f"{settings['count']} pizzas of {settings['size']} pixels, {settings['epochs']} epochs, the"
    told += f" {settings['top']} highest patches; per cent. {machine_line(measured)}"
    return "\n".join([*lines, "", f"{told}."])


PIZZA_TABLES: dict[str, tuple[str, Callable[[Measured], str]]] = {"giveaways": ("giveaways", giveaways_table)}
