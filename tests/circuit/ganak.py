"""The number of models by Ganak, of the extra `peers`."""

from __future__ import annotations

import numpy as np

from moose.grounding.clauses import AtomKind, Clauses


def count_by_ganak(clauses: Clauses) -> int:
    """Count the models over the atoms that are not auxiliary; given literals are evidence, as they are for ours."""
    import pyganak  # a peer, which may be absent

    rows = [*(list(row) for row in clauses), *([literal] for literal in clauses.given)]
    if [] in rows:
        return 0  # Ganak takes no empty clause
    counter = pyganak.Counter()
    counter.new_vars(len(clauses.atoms))
    counter.add_clauses(rows)
    visible = (np.flatnonzero(clauses.kinds != AtomKind.AUXILIARY) + 1).tolist()
    if len(visible) < len(clauses.atoms):
        counter.set_sampling_set(visible)
    return int(counter.count())
