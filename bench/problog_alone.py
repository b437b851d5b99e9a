"""Ask ProbLog for the one query of a program: `python -m bench.problog_alone FILE` prints the answer and the seconds.

The seconds are counted from the text in memory to the answer, so that ProbLog is not charged for starting Python.
"""

from __future__ import annotations

import sys
import time
from pathlib import Path


def main() -> None:
    """Answer the query of the file named on the command line."""
    from problog import get_evaluatable
    from problog.program import PrologString

    sys.setrecursionlimit(1_000_000)  # ProbLog's loop breaking recurses along proofs
    text = Path(sys.argv[1]).read_text(encoding="utf-8")
    start = time.perf_counter()
    answers = get_evaluatable().create_from(PrologString(text)).evaluate()
    seconds = time.perf_counter() - start
    (probability,) = answers.values()
    print(repr(float(probability)), seconds)


if __name__ == "__main__":
    main()
