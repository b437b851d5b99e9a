"""Compile one job with PySDD, on the best of several vtrees. `build_sdd`, `copy_sdd` and `vtrees` use PySDD, too."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from moose.circuit.limits import Overgrown
from moose.circuit.sdd.build_sdd import Checkpoint, build_blocks, conjoin_clauses
from moose.circuit.sdd.copy_sdd import export
from moose.circuit.sdd.jobs import Fragment, Functions, Job
from moose.circuit.sdd.simplify import simplify
from moose.circuit.sdd.vtrees import Tree, candidates, make_vtree, random_candidates

if TYPE_CHECKING:
    from pysdd.sdd import SddManager, SddNode

ROUNDS = 8  # of minimisation; PySDD's search often finds more when it is started again, four rounds are the most seen
MINUTE = 50  # elements, up to which random vtrees are not worth a try
SMALL = 3000  # elements up to which minimisation is repeated: a round takes half a second
EFFORT = 6000  # elements of all candidates together that are minimised: about three seconds
LARGE = 20_000  # elements from which nothing is minimised: it would take minutes
TRIAL = 200_000  # elements: a candidate that grows beyond this is left, as long as there are others
MARGIN = 10  # a candidate may grow this many times larger than the best so far, as what it is on the way may shrink


@dataclass(frozen=True, eq=False)
class _Built:
    manager: SddManager
    theory: SddNode
    size: int


def run_job(job: Job, checkpoint: Checkpoint) -> Fragment:
    """Compile a job on the vtree that its shape names; for "best", on each of several, and keep the smallest result."""
    if job.variable_count == 0:
        return _constant(is_true=len(job.starts) == 1)
    trees = candidates(job)
    promising = _promising(job, trees, checkpoint) if len(trees) > 1 else trees
    fragments: list[Fragment] = []
    for tree in promising or trees[:1]:  # one after another, because a manager takes tens of megabytes
        one = _build(job, tree, checkpoint, cap=job.most_elements, is_dynamic=not promising)
        if job.minimise and one.size <= LARGE:
            _minimise(one, is_divided=len(job.separator) > 0)
        fragments.append(export(one.theory, job))
        checkpoint(1.0, one.size)
    return min(fragments, key=lambda fragment: _template_size(fragment, job))


def _constant(*, is_true: bool) -> Fragment:
    """Return the fragment of a theory without variables."""
    nothing, roots = np.zeros(0, np.int32), np.zeros(2 if is_true else 0, np.int32)
    return Fragment(Functions(0, np.zeros(1, np.int64), nothing, nothing, roots), nothing, 0, 0)


def _template_size(fragment: Fragment, job: Job) -> int:
    """Return the size that counts in the end: of the template that the fragment becomes."""
    return simplify(fragment, job, order=range(len(fragment.results))).size


def _promising(job: Job, trees: list[Tree], checkpoint: Checkpoint) -> list[Tree]:
    """Return the vtrees on which the theory is smallest, as many as can be minimised; none if it is large on all."""
    sizes: list[tuple[int, int, Tree]] = []
    cap = min(TRIAL, job.most_elements or TRIAL)

    def try_out(trees: list[Tree]) -> None:
        nonlocal cap
        for tree in trees:
            try:
                size = _build(job, tree, checkpoint, cap=cap).size
            except Overgrown:
                continue
            sizes.append((size, len(sizes), tree))
            cap = min(cap, MARGIN * (size + SMALL))

    try_out(trees)
    if sizes and min(sizes)[0] > MINUTE:
        try_out(random_candidates(job))
    chosen: list[Tree] = []
    effort = 0
    for size, _, tree in sorted(sizes, key=lambda entry: entry[:2]):
        effort += size
        if chosen and effort > EFFORT:
            break
        chosen.append(tree)
    return chosen


def _build(job: Job, tree: Tree, checkpoint: Checkpoint, *, cap: int | None, is_dynamic: bool = False) -> _Built:
    """Build a job's theory on a vtree; if it is dynamic, PySDD changes the vtree as it goes."""
    from pysdd.sdd import SddManager

    def check(share: float, size: int) -> None:
        if cap is not None and size > cap:
            raise Overgrown(share, size)
        checkpoint(share, size)

    manager = SddManager.from_vtree(make_vtree(tree))
    if is_dynamic and job.minimise and len(job.separator) == 0:
        manager.auto_gc_and_minimize_on()
    theory = conjoin_clauses(manager, job, tree, check)
    manager.auto_gc_and_minimize_off()
    if len(job.quantified):
        flags = np.zeros(job.variable_count + 1, np.int32)
        flags[job.quantified] = 1
        theory = manager.exists_multiple_static(flags, theory)
    for block in build_blocks(manager, job):
        theory = manager.conjoin(theory, block)
        check(1.0, manager.live_size())
    return _Built(manager, theory, theory.size())


def _minimise(built: _Built, *, is_divided: bool) -> None:
    """Search for a better vtree until it finds none; a divided one keeps its root and its left side."""
    if not built.theory.is_decision():
        return
    size = built.size
    for _ in range(ROUNDS if size <= SMALL else 1):
        vtree = built.manager.vtree().right() if is_divided else built.manager.vtree()
        if vtree.is_leaf():
            return
        minimised = built.manager.vtree_minimize(vtree)
        minimised.is_ref = True  # the vtree belongs to the manager: without this PySDD would free it twice
        if built.theory.size() >= size:
            return
        size = built.theory.size()
