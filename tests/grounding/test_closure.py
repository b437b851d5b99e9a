"""Φ is mutex, cover and one clause a distinct profile, at each individual."""

from __future__ import annotations

from itertools import combinations, product
from math import comb
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from moose.grounding.clauses import Origin
from moose.grounding.encodings.family_closure import closure_clauses, profile_clauses
from moose.grounding.ground import ground
from moose.grounding.task.components import Components
from moose.grounding.task.regimes import regime
from moose.grounding.task.task import Task
from moose.saturation.answers.closure import saturate
from tests.grounding.tasks import DIGITS, PROPERTIES, ontology_of, texts
from tests.searching import examples


def test_the_profiles_of_the_digits() -> None:
    clauses = ground(regime("mnist1"), encoding="paper")
    assert texts(clauses, Origin.PROFILE) == [
        "Even(a) → Odd(a) ∨ Prime(a) ∨ Composite(a) ∨ D0(a)",
        "Odd(a) → Even(a) ∨ Prime(a) ∨ Composite(a) ∨ D1(a)",
        "Even(a) ∧ Prime(a) → Odd(a) ∨ Composite(a) ∨ D2(a)",
        "Odd(a) ∧ Prime(a) → Even(a) ∨ Composite(a) ∨ D3(a) ∨ D5(a) ∨ D7(a)",
        "Even(a) ∧ Composite(a) → Odd(a) ∨ Prime(a) ∨ D4(a) ∨ D6(a) ∨ D8(a)",
        "Odd(a) ∧ Composite(a) → Even(a) ∨ Prime(a) ∨ D9(a)",
    ]
    assert len(texts(clauses, Origin.MUTEX)) == comb(10, 2)
    assert texts(clauses, Origin.COVER) == [" ∨ ".join(f"{digit}(a)" for digit in DIGITS)]


def test_profiles_can_be_given(tmp_path: Path) -> None:
    names = " ".join(f"Declaration(Class(:{name}))" for name in ("A", "B", "C", "P", "Q"))
    ontology = ontology_of(tmp_path, names)
    given_profiles = {"A": {"P": True}, "B": {"P": False}, "C": {"P": True}}
    task = Task(ontology, ["x"], ["P", "Q"], ["A", "B", "C"], [["A", "B", "C"]], profiles=given_profiles)
    assert texts(ground(task, encoding="paper"), Origin.PROFILE) == ["P(x) → A(x) ∨ C(x)", "P(x) ∨ B(x)"]
    none = Task(ontology, ["x"], ["P", "Q"], ["A", "B", "C"], [["A", "B", "C"]], profiles={})
    clauses = ground(none, encoding="paper")
    assert texts(clauses, Origin.PROFILE) == []
    assert not any(one.name == "profiles" for one in clauses.assumptions)


def test_members_are_no_properties_of_their_own_family(tmp_path: Path) -> None:
    ontology = ontology_of(tmp_path, "SubClassOf(:A :P) Declaration(Class(:B))")
    task = Task(ontology, ["x"], ["A", "B", "P"], [], [["A", "B"]])
    assert texts(ground(task, encoding="paper"), Origin.PROFILE) == ["P(x) → A(x)", "P(x) ∨ B(x)"]
    alone = Task(ontology, ["x"], ["A", "B"], [], [["A", "B"]])
    assert texts(ground(alone, encoding="paper"), Origin.PROFILE) == []


def test_the_task_says_which_components_close_its_families() -> None:
    task = regime("mnist1")
    for chosen in (set(part) for size in range(4) for part in combinations(("mutex", "cover", "profiles"), size)):
        less = Task(task.ontology, ["a"], PROPERTIES, DIGITS, [DIGITS], closure=sorted(chosen))
        origins = {origin.name.lower().replace("profile", "profiles") for origin, _ in phi(less)}
        assert origins == chosen
    # what the task leaves out, a component cannot bring in
    narrow = Task(task.ontology, ["a"], PROPERTIES, DIGITS, [DIGITS], closure=["cover"])
    assert texts(ground(narrow, encoding="paper", components=Components.just("mutex", "cover")), Origin.MUTEX) == []


def phi(task: Task) -> list[tuple[Origin, tuple[int, ...]]]:
    return closure_clauses(task, saturate(task.ontology), Components().narrowed(task.closure))


MEMBERS, WIDTH = 4, 3


@given(st.lists(st.tuples(*[st.booleans()] * WIDTH), min_size=MEMBERS, max_size=MEMBERS))
@examples(50)
def test_profile_clauses_say_who_has_a_profile_is_a_member_with_it(rows: list[tuple[bool, ...]]) -> None:
    profiles = {
        member: tuple((MEMBERS + place, holds) for place, holds in enumerate(row)) for member, row in enumerate(rows)
    }
    clauses = list(profile_clauses(profiles))
    assert len(clauses) == len(set(rows))
    for world in product([False, True], repeat=MEMBERS + WIDTH):
        holds = all(any(world[abs(literal) - 1] == (literal > 0) for literal in clause) for clause in clauses)
        alike = [member for member, row in enumerate(rows) if row == world[MEMBERS:]]
        assert holds == (not alike or any(world[member] for member in alike))


def test_the_profile_of_a_family_has_its_own_properties_alone(tmp_path: Path) -> None:
    text = "SubClassOf(:A :P) SubClassOf(:B :Q) SubClassOf(:C :R) SubClassOf(:D :S)"
    task = Task(
        ontology_of(tmp_path, text),
        individuals=["x"],
        latent=["A", "B", "C", "D"],
        observed=["P", "Q", "R", "S"],
        families=[["A", "B"], ["C", "D"]],
    )
    assert texts(ground(task, encoding="paper"), Origin.PROFILE) == [
        "P(x) → Q(x) ∨ A(x)",
        "Q(x) → P(x) ∨ B(x)",
        "R(x) → S(x) ∨ C(x)",
        "S(x) → R(x) ∨ D(x)",
    ]
