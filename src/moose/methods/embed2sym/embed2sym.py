"""Embed2Sym: a network learns what is observed, its embedding is clustered, and a solver names the clusters.

    1. min -Σ over observed literals of log p(literal | z(x))        z the embedding, p a linear layer on top of it
    2. min Σ over inputs of ‖z(x) - c_k(x)‖²                         k-means
    3. max number of examples whose theory and evidence hold, if the inputs of each cluster have its name      (MaxSAT)

From Aspis, Broda, Lobo and Russo 2022, "Embed2Sym - Scalable Neuro-Symbolic Reasoning via Clustered Embeddings", KR.
There an answer-set solver names the clusters; here it is RC2 of python-sat over the clauses of the grounded theory
(`naming`), so that everything OWL 2 EL says of the individuals of an example counts. There is one cluster for each
member of a latent family, and each member names one; without a family, `clusters` of them.

No derivative goes through the theory, so that it cannot help to tell inputs apart: what evidence does not separate is
one cluster, or several at random. A latent concept is as likely as the share of the cluster's examples that its name
explains, but never less than ½; observed concepts are the network's.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from typing import ClassVar

import torch
from torch import Tensor, nn

from moose.base.errors import MooseError
from moose.grounding.task.task import Task
from moose.learning.binding import latent_columns, latent_families
from moose.learning.encoders import initialise
from moose.learning.loss.objective import Prepared, Unchanging, encode
from moose.learning.network import ConceptNetwork
from moose.methods.base.answers import DECODES, BatchAnswer, Decode, answer_by_concept
from moose.methods.base.method import Method
from moose.methods.base.model import Model, Stage
from moose.methods.base.options import check_choice, check_counts
from moose.methods.base.perception import Perception
from moose.methods.embed2sym.naming import NamingProblem, closed_families, frequent_sights, probabilities
from moose.methods.independent import cross_entropy

FAR = 1e6
"""Where the centre of a cluster lies that no input is in."""
STARTS = 4
"""How often k-means begins anew; the best is kept."""


@dataclass(frozen=True, slots=True)
class Embed2sym(Method):
    """Named clusters."""

    name: ClassVar[str] = "embed2sym"
    embed_dim: int = 32
    """How many dimensions the embedding has."""
    clusters: int = 16
    """How many there are where no family is latent; else as many as the largest has members."""
    sights: int = 150
    """How many different pairs of clusters and evidence the solver sees, the most frequent ones."""
    decode: Decode = "own"
    """Whether the names of clusters are the answer, or the circuit's posteriors with them as weights."""

    def __post_init__(self) -> None:
        check_counts(self.name, embed_dim=self.embed_dim, clusters=self.clusters, sights=self.sights)
        check_choice(self.name, "decode", self.decode, DECODES)

    def model(self, task: Task, perception: Perception, *, seed: int) -> Embed2symModel:
        """Make the model."""
        return Embed2symModel(self, task, perception, seed=seed)


class EmbeddingNetwork(nn.Module):
    """An encoder that gives an embedding, and a layer that reads every concept off it."""

    def __init__(self, embedding: ConceptNetwork, concepts: int, *, seed: int) -> None:
        super().__init__()
        self.embedding = embedding
        self.last = nn.Linear(embedding.outputs, concepts, device="meta").to_empty(device="cpu")
        initialise(self.last, torch.Generator().manual_seed(seed))

    def forward(self, images: Tensor) -> Tensor:
        """Return image × concept."""
        logits: Tensor = self.last(torch.relu(self.embedding(images)))
        return logits


class Embed2symModel(Model):
    """A network, and the clusters of its embedding once it is trained."""

    centres: Tensor
    chances: Tensor

    def __init__(self, method: Embed2sym, task: Task, perception: Perception, *, seed: int) -> None:
        super().__init__(task, head="sigmoid")
        self.method, self.seed = method, seed
        embedding = ConceptNetwork(perception.encoder(method.embed_dim, seed=seed), method.embed_dim)
        self.network = EmbeddingNetwork(embedding, len(task.concepts), seed=seed)
        sizes = [len(family) for family in latent_families(task)]
        self.count = max(sizes, default=method.clusters)
        self.register_buffer("centres", torch.full((self.count, method.embed_dim), FAR))
        self.register_buffer("chances", torch.full((self.count, len(latent_columns(task))), 0.5))

    def stages(self) -> Sequence[Stage]:
        """Train the network by the cross-entropy of what is observed; say beforehand if clustering cannot follow."""
        if find_spec("sklearn") is None:
            raise MooseError(
                f"{self.method.name} clusters with scikit-learn, which is not installed; "
                "run `pip install 'moose-el[learn]'`"
            )
        return [Stage(self.network, Unchanging(cross_entropy), is_likelihood=True)]

    def finish(self, train: Sequence[Prepared], held_back: Sequence[Prepared]) -> None:
        """Cluster the embeddings of all inputs to learn from, and name the clusters."""
        del held_back
        from sklearn.cluster import KMeans

        points = [self.embed(one, slice(None)) for one in train]
        inputs = torch.cat([one.flatten(0, 1) for one in points])
        count = min(self.count, len(inputs.unique(dim=0)))
        means = KMeans(count, n_init=STARTS, random_state=self.seed).fit(inputs.numpy())
        self.centres.fill_(FAR)
        self.centres[:count] = torch.from_numpy(means.cluster_centers_).to(self.centres.dtype)
        concepts = [self.task.concepts[column].name for column in latent_columns(self.task)]
        problem = NamingProblem(self.count, concepts)
        for family in closed_families(train[0].weight_map.binding):
            problem.add_family(family)
        for prepared, place in zip(train, points):
            for sight, number in frequent_sights(self.nearest(place), prepared.mask, self.method.sights):
                problem.add_sight(prepared.weight_map.binding, sight, number)
        families = [[latent_columns(self.task).index(one) for one in family] for family in latent_families(self.task)]
        self.chances.copy_(probabilities(problem.solve(), families))

    def answer(self, prepared: Prepared, rows: slice, *, use_evidence: bool) -> BatchAnswer:
        """Return what the names of clusters say of latent concepts, and the network of all others."""
        logits = encode(self.network, prepared, rows)
        latent = torch.logit(self.chances[self.nearest(self.embed(prepared, rows))], eps=1e-6)
        columns = torch.tensor(latent_columns(self.task), dtype=torch.int64)
        logits = logits.index_copy(-1, columns, latent.to(logits.dtype))
        return answer_by_concept(prepared, rows, logits, self.method.decode, use_evidence=use_evidence)

    def embed(self, prepared: Prepared, rows: slice) -> Tensor:
        """Return example × individual × dimension."""
        with torch.no_grad():
            return torch.relu(encode(self.network.embedding, prepared, rows))

    def nearest(self, points: Tensor) -> Tensor:
        """Return the cluster of each point."""
        return torch.cdist(points.flatten(0, -2), self.centres).argmin(-1).view(points.shape[:-1])
