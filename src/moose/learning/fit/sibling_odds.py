"""How many siblings hold, learnt after a network: the likeliest log odds, and what they ask of the biases beside them.

A network that was trained without odds says of each class how likely it is given the one above it. Odds alone would
move these numbers; so the biases of its last layer are learnt with them, in one go over all examples. The likelihood is
concave in both where every label is known, so that there is one best answer; where some are missing, the search goes on
from odds that were learnt with the network. What is learnt is partly pooled: groups have a mean that they differ little
from, and biases differ little from what they were (normal priors), so that a group with few examples is taken for one
like the others.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from math import inf

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor, nn

from moose.base.errors import MooseError
from moose.base.memory import freed_memory_kept
from moose.learning.fit.base_rates import find_last_layer
from moose.learning.loss.likelihood import weigh
from moose.learning.loss.objective import Prepared, encode
from moose.learning.network import ConceptNetwork
from moose.learning.open_weights import SPEED, SiblingOdds
from moose.learning.prediction import in_parts

MOST_STEPS = 80
ENOUGH = 1e-6
"""The share of the loss that a step must gain for another one to follow."""
NEAR = 1e-3
"""How far logits may be from where shifted biases should have them."""

Numbers = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class OddsPriors:
    """Standard deviations of normal priors; the latter two were compared on rows that were held back (decision 54)."""

    means: float = 2.5
    """Of the mean log odds, around 0."""
    groups: float = 0.3
    """Of the log odds of a group, around their mean."""
    biases: float = 0.3
    """Of a bias, around what it was."""

    def __post_init__(self) -> None:
        for name, value in asdict(self).items():
            if not 0.0 < value < inf:
                raise MooseError(f"expected a positive standard deviation of {name}, but got {value}")


PRIORS = OddsPriors()
WITH_GAPS = OddsPriors(biases=1.0)
"""Where odds were learnt with the network, from labels some of which are missing."""


@freed_memory_kept()
def fit_odds(network: nn.Module, train: Sequence[Prepared], priors: OddsPriors = PRIORS) -> None:
    """Give log odds of siblings, and the biases of the last layer, their likeliest values for all examples.

    Biases that may not be learnt stay as they are, and so do those of a layer that others follow, as an encoder of the
    user's own may have.
    """
    odds = getattr(network, "open_weights", None)
    if not isinstance(odds, SiblingOdds):
        return
    last = find_last_layer(network)
    bias = None if last is None or not last.bias.requires_grad else last.bias
    search = _Search(network, odds, train, priors, bias)
    if not search.run():
        _Search(network, odds, train, priors, None).run()


class _Search:
    """The loss of what is learnt: two means, how each group differs from them, how far each bias is moved."""

    def __init__(
        self,
        network: nn.Module,
        odds: SiblingOdds,
        train: Sequence[Prepared],
        priors: OddsPriors,
        bias: nn.Parameter | None,
    ) -> None:
        self.network, self.odds, self.examples = network, odds, sum(map(len, train))
        self.scale = np.prod(
            [float(one.log_scale.exp()) for one in network.modules() if isinstance(one, ConceptNetwork)]
        )
        network.eval()
        with torch.no_grad():
            self.batches = [(one, rows, encode(network, one, rows)) for one in train for rows in in_parts(len(one))]
        self.bias = None if bias is None or len(bias) != self.batches[0][2].shape[-1] else bias
        self.tried = SiblingOdds(len(odds.scaled) // 2).double()
        self.trial = nn.Module()
        self.trial.open_weights = self.tried
        self.shift = torch.zeros(0 if self.bias is None else len(self.bias), dtype=torch.float64, requires_grad=True)
        at_first = odds().detach().double().numpy().reshape(-1, 2)
        self.start = np.concatenate(
            [at_first.mean(0), (at_first - at_first.mean(0)).flatten(), np.zeros(len(self.shift))]
        )
        sizes = (2, len(odds.scaled), len(self.shift))
        self.precision = np.repeat(np.array([priors.means, priors.groups, priors.biases]) ** -2.0, sizes)

    def run(self) -> bool:
        """Search, and put what was found into the network; return whether its logits moved as the biases did.

        If they did not, the network is left as it was.
        """
        from scipy.optimize import minimize

        found = minimize(
            self.loss, self.start, jac=True, method="L-BFGS-B", options={"maxiter": MOST_STEPS, "ftol": ENOUGH}
        )
        moved = [one for one in (self.odds.scaled, self.bias) if one is not None]
        before = [one.detach().clone() for one in moved]
        self.take(found.x)
        if self.bias is None:
            return True
        prepared, rows, logits = self.batches[0]
        with torch.no_grad():
            expected = self.shifted(prepared, logits.double(), torch.from_numpy(self.parts(found.x)[1]))
            is_last = torch.allclose(encode(self.network, prepared, rows).double(), expected, rtol=NEAR, atol=NEAR)
            if not is_last:
                for one, value in zip(moved, before, strict=True):
                    one.copy_(value)
        return is_last

    def parts(self, values: Numbers) -> tuple[Numbers, Numbers]:
        """Return the log odds, both of each group in turn, and the shifts of biases."""
        count = len(self.odds.scaled)
        return np.tile(values[:2], count // 2) + values[2 : 2 + count], values[2 + count :]

    def loss(self, values: Numbers) -> tuple[float, Numbers]:
        """Return the mean of -log P(e | T) over examples, with what the priors cost, and its slope."""
        scaled, shift = self.tried.scaled, self.shift
        log_odds, shifts = self.parts(values)
        with torch.no_grad():
            scaled.copy_(torch.from_numpy(log_odds / SPEED))
            shift.copy_(torch.from_numpy(shifts))
        scaled.grad, shift.grad = of_scaled, of_shift = torch.zeros_like(scaled), torch.zeros_like(shift)
        total = float(values @ (self.precision * values)) / 2
        for loss in self._losses():
            loss.backward()
            total += float(loss.detach())
        of_odds: Numbers = of_scaled.numpy() / SPEED
        of_means = of_odds.reshape(-1, 2).sum(0)
        slope = self.precision * values + np.concatenate([of_means, of_odds, of_shift.numpy()])
        return total / self.examples, slope / self.examples

    def _losses(self) -> Iterator[Tensor]:
        for prepared, rows, logits in self.batches:
            weight_map, own = prepared.weight_map, logits.double()
            if len(self.shift):
                own = self.shifted(prepared, own, self.shift)
            sides, given = weight_map.head.sides(own), prepared.given_at(rows)
            weighed = weigh(weight_map, sides, prepared.mask[rows], self.trial, given)
            yield -weighed.log_likelihood().sum()

    @staticmethod
    def shifted(prepared: Prepared, logits: Tensor, shift: Tensor) -> Tensor:
        """Return logits with biases shifted, where an individual has an input at all."""
        return torch.where(torch.from_numpy(prepared.examples.task.has_input)[:, None], logits + shift, logits)

    def take(self, values: Numbers) -> None:
        """Put what was found into the network."""
        log_odds, shifts = self.parts(values)
        with torch.no_grad():
            self.odds.scaled.copy_(torch.from_numpy(log_odds / SPEED))
            if self.bias is not None:
                self.bias.add_(torch.from_numpy(shifts / self.scale).to(self.bias))
