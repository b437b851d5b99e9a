"""OWL2Vec*: cross-entropy of observed literals, where P(C(a)) = σ(z_a · v_C / √d + b) and v_C is a word vector of C.

From Chen, Hu, Jiménez-Ruiz, Holter, Antonyrajah and Horrocks 2021, "OWL2Vec*: Embedding of OWL Ontologies", Machine
Learning 110: random walks over the ontology's graph are sentences (`walks`), skip-gram makes vectors of their words
(`skip_gram`), and a classifier stands on the vectors. There it predicts subsumptions and memberships of named
individuals. Here individuals are inputs, so that the classifier is a network: it gives z, and scores every concept by
its vector, which is fixed. A latent concept is scored although nothing is observed of it: like those that stand near it
in walks. b is one number for all concepts, as a bias of its own would have nothing to learn from.

Sentences of labels and comments, which OWL2Vec* also uses, are left out: the concepts of a task need not have any.
Nothing of logic is kept: what excludes each other stands near each other, too.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt
from typing import ClassVar

import torch
from torch import Tensor, nn

from moose.grounding.task.task import Task
from moose.learning.loss.objective import Prepared, Unchanging, encode
from moose.learning.network import ConceptNetwork
from moose.methods.base.answers import DECODES, BatchAnswer, Decode, answer_by_concept
from moose.methods.base.method import Method
from moose.methods.base.model import Model, Stage
from moose.methods.base.options import check_choice, check_counts
from moose.methods.base.perception import Perception
from moose.methods.independent import cross_entropy
from moose.methods.owl2vec.skip_gram import SkipGram
from moose.methods.owl2vec.walks import edges_of, walk_sentences


@dataclass(frozen=True, slots=True)
class Owl2vec(Method):
    """Vectors of words for concepts."""

    name: ClassVar[str] = "owl2vec"
    embed_dim: int = 100
    """d"""
    walks: int = 10
    """How many begin at each concept."""
    depth: int = 4
    """How many edges a walk has at most; 3 in the published configuration."""
    window: int = 5
    """How far apart two words of a walk are near each other."""
    negatives: int = 5
    """How many words are drawn for each that is near; 25 in the published configuration."""
    word_epochs: int = 10
    """How often skip-gram goes over all pairs."""
    decode: Decode = "own"
    """Whether the scores are the answer, or the circuit's posteriors with them as weights."""

    def __post_init__(self) -> None:
        check_counts(self.name, embed_dim=self.embed_dim, walks=self.walks, depth=self.depth, window=self.window)
        check_counts(self.name, negatives=self.negatives, word_epochs=self.word_epochs)
        check_choice(self.name, "decode", self.decode, DECODES)

    def model(self, task: Task, perception: Perception, *, seed: int) -> Owl2vecModel:
        """Learn the vectors, and make the model."""
        return Owl2vecModel(self, task, perception, seed=seed)


class VectorNetwork(nn.Module):
    """An encoder that gives a vector, which is compared with those of concepts."""

    vectors: Tensor

    def __init__(self, encoder: ConceptNetwork, vectors: Tensor) -> None:
        super().__init__()
        self.encoder = encoder
        self.bias = nn.Parameter(torch.zeros(()))
        self.register_buffer("vectors", vectors)

    def forward(self, images: Tensor) -> Tensor:
        """Return image × concept."""
        logits: Tensor = self.encoder(images) @ self.vectors.T / sqrt(self.vectors.shape[1]) + self.bias
        return logits


class Owl2vecModel(Model):
    """One network over vectors of concepts."""

    def __init__(self, method: Owl2vec, task: Task, perception: Perception, *, seed: int) -> None:
        super().__init__(task, head="sigmoid")
        self.decode = method.decode
        encoder = ConceptNetwork(perception.encoder(method.embed_dim, seed=seed), method.embed_dim)
        self.network = VectorNetwork(encoder, concept_vectors(task, method, seed))

    def stages(self) -> Sequence[Stage]:
        """Train the network by the cross-entropy of what is observed."""
        return [Stage(self.network, Unchanging(cross_entropy), is_likelihood=True)]

    def answer(self, prepared: Prepared, rows: slice, *, use_evidence: bool) -> BatchAnswer:
        """Return the scores with what is observed in its place, or the circuit's posteriors."""
        logits = encode(self.network, prepared, rows)
        return answer_by_concept(prepared, rows, logits, self.decode, use_evidence=use_evidence)


def concept_vectors(task: Task, method: Owl2vec, seed: int) -> Tensor:
    """Return a vector for each concept of a task, of variance 1 over all numbers: concept × dimension."""
    generator, concepts = torch.Generator().manual_seed(seed), [concept.iri for concept in task.concepts]
    sentences = walk_sentences(
        edges_of(task.ontology.axioms), concepts, count=method.walks, depth=method.depth, generator=generator
    )
    skip_gram = SkipGram(method.embed_dim, method.window, method.negatives, method.word_epochs)
    vectors = skip_gram.fit(sentences, generator)
    rows = torch.stack([vectors[concept] for concept in concepts])
    return rows / rows.pow(2).mean().sqrt().clamp_min(1e-12)
