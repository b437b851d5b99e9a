"""The kernel's paths that real ontologies take seldom: upgrades, ⊥, wide disjointness, queues, chains."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import pairwise

import numpy as np
import pytest

from moose.owl.model import axioms as ax
from moose.owl.model.axioms import Axiom
from moose.owl.model.expressions import (
    NOTHING,
    THING,
    Class,
    ClassExpression,
    ObjectHasSelf,
    ObjectIntersectionOf,
    ObjectProperty,
    ObjectSomeValuesFrom,
)
from moose.owl.normal.normal_form import BOTTOM, TOP, NormalForm
from moose.owl.normal.normalise import normalise
from moose.saturation.engine import kernel
from moose.saturation.engine import run as engine_run
from moose.saturation.engine.arrays import LINKS, SUBSUMERS, UPGRADE, State, Theory
from moose.saturation.engine.facts import Added
from moose.saturation.engine.run import World
from moose.saturation.proofs.expressions import Expressions
from moose.saturation.proofs.proof import Concept, Role

A, B, C, D, E, X = (Class(name) for name in "ABCDEX")
r, s, t, u = (ObjectProperty(name) for name in "rstu")


def some(role: ObjectProperty, filler: ClassExpression) -> ObjectSomeValuesFrom:
    return ObjectSomeValuesFrom(role, filler)


def both(*concepts: ClassExpression) -> ObjectIntersectionOf:
    return ObjectIntersectionOf(concepts)


@pytest.fixture(autouse=True)
def _plain(monkeypatch: pytest.MonkeyPatch) -> None:
    """Watch the plain kernel, whatever ran in this process before."""
    monkeypatch.setattr(engine_run, "is_compiled", lambda: False)


def run(axioms: Sequence[Axiom], *roots: Class) -> World:
    """Saturate from some classes, without the rules that look at the whole closure."""
    form = normalise(axioms)
    world = World(form)
    world.start(number(form, root) for root in roots)
    world.run()
    return world


def number(form: NormalForm, cls: Class) -> int:
    found = form.class_number(cls.iri)
    assert found is not None
    return found


def subsumptions(world: World) -> list[tuple[Concept, Concept]]:
    concept = Expressions(world.form).concept
    columns = (column.tolist() for column in world.subsumptions())
    return [(concept(sub), concept(sup)) for sub, sup in zip(*columns, strict=True)]


def links(world: World) -> list[tuple[Concept, Role, Concept]]:
    expressions = Expressions(world.form)
    columns = (column.tolist() for column in world.links())
    return [
        (expressions.concept(source), expressions.role(role), expressions.concept(target))
        for source, role, target in zip(*columns, strict=True)
    ]


def above(world: World, cls: Class) -> set[Concept]:
    return {sup for sub, sup in subsumptions(world) if sub == cls}


# ── Composed and told ─────────────────────────────────────────────────────────────────────────────────────────────

MET_AGAIN = [
    ax.SubClassOf(A, some(r, X)),
    ax.SubClassOf(X, B),
    ax.SubClassOf(some(r, B), E),  # A ⊑ ∃r.B is composed
    ax.SubClassOf(E, some(r, B)),  # and then told
]


def test_composed_subsumer_is_decomposed_once_it_is_told() -> None:
    world = run(MET_AGAIN, A)
    assert set(links(world)) >= {(A, r, X), (A, r, B)}
    assert above(world, B) == {B, THING}  # the context B was started by the link


def test_composed_subsumer_alone_is_not_decomposed() -> None:
    world = run(MET_AGAIN[:3], A)
    assert links(world) == [(A, r, X)]
    assert some(r, B) in above(world, A)


def upgrades(world: World) -> int:
    items = world.state.subsumer_item[: world.state.counters[SUBSUMERS]]
    return int(np.count_nonzero((items & 3) == UPGRADE))


def test_upgrade_makes_no_second_fact() -> None:
    """What tells A ⊑ ∃r.B needs it as composed, in whatever order the rules come."""
    through = [ax.SubClassOf(A, C), ax.SubClassOf(both(some(r, B), C), E), ax.SubClassOf(E, some(r, B))]
    world = run([*MET_AGAIN[:2], *through], A)
    assert max(Counter(subsumptions(world)).values()) == 1
    assert upgrades(world) == 1
    assert max(Counter(subsumptions(run(MET_AGAIN, A))).values()) == 1


def test_upgrade_after_a_run_makes_no_second_fact() -> None:
    world = run(MET_AGAIN[:3], A)
    assert upgrades(world) == 0
    concepts = map(Expressions(world.form).concept, range(len(world.form.kinds)))
    (exists,) = (place for place, concept in enumerate(concepts) if concept == some(r, B))
    world.tell([Added("Rnominal", number(world.form, A), exists)])
    world.run()
    assert upgrades(world) == 1
    assert max(Counter(subsumptions(world)).values()) == 1
    assert sorted(map(repr, links(world))) == sorted(map(repr, [(A, r, B), (A, r, X)]))


def test_told_subsumer_that_is_composed_later_changes_nothing() -> None:
    world = run([ax.SubClassOf(A, some(r, B)), ax.SubClassOf(A, some(r, X)), *MET_AGAIN[1:3]], A)
    assert upgrades(world) == 0
    assert sorted(map(repr, links(world))) == sorted(map(repr, [(A, r, B), (A, r, X)]))


def test_upgrade_is_remembered_when_the_context_is_activated_again() -> None:
    """After the upgrade, news from X wakes A up once more; its told subsumer must not be decomposed anew."""
    late = [ax.SubClassOf(X, some(s, C)), ax.SubClassOf(some(s, C), D), ax.SubClassOf(some(r, D), E)]
    world = run([*MET_AGAIN, *late], A)
    assert max(Counter(links(world)).values()) == 1
    assert max(Counter(subsumptions(world)).values()) == 1


def test_conjunction_that_is_told_gives_its_parts_and_one_that_is_composed_its_superclasses() -> None:
    told = run([ax.SubClassOf(A, both(B, C, D))], A)
    assert above(told, A) >= {B, C, D}
    composed = run([*(ax.SubClassOf(A, part) for part in (D, C, B)), ax.SubClassOf(both(B, C, D), E)], A)
    assert above(composed, A) >= {B, C, D, E}


# ── Conjunctions by both ways of looking ──────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("wide", [1, 60])
@pytest.mark.parametrize("many", [0, 60])
def test_conjunction_is_found_by_either_way_of_looking(wide: int, many: int) -> None:
    """Few conjunctions with many subsumers are looked up by the conjunctions, many with few by the subsumers."""
    axioms: list[Axiom] = [ax.SubClassOf(A, B), ax.SubClassOf(A, C)]
    axioms += [ax.SubClassOf(both(B, Class(f"W{place:03}")), Class(f"R{place:03}")) for place in range(wide)]
    axioms += [ax.SubClassOf(both(B, C), D)]
    axioms += [ax.SubClassOf(A, Class(f"M{place:03}")) for place in range(many)]
    found = above(run(axioms, A), A)
    assert D in found
    assert not any(isinstance(one, Class) and one.iri.startswith("R0") for one in found)


# ── ⊥ ─────────────────────────────────────────────────────────────────────────────────────────────────────────────

CHAIN_TO_NOTHING = [ax.SubClassOf(A, some(r, B)), ax.SubClassOf(B, some(s, C)), ax.SubClassOf(C, NOTHING)]


@pytest.mark.parametrize("roots", [(A, B, C), (C, B, A), (B, A), (A,)], ids=repr)
def test_bottom_goes_back_along_links_whichever_is_known_first(roots: tuple[Class, ...]) -> None:
    world = run(CHAIN_TO_NOTHING, *roots)
    impossible = {number(world.form, cls) for cls in (A, B, C)} | {BOTTOM}
    assert set(np.flatnonzero(world.state.is_bottom).tolist()) - {BOTTOM} == impossible - {BOTTOM}


def test_bottom_stops_at_what_does_not_lead_to_it() -> None:
    world = run([*CHAIN_TO_NOTHING, ax.SubClassOf(D, some(r, E)), ax.SubClassOf(X, A)], D, X)
    assert not world.state.is_bottom[number(world.form, D)]
    assert world.state.is_bottom[number(world.form, X)]


def test_unsatisfiable_context_still_derives_what_explains_it() -> None:
    world = run([ax.SubClassOf(A, NOTHING), ax.SubClassOf(A, B), ax.SubClassOf(B, C)], A)
    assert above(world, A) == {A, B, C, THING, NOTHING}


def test_bottom_through_a_loop_of_links_ends() -> None:
    world = run([ax.SubClassOf(A, some(r, B)), ax.SubClassOf(B, some(r, A)), ax.SubClassOf(B, NOTHING)], A)
    assert NOTHING in above(world, A)


# ── Disjointness ──────────────────────────────────────────────────────────────────────────────────────────────────


def wide_disjointness(members: int) -> tuple[list[Axiom], list[Class]]:
    classes = [Class(f"N{place:04}") for place in range(members)]
    return [ax.DisjointClasses(tuple(classes))], classes


def test_work_on_a_disjointness_grows_with_its_members_and_not_with_their_pairs() -> None:
    steps, sizes = [], []
    for members in (250, 500, 1000):
        axioms, classes = wide_disjointness(members)
        world = run(axioms, *classes)
        steps.append(world.steps)
        sizes.append(sum(array.nbytes for array in world.theory if isinstance(array, np.ndarray)))
        assert len(world.theory.groups) == members
    assert steps[2] - steps[1] == 2 * (steps[1] - steps[0])
    assert sizes[2] < 2.5 * sizes[1]


@pytest.mark.parametrize("pair", [(0, 1), (0, 999), (500, 501)])
def test_any_two_of_a_thousand_disjoint_classes_clash(pair: tuple[int, int]) -> None:
    axioms, classes = wide_disjointness(1000)
    world = run([*axioms, *(ax.SubClassOf(A, classes[place]) for place in pair)], A, classes[3])
    assert NOTHING in above(world, A)
    assert NOTHING not in above(world, classes[3])


def test_disjointness_is_seen_across_activations() -> None:
    """One member is known when the context is first run, the other comes back later from a successor."""
    axioms: list[Axiom] = [
        ax.DisjointClasses((B, C)),
        ax.SubClassOf(A, B),
        ax.SubClassOf(A, some(r, D)),
        ax.SubClassOf(D, some(r, E)),
        ax.SubClassOf(some(r, some(r, E)), C),
    ]
    assert NOTHING in above(run(axioms, A), A)


@pytest.mark.parametrize("members", [(B, B), (B, C, B), (both(B, C), both(C, B))], ids=repr)
def test_class_that_is_disjoint_with_itself_is_empty(members: tuple[ClassExpression, ...]) -> None:
    world = run([ax.DisjointClasses(members), ax.SubClassOf(A, B), ax.SubClassOf(A, C)], A)
    assert NOTHING in above(world, A)


def test_groups_do_not_mix() -> None:
    axioms: list[Axiom] = [
        ax.DisjointClasses((B, C)),
        ax.DisjointClasses((D, E)),
        ax.SubClassOf(A, B),
        ax.SubClassOf(A, D),
    ]
    assert NOTHING not in above(run(axioms, A), A)


# ── Queues ────────────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.fixture
def activations(monkeypatch: pytest.MonkeyPatch) -> Counter[int]:
    """Count how often each context is made the active one."""
    seen: Counter[int] = Counter()
    plain = kernel.activate

    def counting(theory: Theory, state: State, context: int) -> None:
        seen[context] += 1
        plain(theory, state, context)

    monkeypatch.setattr(kernel, "activate", counting)
    return seen


def test_context_hears_from_all_its_successors_at_once(activations: Counter[int]) -> None:
    """A leads to 50 contexts that each send something back; queued below them, A is activated twice, not 51 times."""
    fillers = [Class(f"F{place:02}") for place in range(50)]
    axioms: list[Axiom] = [ax.SubClassOf(A, some(r, filler)) for filler in fillers]
    axioms += [ax.SubClassOf(filler, Class(f"G{place:02}")) for place, filler in enumerate(fillers)]
    axioms += [ax.SubClassOf(some(r, Class(f"G{place:02}")), Class(f"H{place:02}")) for place in range(50)]
    world = run(axioms, A)
    assert activations[number(world.form, A)] == 2
    assert {Class(f"H{place:02}") for place in range(50)} <= above(world, A)


def test_context_without_news_is_not_activated_again(activations: Counter[int]) -> None:
    world = run([ax.SubClassOf(A, some(r, B)), ax.SubClassOf(B, C)], A, B)
    assert activations[number(world.form, A)] == 1
    assert activations[number(world.form, B)] == 1


def test_mutual_successors_come_to_an_end(activations: Counter[int]) -> None:
    axioms = [
        ax.SubClassOf(A, some(r, B)),
        ax.SubClassOf(B, some(r, A)),
        ax.SubClassOf(some(r, A), C),
        ax.SubClassOf(some(r, C), D),
        ax.SubClassOf(some(r, D), E),
    ]
    world = run(axioms, A, B)
    assert above(world, B) >= {C}
    assert above(world, A) >= {D}
    assert max(activations.values()) <= 5
    assert not world.state.is_queued.any()


def test_root_that_is_queued_twice_is_run_once(activations: Counter[int]) -> None:
    world = run([ax.SubClassOf(A, B)], A, A, B, A)
    assert activations == {number(world.form, A): 1, number(world.form, B): 1}


def test_finished_world_can_be_told_more() -> None:
    axioms = [ax.SubClassOf(A, some(r, B)), ax.SubClassOf(some(r, C), D), ax.SubClassOf(X, E)]
    world = run(axioms, A, X)
    assert D not in above(world, A)
    form = world.form
    world.tell([Added("Rtest", number(form, B), number(form, C))])
    world.run()
    assert D in above(world, A)
    assert C in above(world, B)
    assert C not in above(world, X)


def test_link_from_outside_starts_its_target_and_is_told_once() -> None:
    world = run([ax.SubClassOf(B, C), ax.SubClassOf(some(r, C), D), ax.SubClassOf(A, THING)], A)
    form = world.form
    for _ in range(2):
        world.link(number(form, A), 0, number(form, B))
        world.run()
    assert links(world) == [(A, r, B)]
    assert D in above(world, A)


# ── Links and chains ──────────────────────────────────────────────────────────────────────────────────────────────


def test_link_that_is_found_in_many_ways_is_kept_once() -> None:
    axioms: list[Axiom] = [ax.ObjectPropertyCharacteristic("Transitive", r)]
    ring = [Class(f"N{place}") for place in range(6)]
    axioms += [ax.SubClassOf(one, some(r, other)) for one in ring for other in ring]
    world = run(axioms, *ring)
    assert len(links(world)) == len(set(links(world))) == 36
    assert world.state.counters[LINKS] == 36


def test_self_is_a_link_to_the_context_itself() -> None:
    world = run([ax.SubClassOf(A, ObjectHasSelf(r)), ax.SubClassOf(some(r, A), B), ax.SubClassOf(C, A)], A, C)
    assert set(links(world)) == {(A, r, A), (C, r, C)}
    assert B in above(world, C)


def test_long_chain_needs_all_its_roles() -> None:
    chain = ax.SubObjectPropertyOf((r, s, t, u), r)
    path = some(r, some(s, some(t, some(u, B))))
    world = run([chain, ax.SubClassOf(A, path), ax.SubClassOf(some(r, B), C), ax.SubClassOf(X, path.filler)], A, X)
    assert C in above(world, A)
    assert C not in above(world, X)


@pytest.mark.parametrize("left_first", [True, False])
def test_chain_is_met_from_either_premise(left_first: bool) -> None:
    """C is done before A, or only because of A: the chain then meets the links in another order."""
    axioms: list[Axiom] = [
        ax.SubObjectPropertyOf((r, s), t),
        ax.SubClassOf(A, some(r, C)),
        ax.SubClassOf(C, some(s, D)),
        ax.SubClassOf(some(t, D), E),
    ]
    assert E in above(run(axioms, *((A, C) if left_first else (C, A))), A)


def test_chain_applies_below_its_roles_and_its_result_counts_above() -> None:
    axioms: list[Axiom] = [
        ax.SubObjectPropertyOf((r, s), t),
        ax.SubObjectPropertyOf((u,), r),
        ax.SubObjectPropertyOf((u,), s),
        ax.SubObjectPropertyOf((t,), ObjectProperty("v")),
        ax.SubClassOf(A, some(u, some(u, B))),
        ax.SubClassOf(some(ObjectProperty("v"), B), C),
    ]
    assert C in above(run(axioms, A), A)


# ── Little or nothing to do ───────────────────────────────────────────────────────────────────────────────────────


def test_empty_ontology_has_its_top_only() -> None:
    form = normalise([])
    world = World(form)
    world.run()
    assert world.steps == 0
    world.start([TOP])
    world.run()
    assert subsumptions(world) == [(THING, THING)]


def test_steps_grow_with_the_facts_of_a_long_hierarchy() -> None:
    """n classes in a row have n²/2 subsumptions; the kernel takes one step for each, and no more."""
    names = [Class(f"N{place:03}") for place in range(60)]
    world = run([ax.SubClassOf(one, other) for one, other in pairwise(names)], *names)
    assert world.steps == len(subsumptions(world)) == 60 * 61 // 2 + 60
