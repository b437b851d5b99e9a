"""The command line."""

from __future__ import annotations

import argparse
import itertools
import sys
import time
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import tools.fuzz
from tools.fuzz.case import Case, read_case
from tools.fuzz.cases import SHARES, draw_case
from tools.fuzz.documents import FILES
from tools.fuzz.report import Report
from tools.fuzz.shrinking import shrink
from tools.fuzz.workers import Limits, run_numbers

TELL = 30
"""Seconds between two lines that say how far it is."""


def read_options() -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(
        prog="python -m tools.fuzz", description=(tools.fuzz.__doc__ or "").partition("\n")[0]
    )
    parser.add_argument("--minutes", type=float, default=5)
    parser.add_argument("--seed", type=int, default=0, help="another seed, other cases")
    parser.add_argument("--only", default="", metavar="TARGETS", help=f"some of {', '.join(SHARES)}")
    parser.add_argument("--workers", type=int, default=1, help="processes at a time")
    parser.add_argument("--cases", type=int, metavar="N", help="stop after so many cases")
    parser.add_argument("--first", type=int, default=0, metavar="NUMBER", help="begin with this number")
    parser.add_argument("--seconds", type=float, default=20, help="processor time that a case may take")
    parser.add_argument("--megabytes", type=int, default=2_000, help="memory that a case may take")
    parser.add_argument("--findings", type=Path, default=Path("fuzz-findings"), help="where to write what is found")
    parser.add_argument("--results", type=Path, metavar="JSON", help="write the figures here, too")
    parser.add_argument("--case", type=Path, metavar="FILE", help="run the case of this file, and nothing else")
    parser.add_argument("--shrink", action="store_true", help="make the case of that file smaller, in its place")
    return parser.parse_args()


def numbers_until(end: float, first: int, most: int | None) -> Iterator[int]:
    """Count, until the time is up or so many are reached."""
    for number in itertools.count(first):
        if time.monotonic() > end or (most is not None and number >= first + most):
            return
        yield number


def search(options: argparse.Namespace) -> int:
    """Run cases for some minutes; 1 if something was found."""
    only = tuple(options.only.split(",")) if options.only else tuple(SHARES)
    if unknown := set(only) - set(SHARES):
        print(f"fuzz: expected some of {', '.join(SHARES)}, but got {', '.join(sorted(unknown))}", file=sys.stderr)
        return 2
    for make in FILES.values():
        make()  # once, before the workers are forked
    draw = partial(draw_case, options.seed, only=only)
    report = Report(options.findings)
    began = told = time.monotonic()
    numbers = numbers_until(began + 60 * options.minutes, options.first, options.cases)
    limits = Limits(options.seconds, options.megabytes, patience=6 * options.seconds)
    for number, outcome in run_numbers(numbers, draw, workers=options.workers, limits=limits):
        report.add(draw(number), outcome)
        if time.monotonic() - told > TELL:
            told = time.monotonic()
            print(f"{told - began:,.0f} s: {report.total:,} cases, {len(report.findings)} kinds found", flush=True)
    seconds = time.monotonic() - began
    print("\n".join(report.lines(seconds)))
    if options.results is not None:
        options.results.write_text(report.to_json(seconds, seed=options.seed), "utf-8")
    return int(bool(report.findings))


def repeat(path: Path, *, is_shrunk: bool) -> int:
    """Run the case of a file; 1 if it still finds something."""
    case: Case = read_case(path)
    if is_shrunk:
        case = shrink(case)
    ((_, outcome),) = run_numbers(iter([0]), lambda _number: case)
    if is_shrunk:
        path.write_text(case.to_json(outcome.what), "utf-8")
    print(f"{case.target}, {case.kind}: {outcome.state} after {', '.join(outcome.steps) or 'no step'}")
    print(outcome.details or outcome.what or f"{outcome.seconds:.2f} s, {outcome.megabytes:,.0f} MB")
    return int(outcome.state == "found")


def main() -> int:
    """Do what the command line says."""
    options = read_options()
    return repeat(options.case, is_shrunk=options.shrink) if options.case else search(options)


if __name__ == "__main__":
    sys.exit(main())
