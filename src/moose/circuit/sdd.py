"""Compile one job with PySDD, on the best of several vtrees. `build`, `copying` and `vtrees` use PySDD, too."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from moose.circuit.build import Checkpoint, build_blocks, conjoin_clauses
from moose.circuit.copying import export
from moose.circuit.fragments import Fragment, Functions, Job
from moose.circuit.limits import Overgrown
from moose.circuit.simplify import simplify
from moose.circuit.vtrees import Tree, candidates, make_vtree, random_candidates

if TYPE_CHECKING:
    from pysdd.sdd import SddManager, SddNode

ROUNDS = 8  # of minimisation; PySDD's search often finds more when it is started again, four rounds are the most seen
MINUTE = 50  # elements, up to which random vtrees are not worth a try
SMALL = 3000  # elements up to which minimisation is repeated: a round takes half a second
EFFORT = 6000  # elements of all candidates together that are minimised: about three seconds
LARGE = 20_000  # elements from which nothing is minimised: it would take minutes
TRIAL = 200_000  # elements: a candidate that grows beyond this is left, as long as there are others
MARGIN = 10  # a candidate may grow so many times larger than the best so far, because what it is on the way may shrink


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
    if len(trees) == 1:
        built = [_build(job, trees[0], checkpoint, cap=job.most_elements)]
    else:
        built = _build_several(job, trees, checkpoint)
    found: list[Fragment] = []
    effort = 0
    for one in built:
        effort += one.size
        if found and effort > EFFORT:
            break
        if job.minimise and one.size <= LARGE:
            _minimise(one, is_divided=len(job.separator) > 0)
        found.append(export(one.theory, job))
        checkpoint(1.0, one.size)
    return min(found, key=lambda fragment: _template_size(fragment, job))


def _constant(*, is_true: bool) -> Fragment:
    """Return the fragment of a theory without variables."""
    nothing, roots = np.zeros(0, np.int32), np.zeros(2 if is_true else 0, np.int32)
    return Fragment(Functions(0, np.zeros(1, np.int64), nothing, nothing, roots), nothing, 0, 0)


def _template_size(fragment: Fragment, job: Job) -> int:
    """Return the size that counts in the end: of the template that the fragment becomes."""
    return simplify(fragment, job, order=range(len(fragment.results))).size


def _build_several(job: Job, trees: list[Tree], checkpoint: Checkpoint) -> list[_Built]:
    """Build the theory on each vtree, the smallest first; those that grow far beyond the others are left."""
    built: list[_Built] = []
    cap = min(TRIAL, job.most_elements or TRIAL)
    for tree in trees:
        try:
            built.append(_build(job, tree, checkpoint, cap=cap))
        except Overgrown:
            continue
        cap = min(cap, MARGIN * (built[-1].size + SMALL))
    if built and min(one.size for one in built) > MINUTE:
        built += [_build(job, tree, checkpoint, cap=None) for tree in random_candidates(job)]
    if not built:
        built.append(_build(job, trees[0], checkpoint, cap=job.most_elements, is_dynamic=True))
    return sorted(built, key=lambda one: one.size)


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
        found = built.manager.vtree_minimize(vtree)
        found.is_ref = True  # the vtree belongs to the manager: without this PySDD would free it twice
        if built.theory.size() >= size:
            return
        size = built.theory.size()
