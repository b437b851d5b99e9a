"""What axioms outside OWL 2 EL become, which families they declare, and what is said to be assumed."""

from __future__ import annotations

from pathlib import Path

import pytest

from moose.base.errors import MooseError
from moose.circuit.compile.compile_circuit import compile_circuit
from moose.grounding.clauses import AtomKind, Origin
from moose.grounding.ground import ground
from moose.grounding.named_individuals.formulas import AtLeast, ClauseWriter, Formula, negation
from moose.grounding.task.components import Components
from moose.grounding.task.kinds import Kind
from moose.grounding.task.task import Task
from moose.grounding.task.task_file import read_task, write_task
from tests.grounding.tasks import ontology_of, texts


def all_texts(folder: Path, axioms: str, individuals: str = "ab", names: str = "ABCr") -> list[str]:
    """Ground axioms over individuals, and spell what they say of these."""
    declared = " ".join(f"Declaration({'Class' if name.isupper() else 'ObjectProperty'}(:{name}))" for name in names)
    task = Task(ontology_of(folder, declared + axioms), list(individuals), list(names), [])
    return texts(ground(task))


@pytest.mark.parametrize(
    ("axiom", "clauses"),
    [
        ("SubClassOf(:A ObjectUnionOf(:B :C))", ["A(a) → B(a) ∨ C(a)", "A(b) → B(b) ∨ C(b)"]),
        ("SubClassOf(ObjectComplementOf(:A) :B)", ["A(a) ∨ B(a)", "A(b) ∨ B(b)"]),
        ("SymmetricObjectProperty(:r)", ["r(a,b) → r(b,a)", "r(b,a) → r(a,b)"]),
        ("FunctionalObjectProperty(:r)", ["r(a,a) ∧ r(a,b) → ⊥", "r(b,a) ∧ r(b,b) → ⊥"]),
        ("InverseFunctionalObjectProperty(:r)", ["r(a,a) ∧ r(b,a) → ⊥", "r(a,b) ∧ r(b,b) → ⊥"]),
        ("AsymmetricObjectProperty(:r)", ["r(a,a) → ⊥", "r(a,b) ∧ r(b,a) → ⊥", "r(b,b) → ⊥"]),
        ("ClassAssertion(ObjectMinCardinality(2 :r) :a)", []),
        ("SubClassOf(:A ObjectOneOf(:a :b)) ClassAssertion(:A :b)", ["A(b)"]),
        ("NegativeObjectPropertyAssertion(ObjectInverseOf(:r) :a :b)", ["r(b,a) → ⊥"]),
        ("DisjointObjectProperties(:r ObjectInverseOf(:r))", ["r(a,a) → ⊥", "r(a,b) ∧ r(b,a) → ⊥", "r(b,b) → ⊥"]),
        (
            "SubClassOf(:A ObjectMaxCardinality(1 :r :B))",
            ["A(a) ∧ B(a) ∧ B(b) ∧ r(a,a) ∧ r(a,b) → ⊥", "B(a) ∧ A(b) ∧ B(b) ∧ r(b,a) ∧ r(b,b) → ⊥"],
        ),
    ],
)
def test_what_an_axiom_becomes(tmp_path: Path, axiom: str, clauses: list[str]) -> None:
    assert sorted(all_texts(tmp_path, axiom)) == sorted(clauses)


def test_a_known_role_is_no_variable(tmp_path: Path) -> None:
    ontology = ontology_of(tmp_path, "SubClassOf(:A ObjectAllValuesFrom(:r ObjectUnionOf(:B :C)))")
    task = Task(ontology, ["a", "b", "c"], ["A", "B", "C"], [], roles={"r": [("a", "b")]})
    assert texts(ground(task), Origin.NAMED_INDIVIDUALS) == ["A(a) → B(b) ∨ C(b)"]


def test_what_the_task_does_not_declare_is_found_through(tmp_path: Path) -> None:
    axioms = "SubClassOf(:A ObjectUnionOf(:B :C)) SubClassOf(:B :D) SubClassOf(:C :E) SubClassOf(:E :D)"
    task = Task(ontology_of(tmp_path, axioms), ["a"], ["A", "D"], [])
    clauses = ground(task)
    assert [str(atom) for atom in clauses.atoms[:2]] == ["A(a)", "D(a)"]
    assert set(clauses.kinds[2:].tolist()) == {AtomKind.AUXILIARY}
    assert compile_circuit(clauses).entails("D(a)", {"A(a)": True})


def test_an_existential_of_el_needs_no_named_witness_unless_asked(tmp_path: Path) -> None:
    axioms = "SubClassOf(:A ObjectSomeValuesFrom(:r :B)) SubClassOf(:B ObjectUnionOf(:C :D)) DisjointClasses(:A :B)"
    names = ["A", "B", "r"]
    plain = Task(ontology_of(tmp_path, axioms), ["a"], names, [], facts=["A(a)"])
    assert compile_circuit(ground(plain)).model_count() > 0
    for closed in (
        ground(plain, components=Components(closed_domain=True)),
        ground(Task(plain.ontology, ["a"], names, [], facts=["A(a)"], closure=["closed_domain"])),
    ):
        assert compile_circuit(closed).model_count() == 0


def test_what_exists_has_a_name_in_a_closed_domain_only(tmp_path: Path) -> None:
    axioms = "SubClassOf(:A ObjectSomeValuesFrom(:r ObjectComplementOf(:A)))"
    task = Task(ontology_of(tmp_path, axioms), ["a", "b"], ["A", "r"], [], facts=["A(a)"])
    assert not compile_circuit(ground(task)).entails("r(a,b)")
    assert compile_circuit(ground(task, components=Components(closed_domain=True))).entails("r(a,b)")


def test_too_few_individuals_are_an_error(tmp_path: Path) -> None:
    task = Task(ontology_of(tmp_path, "SubClassOf(owl:Thing ObjectMinCardinality(2 :r))"), ["a"], ["r"], [])
    assert compile_circuit(ground(task)).model_count() == 2
    with pytest.raises(MooseError, match="a can meet"):
        ground(task, components=Components(closed_domain=True))


def test_a_role_that_joins_nobody_has_no_atoms(tmp_path: Path) -> None:
    axioms = (
        "InverseObjectProperties(:r :s) SubClassOf(:A ObjectAllValuesFrom(:r :B)) SubClassOf(:A ObjectUnionOf(:B :C))"
    )
    without = ground(Task(ontology_of(tmp_path, axioms), ["a", "b"], ["A", "B", "C"], []))
    assert {len(atom.arguments) for atom in without.atoms} == {1}
    with_s = ground(Task(ontology_of(tmp_path, axioms), ["a", "b"], ["A", "B", "s"], []))
    assert compile_circuit(with_s).entails("B(b)", {"A(a)": True, "s(b,a)": True})


def test_data_and_others_stay_unused(tmp_path: Path) -> None:
    axioms = (
        "SubClassOf(:A ObjectUnionOf(:B DataSomeValuesFrom(:d xsd:integer)))"
        "SubClassOf(:A ObjectUnionOf(:B ObjectHasValue(:r :z))) SubClassOf(:A ObjectUnionOf(:B :C))"
    )
    task = Task(ontology_of(tmp_path, axioms), ["a"], ["A", "B", "C", "r"], [])
    assert (len(task.unused), len(task.as_clauses)) == (2, 1)
    with_z = Task(task.ontology, ["a", "z"], ["A", "B", "C", "r"], [])
    assert (len(with_z.unused), len(with_z.as_clauses)) == (1, 2)


def test_an_assumption_says_what_is_read_so(tmp_path: Path) -> None:
    task = Task(ontology_of(tmp_path, "SubClassOf(:A ObjectUnionOf(:B :C))"), ["a", "b"], ["A", "B", "C"], [])
    said = {one.name: one.statement for one in ground(task).assumptions}
    assert "SubClassOf(A ObjectUnionOf(B C))" in said["different individuals"]
    assert "all that may matter of them is used" in said["EL fragment"]
    without = ground(task, components=Components.without("outside_el"))
    assert "different individuals" not in {one.name for one in without.assumptions}
    assert "different individuals" not in {one.name for one in ground(task, encoding="paper").assumptions}
    closed = ground(task, components=Components(closed_domain=True))
    assert "closed domain" in {one.name for one in closed.assumptions}


# ── Families ──────────────────────────────────────────────────────────────────────────────────────────────────────

UNION = "DisjointUnion(:A :B :C)"
COVER = "SubClassOf(owl:Thing ObjectUnionOf(:B :C)) DisjointClasses(:B :C)"


@pytest.mark.parametrize(
    ("axioms", "facts"),
    [
        (COVER, []),
        (UNION + "SubClassOf(owl:Thing :A)", []),
        (UNION, ["A(x)", "A(y)"]),
        ("EquivalentClasses(:A ObjectUnionOf(:B :C)) SubClassOf(:B ObjectComplementOf(:C))", ["A(x)", "A(y)"]),
        (UNION + "ClassAssertion(:A :x) ClassAssertion(:A :y)", []),
    ],
)
def test_axioms_declare_a_family(tmp_path: Path, axioms: str, facts: list[str]) -> None:
    ontology = ontology_of(tmp_path, axioms + "SubClassOf(:B :A)")
    task = Task(ontology, ["x", "y"], ["A"], ["B", "C"], facts=facts)
    assert task.families == (("B", "C"),)
    clauses = ground(task)
    closed = set(texts(clauses, Origin.NAMED_INDIVIDUALS))
    assert closed.isdisjoint(texts(clauses, Origin.MUTEX, Origin.COVER, Origin.DISJOINTNESS))
    assert len(clauses.families) == 2
    said = next(one for one in clauses.assumptions if one.name == "family")
    assert (said.statement.endswith("the ontology declares it"), said.departure) == (True, "none; its axioms say so")


@pytest.mark.parametrize(
    ("axioms", "facts"),
    [
        (UNION, ["A(x)"]),
        ("SubClassOf(owl:Thing ObjectUnionOf(:B :C)) SubClassOf(:B :A)", []),
        ("SubClassOf(owl:Thing ObjectUnionOf(:B ObjectSomeValuesFrom(:r :C))) SubClassOf(:B :A)", []),
    ],
)
def test_axioms_that_say_less_declare_none(tmp_path: Path, axioms: str, facts: list[str]) -> None:
    task = Task(ontology_of(tmp_path, axioms), ["x", "y"], ["A"], ["B", "C"], facts=facts)
    assert task.families == ()


def test_observed_members_are_no_family(tmp_path: Path) -> None:
    assert Task(ontology_of(tmp_path, COVER), ["x"], ["B"], ["C"]).families == ()


def test_what_is_declared_wins_and_is_declared_once(tmp_path: Path) -> None:
    ontology = ontology_of(tmp_path, COVER + "Declaration(Class(:D))")
    same = Task(ontology, ["x"], [], ["B", "C", "D"], families=[["C", "B"]])
    assert same.families == (("C", "B"),)
    other = Task(ontology, ["x"], [], ["B", "C", "D"], families=[["C", "D"]])
    assert other.families == (("C", "D"),)
    assert other.told_families == frozenset()


def test_a_family_is_of_the_kinds_that_have_its_members(tmp_path: Path) -> None:
    kinds = {"image": Kind(["x"], latent=["B", "C"]), "note": Kind(["n"], observed=["D"])}
    task = Task(ontology_of(tmp_path, COVER + "SubClassOf(:D :B)"), [], [], [], kinds=kinds)
    assert task.has_family.tolist() == [[True], [False]]
    assert compile_circuit(ground(task)).entails("not C(x)", {"B(x)": True})


def test_a_task_with_a_told_family_is_written_and_read(tmp_path: Path) -> None:
    task = Task(ontology_of(tmp_path, COVER), ["x"], [], ["B", "C"], closure=["mutex", "cover", "closed_domain"])
    write_task(task, tmp_path / "task.toml", ontology="small.ofn")
    again = read_task(tmp_path / "task.toml")
    assert (again.families, again.closure) == (task.families, task.closure)


# ── Counting ──────────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(("count", "of"), [(2, 3), (4, 9), (5, 10), (9, 10), (3, 12)])
@pytest.mark.parametrize("is_negative", [False, True])
def test_counting_by_clauses(count: int, of: int, is_negative: bool) -> None:
    from pysat.solvers import Solver

    fresh = iter(range(of + 1, 10_000))
    writer = ClauseWriter(lambda: next(fresh))
    formula: Formula = AtLeast(count, tuple(range(1, of + 1)))
    writer.write(negation(formula) if is_negative else formula)
    with Solver("cadical153", bootstrap_with=[list(clause) for clause in writer.clauses]) as solver:
        for true in range(of + 1):
            for first in (1, of - true + 1):  # those that hold come first, or last
                held = range(first, first + true)
                literals = [atom if atom in held else -atom for atom in range(1, of + 1)]
                assert solver.solve(assumptions=literals) == ((true >= count) != is_negative)
