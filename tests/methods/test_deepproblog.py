"""The program of a task and the probability of its queries, against every world counted one by one."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from itertools import product
from pathlib import Path
from types import SimpleNamespace

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as some
from torch import Tensor

from moose.base.errors import ContradictoryEvidence, MooseError
from moose.datasets.base.regimes import find_regime, without_closure
from moose.datasets.open import open_dataset
from moose.grounding.atoms import Atom
from moose.grounding.task.task import Task
from moose.learning.examples import Examples
from moose.learning.fit.training_loop import Training
from moose.learning.heads import Sides
from moose.learning.loss.objective import Prepared, encode
from moose.methods.base.perception import Perception
from moose.methods.deepproblog import deepproblog_package
from moose.methods.deepproblog.deepproblog import Deepproblog, ProgramModel
from moose.methods.deepproblog.neural_program import make_program
from moose.methods.deepproblog.program_rules import Rule, definite_rules, proofs
from moose.methods.deepproblog.program_text import program_text, word
from moose.methods.ours.moose import Moose
from tests.grounding.tasks import ontology_of
from tests.learning.toys import task_of, toy_encoder, toy_examples
from tests.methods.worlds_of_programs import least_model, posteriors, query_probability
from tests.searching import examples as tried

SMALL = ["mnist1", "mnist2", "mnist3", "pizzaB", "pizzaC"]  # track A has 65,536 worlds


def toy_network(outputs: int, seed: int) -> torch.nn.Module:
    return toy_encoder(outputs=outputs, seed=seed)


PERCEPTION = Perception((1, 1, 10), make=toy_network)


@cache
def model_of(task: Task) -> ProgramModel:
    return Deepproblog().model(task, PERCEPTION, seed=0)


def examples_of(task: Task, evidence: Sequence[dict[str, bool]]) -> Examples:
    """Examples whose evidence is spelt, and whose inputs are nothing."""
    places = {
        f"{concept.name}({who})": (row, column)
        for row, who in enumerate(task.individuals)
        for column, concept in enumerate(task.concepts)
    }
    table = torch.zeros(len(evidence), len(task.individuals), len(task.concepts), dtype=torch.int8)
    for number, literals in enumerate(evidence):
        for text, truth in literals.items():
            table[(number, *places[text])] = 1 if truth else -1
    inputs = torch.zeros(len(evidence), len(task.individuals), 1, 1, 10)
    return Examples(task, inputs, table, torch.zeros_like(table))


def spelt(examples: Examples, row: int) -> dict[str, bool]:
    return {text.removeprefix("not "): not text.startswith("not ") for text in examples.literals(row)}


def drawn_logits(task: Task, count: int, seed: int = 0) -> Tensor:
    latent = sum(concept.is_latent for concept in task.concepts)
    generator = torch.Generator().manual_seed(seed)
    return 2 * torch.randn(count, len(task.individuals), latent, generator=generator, dtype=torch.float64)


def log_probabilities(task: Task, logits: Tensor, evidence: Sequence[dict[str, bool]]) -> Tensor:
    model = model_of(task)
    return model.log_probabilities(model.prepare(examples_of(task, evidence)), slice(None), logits)


def moose_log_count(prepared: Prepared, logits: Tensor) -> Tensor:
    weight_map = prepared.weight_map
    found: Tensor = weight_map.binding.layer(
        weight_map.log_weights(weight_map.head.sides(logits), prepared.mask), prepared.mask
    )
    return found


def some_evidence(name: str, count: int) -> list[dict[str, bool]]:
    """What the data sets observe, and nothing at all."""
    kind, size = ("digits", None) if name.startswith("mnist") else ("pizzas", 16)
    data = open_dataset(kind, regime=name, count=count, test_count=1, size=size)
    return [{}, *(spelt(data.train, row) for row in range(count))]


# ------------------------------------------------------------------------------------------------------- by hand


def test_a_digit_by_hand() -> None:
    task = task_of("mnist1")
    logits = drawn_logits(task, 3)
    found = log_probabilities(
        task, logits, [{"Even(a)": True, "Prime(a)": True}, {"Prime(a)": False, "Composite(a)": False}, {}]
    )
    shares = logits[:, 0].softmax(-1)
    assert found.exp() == pytest.approx([float(shares[0, 2]), float(shares[1, 0] + shares[1, 1]), 1.0])


@pytest.mark.parametrize(("name", "step"), [("mnist2", 1), ("mnist3", 2)])
def test_two_digits_by_hand(name: str, step: int) -> None:
    task = task_of(name)
    first, second = task.individuals
    logits = drawn_logits(task, 1)
    one, two = logits[0].softmax(-1)
    found = log_probabilities(task, logits, [{f"Prime({first})": True, f"Composite({second})": False}])
    pairs = [(digit, (digit + step) % 10) for digit in range(10)]
    wanted = sum(float(one[i] * two[j]) for i, j in pairs if i in (2, 3, 5, 7) and j not in (4, 6, 8, 9))
    assert float(found.exp()) == pytest.approx(wanted)


def test_a_spicy_pizza_has_a_spicy_topping() -> None:
    task = task_of("pizzaC")
    logits = drawn_logits(task, 2)
    found = log_probabilities(task, logits, [{"SpicyPizza(a)": True}, {"SpicyPizza(a)": False}]).exp()
    none = (1 - logits[:, 0].sigmoid()).prod(-1)
    assert found == pytest.approx([1 - float(none[0]), float(none[1])])


def test_a_pizza_is_its_recipe() -> None:
    task = task_of("pizzaA")
    logits = drawn_logits(task, 1)
    chances = dict(zip([concept.name for concept in task.concepts], logits[0, 0].sigmoid().tolist(), strict=False))
    wanted = 1.0
    for topping, chance in chances.items():
        wanted *= chance if topping in ("OnionTopping", "PeperonataTopping", "PrawnTopping") else 1 - chance
    assert float(log_probabilities(task, logits, [{"Cajun(a)": True}]).exp()) == pytest.approx(wanted)


def test_toppings_follow_from_the_pizza() -> None:
    data = open_dataset("pizzas", regime="pizzaB", count=16, test_count=8, size=16)
    predictor = Deepproblog().fit(data.train.task, data.train, training=Training(epochs=1))
    found = predictor.predict(data.test, evidence=False)
    columns = {concept.name: place for place, concept in enumerate(found.task.concepts)}
    for view in (found.posteriors, found.network):
        value = {name: view[:, 0, column] for name, column in columns.items()}
        assert value["OnionTopping"] == pytest.approx(value["Cajun"], abs=1e-6)
        assert value["OliveTopping"] == pytest.approx(value["Capricciosa"] + value["FourSeasons"], abs=1e-6)
        assert value["GarlicTopping"] == pytest.approx(0.0, abs=1e-6)


# ------------------------------------------------------------------------------------------------ world by world


@pytest.mark.parametrize("name", SMALL)
def test_queries_count_the_worlds_that_prove_them(name: str) -> None:
    task, evidence = task_of(name), some_evidence(name, 5)
    logits = drawn_logits(task, len(evidence)).requires_grad_()
    found = log_probabilities(task, logits, evidence)
    wanted = torch.stack([query_probability(task, one, literals) for one, literals in zip(logits, evidence)]).log()
    assert found.detach().numpy() == pytest.approx(wanted.detach().numpy(), abs=1e-10)
    slopes, wished = (torch.autograd.grad(one.sum(), logits)[0] for one in (found, wanted))
    assert slopes.numpy() == pytest.approx(wished.numpy(), abs=1e-10)


@pytest.mark.parametrize("name", SMALL)
def test_answers_are_posteriors_given_the_query(name: str) -> None:
    task, evidence = task_of(name), some_evidence(name, 3)
    model = model_of(task)
    prepared = model.prepare(examples_of(task, evidence))
    with torch.no_grad():
        rows = slice(0, len(evidence))
        said = model.answer(prepared, rows, use_evidence=True)
        logits = encode(model.network, prepared, rows).double()  # in one batch, as single precision depends on its size
    atoms = [Atom(concept.name, (who,)) for who in task.individuals for concept in task.concepts]
    for row, literals in enumerate(evidence):
        wanted = posteriors(task, logits[row], literals, atoms)
        assert said.posteriors[row].flatten().tolist() == pytest.approx(wanted, abs=1e-9)


AXIOMS = {
    "a coin, for of it nothing is said": (["A"], ["B"], ""),
    "a subsumption between two facts, which is a constraint": (
        ["A", "B"],
        ["C"],
        "SubClassOf(:A :B) SubClassOf(:B :C)",
    ),
    "an equivalence that cannot hold itself up": (["A"], ["B", "C"], "EquivalentClasses(:B :C) SubClassOf(:A :B)"),
    "a circle with two ways in": (
        ["A", "B", "C"],
        ["D", "E"],
        "EquivalentClasses(:D :E) SubClassOf(ObjectIntersectionOf(:A :B) :D) SubClassOf(:C :E)",
    ),
    "two conjunctions that prove the same": (
        ["A", "B", "C"],
        ["D"],
        "SubClassOf(ObjectIntersectionOf(:A :B) :D) SubClassOf(ObjectIntersectionOf(:B :C) :D)",
    ),
    "a recipe, and what follows from it": (
        ["A", "B"],
        ["D", "E"],
        "SubClassOf(:D :A) DisjointClasses(:D :B) SubClassOf(:D :E)",
    ),
    "facts that exclude each other": (["A", "B"], ["C"], "DisjointClasses(:A :B) SubClassOf(:A :C)"),
    "coins of which one says the other": (["A"], ["B", "C"], "SubClassOf(:B :C)"),
}


@pytest.mark.parametrize("what", AXIOMS)
def test_small_theories(what: str, tmp_path: Path) -> None:
    latent, observed, axioms = AXIOMS[what]
    declared = " ".join(f"Declaration(Class(:{name}))" for name in (*latent, *observed))
    task = Task(ontology_of(tmp_path, f"{declared} {axioms}"), individuals=["a"], observed=observed, latent=latent)
    evidence = [
        {f"{name}(a)": sign for name, sign in zip(observed, signs) if sign is not None}
        for signs in product((None, True, False), repeat=len(observed))
    ]
    logits = drawn_logits(task, 1)
    wanted = [(one, query) for one in evidence if (query := _probability(task, logits[0], one)) > 0]
    found = log_probabilities(task, logits.expand(len(wanted), -1, -1), [one for one, _ in wanted])
    assert found.exp().tolist() == pytest.approx([query for _, query in wanted])
    for one in evidence:
        if one not in [kept for kept, _ in wanted]:
            with pytest.raises(ContradictoryEvidence):
                model_of(task).prepare(examples_of(task, [one]))


def _probability(task: Task, logits: Tensor, evidence: dict[str, bool]) -> float:
    try:
        return float(query_probability(task, logits, evidence))
    except RuntimeError:  # of no world at all
        return 0.0


ATOMS = 5
RULES = some.lists(
    some.builds(
        Rule,
        some.integers(3, 2 + ATOMS),
        some.lists(some.sampled_from([-3, -2, -1, *range(1, 4 + ATOMS - 1)]), min_size=1, max_size=3, unique=True).map(
            tuple
        ),
    ),
    max_size=8,
    unique=True,
)


@given(RULES)
@tried(60)
def test_proofs_hold_exactly_in_the_least_model(rules: list[Rule]) -> None:
    rules = [rule for rule in rules if rule.head + 1 not in rule.body]
    found = proofs(rules)
    for signs in product((True, False), repeat=3):
        chosen = {place for place, sign in enumerate(signs) if sign}
        model = least_model(rules, chosen)
        for head, ways in found.items():
            is_proved = any(all((abs(literal) - 1 in model) == (literal > 0) for literal in way) for way in ways)
            assert is_proved == (head in model)


def test_rules_are_clauses_with_one_head() -> None:
    assert definite_rules([(1, 2), (-1, -2), (2, -2), (-1, 3)]) == [Rule(2, (1,))]


# ----------------------------------------------------------------------------------------------- beside Moose


@pytest.mark.parametrize("name", ["mnist1", "mnist2", "mnist3", "pizzaA"])
def test_the_loss_is_that_of_moose_up_to_a_constant(name: str) -> None:
    task, evidence = task_of(name), some_evidence(name, 12)[1:]
    examples = examples_of(task, evidence)
    logits = drawn_logits(task, len(evidence)).requires_grad_()
    other = Moose(head="softmax").model(task, PERCEPTION, seed=0)
    ours = log_probabilities(task, logits, evidence)
    theirs = moose_log_count(other.prepare(examples), logits)
    slopes, wished = (torch.autograd.grad(one.sum(), logits)[0] for one in (ours, theirs))
    assert slopes.numpy() == pytest.approx(wished.numpy(), abs=1e-9)
    again = drawn_logits(task, len(evidence), seed=1)
    differences = [
        log_probabilities(task, one, evidence) - moose_log_count(other.prepare(examples), one)
        for one in (logits.detach(), again)
    ]
    assert differences[0].numpy() == pytest.approx(differences[1].numpy(), abs=1e-9)


def test_held_out_pizzas_have_toppings_as_the_network_says() -> None:
    held_out = without_closure(find_regime("pizzaA"))
    model = Deepproblog().model(task_of("pizzaA"), PERCEPTION, seed=0)
    prepared = model.prepare(examples_of(held_out, [{}]))
    with torch.no_grad():
        said = model.answer(prepared, slice(0, 1), use_evidence=True)
    assert said.posteriors[0, 0, :16].tolist() == pytest.approx(said.network[0, 0].tolist())


# --------------------------------------------------------------------------------------------------------- words


def test_known_roles_are_links_in_the_text() -> None:
    lines = program_text(make_program(task_of("mnist2"))).splitlines()
    assert lines[0] == f"nn(family_1,[X],C,[{','.join(repr(f'D{digit}') for digit in range(10))}]) :: holds(X,C)."
    assert sum(line.startswith("holds(X,") for line in lines) == 18
    assert [line for line in lines if line.startswith("link_1")] == [
        f"link_1 :- holds(a,'D{digit}'), holds(b,'D{(digit + 1) % 10}')." for digit in range(10)
    ]
    assert "theory :- link_1." in lines


@pytest.mark.parametrize(("name", "written"), [("a", "a"), ("Even", "'Even'"), ("is", "'is'"), ("it's", r"'it\'s'")])
def test_names_are_atoms_of_prolog(name: str, written: str) -> None:
    assert word(name) == written


def test_an_unknown_engine_is_named() -> None:
    with pytest.raises(MooseError, match=r"vectorised, package.*fast"):
        Deepproblog(engine="fast")  # type: ignore[arg-type]


def test_an_absent_package_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(deepproblog_package, "find_spec", lambda name: None if name == "problog" else SimpleNamespace())
    with pytest.raises(MooseError, match=r"needs problog.*make peers"):
        Deepproblog(engine="package")


def test_what_rules_decide_weighs_one() -> None:
    model = model_of(task_of("pizzaB"))
    prepared = model.prepare(examples_of(task_of("pizzaB"), [{}]))
    sides: Sides = model.sides(prepared, torch.randn(1, 1, 20, generator=torch.Generator().manual_seed(0)))
    assert (sides.positive[0, 0, :16] == 0).all() and (sides.negative[0, 0, :16] == 0).all()
    assert float(sides.positive[0, 0, 16:].exp().sum()) == pytest.approx(1.0)


def test_toy_digits_are_learnt() -> None:
    examples = toy_examples("mnist2", 128, share=1.0)
    training = Training(epochs=30, batch_size=16, learning_rate=0.02)
    predictor = Deepproblog().fit(examples.task, examples, training=training, perception=PERCEPTION)
    assert predictor.history[-1].loss < 0.5 * predictor.history[0].loss
