"""What methods with a logit for every concept share: the cross-entropy of what is observed, beside a loss of axioms."""

from __future__ import annotations

import torch
from torch import Tensor
from torch.nn.functional import logsigmoid

from moose.learning.binding import latent_columns
from moose.learning.loss.objective import Outcome, Prepared, count_right
from moose.methods.theory.known_tensors import known_concepts


def observed_log_probabilities(prepared: Prepared, rows: Tensor | slice, logits: Tensor) -> Tensor:
    """Return log P of every observed literal on concepts, facts included; logits are example × individual × concept."""
    evidence = prepared.examples.evidence[rows]
    evidence = torch.where(evidence == 0, known_concepts(prepared.examples.task), evidence)
    is_observed = evidence != 0
    return logsigmoid(logits[is_observed] * evidence[is_observed])


def mean_loss(log_probabilities: Tensor) -> Tensor:
    """Return the mean of -log P; of nothing, 0."""
    return -log_probabilities.sum() / max(1, len(log_probabilities))


def axioms_outcome(
    prepared: Prepared, rows: Tensor | slice, logits: Tensor, losses: tuple[Tensor, Tensor], weight: float
) -> Outcome:
    """Return what a batch comes to: the loss of the evidence, and that of the axioms with a weight."""
    abox, tbox = losses
    columns = torch.tensor(latent_columns(prepared.examples.task))
    right, judged = count_right(prepared, rows, logits.detach().index_select(-1, columns))
    terms = {"abox": float(abox.detach()), "tbox": float(tbox.detach())}
    return Outcome(abox + weight * tbox, None, right, judged, terms=terms)
