"""Time our classification of an ontology in memory: `python -m bench.alone FILE REPETITIONS [--from-axioms]`.

Prints a line "wall cpu" in seconds for each repetition, after two or more that are not reported: small ontologies are
warmed up for some seconds, as ELK is, since the compiled kernel and what calls it are loaded only where they are used
much. Every repetition gets a newly loaded ontology, so that nothing an earlier one may have left on the value can help
a later one. The concepts are numbered before the clock starts; with --from-axioms that is counted too, since ELK counts
the like of it.
"""

from __future__ import annotations

import gc
import sys
import time

import moose

WARM_UP, LONGEST_WARM_UP, WARM_UP_SECONDS = 2, 12, 5.0
"""Repetitions that are not reported: at least so many, at most so many, and no more once it has taken so long."""


def main() -> None:
    """Load, classify, print the time of the second alone; again and again."""
    path, repetitions = sys.argv[1], int(sys.argv[2])
    begin = time.perf_counter()
    done = 0
    while done < WARM_UP or (done < LONGEST_WARM_UP and time.perf_counter() - begin < WARM_UP_SECONDS):
        classify_anew(path)
        done += 1
    for _ in range(repetitions):
        wall, cpu = classify_anew(path)
        print(f"{wall:.6f} {cpu:.6f}")


def classify_anew(path: str) -> tuple[float, float]:
    """Load an ontology, classify it, and return what the second took."""
    ontology = moose.load(path)
    if "--from-axioms" not in sys.argv:
        assert len(ontology.normal_form.kinds) > 0, "made here and kept on the ontology"
    gc.collect()
    wall, cpu = time.perf_counter(), time.process_time()
    moose.classify(ontology)
    return time.perf_counter() - wall, time.process_time() - cpu


if __name__ == "__main__":
    main()
