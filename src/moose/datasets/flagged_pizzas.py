"""The drawn pizzas, each with a flag and a crust that tell its kind: what a network learns that can look at these."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from moose.datasets import pizzas

SOURCE = replace(
    pizzas.SOURCE,
    summary="the same, each with a flag and a crust that give its kind away; no download",
    open=partial(pizzas.open_pizzas, has_flags=True),
)
