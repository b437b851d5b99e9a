"""Steps that add much at once: the space they are promised must be enough, for compiled, the kernel does not look."""

from __future__ import annotations

import pytest

from moose.owl.model import axioms as ax
from moose.owl.model.axioms import Axiom
from moose.owl.model.expressions import (
    NOTHING,
    Class,
    ClassExpression,
    ObjectIntersectionOf,
    ObjectProperty,
    ObjectSomeValuesFrom,
)
from moose.owl.normal.normalise import normalise
from moose.saturation.engine.run import World
from tests.saturation.kernel_space import watched_space

A, B, C, D, E, X = (Class(name) for name in "ABCDEX")
r, s, t, u = (ObjectProperty(name) for name in "rstu")


def some(role: ObjectProperty, filler: ClassExpression) -> ObjectSomeValuesFrom:
    return ObjectSomeValuesFrom(role, filler)


def both(*concepts: ClassExpression) -> ObjectIntersectionOf:
    return ObjectIntersectionOf(concepts)


MANY = 40
CROWD = [Class(f"N{place:02}") for place in range(MANY)]
Z = Class("Z")
v = ObjectProperty("v")
RING = [
    *(ax.SubClassOf(D, some(v, one)) for one in CROWD),
    *(ax.SubClassOf(one, some(r, D)) for one in CROWD),
    ax.SubClassOf(CROWD[0], Z),
]
"""D leads to the crowd and the crowd back to D: D ⊑ ∃v.Z is known after all the links to D."""
WIDE: dict[str, list[Axiom]] = {
    "many links to one context, which then sends to all": [
        *RING,
        ax.SubClassOf(some(v, Z), C),
        *(ax.SubClassOf(some(r, C), Class(f"R{place}")) for place in range(3)),
        *(ax.SubClassOf(some(ObjectProperty(f"r{place}"), C), E) for place in range(3)),
        *(ax.SubObjectPropertyOf((r,), ObjectProperty(f"r{place}")) for place in range(3)),
    ],
    "many links to one context, which then is empty": [*RING, ax.SubClassOf(some(v, Z), NOTHING)],
    "many links to one context, which then gets a link to compose": [
        *RING,
        ax.SubObjectPropertyOf((r, s), t),
        ax.SubClassOf(some(v, Z), some(s, X)),
    ],
    "many links from a context that is then linked to": [
        ax.SubObjectPropertyOf((r, s), t),
        *(ax.SubClassOf(D, some(s, one)) for one in CROWD),
        ax.SubClassOf(A, some(r, D)),
    ],
    "many existentials to recognise in a context that is then linked to": [
        *(ax.SubClassOf(D, one) for one in CROWD),
        *(ax.SubClassOf(some(r, one), Class(f"R{place}")) for place, one in enumerate(CROWD)),
        ax.SubClassOf(A, some(r, D)),
    ],
    "many existentials of one filler": [
        *(ax.SubClassOf(some(ObjectProperty(f"r{place}"), D), B) for place in range(MANY)),
        *(ax.SubObjectPropertyOf((r,), ObjectProperty(f"r{place}")) for place in range(MANY)),
        ax.SubClassOf(A, some(r, D)),
    ],
    "many told superclasses": [ax.SubClassOf(A, one) for one in CROWD],
    "many conjunctions with one conjunct": [
        *(ax.SubClassOf(both(A, one), Class(f"R{place}")) for place, one in enumerate(CROWD)),
        *(ax.SubClassOf(D, one) for one in CROWD),
        *(ax.SubClassOf(D, some(u, E)), ax.SubClassOf(E, Z), ax.SubClassOf(some(u, Z), A)),
    ],
}


@pytest.mark.parametrize("name", WIDE)
def test_no_wide_step_takes_more_space_than_was_checked_for(name: str) -> None:
    form = normalise(WIDE[name], entities=[D, A])
    world = World(form)
    world.start(form.class_concepts.tolist()[2:4])  # D, A
    with watched_space() as count:
        world.run()
    assert count() > MANY
