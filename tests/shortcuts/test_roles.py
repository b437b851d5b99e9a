"""Readings of latent roles: counted as the slow way counts them, and spelled."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from itertools import combinations, product

import numpy as np
import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from moose.base.errors import MooseError
from moose.grounding.atoms import Atom
from moose.grounding.ground import ground
from moose.grounding.task.regimes import regime
from moose.grounding.task.task import Task
from moose.owl.model.expressions import Class, ObjectProperty
from moose.owl.ontology import ontology_from_axioms
from moose.shortcuts.count.find_shortcuts import find_shortcuts
from moose.shortcuts.count.shortcuts import Shortcuts
from moose.shortcuts.count.symmetry import count_up_to_symmetry
from moose.shortcuts.count.verdict import verdict
from moose.shortcuts.model.examples import Seen, find_in_examples
from moose.shortcuts.problem.options import Encoder, Showing
from tests.shortcuts.plain import State, models, random_axiom

World = dict[Atom, bool]
PairState = tuple[str, str, State, State, bool]
"""Two owners, the true states of both, and whether the pair is in the role."""
MOST = 2**13
"""Functions that the slow way tries."""


@st.composite
def related_tasks(draw: st.DrawFn) -> Task:
    """Draw a task of two individuals with a latent role, one latent concept or a family of two, and one observed."""
    latent = draw(st.sampled_from([["A"], ["F1", "F2"]]))
    names = [*latent, "P"]
    axioms = draw(st.lists(random_axiom(names), min_size=1, max_size=5))
    ontology = ontology_from_axioms(axioms, declarations=[*map(Class, names), ObjectProperty("r")])
    facts = draw(st.sampled_from([[], ["not r(a,a)", "not r(b,b)"], ["not r(a,a)", "not r(b,b)", "not r(b,a)"]]))
    families = [latent] if len(latent) > 1 else []
    return Task(ontology, ["a", "b"], ["P"], [*latent, "r"], families, facts=facts)


def state_of(task: Task, world: World, name: str) -> State:
    return frozenset(one.name for one in task.concepts if one.is_latent and world[Atom(one.name, (name,))])


def sights(task: Task, showing: Showing) -> list[tuple[World, tuple[tuple[Atom, bool], ...]]]:
    """List the true worlds, each with what is seen of it: what follows from states and roles, and the rest fails."""
    shown = showing.shown_in(task)
    hidden = [atom for atom in ground(task).atoms if atom.predicate not in task.observed]
    groups: dict[tuple[bool, ...], list[World]] = {}
    for model in models(ground(task)):
        groups.setdefault(tuple(model[atom] for atom in hidden), []).append(model)
    found = []
    for group in groups.values():
        visible = [atom for atom in group[0] if atom.predicate in task.observed]
        least = {atom: all(one[atom] for one in group) for atom in visible}
        fitting = [one for one in group if all(one[atom] == least[atom] for atom in visible)]
        for one in fitting[:1] or group:
            literals = [(atom, one[atom]) for atom in one if atom.predicate in shown]
            found.append((one, tuple(pair for pair in literals if pair[1] or showing.literals == "both")))
    return found


def count_slowly(task: Task, showing: Showing, encoder: Encoder) -> int:
    """Try every function from states to states together with every function from pairs of states to the role."""
    shown, worlds = sights(task, showing), models(ground(task))
    pairs = [atom.arguments for atom in ground(task).atoms if atom.predicate == "r"]
    latent = [one.name for one in task.concepts if one.is_latent]

    def owner(name: str) -> str:
        return "" if encoder.is_shared else name

    def pair_state(world: World, pair: tuple[str, ...]) -> PairState:
        first, second = pair
        states = state_of(task, world, first), state_of(task, world, second)
        return owner(first), owner(second), *states, world[Atom("r", pair)]

    places = list(dict.fromkeys((owner(name), state_of(task, one, name)) for one, _ in shown for name in "ab"))
    related = list(dict.fromkeys(pair_state(one, pair) for one, _ in shown for pair in pairs))
    every = [frozenset(chosen) for size in range(len(latent) + 1) for chosen in combinations(latent, size)]
    assume(len(every) ** len(places) * 2 ** len(related) <= MOST)
    cases = {
        (
            tuple((owner(name), state_of(task, one, name)) for name in "ab"),
            tuple(pair_state(one, pair) for pair in pairs),
            literals,
        )
        for one, literals in shown
    }
    allowed = {
        literals: {
            (tuple(state_of(task, world, name) for name in "ab"), tuple(world[Atom("r", pair)] for pair in pairs))
            for world in worlds
            if all(world[atom] == truth for atom, truth in literals)
        }
        for _, _, literals in cases
    }
    count = 0
    for images in product(every, repeat=len(places)):
        reads = dict(zip(places, images))
        for holds in product((False, True), repeat=len(related)):
            role = dict(zip(related, holds))
            count += all(
                (tuple(reads[one] for one in states), tuple(role[one] for one in both)) in allowed[literals]
                for states, both, literals in cases
            )
    return count


@given(
    related_tasks(),
    st.sampled_from([None, ["P"], [], ["r"], ["P", "r"]]),
    st.sampled_from(["both", "positive"]),
    st.booleans(),
)
@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.filter_too_much, HealthCheck.too_slow])
def test_readings_are_as_many_as_the_slow_way_finds(
    task: Task, shown: list[str] | None, literals: str, is_shared: bool
) -> None:
    assume(len(models(ground(task))) > 0)
    showing, encoder = Showing(shown, literals), Encoder(is_shared=is_shared)
    wanted = count_slowly(task, showing, encoder)
    assert find_shortcuts(task, showing, encoder=encoder).maps == wanted


def free_pairs(**changes: object) -> Task:
    """Return two things that are A or not, and may be related as they like."""
    ontology = ontology_from_axioms([], declarations=[Class("A"), Class("P"), ObjectProperty("r")])
    fields: dict[str, object] = {"observed": ["P"], "latent": ["A", "r"], "facts": ["not r(a,a)", "not r(b,b)"]}
    return Task(ontology, ["a", "b"], **{**fields, **changes})  # type: ignore[arg-type]


def test_a_role_that_nothing_binds_is_read_in_every_way() -> None:
    """Two states, each read as either; four pairs of states, each in the role or not, each read as either."""
    found = find_shortcuts(free_pairs())
    assert found.maps == 2**2 * 2**8
    assert len(found.pair_beliefs) == 8 and set(found.pair_beliefs.values()) == {Fraction(1, 2)}
    assert found.identifiable_roles == ()
    assert verdict(found).endswith("; the role r is settled for 0 of 8 pairs of states")


def test_evidence_on_the_role_settles_it() -> None:
    found = find_shortcuts(free_pairs(), Showing(["A", "r"]))
    assert found.maps == 1 and found.identifiable_roles == ("r",)
    assert [str(one) for one in found.nearest(3)] == ["the truth"]


def test_an_unread_role_has_no_reading() -> None:
    found = find_shortcuts(free_pairs(unread=["r"]))
    assert found.maps == 2**2 and found.problem.pairs == {}


def test_nearest_maps_say_which_pairs_they_get_wrong() -> None:
    found = find_shortcuts(free_pairs(), Showing(["A"]))
    texts = [str(one) for one in found.nearest(9)]
    assert texts[0] == "the truth"
    assert set(texts[1:]) == {
        f"{sign}r({one},{other}); the rest right"
        for sign in ("", "not ")
        for one in ("A", "nothing")
        for other in ("A", "nothing")
    }
    first, second = found.nearest(2)
    assert first.is_truth and not second.is_truth and second.wrong == 0
    drawn = found.sample(5, seed=1)
    assert all(found.is_consistent(one.table, one.pairs) for one in drawn)


def test_roles_alone_can_be_counted() -> None:
    found = find_shortcuts(free_pairs(latent=["r"], observed=["A", "P"]))
    assert found.maps == 2**4, "two ordered pairs, each in the role or not; who has no state is known by name"


def test_symmetries_are_of_concepts_alone() -> None:
    with pytest.raises(MooseError, match="latent role"):
        count_up_to_symmetry(find_shortcuts(free_pairs()))


def arrays(rows: list[tuple[str, str, bool]], task: Task) -> Seen:
    """Return examples: whether a and b are A, and whether a is related to b."""
    truth = np.array([[[1 if "A" in one else -1, -1], [1 if "A" in other else -1, -1]] for one, other, _ in rows])
    roles = -np.ones((len(rows), 1, 2, 2), np.int8)
    for number, (_, _, holds) in enumerate(rows):
        roles[number, 0, 0, 1] = 1 if holds else -1
    nothing = np.zeros_like(roles)
    return Seen(task, np.zeros_like(truth), truth, nothing, roles)


def test_examples_show_the_pairs_that_they_have() -> None:
    task = free_pairs(facts=["not r(a,a)", "not r(b,b)", "not r(b,a)"])
    seen = arrays([("A", "-", True), ("A", "A", False)], task)
    found = find_in_examples(seen)
    assert found.maps == 2**2 * 2**2
    assert {atom.arguments for atom in found.problem.pairs} == {("A", "nothing", "r"), ("A", "A", "nothing")}
    told = seen.role_truth
    assert told is not None
    assert find_in_examples(replace(seen, role_evidence=told)).maps == 2**2
    with pytest.raises(MooseError, match=r"truth of r\(a,b\) is unknown"):
        find_in_examples(replace(seen, role_truth=None))
    with pytest.raises(MooseError, match="role_evidence of shape"):
        replace(seen, role_evidence=told[:1])


def succession() -> Shortcuts:
    base = regime("mnist2")
    return find_shortcuts(replace(base, roles=None, latent=[*base.latent, "succ"]))


def test_successors_are_not_found_by_parity_and_primality_alone() -> None:
    """An empty role always agrees: in EL nothing says that two digits must follow each other."""
    found = succession()
    assert found.maps > 729 and found.identifiable_roles == ()
    empty = dict.fromkeys(found.problem.pairs, False)
    assert found.is_consistent({one: one[1] for one in found.problem.true_states}, empty)
