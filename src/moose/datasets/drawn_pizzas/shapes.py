"""What a piece of each topping looks like: polygons around a centre, within a circle of radius one."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256

Point = tuple[float, float]
Colour = tuple[int, int, int]


@dataclass(frozen=True, slots=True)
class Layer:
    """A filled polygon."""

    points: tuple[Point, ...]
    colour: Colour


@dataclass(frozen=True, slots=True)
class Look:
    """How pieces of a topping look, how large they are, and how many are put on a pizza."""

    layers: tuple[Layer, ...]
    size: float
    """Radius of a piece, the pizza's being one."""
    pieces: tuple[int, int] = (4, 7)


def disc(radius: float = 1.0, centre: Point = (0.0, 0.0), squeeze: float = 1.0) -> tuple[Point, ...]:
    """Return a circle, or an ellipse."""
    return arc(radius, 0, 360, centre=centre, squeeze=squeeze)


def arc(radius: float, first: int, last: int, *, centre: Point = (0.0, 0.0), squeeze: float = 1.0) -> tuple[Point, ...]:
    """Return a part of a circle from one angle to another, in degrees."""
    angles = [math.radians(angle) for angle in range(first, last + 1, 12)]
    return tuple(
        (centre[0] + radius * math.cos(angle), centre[1] + squeeze * radius * math.sin(angle)) for angle in angles
    )


def band(line: Sequence[Point], width: float) -> tuple[Point, ...]:
    """Return a line around the centre as a polygon of some width: its points moved outwards, and back inwards.

    A line that ends where it begins gives a ring; the seam between its two edges has no width.
    """
    outer, inner = (tuple((x * scale, y * scale) for x, y in line) for scale in (1 + width / 2, 1 - width / 2))
    return (*outer, *reversed(inner))


def moved(points: Sequence[Point], right: float, down: float) -> tuple[Point, ...]:
    """Return points elsewhere."""
    return tuple((x + right, y + down) for x, y in points)


def stroke(first: Point, last: Point, width: float) -> tuple[Point, ...]:
    """Return a straight line as a polygon of some width."""
    length = math.dist(first, last)
    across, along = (last[1] - first[1]) * width / (2 * length), (last[0] - first[0]) * width / (2 * length)
    return (
        (first[0] - across, first[1] + along),
        (last[0] - across, last[1] + along),
        (last[0] + across, last[1] - along),
        (first[0] + across, first[1] - along),
    )


def lens(width: float) -> tuple[Point, ...]:
    """Return a shape with two pointed ends."""
    steps = [step / 8 for step in range(-8, 9)]
    return (
        *((x, width * (1 - x * x)) for x in steps),
        *((x, -width * (1 - x * x)) for x in reversed(steps)),
    )


def lobes(count: int, depth: float, stretch: float = 1.0) -> tuple[Point, ...]:
    """Return a closed line with this many lobes."""
    angles = [math.radians(angle) for angle in range(0, 361, 8)]
    radii = [1 - depth * (1 + math.cos(count * angle)) / 2 for angle in angles]
    return tuple((stretch * radius * math.cos(angle), radius * math.sin(angle)) for radius, angle in zip(radii, angles))


def box(width: float, height: float) -> tuple[Point, ...]:
    """Return a rectangle."""
    return ((-width, -height), (width, -height), (width, height), (-width, height))


def spots(radius: float, *centres: Point, colour: Colour) -> tuple[Layer, ...]:
    """Return small discs."""
    return tuple(Layer(disc(radius, centre), colour) for centre in centres)


LOOKS: dict[str, Look] = {
    "anchovy": Look(
        (
            Layer(lens(0.26), (120, 132, 150)),
            Layer(lens(0.10), (206, 214, 224)),
            Layer(((0.75, 0.0), (1.0, 0.3), (1.0, -0.3)), (96, 106, 122)),
        ),
        0.25,
    ),
    "garlic": Look(
        (
            Layer(((0.0, -1.0), *arc(0.8, -36, 216, centre=(0.0, 0.25))), (250, 247, 236)),
            Layer(stroke((0.0, -0.8), (0.0, 0.95), 0.16), (176, 160, 140)),
        ),
        0.11,
        (6, 10),
    ),
    "greenpepper": Look((Layer(band(lobes(3, 0.35), 0.3), (86, 190, 46)),), 0.2, (3, 6)),
    "jalapeno": Look(
        (
            Layer(disc(), (24, 104, 34)),
            Layer(disc(0.68), (190, 222, 130)),
            *spots(0.16, (0.3, 0.0), (-0.2, 0.3), (-0.2, -0.3), colour=(246, 244, 200)),
        ),
        0.115,
        (5, 9),
    ),
    "ham": Look(
        (Layer(box(0.95, 0.7), (250, 206, 204)), Layer(box(0.78, 0.52), (238, 142, 152))),
        0.2,
    ),
    "mushroom": Look(
        (
            Layer(box(0.26, 0.9), (226, 208, 180)),
            Layer((*arc(1.0, 180, 360), (0.6, 0.25), (-0.6, 0.25)), (164, 126, 92)),
            Layer((*arc(0.7, 180, 360),), (212, 186, 152)),
        ),
        0.17,
    ),
    "olive": Look((Layer(band(disc(0.75), 0.6), (34, 28, 38)),), 0.1, (6, 10)),
    "onion": Look(
        (Layer(band(disc(0.95), 0.16), (150, 70, 150)), Layer(band(disc(0.6), 0.24), (214, 176, 214))),
        0.22,
        (3, 6),
    ),
    "parmesan": Look((Layer(box(1.0, 0.26), (255, 244, 190)), Layer(box(0.9, 0.08), (236, 214, 130))), 0.14, (7, 12)),
    "peperonata": Look((Layer(moved(band(arc(0.85, 200, 344), 0.46), 0.0, 0.45), (255, 120, 0)),), 0.24, (4, 7)),
    "peperoni": Look(
        (
            Layer(disc(), (150, 22, 22)),
            Layer(disc(0.84), (206, 52, 40)),
            *spots(0.15, (0.4, 0.2), (-0.3, 0.45), (-0.4, -0.3), (0.2, -0.45), colour=(244, 170, 140)),
        ),
        0.16,
    ),
    "prawn": Look(
        (
            Layer(band(arc(0.7, 20, 308), 0.7), (255, 150, 124)),
            Layer(band(arc(0.88, 20, 308), 0.14), (226, 92, 74)),
            Layer(((0.45, -0.55), (1.0, -0.85), (0.8, -0.25)), (226, 92, 74)),
        ),
        0.16,
    ),
    "rocket": Look(
        (Layer(lobes(7, 0.55, 0.7), (44, 122, 40)), Layer(stroke((0.0, -0.9), (0.0, 1.0), 0.1), (150, 196, 110))),
        0.19,
    ),
    "tomato": Look(
        (
            Layer(disc(), (198, 24, 20)),
            Layer(disc(0.85), (240, 92, 66)),
            *spots(0.26, (0.42, 0.0), (-0.21, 0.36), (-0.21, -0.36), colour=(250, 190, 110)),
        ),
        0.23,
        (3, 5),
    ),
    "spinach": Look(
        (
            Layer(disc(0.95, squeeze=0.7), (14, 84, 44)),
            Layer(stroke((-1.0, 0.0), (0.9, 0.0), 0.12), (96, 160, 96)),
            Layer(stroke((0.1, -0.5), (0.1, 0.5), 0.08), (96, 160, 96)),
        ),
        0.21,
    ),
    "sultana": Look((Layer(disc(0.95, squeeze=0.65), (98, 54, 20)),), 0.075, (9, 14)),
    "basil": Look(
        (Layer(lens(0.5), (56, 150, 50)), Layer(stroke((-0.9, 0.0), (0.9, 0.0), 0.1), (160, 210, 130))), 0.17
    ),
    "mozzarella": Look((Layer(lobes(5, 0.12), (255, 253, 244)),), 0.22),
    "salami": Look((Layer(disc(), (120, 20, 34)), *spots(0.2, (0.4, 0.1), (-0.3, 0.4), colour=(240, 200, 190))), 0.18),
    "chilli": Look((Layer(moved(band(arc(0.9, 210, 330), 0.24), 0.0, 0.4), (226, 20, 20)),), 0.16),
}
"""By what a topping's name contains; the first row that fits."""


def look_of(topping: str) -> Look:
    """Return how a topping looks; one that the table does not know gets a shape and a colour of its own.

    >>> look_of("OliveTopping") is LOOKS["olive"], look_of("Pineapple") == look_of("Pineapple")
    (True, True)
    """
    plain = "".join(letter for letter in topping.lower() if letter.isalnum())
    for key, look in LOOKS.items():
        if key in plain:
            return look
    digest = sha256(plain.encode()).digest()
    colour = (64 + digest[0] % 192, 64 + digest[1] % 192, 64 + digest[2] % 192)
    edge = (digest[3] % 96, digest[4] % 96, digest[5] % 96)
    outline = lobes(3 + digest[6] % 5, 0.2 + 0.05 * (digest[7] % 6), 0.6 + 0.05 * (digest[8] % 9))
    return Look((Layer(outline, colour), Layer(band(outline, 0.16), edge)), 0.13 + 0.01 * (digest[9] % 9))
