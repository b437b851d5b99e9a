"""Go on from a closure with more axioms: EL is monotone, so all that was derived stays, and only the rest is derived.

The kernel takes a subsumption up when it is derived. What was derived before the new axioms came is therefore looked
through once for premises of what they tell: their rows, and the concepts that they are the first to have on a left-hand
side.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from moose.owl.normal.normal_form import BOTTOM, Kind, NormalForm
from moose.saturation.dl.expressions_below import Below, Numbers
from moose.saturation.engine.arrays import COMPOSED, TOLD, Indices
from moose.saturation.engine.facts import Facts
from moose.saturation.engine.global_rules import needs_whole_closure
from moose.saturation.engine.run import Progress, World
from moose.saturation.engine.saturate import Saturation, conditional_worlds, is_possible, settle
from moose.saturation.engine.told_axioms import settled_ends, settled_rows

Message = tuple[Indices, int]
"""Contexts, and the item that is posted to each of them."""


def go_on(base: Facts, form: NormalForm, *, progress: Progress | None = None) -> Saturation:
    """Saturate on, with a form that extends that of the facts."""
    world = World.resumed(base, form, progress=progress)
    size = len(base.form.kinds)
    roots = [*form.class_concepts.tolist(), *form.nominal_concepts.tolist()]
    world.start([concept for concept in roots if concept >= size])
    for contexts, item in premises(base, form):
        for context in contexts.tolist():
            world.post(context, item)
    facts = settle(world)
    if not needs_whole_closure(form) or not is_possible(facts):
        return Saturation(form, facts, {})
    return Saturation(form, facts, conditional_worlds(facts, form.class_concepts.tolist(), progress=progress))


def premises(base: Facts, form: NormalForm) -> Iterator[Message]:
    """Yield what follows by one rule from facts that were derived before and what a longer form tells beyond theirs."""
    size = len(base.form.kinds)
    below = Below(base, Numbers(base.form))

    def contexts_of(concept: int) -> Indices:
        return below.of_concept(concept) if concept < size else np.zeros(0, dtype=np.int32)

    for sub, sup, _ in form.told.rows[len(base.form.told.rows) :].tolist():
        yield contexts_of(sub), 4 * sup + TOLD
    ends = np.setdiff1d(settled_ends(form), settled_ends(base.form))
    for sub, sup in settled_rows(form, ends).tolist():
        yield contexts_of(sub), 4 * sup + TOLD
    for members, _ in form.disjoint[len(base.form.disjoint) :]:
        counts = np.bincount(np.concatenate([contexts_of(member) for member in members]), minlength=size)
        yield np.flatnonzero(counts > 1).astype(np.int32), 4 * BOTTOM + TOLD
    is_new = form.is_negative.copy()
    is_new[:size] &= ~base.form.is_negative
    for concept in np.flatnonzero(is_new).tolist():
        first, second = int(form.first[concept]), int(form.second[concept])
        if form.kinds[concept] == Kind.CONJUNCTION:
            yield below.both(contexts_of(first), contexts_of(second)), 4 * concept + COMPOSED
        elif form.kinds[concept] == Kind.SOME:
            yield below.some(first, contexts_of(second)), 4 * concept + COMPOSED
