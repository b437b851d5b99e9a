"""Train in a loop of your own: torch's DataLoader, an optimiser, and the loss of a learner.

Pairs of handwritten digits, of which the second is two more than the first; nobody names a digit.
"""

from __future__ import annotations

import torch
from torch.utils.data import DataLoader

import moose
from moose.learning.encoders import mnist_encoder

PAIRS, EPOCHS, SEED = 1_000, 4, 0


def main(pairs: int = PAIRS, epochs: int = EPOCHS) -> float:
    """Train, and return how often the network alone names the right digit."""
    data = moose.open_dataset("digits", regime="mnist3", count=pairs, seed=SEED)
    train = data.train
    learner = moose.ConceptLearner(train.task, mnist_encoder(10, seed=SEED), seed=SEED)
    optimiser = torch.optim.Adam(learner.network.parameters(), lr=2e-3)
    loader = DataLoader(train, batch_size=50, shuffle=True, generator=torch.Generator().manual_seed(SEED))
    for epoch in range(epochs):
        total = 0.0
        for batch in loader:
            loss = learner.loss(train[batch["row"]], epochs_done=epoch)
            optimiser.zero_grad()
            loss.backward()
            optimiser.step()
            total += float(loss.detach()) * len(batch["row"])
        print(f"epoch {epoch + 1}: loss {total / len(train):.3f}")
    evaluation = learner.evaluate(data.test)
    accuracy = evaluation.network.scores.acc_f or 0.0
    print(f"digits right: {accuracy:.1%}; properties right: {evaluation.observed.acc_y or 0.0:.1%}")
    return accuracy


if __name__ == "__main__":
    main()
