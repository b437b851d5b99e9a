"""OWL2Vec*: the graph of axioms, walks and word vectors by hand, and scores by vectors."""

from __future__ import annotations

import pytest
import torch

from moose.base.errors import MooseError
from moose.methods.base.perception import Perception
from moose.methods.owl2vec.owl2vec import Owl2vec, Owl2vecModel, concept_vectors
from moose.methods.owl2vec.skip_gram import SkipGram, near_pairs, pair_loss
from moose.methods.owl2vec.walks import SUB, SUPER, edges_of, walk_sentences
from moose.methods.registry import make_method
from moose.owl.model import axioms as ax
from moose.owl.model.expressions import Class, ObjectIntersectionOf, ObjectProperty, ObjectSomeValuesFrom
from tests.learning.toys import task_of, toy_encoder, toy_examples

A, B, C = map(Class, "ABC")
R = ObjectProperty("r")


def test_the_graph_by_hand() -> None:
    some = ObjectSomeValuesFrom(R, C)
    assert edges_of([ax.SubClassOf(some, A)]) == edges_of([ax.SubClassOf(A, some)]) == [("A", "r", "C")]
    both = ObjectIntersectionOf((B, some))
    assert set(edges_of([ax.EquivalentClasses((A, both))])) == {
        ("A", SUB, "B"),
        ("B", SUPER, "A"),
        ("B", SUB, "A"),
        ("A", SUPER, "B"),
        ("A", "r", "C"),
    }
    ends: list[ax.Axiom] = [ax.ObjectPropertyDomain(R, A), ax.ObjectPropertyRange(R, B), ax.ObjectPropertyRange(R, C)]
    assert edges_of(ends) == [("A", "r", "B"), ("A", "r", "C")]
    assert edges_of([ax.DisjointClasses((A, B))]) == []


def test_walks_follow_edges() -> None:
    edges = [("A", "r", "B"), ("A", SUB, "C"), ("B", SUB, "C")]
    sentences = walk_sentences(edges, ["A", "C"], count=20, depth=3, generator=torch.Generator().manual_seed(0))
    assert len(sentences) == 40 and set(sentences[20:]) == {("C",)}
    assert set(sentences[:20]) == {("A", SUB, "C"), ("A", "r", "B", SUB, "C")}
    assert {len(one) for one in walk_sentences(edges, ["A"], count=9, depth=1, generator=torch.Generator())} == {3}


def test_pairs_and_their_loss_by_hand() -> None:
    assert near_pairs([[5, 6], [7]], 3) == [(5, 6), (6, 5)]
    vectors, contexts = torch.tensor([[1.0, 0.0]]), torch.tensor([[2.0, 1.0], [0.0, 3.0]])
    loss = pair_loss(vectors, contexts, torch.tensor([[0, 0]]), torch.tensor([[1, 0]]))
    sigmoid = torch.tensor([2.0, 0.0, -2.0]).sigmoid()
    assert float(loss) == pytest.approx(-float(sigmoid.log().sum()))


def test_words_of_one_company_are_alike() -> None:
    sentences = [["cat", "purrs"], ["kitten", "purrs"], ["car", "honks"], ["lorry", "honks"]] * 20
    vectors = SkipGram(dimensions=8, epochs=150).fit(sentences, torch.Generator().manual_seed(0))

    def likeness(one: str, other: str) -> float:
        return float(torch.cosine_similarity(vectors[one], vectors[other], dim=0))

    assert likeness("cat", "kitten") > likeness("cat", "car") + 0.3


def test_the_seed_decides_and_digits_of_one_parity_are_alike() -> None:
    task = task_of("mnist1")
    briefly = Owl2vec(walks=2, word_epochs=1)
    one, same, other = (concept_vectors(task, briefly, seed) for seed in (0, 0, 1))
    assert torch.equal(one, same) and not torch.equal(one, other)
    vectors = concept_vectors(task, Owl2vec(), 0)
    assert float(vectors.pow(2).mean()) == pytest.approx(1)
    alike = torch.nn.functional.cosine_similarity(vectors[4], vectors[[6, 1]])  # even and composite; odd
    assert alike[0] > alike[1]


def test_scores_are_products_with_vectors() -> None:
    examples = toy_examples("mnist1", 4)
    perception = Perception(examples.input_shape, make=lambda outputs, seed: toy_encoder(outputs, seed=seed))
    model = Owl2vec(embed_dim=16).model(examples.task, perception, seed=0)
    assert isinstance(model, Owl2vecModel)
    answer = model.answer(model.prepare(examples), slice(0, 4), use_evidence=False)
    encoded = model.network.encoder(examples.inputs[:, 0])
    expected = (encoded @ model.network.vectors.T / 4 + model.network.bias).sigmoid()
    assert torch.allclose(answer.posteriors[:, 0].float(), expected, atol=1e-6)
    assert "network.vectors" in model.state_dict()


@pytest.mark.parametrize("options", [{"embed_dim": 0}, {"walks": 0}, {"depth": 1.5}, {"window": -1}, {"decode": "no"}])
def test_bad_options_are_refused(options: dict[str, object]) -> None:
    with pytest.raises(MooseError, match="owl2vec"):
        make_method("owl2vec", **options)
