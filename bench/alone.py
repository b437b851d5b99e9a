"""Time our classification of an ontology in memory: `python -m bench.alone FILE REPETITIONS [--from-axioms]`.

Prints a line "wall cpu" in seconds for each repetition, after five that are not reported: ELK is warmed up for seconds,
and the compiled kernel is loaded only in a process that has classified a little. Every repetition gets a newly loaded
ontology, so that nothing an earlier one may have left on the value can help a later one. The concepts are numbered
before the clock starts; with --from-axioms that is counted too, since ELK counts the like of it.
"""

from __future__ import annotations

import gc
import sys
import time

import moose

WARM_UP = 5


def main() -> None:
    """Load, classify, print the time of the second alone; again and again."""
    path, repetitions = sys.argv[1], int(sys.argv[2])
    for turn in range(repetitions + WARM_UP):
        ontology = moose.load(path)
        if "--from-axioms" not in sys.argv:
            assert len(ontology.normal_form.kinds) > 0, "made here and kept on the ontology"
        gc.collect()
        wall, cpu = time.perf_counter(), time.process_time()
        moose.classify(ontology)
        wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
        if turn >= WARM_UP:
            print(f"{wall:.6f} {cpu:.6f}")


if __name__ == "__main__":
    main()
