"""Words as vectors: skip-gram with negative samples.

From Mikolov, Sutskever, Chen, Corrado and Dean 2013, "Distributed Representations of Words and Phrases and their
Compositionality", NeurIPS. For a word w, a word c near it and words n drawn in proportion to how often they occur^¾:

    -log σ(u_c · v_w) - Σ over n of log σ(-u_n · v_w)

Vocabularies here have tens to thousands of words, so that all pairs fit in memory and torch does what a package for
words would do, with the seed deciding everything.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import torch
from torch import Tensor
from torch.nn.functional import logsigmoid

BATCH = 512
RATE = 0.025


@dataclass(frozen=True, slots=True)
class SkipGram:
    """How vectors are learnt."""

    dimensions: int = 100
    window: int = 5
    """How far apart two words of a sentence are near each other."""
    negatives: int = 5
    epochs: int = 10

    def fit(self, sentences: Sequence[Sequence[str]], generator: torch.Generator) -> dict[str, Tensor]:
        """Return a vector for each word."""
        counts = Counter(word for sentence in sentences for word in sentence)
        words = sorted(counts)
        index = {word: position for position, word in enumerate(words)}
        pairs = torch.tensor(near_pairs([[index[word] for word in one] for one in sentences], self.window))
        bound = 0.5 / self.dimensions
        vectors = ((2 * torch.rand(len(words), self.dimensions, generator=generator) - 1) * bound).requires_grad_()
        contexts = torch.zeros(len(words), self.dimensions, requires_grad=True)
        shares = torch.tensor([float(counts[word]) for word in words]) ** 0.75
        optimiser = torch.optim.Adam([vectors, contexts], lr=RATE)
        for _ in range(self.epochs if len(pairs) else 0):
            for rows in torch.randperm(len(pairs), generator=generator).split(BATCH):
                others = torch.multinomial(shares, len(rows) * self.negatives, replacement=True, generator=generator)
                optimiser.zero_grad()
                pair_loss(vectors, contexts, pairs[rows], others.view(len(rows), -1)).backward()
                optimiser.step()
        return dict(zip(words, vectors.detach(), strict=True))


def near_pairs(sentences: Sequence[Sequence[int]], window: int) -> list[tuple[int, int]]:
    """Return each word with each that is near it.

    >>> near_pairs([[0, 1, 2]], 1)
    [(0, 1), (1, 0), (1, 2), (2, 1)]
    """
    return [
        (word, sentence[other])
        for sentence in sentences
        for place, word in enumerate(sentence)
        for other in range(max(0, place - window), min(len(sentence), place + window + 1))
        if other != place
    ]


def pair_loss(vectors: Tensor, contexts: Tensor, pairs: Tensor, others: Tensor) -> Tensor:
    """Return the mean loss of pairs, each with words that are not near."""
    word, near = vectors[pairs[:, 0]], contexts[pairs[:, 1]]
    positive = logsigmoid((word * near).sum(-1))
    negative = logsigmoid(-(contexts[others] * word.unsqueeze(1)).sum(-1)).sum(-1)
    return -(positive + negative).mean()
