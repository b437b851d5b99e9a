"""Learn every world in every way: `python -m bench.worlds [--data ../shared/data] [--seeds 5] [--only NAME]`.

Writes `bench/results/worlds.json` after each run; what is there already is kept. Worlds whose data are not there are
left out, which is said.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path

import torch

from bench.measure import describe_machine, write_json
from bench.table import RESULTS
from bench.worlds import blood_table, digit_rows, white_cells
from bench.worlds.ways import measure, ways_of
from bench.worlds.world import World

FILE = RESULTS / "worlds.json"


def main() -> int:
    """Learn, print and write."""
    parser = argparse.ArgumentParser(prog="python -m bench.worlds")
    parser.add_argument("--data", type=Path, default=Path("../shared/data"))
    parser.add_argument("--seeds", type=int, default=5)
    parser.add_argument("--only")
    parser.add_argument("--file", type=Path, default=FILE)
    options = parser.parse_args()
    torch.set_num_threads(1)
    found = json.loads(options.file.read_text("utf-8"))["worlds"] if options.file.exists() else {}
    for name, make in worlds(options.data).items():
        if options.only in (None, name):
            learn(name, make(), found, options)
    return 0


def worlds(data: Path) -> dict[str, Callable[[], World]]:
    """Return what makes each world, of those whose data are there."""
    cells = data / "scale" / "cells"
    makers: dict[str, Callable[[], World]] = {"rows of digits": digit_rows.make}
    if (cells / white_cells.SLIM).exists():
        makers |= {
            "white cells, as the slim says": partial(white_cells.make, cells, textbook=False),
            "white cells, as textbooks say": partial(white_cells.make, cells, textbook=True),
            "blood cells by genes": partial(blood_table.make, cells),
        }
    else:
        print(f"{cells}: absent, so no cells are learnt", file=sys.stderr)
    return makers


def learn(name: str, world: World, found: dict[str, dict[str, list[object]]], options: argparse.Namespace) -> None:
    """Learn one world in every way with every seed, but for what is known already."""
    ways = ways_of(world)
    rows = found[name] = {way_name: found.get(name, {}).get(way_name, []) for way_name in ways}
    for seed in range(options.seeds):
        for way_name, way in ways.items():
            runs = rows[way_name]
            if len(runs) <= seed:
                runs.append(measure(way, world, seed))
                write_json(options.file, {"machine": describe_machine(), "worlds": found})
                print(name, way_name, seed, runs[-1], flush=True)


if __name__ == "__main__":
    raise SystemExit(main())
