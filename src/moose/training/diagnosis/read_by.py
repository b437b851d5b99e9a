"""What a model reads into inputs, and by which of the three views: by the network alone, or with the theory."""

from __future__ import annotations

import numpy as np

from moose.learning.binding import latent_columns, latent_families
from moose.learning.examples import Examples
from moose.methods.base.method import Predictor
from moose.training.diagnosis.ideal_network import Reals

BY_NETWORK = "by the network alone"
WITHOUT_EVIDENCE = "without evidence"
BY_BOTH = "by the network alone, and without evidence outside of families"
"""The views, as the columns of scores are headed."""


def columns_with_theory(predictor: Predictor) -> list[int]:
    """Return the latent concepts that a network says together with the theory only.

    Where the likelihood of evidence is learnt given the theory those are all, but for a family that is all there is of
    its individual.
    """
    task, model = predictor.task, predictor.model
    if not model.is_conditional:
        return []
    grouped = {column for family in latent_families(task) for column in family}
    is_apart = model.theory_alone().is_apart
    return [column for column in latent_columns(task) if not (is_apart and column in grouped)]


def read_by(predictor: Predictor, examples: Examples) -> Reals:
    """Return how likely a model reads each concept into inputs alone, example × individual × concept.

    That is what its network says, or the posterior without evidence where it says something with the theory only.
    """
    said = predictor.predict(examples, evidence=False)
    read = said.network.astype(np.float64)
    weighed = columns_with_theory(predictor)
    read[..., weighed] = said.posteriors[..., weighed]
    return read


def view_of(predictor: Predictor) -> str:
    """Return which view that is, in the words of the columns of scores."""
    weighed = len(columns_with_theory(predictor))
    if not weighed:
        return BY_NETWORK
    return WITHOUT_EVIDENCE if weighed == len(latent_columns(predictor.task)) else BY_BOTH
