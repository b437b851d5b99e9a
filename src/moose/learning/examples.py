"""Examples to learn from: what is seen of individuals, what is known of them, and what is hidden."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import KW_ONLY, dataclass

import numpy as np
import torch
from torch import Tensor

from moose.base.errors import MooseError
from moose.grounding.atoms import Atom
from moose.grounding.task.task import Task


@dataclass(frozen=True, eq=False, repr=False)
class Examples:
    """Instances of one task: the inputs of its individuals, evidence and hidden truth; checked when it is made.

    Instances with different numbers of individuals are several values, each with its own task over the same concepts.

    >>> from moose.grounding.task.regimes import regime
    >>> evidence = torch.zeros(3, 1, 14, dtype=torch.int8)
    >>> evidence[0, 0, 10] = 1
    >>> examples = Examples(regime("mnist1"), torch.zeros(3, 1, 1, 28, 28), evidence, torch.zeros_like(evidence))
    >>> examples
    Examples(3 of 1 individual, 1×28×28)
    >>> examples.literals(0)
    ('Even(a)',)
    """

    task: Task
    """Individuals, concepts and known roles, the same in all examples."""
    inputs: Tensor
    """example × individual × channel × height × width: float32 in [0, 1], or uint8, scaled on use."""
    evidence: Tensor
    """int8, example × individual × concept (columns as `task.concepts`): +1 observed true, -1 false, 0 not observed."""
    truth: Tensor
    """int8, example × individual × concept: +1 true, -1 false, 0 unknown; no learner looks at it."""
    _: KW_ONLY
    allow_latent: bool = False
    """Whether evidence may speak of latent concepts (full or partial supervision)."""

    def __post_init__(self) -> None:
        _check_inputs(self)
        for name in ("evidence", "truth"):
            _check_literals(self, name)
        if not self.allow_latent:
            _check_observed(self)

    def __len__(self) -> int:
        return int(self.inputs.shape[0])

    def __repr__(self) -> str:
        count = len(self.task.individuals)
        shape = "×".join(map(str, self.inputs.shape[2:]))
        return f"Examples({len(self):,} of {count:,} individual{'s' * (count != 1)}, {shape})"

    @property
    def input_shape(self) -> tuple[int, int, int]:
        """Channels, height and width of an input."""
        channels, height, width = self.inputs.shape[2:]
        return channels, height, width

    def take(self, rows: Sequence[int] | Tensor | slice) -> Examples:
        """Return some of the examples, in the order asked for."""
        chosen = rows if isinstance(rows, slice | Tensor) else torch.tensor(rows, dtype=torch.int64)
        return Examples(
            self.task,
            self.inputs[chosen],
            self.evidence[chosen],
            self.truth[chosen],
            allow_latent=self.allow_latent,
        )

    def scaled_inputs(self, rows: Tensor | slice) -> Tensor:
        """Return some inputs as float32 in [0, 1]."""
        chosen = self.inputs[rows]
        return chosen.float() / 255 if chosen.dtype == torch.uint8 else chosen

    def literals(self, row: int) -> tuple[str, ...]:
        """Spell the evidence of one example."""
        literals = []
        for individual, concept in torch.nonzero(self.evidence[row]).tolist():
            atom = Atom(self.task.concepts[concept].name, (self.task.individuals[individual],))
            literals.append(str(atom) if self.evidence[row, individual, concept] > 0 else f"not {atom}")
        return tuple(literals)


def _check_inputs(examples: Examples) -> None:
    inputs, individuals = _tensor(examples, "inputs"), len(examples.task.individuals)
    if inputs.ndim != 5 or inputs.shape[1] != individuals:
        raise MooseError(
            f"expected inputs of shape (examples, {individuals} individuals, channels, height, width), "
            f"but got {tuple(inputs.shape)}"
        )
    if inputs.dtype not in (torch.float32, torch.uint8):
        raise MooseError(f"expected inputs as float32 in [0, 1] or as uint8, but got {inputs.dtype}")
    if inputs.dtype == torch.float32 and inputs.numel():
        low, high = (float(bound) for bound in torch.aminmax(inputs))
        if not (low >= 0 and high <= 1):  # false for NaN too
            raise MooseError(f"expected inputs between 0 and 1, but they lie between {low:g} and {high:g}; scale them")


def _check_literals(examples: Examples, name: str) -> None:
    values = _tensor(examples, name)
    wanted = (len(examples), len(examples.task.individuals), len(examples.task.concepts))
    if tuple(values.shape) != wanted:
        raise MooseError(
            f"expected {name} of shape {wanted} (example, individual, concept as in task.concepts), "
            f"but got {tuple(values.shape)}"
        )
    if values.dtype != torch.int8:
        raise MooseError(f"expected {name} as int8 (+1 true, -1 false, 0 unknown), but got {values.dtype}")
    if bool(((values > 1) | (values < -1)).any()):
        strange = [value for value in values.unique().tolist() if abs(value) > 1]
        raise MooseError(f"expected only +1, 0 and -1 in {name}, but found {strange[0]}")


def _check_observed(examples: Examples) -> None:
    is_latent = torch.from_numpy(np.array([concept.is_latent for concept in examples.task.concepts], dtype=bool))
    wrong = torch.nonzero((examples.evidence != 0) & is_latent)
    if len(wrong):
        row, individual, concept = wrong[0].tolist()
        atom = Atom(examples.task.concepts[concept].name, (examples.task.individuals[individual],))
        raise MooseError(
            f"example {row} observes {atom}, which is latent in the task; leave it out, declare it observed, "
            f"or say allow_latent=True"
        )


def _tensor(examples: Examples, name: str) -> Tensor:
    value: object = getattr(examples, name)
    if not isinstance(value, Tensor):
        raise MooseError(f"expected {name} as a tensor, but got {type(value).__name__}; torch.from_numpy makes one")
    return value
