"""Latent roles: a pair network says how likely each pair is, evidence may speak of pairs, and theory binds them."""

from __future__ import annotations

from dataclasses import replace
from itertools import product
from pathlib import Path

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch import Tensor

import moose
from moose.base.errors import ContradictoryEvidence, MooseError
from moose.grounding.task.task import Task
from moose.learning.examples import Examples
from moose.learning.fit.training_loop import Training
from moose.learning.loss.objective import encode
from moose.learning.roles.pair_network import RelationalNetwork
from moose.learning.roles.role_tensors import as_columns, from_columns, role_atom, take_pairs
from moose.methods.base.perception import Perception
from moose.methods.concept_learner import ConceptLearner
from moose.methods.load_predictor import load_predictor
from moose.methods.registry import METHODS, make_method
from tests.circuit.brute_force import worlds_of
from tests.learning.shelves import (
    FEATURES,
    Distance,
    no_roles,
    plain_shelves,
    shelf_encoder,
    shelf_examples,
    shelf_task,
    with_a_floor,
)

TAKE_ROLES = ("moose", "moose-cover", "semantic-loss", "spl", "ensemble", "independent")
ONCE = Training(epochs=1, batch_size=4)


def perception() -> Perception:
    return Perception(None, make=lambda _outputs, seed: shelf_encoder(seed), features=FEATURES)


def learner_of(task: Task, **options: object) -> ConceptLearner:
    return ConceptLearner(task, shelf_encoder(), features=FEATURES, **options)  # type: ignore[arg-type]


def brute_posteriors(learner: ConceptLearner, examples: Examples, row: int) -> tuple[Tensor, Tensor]:
    """Sum over all worlds of one example: P of each role atom and of each concept, sigmoids for everything latent."""
    task, binding = examples.task, learner.binding
    network = learner.network
    assert isinstance(network, RelationalNetwork)
    with torch.no_grad():
        encoded, logits = network.concepts.both(examples.inputs[row].flatten(0, 0))
        worlds = worlds_of(binding.layer.circuit.clauses)
        models = torch.from_numpy(np.array(worlds.models(), dtype=bool))
        weights = torch.ones(len(models), dtype=torch.float64)
        for column, atom in enumerate(worlds.atoms):
            people = [task.individuals.index(name) for name in atom.arguments]
            names = [task.role_predicates[role].name for role in task.read_roles]
            p = torch.tensor(0.5, dtype=torch.float64)
            if len(people) == 2 and atom.predicate in names:
                first, second = encoded[people[0]][None], encoded[people[1]][None]
                p = network.pairs(first, second)[0, names.index(atom.predicate)].double().sigmoid()
            elif len(people) == 1 and atom.predicate in ("Big", "Small"):
                p = logits[people[0], ["Big", "Small"].index(atom.predicate)].double().sigmoid()
            weights = weights * torch.where(models[:, column], p, 1 - p)
            seen = 0
            if len(people) == 1:
                concept = [one.name for one in task.concepts].index(atom.predicate)
                seen = int(examples.evidence[row, people[0], concept])
            elif examples.role_evidence is not None:
                role = [one.name for one in task.role_predicates].index(atom.predicate)
                seen = int(examples.role_evidence[row, role, people[0], people[1]])
            if seen:
                weights = weights * (models[:, column] == (seen > 0))
        marginals = (weights[:, None] * models).sum(0) / weights.sum()
    return binding.by_role(marginals[None])[0], binding.by_concept(marginals[None])[0]


def test_posteriors_are_those_of_all_worlds() -> None:
    task = plain_shelves()
    evidence = no_roles(task, 8)
    evidence[1, 0, 0, 1], evidence[2, 1, 1, 0], evidence[3, 0, 1, 0] = 1, -1, 1
    examples = shelf_examples(task, role_evidence=evidence)
    examples.evidence[3, 0, 2] = 1
    learner = learner_of(task, head="sigmoid", pair_network=Distance(task))
    predicted = learner.predict(examples)
    assert predicted.roles is not None
    for row in range(len(examples)):
        roles, concepts = brute_posteriors(learner, examples, row)
        assert predicted.roles[row] == pytest.approx(roles.numpy(), abs=1e-5)
        assert predicted.posteriors[row] == pytest.approx(concepts.numpy(), abs=1e-5)
    assert predicted.roles[1, 0, 0, 1] == pytest.approx(1.0)
    assert predicted.roles[1, 1, 0, 1] == pytest.approx(1.0), "on ⊑ above"
    assert predicted.roles[:, 2].tolist() == [[[0, 1], [0, 0]]] * 8, "what is known is 1 or 0"


def test_the_network_alone_says_what_the_pair_network_says() -> None:
    task = plain_shelves()
    learner = learner_of(task, pair_network=Distance(task))
    examples = shelf_examples(task, 3)
    network = learner.network
    assert isinstance(network, RelationalNetwork)
    predicted = learner.predict(examples)
    assert predicted.role_network is not None
    encoded, _ = network.concepts.both(examples.inputs.flatten(0, 1))
    encoded = encoded.view(3, 2, -1)
    for row, first, second in product(range(3), range(2), range(2)):
        says = network.pairs(encoded[row, first][None], encoded[row, second][None])[0].sigmoid()
        assert predicted.role_network[row, :2, first, second] == pytest.approx(says.detach().numpy(), abs=1e-6)
    assert np.isnan(predicted.role_network[:, 2]).all()
    assert {"on(a,b)", "above(b,b)"} <= predicted.of(0).keys()


def test_a_pair_network_learns_what_evidence_says_of_pairs() -> None:
    """The first pixel of a box says how high it is; which box is on which is seen in half of the examples."""
    task = shelf_task(roles=None)
    examples = shelf_examples(task, 200)
    height = examples.inputs[:, :, 0, 0, 0]
    truth = no_roles(task, 200)
    truth[:, 0] = truth[:, 1] = torch.where(height[:, :, None] > height[:, None, :], 1, -1)
    evidence = truth.clone()
    evidence[100:] = 0
    seen = replace(examples, role_evidence=evidence, role_truth=truth)
    for objective in ("conditional", "paper"):
        learner = learner_of(task, objective=objective, cover=None).fit(seen, Training(epochs=40, learning_rate=0.02))
        roles = learner.evaluate(seen).roles
        assert roles is not None
        scores = roles.without_evidence if objective == "conditional" else roles.network
        assert scores.f1 is not None and scores.accuracy is not None
        assert scores.f1 > 0.9 and scores.accuracy > 0.9


@pytest.mark.parametrize("method", TAKE_ROLES)
def test_methods_learn_from_pairs_and_are_kept(method: str, tmp_path: Path) -> None:
    task = plain_shelves()
    evidence = no_roles(task, 8)
    evidence[:4, 0, 0, 1] = 1
    examples = shelf_examples(task, role_evidence=evidence, role_truth=evidence.clone())
    predictor = make_method(method).fit(task, examples, training=ONCE, perception=perception())
    found = predictor.predict(examples)
    assert found.roles is not None and found.role_network is not None
    assert ((found.roles >= 0) & (found.roles <= 1)).all()
    assert found.roles[:4, 0, 0, 1] == pytest.approx(1.0)
    assert np.isfinite(found.role_network[:, :2]).all()
    predictor.save(tmp_path)
    again = load_predictor(tmp_path, lambda _outputs, seed: shelf_encoder(seed)).predict(examples)
    assert again.roles is not None and (again.roles == found.roles).all()


@pytest.mark.parametrize("method", [name for name in METHODS if name not in TAKE_ROLES])
def test_other_methods_say_that_they_do_not(method: str) -> None:
    examples = shelf_examples(plain_shelves())
    with pytest.raises(MooseError, match=r"no word on pairs .* latent role on; choose moose"):
        make_method(method).fit(examples.task, examples, perception=perception())


def test_independent_is_asked_with_the_circuit_too() -> None:
    task = plain_shelves()
    evidence = no_roles(task, 8)
    evidence[:, 0, 0, 1] = 1
    examples = shelf_examples(task, role_evidence=evidence)
    predictor = make_method("independent", decode="circuit").fit(task, examples, training=ONCE, perception=perception())
    found = predictor.predict(examples)
    assert found.roles is not None
    assert found.roles[:, 1, 0, 1] == pytest.approx(1.0), "on ⊑ above"


def test_graphs_of_examples_keep_what_is_said_of_pairs() -> None:
    """Examples of one shape are renumbered; each says the same as alone, in its own names."""
    task = shelf_task(3, roles={"beside": []})
    evidence = no_roles(task, 4)
    evidence[0, 0, 2, 0] = evidence[1, 0, 0, 1] = 1
    features = torch.rand(4, 3, 3, 2, generator=torch.Generator().manual_seed(0))
    people = [["a", "c"], ["a", "b", "c"], ["b", "c"], ["a", "b", "c"]]
    roles = [{"beside": [("a", "c")]}, {"beside": [("b", "a")]}, {"beside": [("c", "b")]}, {"beside": [("c", "a")]}]
    examples = shelf_examples(task, 4, role_evidence=evidence, pair_features=features, individuals=people, roles=roles)
    learner = learner_of(task, pair_network=Distance(task))
    together = learner.predict(examples)
    assert together.roles is not None
    for row in range(4):
        alone = learner.predict(examples.take([row])).roles
        assert alone is not None
        assert np.allclose(together.roles[row], alone[0], atol=1e-6, equal_nan=True)
        there = [task.individuals.index(name) for name in people[row]]
        assert np.isfinite(together.roles[row][:, there][:, :, there]).all()
    assert np.isnan(together.roles[0][:, 1]).all(), "b is not there"
    assert together.roles[0, 0, 2, 0] == pytest.approx(1.0)
    learner.fit(examples, epochs=1)


def test_features_of_pairs_are_seen() -> None:
    task = plain_shelves()
    features = torch.zeros(2, 2, 2, 2)
    features[1, 0, 1, 0] = 9.0
    examples = shelf_examples(task, 2, pair_features=features)
    examples.inputs[1] = examples.inputs[0]
    found = learner_of(task, pair_network=Distance(task)).predict(examples).role_network
    assert found is not None
    assert found[1, 0, 0, 1] > found[0, 0, 0, 1]
    assert (found[0] == found[1])[:2].sum() == 7
    bundled = make_method("moose").fit(task, examples, training=ONCE, perception=replace(perception(), pair_features=2))
    assert bundled.predict(examples).roles is not None


def test_who_has_no_input_has_a_learnt_encoding() -> None:
    """One for each kind, and one of its own for who the ontology names."""
    task = with_a_floor()
    examples = shelf_examples(task, 4)
    learner = learner_of(task)
    network = learner.network
    assert isinstance(network, RelationalNetwork) and network.unseen is not None
    assert network.numbers == {"is floor": 0, "of ground": 1}
    found = learner.predict(examples).role_network
    assert found is not None and np.isfinite(found).all()
    before = network.unseen.detach().clone()
    evidence = no_roles(task, 4)
    evidence[:, 0, 0, 1] = 1
    learner.fit(replace(examples, role_evidence=evidence), epochs=1)
    assert (network.unseen != before)[0].any()


def test_a_task_may_have_latent_roles_alone(tmp_path: Path) -> None:
    task = shelf_task(latent=["on", "above"], observed=["Heavy"], families=[])
    evidence = no_roles(task, 4)
    evidence[:, 0, 0, 1] = 1
    examples = shelf_examples(task, 4, role_evidence=evidence, role_truth=evidence)
    learner = learner_of(task).fit(examples, epochs=1)
    assert learner.evaluate(examples).roles is not None
    learner.save(tmp_path)
    assert ConceptLearner.load(tmp_path, shelf_encoder()).predict(examples).roles is not None


def test_bundled_encoders_show_their_features(tmp_path: Path) -> None:
    base = moose.regime("mnist2")
    task = replace(base, roles=None, latent=[*base.latent, "succ"])
    examples = Examples(task, torch.rand(2, 2, 1, 8, 8), *(torch.zeros(2, 2, 14, dtype=torch.int8),) * 2)
    predictor = make_method("moose").fit(task, examples, training=ONCE)
    predictor.save(tmp_path)
    found, again = (one.predict(examples).roles for one in (predictor, load_predictor(tmp_path)))
    assert found is not None and again is not None and (found == again).all()


def test_an_encoder_that_gives_logits_alone_is_told_what_to_do() -> None:
    with pytest.raises(MooseError, match="features="):
        ConceptLearner(plain_shelves(), shelf_encoder())


def test_a_pair_network_of_another_shape_is_refused() -> None:
    task = plain_shelves()
    learner = learner_of(task, pair_network=torch.nn.Bilinear(FEATURES, FEATURES, 3))
    with pytest.raises(MooseError, match="2 numbers for each pair"):
        learner.predict(shelf_examples(task, 2))


def test_a_pair_network_of_ones_own_is_asked_for_when_loading(tmp_path: Path) -> None:
    task = plain_shelves()
    learner = learner_of(task, pair_network=Distance(task))
    learner.save(tmp_path)
    with pytest.raises(MooseError, match="pair_network="):
        ConceptLearner.load(tmp_path, shelf_encoder())
    examples = shelf_examples(task, 2)
    again = ConceptLearner.load(tmp_path, shelf_encoder(), Distance(task)).predict(examples)
    wanted = learner.predict(examples)
    assert again.roles is not None and wanted.roles is not None and (again.roles == wanted.roles).all()


# ------------------------------------------------------------------------------------------------------- examples


def test_examples_say_and_take_what_is_observed_of_pairs() -> None:
    task = plain_shelves()
    evidence = no_roles(task, 3)
    evidence[1, 0, 0, 1], evidence[1, 1, 1, 1] = 1, -1
    examples = shelf_examples(task, 3, role_evidence=evidence, role_truth=evidence)
    assert examples.literals(1) == ("on(a,b)", "not above(b,b)")
    assert examples.take([1]).literals(0) == examples.literals(1)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda signs: signs[:, :2], "shape"),
        (lambda signs: signs.float(), "int8"),
        (lambda signs: signs + 2, r"\+1, 0 and -1"),
        (lambda signs: signs.numpy(), "tensor"),
    ],
)
def test_what_is_no_evidence_of_pairs_is_refused(change: object, words: str) -> None:
    task = plain_shelves()
    assert callable(change)
    for name in ("role_evidence", "role_truth"):
        with pytest.raises(MooseError, match=words):
            shelf_examples(task, 2, **{name: change(no_roles(task, 2))})


def test_a_known_role_needs_no_evidence() -> None:
    task = plain_shelves()
    evidence = no_roles(task, 2)
    evidence[1, 2, 0, 1] = 1
    with pytest.raises(MooseError, match=r"example 1 speaks of beside\(a,b\).*known in advance"):
        shelf_examples(task, 2, role_evidence=evidence)


def test_nothing_is_said_of_who_is_not_there() -> None:
    task = shelf_task(3)
    evidence = no_roles(task, 1)
    evidence[0, 0, 0, 2] = 1
    with pytest.raises(MooseError, match=r"on\(a,c\), but c is not in"):
        shelf_examples(task, 1, role_evidence=evidence, individuals=[["a", "b"]])


def test_evidence_of_pairs_that_contradicts_is_named() -> None:
    task = plain_shelves()
    evidence = no_roles(task, 3)
    evidence[2, 0, 0, 1], evidence[2, 1, 0, 1] = 1, -1
    with pytest.raises(ContradictoryEvidence, match="example 2"):
        learner_of(task).fit(shelf_examples(task, 3, role_evidence=evidence))
    fixed = shelf_task(facts=["not on(a,b)"])
    evidence = no_roles(fixed, 1)
    evidence[0, 0, 0, 1] = 1
    with pytest.raises(ContradictoryEvidence, match=r"on\(a,b\)"):
        learner_of(fixed).fit(shelf_examples(fixed, 1, role_evidence=evidence))


def test_features_of_pairs_have_a_shape() -> None:
    with pytest.raises(MooseError, match="pair_features"):
        shelf_examples(plain_shelves(), 2, pair_features=torch.zeros(2, 2, 3))


def test_examples_with_other_latent_roles_are_refused() -> None:
    other = shelf_task(latent=["Big", "Small", "on"])
    with pytest.raises(MooseError, match=r"latent roles .*on, above"):
        learner_of(plain_shelves()).predict(shelf_examples(other))


@given(st.integers(1, 3), st.integers(1, 4), st.integers(0, 1000))
@settings(max_examples=25, deadline=None)
def test_pairs_are_laid_out_and_renumbered(roles: int, people: int, seed: int) -> None:
    generator = torch.Generator().manual_seed(seed)
    values = torch.randint(-1, 2, (3, roles, people, people), generator=generator)
    assert torch.equal(from_columns(as_columns(values)), values)
    places = torch.stack([torch.randperm(people, generator=generator) for _ in range(2)])
    taken = take_pairs(values, torch.tensor([2, 0]), places)
    for row, source in enumerate((2, 0)):
        for role, first, second in product(range(roles), range(people), range(people)):
            assert taken[row, role, first, second] == values[source, role, places[row, first], places[row, second]]


def test_evaluation_tells_of_roles_where_some_are_latent() -> None:
    task = plain_shelves()
    truth = no_roles(task, 2)
    truth[:, 0] = -1
    truth[:, 0, 0, 1] = 1
    evaluation = learner_of(task).evaluate(shelf_examples(task, 2, role_truth=truth))
    assert {"roles", "roles_without_evidence", "roles_network"} <= evaluation.as_dict().keys()
    assert evaluation.roles is not None and evaluation.roles.given_evidence.mrr is not None
    assert "roles" not in replace(evaluation, roles=None).as_dict()


def test_a_role_atom_has_a_name() -> None:
    assert str(role_atom(plain_shelves(), 0, 1, 0)) == "on(b,a)"


def test_logits_of_concepts_come_first() -> None:
    task = plain_shelves()
    learner = learner_of(task)
    prepared = learner.predictor.model.prepare(shelf_examples(task, 3))
    assert encode(learner.network, prepared, slice(0, 2)).shape == (2, 2, 2 + 2 * 2)
