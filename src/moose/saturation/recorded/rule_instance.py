"""Facts and rule instances over concept and role numbers; `proof.py` has the same over expressions."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple


class Sub(NamedTuple):
    """C ⊑ D"""

    sub: int
    sup: int


class Arrow(NamedTuple):
    """C → r → D"""

    source: int
    role: int
    target: int


@dataclass(frozen=True, slots=True)
class Inhabited:
    """C has an element."""

    concept: int


NumberFact = Sub | Arrow | Inhabited


class Instance(NamedTuple):
    """A rule instance over numbers: its conclusion follows from the premises and the told axioms."""

    rule: str
    premises: tuple[NumberFact, ...] = ()
    axioms: tuple[int, ...] = ()
