"""What shortcuts cost: the accuracy and the calibration that evidence alone can lead to."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, dataclass
from fractions import Fraction

from moose.shortcuts.count.shortcuts import Shortcuts

BINS = 10


@dataclass(frozen=True, slots=True)
class Ceiling:
    """What a learner can expect of itself that knows nothing but theory and evidence, as fractions of one."""

    accuracy: float
    """The most that anybody can expect to be right: the mean of the largest share of the maps that agree."""
    honest_accuracy: float
    """How often the honest posterior's likeliest value is the true one; between equals the choice is even."""
    honest_ece: float
    """The calibration error of the honest posterior, in ten bins."""
    committed_accuracy: float
    """How often one consistent map, drawn at random, is right on average."""
    committed_ece: float
    """The calibration error of being sure of such a map."""

    def as_dict(self) -> dict[str, float]:
        """Return the numbers by name."""
        return asdict(self)


@dataclass(frozen=True, slots=True)
class Judgement:
    """One variable of one state: how often it is seen, and the share of the maps for each value it may have."""

    weight: Fraction
    shares: tuple[Fraction, ...]
    true: int
    """Which value is the true one; -1 if none of them."""

    @property
    def confidence(self) -> Fraction:
        """The largest share."""
        return max(self.shares)

    @property
    def is_right(self) -> Fraction:
        """How often the likeliest value is the true one, when the choice between equals is even."""
        best = [value for value, share in enumerate(self.shares) if share == self.confidence]
        return Fraction(1, len(best)) if self.true in best else Fraction(0)


def ceiling(shortcuts: Shortcuts, *, of_atoms: bool | None = None) -> Ceiling:
    """Say what can be reached: of the latent families, or of every latent concept by itself (where there is no family).

    >>> import moose
    >>> found = moose.find_shortcuts(moose.regime("mnist1"))
    >>> ceiling(found).accuracy, ceiling(found).honest_ece, round(ceiling(found).committed_ece, 2)
    (0.6, 0.0, 0.4)
    """
    by_atom = not shortcuts.problem.vocabulary.families if of_atoms is None else of_atoms
    judged = list(judgements(shortcuts, by_atom=by_atom))
    committed = sum((one.weight * one.shares[one.true] for one in judged if one.true >= 0), Fraction(0))
    return Ceiling(
        accuracy=float(sum((one.weight * one.confidence for one in judged), Fraction(0))),
        honest_accuracy=float(sum((one.weight * one.is_right for one in judged), Fraction(0))),
        honest_ece=calibration_error(judged),
        committed_accuracy=float(committed),
        committed_ece=float(1 - committed),
    )


def judgements(shortcuts: Shortcuts, *, by_atom: bool) -> Iterator[Judgement]:
    """Yield what there is to be judged; the weights sum to one."""
    words = shortcuts.problem.vocabulary
    variables = [(name,) for name in words.latent] if by_atom else words.families
    for true_state, weight in shortcuts.problem.frequencies.items():
        shares = shortcuts.beliefs[true_state]
        for variable in variables:
            if by_atom:
                share = shares[variable[0]]
                yield Judgement(weight / len(variables), (1 - share, share), int(variable[0] in true_state[1]))
            else:
                true = next((value for value, name in enumerate(variable) if name in true_state[1]), -1)
                yield Judgement(weight / len(variables), tuple(shares[name] for name in variable), true)


def calibration_error(judged: list[Judgement]) -> float:
    """Return the expected calibration error: bins of equal width, closed on the right."""
    gaps: dict[int, Fraction] = {}
    for one in judged:
        bin_index = max(-(-one.confidence * BINS // 1) - 1, 0)
        gaps[int(bin_index)] = gaps.get(int(bin_index), Fraction(0)) + one.weight * (one.confidence - one.is_right)
    return float(sum((abs(gap) for gap in gaps.values()), Fraction(0)))
