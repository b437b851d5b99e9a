"""A graph as examples of two individuals each: how pairs are laid out, judged, and what is given of individuals."""

from __future__ import annotations

from itertools import combinations, product
from math import log
from pathlib import Path

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from moose.base.errors import MooseError
from moose.grounding.task.task import Task
from moose.learning.encoders import embedding_encoder
from moose.learning.evaluation.role_metrics import JudgedRoles, average_precision, filtered_ranks, score_roles
from moose.learning.examples import Examples
from moose.learning.fit.training_loop import Training
from moose.learning.graph_pairs import all_pairs, pair_examples, pair_matrix, pair_signs
from moose.learning.roles.pair_network import RelationalNetwork
from moose.methods.concept_learner import ConceptLearner
from moose.methods.load_predictor import load_predictor
from moose.methods.registry import make_method
from tests.circuit.brute_force import worlds_of
from tests.grounding.tasks import ontology_of

AXIOMS = """
Declaration(Class(:Kinase)) Declaration(Class(:Enzyme))
Declaration(ObjectProperty(:acts)) Declaration(ObjectProperty(:modifies))
SubClassOf(:Kinase :Enzyme) SubObjectPropertyOf(:modifies :acts)
ObjectPropertyDomain(:modifies :Kinase) ObjectPropertyRange(:acts :Enzyme)
"""
PEOPLE, WIDTH = 4, 5


@pytest.fixture(scope="module")
def task(tmp_path_factory: pytest.TempPathFactory) -> Task:
    ontology = ontology_of(tmp_path_factory.mktemp("pairs"), AXIOMS)
    return Task(ontology, ["x", "y"], ["Kinase", "Enzyme"], ["acts", "modifies"])


def examples_of(task: Task, *, is_given: bool = True) -> Examples:
    """Six pairs of four individuals, two kinases and two others, with two edges and one that is denied."""
    pairs = all_pairs(PEOPLE)
    types = torch.tensor([[1, 1], [1, 1], [-1, 1], [-1, -1]], dtype=torch.int8)
    signs = pair_signs(pairs, np.array([[0, 1, 1], [2, 0, 0]]), roles=2)
    signs[0, 0, 0, 1] = 0  # which follows
    signs[3, 0, 1, 0] = -1
    names = ("Kinase", "Enzyme") if is_given else ()
    return pair_examples(task, pairs, torch.arange(PEOPLE)[:, None], evidence=types, role_evidence=signs, given=names)


def learner_of(task: Task, **options: object) -> ConceptLearner:
    encoder = embedding_encoder(PEOPLE, width=WIDTH, dropout=0.0, seed=3)
    return ConceptLearner(task, encoder, head="sigmoid", **options)  # type: ignore[arg-type]


# ------------------------------------------------------------------------------------------------- what is given


def brute_counts(learner: ConceptLearner, examples: Examples, row: int) -> tuple[float, float]:
    """Add up the worlds with all that is said of one pair, and those with what is given alone."""
    network, task = learner.network, examples.task
    assert isinstance(network, RelationalNetwork) and examples.role_evidence is not None
    with torch.no_grad():
        encoded, _ = network.concepts.both(examples.inputs[row])
    worlds = worlds_of(learner.binding.layer.circuit.clauses)
    concepts, roles = ([one.name for one in names] for names in (task.concepts, task.role_predicates))
    counts = [0.0, 0.0]
    for model in worlds.models():
        weight, is_seen, is_given = 1.0, True, True
        for atom, holds in zip(worlds.atoms, model, strict=True):
            who = [task.individuals.index(name) for name in atom.arguments]
            if len(who) == 2:
                with torch.no_grad():
                    scores = network.pairs(encoded[who[0]][None], encoded[who[1]][None])[0].double().sigmoid()
                p = float(scores[roles.index(atom.predicate)])
                sign = int(examples.role_evidence[row, roles.index(atom.predicate), who[0], who[1]])
                weight *= p if holds else 1 - p
                is_seen &= not sign or (sign > 0) == holds
            else:
                sign = int(examples.evidence[row, who[0], concepts.index(atom.predicate)])
                is_given &= (sign > 0) == holds
        counts[0] += weight * (is_seen and is_given)
        counts[1] += weight * is_given
    return counts[0], counts[1]


def test_the_likelihood_is_conditioned_on_what_is_given(task: Task) -> None:
    examples, learner = examples_of(task), learner_of(task)
    for row in range(len(examples)):
        seen, given_alone = brute_counts(learner, examples, row)
        loss = learner.loss(examples[[row]])
        assert float(loss.detach()) == pytest.approx(log(given_alone) - log(seen), abs=1e-5)


def test_what_is_given_is_there_without_evidence(task: Task) -> None:
    examples, learner = examples_of(task), learner_of(task)
    without = learner.predict(examples, evidence=False)
    assert (without.posteriors == (examples.evidence.numpy() > 0)).all()
    assert without.roles is not None
    for row, (first, second) in enumerate(all_pairs(PEOPLE).tolist()):
        for place, other in ((0, second), (1, first)):
            source = (first, second)[place]
            modifies, acts = (without.roles[row, number, place, 1 - place] for number in (1, 0))
            assert (modifies == 0) == (source > 1 or other == 3), "only kinases modify, and enzymes alone are acted on"
            assert (acts == 0) == (other == 3)
    own = learner_of(task).predict(examples_of(task, is_given=False), evidence=False)
    assert not np.isin(own.posteriors, [0.0, 1.0]).any(), "evidence that is not given is not there"


def test_a_network_without_logic_does_not_learn_what_is_given(task: Task) -> None:
    examples = examples_of(task)
    model = make_method("independent").fit(
        task, examples, training=Training(epochs=1), perception=learner_of(task).predictor.perception
    )
    assert (model.predict(examples, evidence=False).posteriors == (examples.evidence.numpy() > 0)).all()


def test_given_concepts_are_the_tasks_and_need_a_method_that_knows(task: Task) -> None:
    examples = examples_of(task)
    assert examples[2:4].given == ("Kinase", "Enzyme")
    with pytest.raises(MooseError, match="among those that are given, but got 'Protein'"):
        pair_examples(task, all_pairs(2), torch.zeros(2, 1), given=["Protein"])
    with pytest.raises(MooseError, match="a list of concepts"):
        pair_examples(task, all_pairs(2), torch.zeros(2, 1), given="Kinase")
    types = Task(task.ontology, ["x"], ["Enzyme"], ["Kinase"])
    nothing = torch.zeros(2, 1, 2, dtype=torch.int8)
    alone = Examples(types, torch.zeros(2, 3), nothing, nothing, given=["Enzyme"])
    with pytest.raises(MooseError, match="choose moose"):
        make_method("bears").fit(types, alone, training=Training(epochs=1))


def test_given_types_of_one_individual_are_conditioned_on(task: Task) -> None:
    """P(Kinase | Enzyme given) is learnt, not P(Kinase, Enzyme): the loss of a kinase is -log of its posterior."""
    types = Task(task.ontology, ["x"], ["Enzyme"], ["Kinase"])
    evidence = torch.ones(3, 1, 2, dtype=torch.int8)
    examples = Examples(types, torch.rand(3, 4), evidence, evidence, allow_latent=True, given=["Enzyme"])
    learner = ConceptLearner(types, torch.nn.Linear(4, 1), head="sigmoid")
    posterior = learner.predict(examples, evidence=False).posteriors[:, 0, 0]
    assert float(learner.loss(examples).detach()) == pytest.approx(-np.log(posterior).mean(), abs=1e-5)


# --------------------------------------------------------------------------------------------- pairs and matrices


@given(st.integers(2, 5), st.integers(1, 3), st.integers(0, 1000), st.sampled_from([0, -1]))
@settings(max_examples=40, deadline=None)
def test_edges_come_back_as_a_matrix(people: int, roles: int, seed: int, others: int) -> None:
    numbers = np.random.default_rng(seed)
    cube = numbers.random((roles, people, people)) < 0.3
    cube[:, np.arange(people), np.arange(people)] = False
    edges = np.argwhere(cube)[:, [1, 0, 2]]
    pairs = all_pairs(people)
    assert pairs.tolist() == [list(pair) for pair in combinations(range(people), 2)]
    back = pair_matrix(pairs, pair_signs(pairs, edges, roles=roles, others=others), people)
    for role, first, second in product(range(roles), range(people), range(people)):
        wanted = 0 if first == second else 1 if cube[role, first, second] else others
        assert back[role, first, second] == wanted


def test_no_pairs_have_no_signs() -> None:
    assert pair_signs(np.zeros((0, 2), np.int64), np.zeros((0, 3), np.int64), roles=2).shape == (0, 2, 2, 2)
    assert pair_signs(np.array([[0, 1]]), np.zeros((0, 3), np.int64), roles=1).sum() == 0


def test_pairs_that_do_not_fit_are_told(task: Task) -> None:
    one = Task(task.ontology, ["x"], ["Enzyme"], ["Kinase"])
    with pytest.raises(MooseError, match="a task of two individuals"):
        pair_examples(one, all_pairs(2), torch.zeros(2, 1))
    with pytest.raises(MooseError, match="whole numbers of shape"):
        pair_examples(task, np.zeros((2, 3), np.int64), torch.zeros(2, 1))
    with pytest.raises(MooseError, match="below 2, the individuals that have an input, but a pair has 2"):
        pair_examples(task, all_pairs(3), torch.zeros(2, 1))
    with pytest.raises(MooseError, match="evidence of 2 individuals"):
        pair_examples(task, all_pairs(2), torch.zeros(2, 1), evidence=torch.zeros(3, 2, dtype=torch.int8))


def test_an_embedding_is_learnt_saved_and_read(task: Task, tmp_path: Path) -> None:
    examples = examples_of(task)
    learner = ConceptLearner(task, embedding_encoder(PEOPLE, width=WIDTH, seed=1))
    learner.fit(examples, Training(epochs=30, batch_size=3, learning_rate=0.05))
    assert learner.history[-1].loss < learner.history[0].loss / 2
    learner.save(tmp_path)
    again = load_predictor(tmp_path)
    before, after = learner.predict(examples).roles, again.predict(examples).roles
    assert before is not None and after is not None and np.array_equal(before, after)
    with pytest.raises(MooseError, match="dropout"):
        embedding_encoder(3, dropout=1.0)
    with pytest.raises(MooseError, match="positive whole numbers for count"):
        embedding_encoder(0)


# -------------------------------------------------------------------------------------------------------- metrics


def graph_of(people: int, roles: int, seed: int) -> JudgedRoles:
    """Scores with many ties; some triples are asked about, some are known already, all others are false."""
    numbers = np.random.default_rng(seed)
    shape = (1, roles, people, people)
    kind = numbers.choice(3, shape, p=[0.6, 0.2, 0.2])
    signs = [np.where(kind == one, 1, 0).astype(np.int8) for one in (1, 2)]
    return JudgedRoles(numbers.integers(0, 6, shape) / 5, np.where(kind == 1, 1, -1).astype(np.int8), signs[1])


@given(st.integers(1, 6), st.integers(1, 3), st.integers(0, 10_000))
@settings(max_examples=60, deadline=None)
def test_both_sides_are_ranked_as_the_definition_says(people: int, roles: int, seed: int) -> None:
    judged = graph_of(people, roles, seed)
    says, truth, seen = judged.probabilities[0], judged.truth[0], judged.evidence[0]
    is_true = (truth > 0) | (seen > 0)
    ranks = []
    for role, a, b in product(range(roles), range(people), range(people)):
        if truth[role, a, b] > 0 and not seen[role, a, b]:
            for rivals in (
                [says[role, a, c] for c in range(people) if not is_true[role, a, c]],
                [says[role, c, b] for c in range(people) if not is_true[role, c, b]],
            ):
                better = sum(one > says[role, a, b] for one in rivals)
                ranks.append(1 + better + sum(one == says[role, a, b] for one in rivals) / 2)
    scores = score_roles([judged], both_sides=True)
    assert scores.mrr == (pytest.approx(np.mean(1 / np.array(ranks))) if ranks else None)
    assert scores.hits_at_1 == (pytest.approx(np.mean(np.array(ranks) <= 1)) if ranks else None)
    assert len(filtered_ranks(judged)) * 2 == len(ranks)


@given(st.lists(st.tuples(st.integers(0, 4), st.booleans()), min_size=1, max_size=30))
def test_average_precision_is_scikit_learns(pairs: list[tuple[int, bool]]) -> None:
    from sklearn.metrics import average_precision_score

    says, holds = np.array([one / 4 for one, _ in pairs]), np.array([one for _, one in pairs])
    if holds.any():
        assert average_precision(says, holds) == pytest.approx(average_precision_score(holds, says))
    else:
        assert average_precision(says, holds) is None


@pytest.mark.parametrize("seed", range(5))
def test_ranks_are_pykeens(seed: int) -> None:
    """Filtered, both sides, realistic (ties at their mean): what PyKEEN's evaluator computes from the same scores."""
    pytest.importorskip("pykeen", reason="PyKEEN is not installed: pip install pykeen==1.11.1 torch==2.13.0")
    from pykeen.evaluation import RankBasedEvaluator
    from pykeen.typing import LABEL_HEAD, LABEL_TAIL

    people, roles = 9, 3
    judged = graph_of(people, roles, seed)
    says = torch.from_numpy(judged.probabilities[0])
    is_true = torch.from_numpy((judged.truth[0] > 0) | (judged.evidence[0] > 0))
    asked = np.argwhere((judged.truth[0] > 0) & (judged.evidence[0] == 0))[:, [1, 0, 2]]
    evaluator = RankBasedEvaluator(filtered=True)
    triples = torch.from_numpy(asked)
    for target, column in ((LABEL_HEAD, 0), (LABEL_TAIL, 2)):
        rows = [
            (says[role, :, b], is_true[role, :, b]) if column == 0 else (says[role, a], is_true[role, a])
            for a, role, b in asked.tolist()
        ]
        scores = torch.stack([score.clone() for score, _ in rows])
        own = scores.gather(1, triples[:, [column]])
        for position, (_, true) in enumerate(rows):
            scores[position, true] = torch.nan
        scores.scatter_(1, triples[:, [column]], own)
        evaluator.process_scores_(triples, target, scores, true_scores=own)
    theirs = evaluator.finalize()
    ours = score_roles([judged], both_sides=True)
    assert ours.mrr == pytest.approx(theirs.get_metric("both.realistic.inverse_harmonic_mean_rank"), abs=1e-6)
    for mine, most in ((ours.hits_at_1, 1), (ours.hits_at_3, 3), (ours.hits_at_10, 10)):
        assert mine == pytest.approx(theirs.get_metric(f"both.realistic.hits_at_{most}"), abs=1e-6)


# ------------------------------------------------------------------------------------------------ irreflexive roles


def test_no_network_is_asked_about_irreflexive_roles_of_one(tmp_path: Path) -> None:
    """The same numbers as without the axiom, but for an individual with itself, where the answer is no."""
    axioms = AXIOMS + "SymmetricObjectProperty(:acts)"
    both = [axioms + "IrreflexiveObjectProperty(:acts) IrreflexiveObjectProperty(:modifies)", axioms]
    tasks = [Task(ontology_of(tmp_path, one), ["x", "y"], ["Kinase", "Enzyme"], ["acts", "modifies"]) for one in both]
    assert [one.reads_loops for one in tasks] == [False, True]
    learners = [learner_of(one) for one in tasks]
    seen = list[int]()
    network = learners[0].network
    assert isinstance(network, RelationalNetwork)
    network.pairs.register_forward_hook(lambda _module, inputs, _output: seen.append(len(inputs[0])))
    found = [learner.predict(examples_of(one)) for learner, one in zip(learners, tasks, strict=True)]
    assert seen == [2 * len(all_pairs(PEOPLE))]
    loops, others = np.eye(2, dtype=bool), ~np.eye(2, dtype=bool)
    for view in ("roles", "role_network"):
        without, with_loops = (getattr(one, view) for one in found)
        assert without[:, :, others] == pytest.approx(with_loops[:, :, others], abs=1e-6)
        assert (without[:, :, loops] < 1e-9).all() and (with_loops[:, :, loops] > 0).any()
    roles = found[0].roles
    assert roles is not None and roles[:, 0, 0, 1] == pytest.approx(roles[:, 0, 1, 0]), "what is symmetric"


def test_losses_of_irreflexive_roles_have_slopes(tmp_path: Path) -> None:
    ontology = ontology_of(tmp_path, AXIOMS + "AsymmetricObjectProperty(:acts) AsymmetricObjectProperty(:modifies)")
    task = Task(ontology, ["x", "y"], ["Kinase", "Enzyme"], ["acts", "modifies"])
    learner = learner_of(task)
    before = float(learner.loss(examples_of(task)).detach())
    learner.fit(examples_of(task), Training(epochs=20, batch_size=3, learning_rate=0.05))
    after = float(learner.loss(examples_of(task)).detach())
    assert np.isfinite(after) and after < before
