"""The answer of a method that has a probability of its own for every concept."""

from __future__ import annotations

import torch
from torch import Tensor

from moose.learning.binding import latent_columns
from moose.learning.objective import Prepared
from moose.methods.base.model import Said, clamped
from moose.methods.independent import Decode, decoded


def say(prepared: Prepared, rows: slice, logits: Tensor, decode: Decode, *, use_evidence: bool) -> Said:
    """Return the probabilities with what is observed in its place, or the circuit's posteriors with them as weights.

    The logits are example × individual × concept, observed concepts too.
    """
    logits = logits.double()
    own = logits.sigmoid()
    if decode == "own":
        posteriors = clamped(prepared, rows, own, use_evidence=use_evidence)
    else:
        posteriors = decoded(prepared, rows, logits, use_evidence=use_evidence)
    return Said(posteriors, own.index_select(-1, torch.tensor(latent_columns(prepared.examples.task))))
