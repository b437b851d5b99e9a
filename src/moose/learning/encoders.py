"""The networks that look at one individual: the paper's two for images, one that looks at patches of them, and full
layers for feature vectors.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from math import sqrt
from typing import ClassVar, cast

import torch
from torch import Tensor, nn

from moose.base.errors import MooseError
from moose.learning.inputs.standardise import Standardise

HIDDEN = 128
"""The width of the layer before the last, in both of the paper's encoders."""

SPREAD = 0.3
"""Of the numbers that an embedding starts from: at 64 of them, products of two vectors are well below 1."""

LAYOUT = torch.channels_last
"""How images and weights lie in memory: on a CPU a step takes about seven tenths of the time (`bench.encoders`)."""

SMALL = 32
"""Pixels a side up to which images are taken to be like digits: one thing, in the middle."""


@dataclass(frozen=True, slots=True)
class Plan:
    """What a bundled encoder is made of; enough to build it again."""

    outputs: int
    input_shape: tuple[int, int, int]
    """Channels, height, width."""
    channels: tuple[int, ...]
    """Of each block: a 3×3 convolution, 2×2 max pooling, and ReLU."""
    is_pooled: bool
    """Whether the last block is averaged over all places, rather than laid out flat."""
    is_normalised: bool
    """Whether each convolution is followed by batch normalisation."""

    def __post_init__(self) -> None:
        _check_sizes(asdict(self))
        _check_halving(self.input_shape, self.channels)

    @property
    def features(self) -> int:
        """How many numbers the last block gives."""
        _, height, width = self.input_shape
        shrunk = 2 ** len(self.channels)
        return self.channels[-1] * (1 if self.is_pooled else (height // shrunk) * (width // shrunk))


class ConvolutionalEncoder(nn.Module):
    """Convolutional blocks and two full layers: an image to one logit for each concept."""

    def __init__(self, plan: Plan, *, seed: int) -> None:
        super().__init__()
        self.plan = plan
        blocks = _blocks(plan)
        if plan.is_pooled:
            blocks.append(nn.AdaptiveAvgPool2d(1))
        hidden = _blank(nn.Linear(plan.features, HIDDEN, device="meta"))
        self.body = nn.Sequential(*blocks, nn.Flatten(), hidden, nn.ReLU())
        self.last = _blank(nn.Linear(HIDDEN, plan.outputs, device="meta"))
        initialise(self, torch.Generator().manual_seed(seed))
        _lay_out(self.body)

    def forward(self, images: Tensor) -> Tensor:
        """Map image × channel × height × width to image × concept."""
        return cast(Tensor, self.last(self.encode(images)))

    def encode(self, images: Tensor) -> Tensor:
        """Return what goes into the last layer: image × feature."""
        return cast(Tensor, self.body(images.contiguous(memory_format=LAYOUT)))


@dataclass(frozen=True, slots=True)
class PatchPlan:
    """What the bundled encoder that looks at patches is made of; enough to build it again."""

    outputs: int
    input_shape: tuple[int, int, int]
    """Channels, height, width."""
    channels: tuple[int, ...]
    """Of each block: a 3×3 convolution, 2×2 max pooling, and ReLU."""
    top: int
    """How many patches decide on a concept: those that speak most for it."""
    is_normalised: bool
    """Whether each convolution is followed by batch normalisation."""

    def __post_init__(self) -> None:
        _check_sizes(asdict(self))
        _check_halving(self.input_shape, self.channels)
        if self.top > self.patches:
            raise MooseError(
                f"expected at most {self.patches} patches to decide on a concept, as an image of {self.input_shape[1]}×"
                f"{self.input_shape[2]} has no more, but got {self.top}"
            )

    @property
    def patches(self) -> int:
        """How many patches an image has."""
        shrunk: int = 2 ** len(self.channels)
        return (self.input_shape[1] // shrunk) * (self.input_shape[2] // shrunk)


class PatchEncoder(nn.Module):
    """Logits for each patch of an image, from nothing but that patch; the mean of the highest is that of the image."""

    def __init__(self, plan: PatchPlan, *, seed: int) -> None:
        super().__init__()
        self.plan = plan
        hidden = _blank(nn.Conv2d(plan.channels[-1], HIDDEN, 1, device="meta"))
        logits = _blank(nn.Conv2d(HIDDEN, plan.outputs, 1, device="meta"))
        self.body = nn.Sequential(*_blocks(plan), hidden, nn.ReLU(), logits)
        initialise(self, torch.Generator().manual_seed(seed))
        _lay_out(self.body)

    def forward(self, images: Tensor) -> Tensor:
        """Map image × channel × height × width to image × concept."""
        return self.patches(images).flatten(2).topk(self.plan.top, dim=2).values.mean(2)

    def patches(self, images: Tensor) -> Tensor:
        """Return image × concept × height × width: how much each patch speaks for each concept."""
        return cast(Tensor, self.body(images.contiguous(memory_format=LAYOUT)))


@dataclass(frozen=True, slots=True)
class MLPPlan:
    """What a bundled encoder of feature vectors is made of; enough to build it again."""

    outputs: int
    vector_size: int
    """How many features an input has."""
    hidden: tuple[int, ...]
    """The widths of the full layers before the last, each followed by ReLU."""
    is_normalised: bool
    """Whether each of them is followed by batch normalisation."""
    dropout: float = 0.0
    """How likely a number that such a layer gives is left out of a training step."""

    def __post_init__(self) -> None:
        _check_sizes({name: value for name, value in asdict(self).items() if name != "dropout"})
        _check_dropout(self.dropout)

    @property
    def input_shape(self) -> tuple[int, ...]:
        """The shape of one input."""
        return (self.vector_size,)


class MLPEncoder(nn.Module):
    """Full layers on standardised features: a vector to one logit for each concept."""

    def __init__(self, plan: MLPPlan, *, seed: int) -> None:
        super().__init__()
        self.plan = plan
        self.scaling = Standardise(plan.vector_size)
        sizes = (plan.vector_size, *plan.hidden)
        layers = list[nn.Module]()
        for before, after in zip(sizes, plan.hidden):
            layers.append(_blank(nn.Linear(before, after, device="meta")))
            if plan.is_normalised:
                layers.append(nn.BatchNorm1d(after))
            layers += [nn.ReLU(), nn.Dropout(plan.dropout)] if plan.dropout else [nn.ReLU()]
        self.body = nn.Sequential(*layers)
        self.last = _blank(nn.Linear(sizes[-1], plan.outputs, device="meta"))
        initialise(self, torch.Generator().manual_seed(seed))

    def forward(self, vectors: Tensor) -> Tensor:
        """Map input × feature to input × concept."""
        return cast(Tensor, self.last(self.encode(vectors)))

    def encode(self, vectors: Tensor) -> Tensor:
        """Return what goes into the last layer."""
        return cast(Tensor, self.body(self.scaling(vectors)))


@dataclass(frozen=True, slots=True)
class EmbeddingPlan:
    """What the bundled encoder of individuals that are known by number alone is made of; enough to build it again."""

    outputs: int
    count: int
    """How many individuals there are."""
    width: int
    """How many numbers are learnt of each."""
    dropout: float
    """How likely a number is left out of a training step."""
    is_normalised: ClassVar[bool] = False
    """There is no batch normalisation."""

    def __post_init__(self) -> None:
        _check_sizes({name: getattr(self, name) for name in ("outputs", "count", "width")})
        _check_dropout(self.dropout)

    @property
    def input_shape(self) -> tuple[int, ...]:
        """The shape of one input: a number."""
        return (1,)


class EmbeddingEncoder(nn.Module):
    """A learnt vector for each individual, looked up by its number, and a logit for each concept."""

    def __init__(self, plan: EmbeddingPlan, *, seed: int) -> None:
        super().__init__()
        self.plan = plan
        generator = torch.Generator().manual_seed(seed)
        self.vectors = nn.Parameter(torch.empty(plan.count, plan.width).normal_(std=SPREAD, generator=generator))
        self.dropout = nn.Dropout(plan.dropout)
        self.last = _blank(nn.Linear(plan.width, plan.outputs, device="meta"))
        initialise(self, generator)

    def forward(self, numbers: Tensor) -> Tensor:
        """Map input × 1 to input × concept."""
        return cast(Tensor, self.last(self.encode(numbers)))

    def encode(self, numbers: Tensor) -> Tensor:
        """Return what goes into the last layer."""
        return cast(Tensor, self.dropout(self.vectors[numbers.long().flatten()]))


def embedding_encoder(
    count: int, outputs: int = 1, *, width: int = 64, dropout: float = 0.2, seed: int = 0
) -> EmbeddingEncoder:
    """Build an encoder of individuals of which nothing is seen but who they are: an input is a number below `count`.

    >>> embedding_encoder(135, 10)(torch.tensor([[0], [134]])).shape
    torch.Size([2, 10])
    """
    return EmbeddingEncoder(EmbeddingPlan(outputs, count, width, dropout), seed=seed)


def mlp_encoder(  # noqa: PLR0913  # all after the outputs are options with a default
    features: int,
    outputs: int,
    *,
    hidden: Sequence[int] = (HIDDEN, HIDDEN),
    batch_norm: bool = False,
    dropout: float = 0.0,
    seed: int = 0,
) -> MLPEncoder:
    """Build an encoder of feature vectors: full layers of these widths with ReLU, and a logit for each concept.

    After each of these layers a share `dropout` of its numbers is left out, by chance, of each training step. Features
    are standardised by the examples that it is first trained on; the numbers are saved with the weights.

    >>> mlp_encoder(5, 10)(torch.zeros(3, 5)).shape
    torch.Size([3, 10])
    """
    return MLPEncoder(MLPPlan(outputs, features, tuple(hidden), batch_norm, dropout), seed=seed)


def mnist_encoder(
    outputs: int, *, input_shape: tuple[int, int, int] = (1, 28, 28), batch_norm: bool = False, seed: int = 0
) -> ConvolutionalEncoder:
    """Build the paper's encoder for digits: blocks of 32 and 64 channels, 128 features, a logit for each concept.

    >>> mnist_encoder(10)(torch.zeros(5, 1, 28, 28)).shape
    torch.Size([5, 10])
    """
    return ConvolutionalEncoder(Plan(outputs, input_shape, (32, 64), False, batch_norm), seed=seed)


def pizza_encoder(
    outputs: int, *, input_shape: tuple[int, int, int] = (3, 224, 224), batch_norm: bool = False, seed: int = 0
) -> ConvolutionalEncoder:
    """Build the paper's encoder for pizzas: blocks of 32, 64, 128, 128 channels, averaged over all places.

    >>> pizza_encoder(16, input_shape=(3, 64, 64))(torch.zeros(2, 3, 64, 64)).shape
    torch.Size([2, 16])
    """
    return ConvolutionalEncoder(Plan(outputs, input_shape, (32, 64, 128, 128), True, batch_norm), seed=seed)


def patch_encoder(
    outputs: int,
    *,
    input_shape: tuple[int, int, int] = (3, 64, 64),
    top: int = 4,
    batch_norm: bool = False,
    seed: int = 0,
) -> PatchEncoder:
    """Build an encoder that finds things wherever they are: each patch of 22 pixels a side, eight apart, has a logit
    for each concept, and an image the mean of the `top` highest. What is told by the whole image it cannot see.

    >>> patch_encoder(16)(torch.zeros(2, 3, 64, 64)).shape
    torch.Size([2, 16])
    """
    return PatchEncoder(PatchPlan(outputs, input_shape, (32, 64, 128), top, batch_norm), seed=seed)


def encoder_for(
    outputs: int, input_shape: Sequence[int], *, batch_norm: bool = False, seed: int = 0
) -> ConvolutionalEncoder | MLPEncoder:
    """Build the encoder that suits the inputs: full layers for vectors; for images that of the paper's digits up to 32
    pixels, else that of its pizzas.
    """
    match tuple(input_shape):
        case (features,):
            return mlp_encoder(features, outputs, batch_norm=batch_norm, seed=seed)
        case (channels, height, width):
            build = mnist_encoder if max(height, width) <= SMALL else pizza_encoder
            return build(outputs, input_shape=(channels, height, width), batch_norm=batch_norm, seed=seed)
    shape = "×".join(map(str, input_shape))
    raise MooseError(
        f"Moose has encoders for vectors (features) and for images (channel × height × width), but an input here is "
        f"{shape}; give an encoder of your own"
    )


def initialise(module: nn.Module, generator: torch.Generator) -> None:
    """Draw the weights of all convolutions and full layers as torch does by default, from this generator alone."""
    for layer in module.modules():
        if isinstance(layer, nn.Conv2d | nn.Linear):
            nn.init.kaiming_uniform_(layer.weight, a=sqrt(5), generator=generator)
            if layer.bias is not None:
                bound = 1 / sqrt(layer.weight[0].numel())
                nn.init.uniform_(layer.bias, -bound, bound, generator=generator)


def _blocks(plan: Plan | PatchPlan) -> list[nn.Module]:
    """Return the convolutional blocks of a plan, without values."""
    sizes = (plan.input_shape[0], *plan.channels)
    blocks = list[nn.Module]()
    for before, after in zip(sizes, plan.channels):
        blocks.append(_blank(nn.Conv2d(before, after, 3, padding=1, device="meta")))
        if plan.is_normalised:
            blocks.append(nn.BatchNorm2d(after))
        blocks += [nn.MaxPool2d(2), nn.ReLU()]  # in this order the same numbers, and a quarter of them to cut off
    return blocks


def _lay_out(body: nn.Sequential) -> None:
    for layer in body:
        if isinstance(layer, nn.Conv2d):
            layer.weight.data = layer.weight.data.to(memory_format=LAYOUT)


def _blank(layer: nn.Module) -> nn.Module:
    """Give a layer without storage some, still without values, so that torch's own random state is left alone."""
    return layer.to_empty(device="cpu")


def _check_halving(input_shape: tuple[int, int, int], channels: tuple[int, ...]) -> None:
    if min(input_shape[1:]) < 2 ** len(channels):
        raise MooseError(
            f"expected images of at least {2 ** len(channels)} pixels a side for {len(channels)} blocks "
            f"that halve them, but got {input_shape[1]}×{input_shape[2]}"
        )


def _check_dropout(share: object) -> None:
    if isinstance(share, bool) or not isinstance(share, int | float) or not 0.0 <= share < 1.0:
        raise MooseError(f"expected a dropout from 0 to below 1, but got {share}")


def _check_sizes(plan: dict[str, object]) -> None:
    for name, value in plan.items():
        sizes = value if isinstance(value, tuple | list) else (value,)
        if not all(isinstance(size, int) and (size > 0 or isinstance(size, bool)) for size in sizes):
            raise MooseError(f"expected positive whole numbers for {name} of an encoder, but got {value}")
