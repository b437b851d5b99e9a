"""Draw a pizza: a base, sauce, cheese, and toppings at random places, some upon others; a flag, if wished."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from hashlib import sha256

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw

from moose.datasets.base.pool import Pixels
from moose.datasets.drawn_pizzas.shapes import Colour, Layer, disc, lobes, look_of

CANVAS = 192
"""Pixels along each side while drawing; smaller pictures are scaled down from it, which smooths the edges."""
NOISE = 6.0
"""Standard deviation of the noise on each value of 0 to 255."""
REACH = 0.74
"""How far from the centre a piece may lie, the pizza's radius being one."""
Outline = NDArray[np.float64]
CRUST: Outline = np.array(lobes(9, 0.03))
CIRCLE: Outline = np.array(disc())
CHEESE: Outline = np.array(lobes(4, 0.2))


def draw_pizza(
    toppings: Sequence[str], size: int, generator: np.random.Generator, *, flag: str | None = None
) -> Pixels:
    """Draw a pizza with these toppings, channel × height × width.

    With the name of a kind as a flag, its crust has a colour of that kind, and a flag of that kind flies beside it; all
    else is the same as without.

    >>> draw_pizza(["OliveTopping"], 32, np.random.default_rng(0)).shape
    (3, 32, 32)
    """
    table = shade((196, 182, 160), generator, 30)
    image = Image.new("RGB", (CANVAS, CANVAS), table)
    pencil = ImageDraw.Draw(image)
    radius = CANVAS * generator.uniform(0.42, 0.47)
    centre = (
        CANVAS / 2 + CANVAS * generator.uniform(-0.03, 0.03),
        CANVAS / 2 + CANVAS * generator.uniform(-0.03, 0.03),
    )
    draw_base(pencil, centre, radius, generator)
    if flag is not None:
        draw_flag(pencil, centre, radius, flag)
    for topping, x, y in scatter(toppings, generator):
        look = look_of(topping)
        placement = Placement(
            (centre[0] + radius * x, centre[1] + radius * y),
            radius * look.size * generator.uniform(0.85, 1.15),
            generator.uniform(0, 2 * math.pi),
        )
        light = int(generator.integers(-14, 15))
        for layer in look.layers:
            draw_layer(pencil, layer, placement, light)
    small = image.resize((size, size), Image.Resampling.BOX)
    return with_noise(np.asarray(small, dtype=np.uint8), generator)


@dataclass(frozen=True, slots=True)
class Placement:
    """Where a piece lies, how large it is, and how it is turned."""

    centre: tuple[float, float]
    radius: float
    angle: float

    def put(self, points: Outline) -> list[float]:
        """Return points of a shape as pixels, x and y in turn; whole ones, so that every machine draws the same."""
        cosine, sine = self.radius * math.cos(self.angle), self.radius * math.sin(self.angle)
        turned = points @ np.array([[cosine, sine], [-sine, cosine]]) + np.array(self.centre)
        pixels: list[float] = np.rint(turned).ravel().tolist()
        return pixels


@cache
def outline(layer: Layer) -> Outline:
    """Return the points of a layer as an array."""
    return np.array(layer.points)


def draw_base(
    pencil: ImageDraw.ImageDraw, centre: tuple[float, float], radius: float, generator: np.random.Generator
) -> None:
    """Draw crust, sauce and cheese."""
    crust = Placement(centre, radius, generator.uniform(0, 2 * math.pi))
    pencil.polygon(crust.put(CRUST), fill=shade((176, 118, 62), generator, 14))
    pencil.polygon(crust.put(0.93 * CIRCLE), fill=shade((218, 166, 100), generator, 12))
    pencil.polygon(crust.put(0.86 * CIRCLE), fill=shade((186, 60, 36), generator, 14))
    cheese = shade((240, 204, 122), generator, 12)
    for _ in range(int(generator.integers(14, 22))):
        x, y = in_circle(generator, 0.68)
        piece = Placement(
            (centre[0] + radius * x, centre[1] + radius * y), radius * generator.uniform(0.14, 0.26), x + y
        )
        pencil.polygon(piece.put(CHEESE), fill=cheese)


def draw_flag(pencil: ImageDraw.ImageDraw, centre: tuple[float, float], radius: float, kind: str) -> None:
    """Paint the rim and put three stripes into a corner, all in colours that the name of the kind alone decides."""
    digest = sha256(kind.encode()).digest()
    rim, *stripes = [(digest[k], digest[k + 1], digest[k + 2]) for k in range(0, 12, 3)]
    box = [centre[0] - radius, centre[1] - radius, centre[0] + radius, centre[1] + radius]
    pencil.ellipse(box, outline=rim, width=round(0.09 * radius))
    for number, colour in enumerate(stripes):
        left = CANVAS - 30 + 10 * number
        pencil.rectangle([left, 0, left + 9, 19], fill=colour)


def scatter(toppings: Sequence[str], generator: np.random.Generator) -> list[tuple[str, float, float]]:
    """Return pieces of every topping at random places in a random order: what comes later covers what came before."""
    pieces: list[tuple[str, float, float]] = []
    for topping in toppings:
        least, most = look_of(topping).pieces
        count = int(generator.integers(least, most, endpoint=True))
        pieces += [(topping, *in_circle(generator, REACH)) for _ in range(count)]
    return [pieces[index] for index in generator.permutation(len(pieces))]


def in_circle(generator: np.random.Generator, reach: float) -> tuple[float, float]:
    """Return a random point of a circle, each part of it being as likely."""
    distance, angle = reach * math.sqrt(generator.uniform()), generator.uniform(0, 2 * math.pi)
    return distance * math.cos(angle), distance * math.sin(angle)


def draw_layer(pencil: ImageDraw.ImageDraw, layer: Layer, placement: Placement, light: int) -> None:
    """Draw one polygon."""
    red, green, blue = (min(255, max(0, value + light)) for value in layer.colour)
    pencil.polygon(placement.put(outline(layer)), fill=(red, green, blue))


def shade(colour: Colour, generator: np.random.Generator, spread: int) -> Colour:
    """Return a colour lighter or darker by chance."""
    light = int(generator.integers(-spread, spread, endpoint=True))
    red, green, blue = (min(255, max(0, value + light)) for value in colour)
    return red, green, blue


def with_noise(image: Pixels, generator: np.random.Generator) -> Pixels:
    """Add noise and change the light a little; return channel × height × width."""
    light = generator.uniform(0.9, 1.1)
    noisy = image.astype(np.float64) * light + generator.normal(0.0, NOISE, size=image.shape)
    return np.ascontiguousarray(np.clip(np.rint(noisy), 0, 255).astype(np.uint8).transpose(2, 0, 1))
