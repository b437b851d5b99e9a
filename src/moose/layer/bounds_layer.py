"""Bounds as a differentiable torch module: log WMC of each example, from below and from above."""

from __future__ import annotations

from typing import NamedTuple

from torch import Tensor, nn

from moose.base.errors import MooseError
from moose.circuit.bounds.bounds import Bounds
from moose.layer.layer import EvidenceMask, Executor, LogWeights, WMCLayer


class LogBounds(NamedTuple):
    """Bounds of log WMC, one for each example."""

    lower: Tensor
    upper: Tensor

    @property
    def gap(self) -> Tensor:
        """How far they are apart."""
        return self.upper - self.lower


class BoundsLayer(nn.Module):
    """Bounds of weighted model counting: `layer(log_weights, evidence)` is `LogBounds`, each differentiable.

    `layer.lower` and `layer.upper` are `WMCLayer`s, which take the same weights and evidence, and all that a `WMCLayer`
    can do, both can. The bounds are as far from the truth as floats are: no margin is added, as a loss needs none.

    >>> import torch
    >>> from moose.circuit.bounds.compile_bounds import compile_bounds
    >>> from moose.grounding.atoms import Atom
    >>> from moose.grounding.clauses import clauses_from_lists
    >>> rain, wet = Atom("Rain", ("a",)), Atom("Wet", ("a",))
    >>> layer = BoundsLayer(compile_bounds(clauses_from_lists([rain, wet], [(-1, 2)])))
    >>> layer(torch.full((1, 4), 0.5).log()).upper.exp().item()
    0.75
    """

    def __init__(self, bounds: Bounds, *, executor: Executor = "auto") -> None:
        super().__init__()
        given: object = bounds
        if not isinstance(given, Bounds):
            raise MooseError(f"expected bounds, but got {given!r}; make them with moose.compile_bounds")
        self.bounds = bounds
        self.lower = WMCLayer(bounds.lower, executor=executor)
        self.upper = self.lower if bounds.is_exact else WMCLayer(bounds.upper, executor=executor)

    def forward(self, log_weights: LogWeights, evidence: EvidenceMask | None = None) -> LogBounds:
        """Return bounds of log WMC of each example; -∞ where a circuit has no model that agrees with the evidence."""
        below = self.lower(log_weights, evidence)
        return LogBounds(below, below if self.upper is self.lower else self.upper(log_weights, evidence))

    def loss(
        self, log_weights: LogWeights, evidence: EvidenceMask | None = None, *, normalised: bool = False
    ) -> Tensor:
        """Return the mean of an upper bound of -log WMC(T ∧ e): training it down trains the true loss down.

        With `normalised` it bounds -log WMC(T ∧ e) + log WMC(T), the likelihood of the evidence given the theory: the
        first count from below, the second from above.
        """
        below: Tensor = self.lower(log_weights, evidence)
        if not normalised:
            return -below.mean()
        whole: Tensor = self.upper(log_weights)
        return (whole - below).mean()
