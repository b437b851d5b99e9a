"""What can be had without looking at an image: rows of a plan that train nothing.

What a learnt model scores means little unless it is more than these.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np

from moose.base.suggestions import unknown_word

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from torch import Tensor

    from moose.learning.examples import Examples
    from moose.learning.prediction import Predictions
    from moose.training.evaluate_splits import Predicts

    Row = NDArray[np.float64]


def absent(train: Examples) -> Row:
    """Predict that nothing holds."""
    return np.zeros(len(train.task.concepts))


def base_rate(train: Examples) -> Row:
    """Predict each atom with the share of the individuals to learn from of which it holds."""
    return np.asarray((true_rows(train) > 0).mean(axis=0))


def commonest(train: Examples) -> Row:
    """Predict what holds of most individuals to learn from, all concepts together; of equals, the one with least."""
    rows, counts = np.unique(true_rows(train) > 0, axis=0, return_counts=True)
    most = max(range(len(rows)), key=lambda row: (counts[row], -rows[row].sum()))
    return np.asarray(rows[most], dtype=np.float64)


CONSTANT: dict[str, Callable[[Examples], Row]] = {"absent": absent, "base-rate": base_rate, "commonest": commonest}
"""Those that say the same of every individual; they know the truth of the training split, which no method does."""
THEORY = "theory"
BASELINES = (*CONSTANT, THEORY)
"""The one table: names that a row of a plan may have."""


def find_baseline(name: str, train: Examples) -> Predicts:
    """Return what predicts without learning."""
    if name == THEORY:
        return theory_alone(train)
    if name not in CONSTANT:
        raise unknown_word("a baseline", name, BASELINES)
    return Constant(CONSTANT[name](train))


class Constant:
    """Says the same of every individual, with evidence or without."""

    def __init__(self, row: Row) -> None:
        self.row = row

    def predict(self, examples: Examples, *, evidence: bool = True) -> Predictions:  # noqa: ARG002  # it has no use for it
        """Return the same row for all."""
        from moose.learning.prediction import Predictions

        said = np.tile(self.row.astype(np.float32), (len(examples), len(examples.task.individuals), 1))
        return Predictions(examples.task, said, said)


def theory_alone(train: Examples) -> Predicts:
    """Return what theory and evidence say when the network knows nothing: ½ of each atom, all of a family alike."""
    from torch import nn, zeros

    from moose.learning.binding import latent_columns
    from moose.methods.concept_learner import ConceptLearner

    outputs = len(latent_columns(train.task))

    class Silent(nn.Module):
        def forward(self, images: Tensor) -> Tensor:
            return zeros(len(images), outputs)

    return ConceptLearner(train.task, Silent())


def true_rows(examples: Examples) -> NDArray[np.int8]:
    """Return the truth as individual × concept."""
    truth: NDArray[np.int8] = examples.truth.flatten(0, 1).numpy()
    return truth
