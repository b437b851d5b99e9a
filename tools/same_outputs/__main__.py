"""The command line."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

import tools.same_outputs
from tools.same_outputs import Mistake
from tools.same_outputs.comparing import compare
from tools.same_outputs.place import Place, prepare
from tools.same_outputs.proofs import compare_proofs
from tools.same_outputs.running import run
from tools.same_outputs.timing import measure


def do_run(options: argparse.Namespace) -> bool:
    """Run the commands."""
    run(place_of(options, options.checkout, options.folder), only=options.only, fresh=options.fresh, jobs=options.jobs)
    return True


def do_compare(options: argparse.Namespace) -> bool:
    """Compare two runs."""
    return compare(options.first, options.second, options.patterns)


def do_proofs(options: argparse.Namespace) -> bool:
    """Compare the proofs of two runs."""
    return compare_proofs(options.first, options.second)


def do_time(options: argparse.Namespace) -> bool:
    """Measure the checkouts by turns."""
    checkouts = enumerate(options.checkouts, 1)
    measure([place_of(options, one, options.folder / str(number)) for number, one in checkouts], runs=options.runs)
    return True


def place_of(options: argparse.Namespace, checkout: Path, folder: Path) -> Place:
    """Prepare a checkout as the options say."""
    return prepare(checkout, folder, data=options.data, hash_seed=options.hash_seed)


def read_options() -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(
        prog="python -m tools.same_outputs", description=(tools.same_outputs.__doc__ or "").partition("\n")[0]
    )
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    runner = commands.add_parser("run", help="run the commands against a checkout")
    runner.add_argument("checkout", type=Path)
    timer = commands.add_parser("time", help="measure some commands of one or more checkouts, by turns")
    for one in (runner, timer):
        one.add_argument("folder", type=Path, help="where to put everything; new or empty")
        one.add_argument("--data", type=Path, help="folder with large ontologies; without it their cases are left out")
        one.add_argument("--hash-seed", type=int, default=0, help="PYTHONHASHSEED; no output should depend on it")
    runner.add_argument("--only", metavar="PATTERNS", help="only cases of such names: 'data,golden-*'")
    runner.add_argument("--fresh", action="store_true", help="every command in an interpreter of its own (slow)")
    runner.add_argument("--jobs", type=int, default=2, help="cases that run at a time")
    runner.set_defaults(do=do_run)
    timer.add_argument("checkouts", type=Path, nargs="+", metavar="checkout")
    timer.add_argument("--runs", type=int, default=5, help="runs counted, after one that is not")
    timer.set_defaults(do=do_time)
    comparer = commands.add_parser("compare", help="compare what two runs have put out")
    prover = commands.add_parser("proofs", help="compare the lengths of the proofs of two runs")
    for one in (comparer, prover):
        one.add_argument("first", type=Path)
        one.add_argument("second", type=Path)
    prover.set_defaults(do=do_proofs)
    comparer.add_argument(
        "--except", dest="patterns", action="append", default=[], metavar="PATTERN", help="files that may differ"
    )
    comparer.set_defaults(do=do_compare)
    return parser.parse_args()


def main() -> int:
    """Do what the command line says; 1 if there is a difference, 2 if something given is wrong."""
    options = read_options()
    try:
        return int(not options.do(options))
    except Mistake as mistake:
        print(f"same_outputs: {mistake}", file=sys.stderr)
        return 2


if __name__ == "__main__":
    sys.exit(main())
