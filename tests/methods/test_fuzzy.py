"""Fuzzy operators, and the truth of axioms by hand."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from torch import Tensor

from moose.base.errors import MooseError
from moose.grounding.task.task import Task
from moose.methods.ltn import fuzzy
from moose.methods.ltn.fuzzy import EPSILON
from moose.methods.ltn.fuzzy_outputs import Outputs, plan_outputs
from moose.methods.ltn.fuzzy_theory import FuzzyTheory, Over, Reading
from moose.methods.theory.normal_forms import KINDS, normal_forms
from moose.methods.theory.task_axioms import Conjunction, Existential, Told, told_axioms
from tests.grounding.tasks import ontology_of
from tests.learning.toys import task_of
from tests.searching import examples

Aggregate = Callable[..., Tensor]
CRISP = st.booleans()
TRUTHS = st.floats(0, 1)


@examples(50)
@given(CRISP, CRISP)
def test_connectives_are_those_of_logic_on_truth_and_falsity(a: bool, b: bool) -> None:
    first, second = torch.tensor(float(a)), torch.tensor(float(b))
    assert fuzzy.conjunction(first, second) == float(a and b)
    assert fuzzy.disjunction(first, second) == float(a or b)
    assert fuzzy.implication(first, second) == float(not a or b)


@examples(100)
@given(st.lists(TRUTHS, min_size=1, max_size=6), st.sampled_from([2, 4]))
def test_means_lie_between_the_least_and_the_largest(values: list[float], p: int) -> None:
    found = torch.tensor(values, dtype=torch.float64)
    least, largest = min(values) - EPSILON, max(values) + EPSILON
    assert least <= fuzzy.p_mean_error(found, p) <= found.mean() + EPSILON
    assert found.mean() - EPSILON <= fuzzy.p_mean(found, p) <= largest


@examples(50)
@given(st.lists(TRUTHS, min_size=1, max_size=6), st.lists(TRUTHS, max_size=4), st.sampled_from([2, 4]))
def test_what_does_not_count_changes_nothing(values: list[float], others: list[float], p: int) -> None:
    few, all_of = torch.tensor(values, dtype=torch.float64), torch.tensor(values + others, dtype=torch.float64)
    where = torch.arange(len(all_of)) < len(few)
    for aggregate in (fuzzy.p_mean, fuzzy.p_mean_error):
        assert aggregate(all_of, p, where=where).item() == pytest.approx(aggregate(few, p).item())


def test_the_two_readings_of_for_all_by_hand() -> None:
    values = torch.tensor([1.0, 1.0, 1.0, 0.0])
    assert fuzzy.for_all(values, "mean", 4).item() == pytest.approx(0.75**0.25, abs=1e-3)
    assert fuzzy.for_all(values, "error", 4).item() == pytest.approx(1 - 0.25**0.25, abs=1e-3)


@pytest.mark.parametrize("aggregate", [fuzzy.p_mean, fuzzy.p_mean_error])
@pytest.mark.parametrize("value", [0.0, 1.0])
def test_derivatives_are_finite_at_the_ends(aggregate: Aggregate, value: float) -> None:
    values = torch.full((3,), value, requires_grad=True)
    aggregate(values, 4, where=torch.tensor([True, True, False])).backward()
    assert values.grad is not None and values.grad.isfinite().all()


def test_nothing_to_aggregate_is_false_for_some_and_true_for_all() -> None:
    values, nowhere = torch.tensor([0.3, 0.9], requires_grad=True), torch.tensor([False, False])
    assert fuzzy.p_mean(values, 2, where=nowhere).item() == pytest.approx(0, abs=2 * EPSILON)
    found = fuzzy.p_mean_error(values, 2, where=nowhere)
    assert found.item() == pytest.approx(1, abs=2 * EPSILON)
    found.backward()
    assert values.grad is not None and not values.grad.any()


# ------------------------------------------------------------------------------------------------- what was told

NESTED = """
Declaration(Class(:Other))
Declaration(ObjectProperty(:r)) Declaration(ObjectProperty(:s)) Declaration(ObjectProperty(:t))
SubClassOf(:A ObjectIntersectionOf(:B ObjectSomeValuesFrom(:r ObjectIntersectionOf(:B :C))))
SubClassOf(ObjectIntersectionOf(:A :B :C) :D)
SubClassOf(ObjectSomeValuesFrom(:r ObjectSomeValuesFrom(:s :A)) <http://www.w3.org/2002/07/owl#Nothing>)
ObjectPropertyDomain(:s :C)
ObjectPropertyRange(:r :D)
SubObjectPropertyOf(:r :s)
SubObjectPropertyOf(ObjectPropertyChain(:r :s :r) :t)
SubClassOf(:A :Other)
SubClassOf(:B ObjectHasValue(:r :someone))
EquivalentClasses(:C :D)
DisjointClasses(:B :C :D)
"""


@pytest.fixture(scope="module")
def nested(tmp_path_factory: pytest.TempPathFactory) -> Task:
    ontology = ontology_of(tmp_path_factory.mktemp("nested"), NESTED)
    return Task(ontology, ["a", "b"], observed=["D", "r"], latent=["A", "B", "C", "s", "t"], roles={"r": [("a", "b")]})


def spelled(told: Told, task: Task, concept: int) -> str:
    """Write a concept out."""
    match told.parts(concept):
        case Conjunction(first, second):
            return f"({spelled(told, task, first)} ⊓ {spelled(told, task, second)})"
        case Existential(role, filler):
            return f"∃{task.role_predicates[role].name}.{spelled(told, task, filler)}"
    names = [*(predicate.name for predicate in task.concepts), "⊤", "⊥"]
    return names[concept]


def test_what_was_told_in_the_names_of_a_task(nested: Task) -> None:
    told = told_axioms(nested)
    found = [f"{spelled(told, nested, sub)} ⊑ {spelled(told, nested, sup)}" for sub, sup in told.inclusions]
    assert sorted(found) == sorted(
        [
            "A ⊑ B",
            "A ⊑ ∃r.(B ⊓ C)",
            "((A ⊓ B) ⊓ C) ⊑ D",
            "∃r.∃s.A ⊑ ⊥",
            "∃s.⊤ ⊑ C",
            "C ⊑ D",
            "D ⊑ C",
            "(B ⊓ C) ⊑ ⊥",
            "(B ⊓ D) ⊑ ⊥",
            "(C ⊓ D) ⊑ ⊥",
        ]
    )
    roles = [role.name for role in nested.role_predicates]
    assert [(roles[role], spelled(told, nested, concept)) for role, concept in told.ranges] == [("r", "D")]
    chains = [([roles[step] for step in chain], roles[role]) for chain, role in told.chains]
    assert chains == [(["r"], "s"), (["r", "s", "r"], "t")]
    assert len(told.left_out) == 2  # A ⊑ Other, and B ⊑ ∃r.{someone}


def test_normal_forms_name_what_is_nested(nested: Task) -> None:
    told = told_axioms(nested)
    forms = normal_forms(told)
    counts = {kind: len(getattr(forms, kind)) for kind in KINDS}
    # A ⊑ ∃r.X, X ⊑ B, X ⊑ C; (A ⊓ B) ⊑ Y, Y ⊓ C ⊑ D; ∃s.A ⊑ Z, ∃r.Z ⊑ ⊥; ∃s.⊤ ⊑ C
    assert counts == {"nf1": 5, "nf1_bottom": 0, "nf2": 2, "nf2_bottom": 3, "nf3": 1, "nf4": 2, "nf4_bottom": 1}
    assert forms.concepts == len(nested.concepts) + 1 + 3
    assert max(int(forms.nf1.max()), int(forms.nf2.max()), int(forms.nf3[:, 2].max())) < forms.concepts


# --------------------------------------------------------------------------------------- the truth of axioms by hand


def truth_by_hand(told: Told, concept: int, at: int, *, truths: Tensor, links: Tensor, p: int) -> float:
    """Evaluate one concept at one individual of one example, plainly."""
    match told.parts(concept):
        case Conjunction(first, second):
            both = [truth_by_hand(told, part, at, truths=truths, links=links, p=p) for part in (first, second)]
            return both[0] * both[1]
        case Existential(role, filler):
            values = [
                float(links[role, at, other]) * truth_by_hand(told, filler, other, truths=truths, links=links, p=p)
                for other in range(len(truths))
            ]
            return mean_by_hand(values, p)
    return float([*truths[at].tolist(), 1.0, 0.0][concept])


def mean_by_hand(values: list[float], p: int) -> float:
    moved = [(1 - EPSILON) * value + EPSILON for value in values]
    return float((sum(value**p for value in moved) / len(moved)) ** (1 / p))


def error_by_hand(values: list[float], p: int) -> float:
    return 1 - mean_by_hand([1 - value for value in values], p)


@pytest.mark.parametrize("p", [2, 4])
def test_axioms_over_the_universe_are_those_by_hand(nested: Task, p: int) -> None:
    theory = FuzzyTheory(nested, Reading(over="example", p=p))
    told, names = theory.told, [role.name for role in nested.role_predicates]
    generator = torch.Generator().manual_seed(1)
    logits = torch.randn(3, 2, len(nested.concepts), generator=generator, dtype=torch.float64)
    free = {name: torch.rand(3, 2, 2, generator=generator, dtype=torch.float64) for name in ("s", "t")}
    truths = logits.sigmoid()
    found = theory.axioms(Outputs(logits, {}, free), truths)
    for row in range(3):
        known = torch.tensor([[0.0, 1.0], [0.0, 0.0]], dtype=torch.float64)
        links = torch.stack([free[name][row] if name in free else known for name in names])
        expected = list[float]()
        for sub, sup in told.inclusions:
            values = []
            for at in range(2):
                left, right = (
                    truth_by_hand(told, side, at, truths=truths[row], links=links, p=p) for side in (sub, sup)
                )
                values.append(1 - left + left * right)
            expected.append(error_by_hand(values, p))
        for role, concept in told.ranges:
            pairs = [(float(links[role, x, y]), float(truths[row, y, concept])) for x in range(2) for y in range(2)]
            expected.append(error_by_hand([1 - link + link * held for link, held in pairs], p))
        for chain, role in told.chains:
            expected.append(error_by_hand(chain_by_hand(links, chain, role), p))
        assert found[row].tolist() == pytest.approx(expected, rel=1e-6)


def chain_by_hand(links: Tensor, chain: tuple[int, ...], role: int) -> list[float]:
    values = list[float]()
    paths: list[tuple[tuple[int, ...], float]] = [((start,), 1.0) for start in range(2)]
    for step in chain:
        paths = [
            ((*path, after), truth * float(links[step, path[-1], after])) for path, truth in paths for after in range(2)
        ]
    for path, truth in paths:
        values.append(1 - truth + truth * float(links[role, path[0], path[-1]]))
    return values


def outputs_of(task: Task, logits: Tensor, witnesses: Tensor | None = None) -> Outputs:
    return Outputs(logits, {} if witnesses is None else {"succ": witnesses}, {})


def test_known_successors_and_own_elements_are_the_witnesses() -> None:
    task = task_of("mnist2")
    theory = FuzzyTheory(task, Reading(over="example", exists="skolem", p=2))
    truths = torch.rand(1, 2, 14, generator=torch.Generator().manual_seed(0), dtype=torch.float64)
    witness = torch.rand(1, 2, 14, generator=torch.Generator().manual_seed(1), dtype=torch.float64)
    found = theory.axioms(outputs_of(task, truths.logit(), witness), truths)[0]
    place = next(place for place, (sub, sup) in enumerate(theory.told.inclusions) if sub == 3 and sup > 15)
    at_a = 1 - truths[0, 0, 3] + truths[0, 0, 3] * truths[0, 1, 4]  # succ(a, b) is known
    at_b = 1 - truths[0, 1, 3] + truths[0, 1, 3] * witness[0, 1, 4]
    values = [at_a.item(), at_b.item(), 1.0, 1.0]  # and the witnesses, of whose own fillers nothing is said
    assert found[place].item() == pytest.approx(error_by_hand(values, 2), abs=3e-4)


def test_the_universe_denies_what_has_no_filler() -> None:
    task = task_of("mnist2")
    digits = torch.zeros(1, 2, 14)
    digits[0, 0, [3, 11, 12]] = digits[0, 1, [4, 10, 13]] = 1.0  # 3, odd and prime, before 4, even and composite
    logits = digits.logit(1e-6)
    universe = FuzzyTheory(task, Reading(p=4)).axioms(outputs_of(task, logits), digits)
    assert universe.min() < 0.5  # 4(b) → ∃y. succ(b, y) ∧ 5(y)
    witness = torch.zeros(1, 2, 14)
    witness[0, :, [5, 11, 12]] = 1.0
    skolem = FuzzyTheory(task, Reading(p=4, exists="skolem")).axioms(outputs_of(task, logits, witness), digits)
    assert skolem.min() > 0.99


def test_the_closure_says_exactly_one(nested: Task) -> None:
    base = task_of("mnist1")
    open_axioms = FuzzyTheory(base, Reading())
    closed = FuzzyTheory(base, Reading(closure=True))
    nothing = torch.zeros(1, 1, 14)
    outputs = outputs_of(base, nothing.logit(1e-6))
    assert open_axioms.axioms(outputs, nothing).min() > 0.99
    assert closed.axioms(outputs, nothing)[0, -1] < 0.01  # the cover
    assert closed.pairs.shape == (0, 2)  # the ontology has them all
    pizzas = FuzzyTheory(task_of("pizzaB"), Reading(closure=True))
    assert len(pizzas.families) == 1 and len(pizzas.pairs) == 0
    bare = Task(nested.ontology, ["a"], observed=[], latent=["A", "B", "C"], families=[["A", "B", "C"]])
    assert FuzzyTheory(bare, Reading(closure=True)).pairs.tolist() == [[0, 1], [0, 2]]


def test_evidence_and_facts_are_formulas() -> None:
    base = task_of("mnist1")
    task = Task(base.ontology, ["a"], base.observed, base.latent, facts=["not Even(a)"])
    theory = FuzzyTheory(task, Reading(over="example", p=2))
    logits = torch.randn(2, 1, 14, generator=torch.Generator().manual_seed(0))
    evidence = torch.zeros(2, 1, 14, dtype=torch.int8)
    evidence[0, 0, 12] = 1
    found = theory.satisfaction(outputs_of(task, logits), evidence)
    truths = logits.sigmoid()
    literals = [truths[0, 0, 12].item(), 1 - truths[0, 0, 10].item(), 1 - truths[1, 0, 10].item()]
    assert sorted(found.evidence.tolist()) == pytest.approx(sorted(literals))
    expected = error_by_hand([*found.axioms[0].tolist(), literals[0], literals[1]], 2)
    assert found.sat[0].item() == pytest.approx(expected, rel=1e-5)


def test_for_all_ranges_over_the_batch() -> None:
    task = task_of("mnist1")
    whole, each = (FuzzyTheory(task, Reading(over=over, p=4)) for over in ("batch", "example"))
    logits = torch.randn(5, 1, 14, generator=torch.Generator().manual_seed(0), dtype=torch.float64)
    truths = logits.sigmoid()
    evidence = torch.zeros(5, 1, 14, dtype=torch.int8)
    evidence[:3, 0, 10], evidence[3, 0, 10], evidence[1, 0, 12] = 1, -1, 1
    found = whole.satisfaction(outputs_of(task, logits), evidence)
    # One individual an example: what each example says of an axiom is, but for ε, one instance of it.
    ground = each.axioms(outputs_of(task, logits), truths) / (1 - EPSILON)
    axioms = [error_by_hand(values, 4) for values in ground.T.tolist()]
    assert found.axioms.shape == (1, 65)
    assert found.axioms[0].tolist() == pytest.approx(axioms)
    even, prime = truths[:, 0, 10].tolist(), truths[:, 0, 12].tolist()
    formulas = [error_by_hand(values, 4) for values in (even[:3], [1 - even[3]], [prime[1]])]
    assert found.sat.tolist() == pytest.approx([error_by_hand([*axioms, *formulas], 4)])
    assert len(found.evidence) == 5


def test_one_example_by_itself_has_an_absolute_error_and_a_batch_has_not() -> None:
    task = Task(task_of("mnist1").ontology, ["a"], observed=["Even"], latent=[])
    evidence = torch.tensor([1, 1, 1, -1], dtype=torch.int8).reshape(4, 1, 1)

    def slope(over: Over) -> float:
        """How much is won by believing the majority a little less, when it is believed nearly everywhere."""
        logits = torch.full((4, 1, 1), 2.0, requires_grad=True)
        (
            1 - FuzzyTheory(task, Reading(over=over)).satisfaction(outputs_of(task, logits), evidence).sat.mean()
        ).backward()
        assert logits.grad is not None
        return float(logits.grad.sum())

    assert slope("example") < 0 < slope("batch")


def test_a_role_that_the_network_never_saw_is_named() -> None:
    base = task_of("mnist3")
    theory = FuzzyTheory(base, Reading())
    plan = plan_outputs(task_of("mnist2"), told_axioms(task_of("mnist2")), "universe")
    raw = torch.zeros(1, 2, plan.size)
    with pytest.raises(MooseError, match="succ"):
        theory.satisfaction(plan.read(raw), torch.zeros(1, 2, 14, dtype=torch.int8))


def test_a_witness_counts_on_the_left_too(tmp_path: Path) -> None:
    axioms = "SubClassOf(:A ObjectSomeValuesFrom(:r :B)) SubClassOf(ObjectSomeValuesFrom(:r :B) :C) "
    axioms += "SubClassOf(ObjectSomeValuesFrom(:s :B) :C)"
    task = Task(ontology_of(tmp_path, axioms), ["a"], observed=["C"], latent=["A", "B", "r", "s"])
    theory = FuzzyTheory(task, Reading(over="example", exists="skolem", p=2))
    truths = torch.tensor([[[0.9, 0.2, 0.3]]])
    links = {"r": torch.tensor([[[0.4]]]), "s": torch.tensor([[[0.7]]])}
    witness = torch.tensor([[[0.1, 0.8, 0.6]]])
    found = theory.axioms(Outputs(truths.logit(), {"r": witness}, links), truths)[0].tolist()
    left = mean_by_hand([0.4 * 0.2, 0.8], 2)
    other = 0.7 * 0.2  # no axiom promises an s, so there is no witness of it
    expected = [[1 - 0.9 + 0.9 * 0.8, 1.0], [1 - left + left * 0.3, 1.0], [1 - other + other * 0.3, 1.0]]
    assert found == pytest.approx([error_by_hand(values, 2) for values in expected], abs=3e-4)
