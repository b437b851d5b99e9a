"""Facts and rule instances over concept and role numbers; `moose.saturation.proofs.proof` has both over expressions."""

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


class Told(NamedTuple):
    """An axiom holds."""

    axiom: int


@dataclass(frozen=True, slots=True)
class Below:
    """r ⊑* s"""

    low: int
    high: int


NumberFact = Sub | Arrow | Inhabited
"""What a proof is about; all axioms hold."""

Fact = NumberFact | Told | Below
"""What an instance may rest on where axioms are uncertain."""


class Instance(NamedTuple):
    """A rule instance over numbers: its conclusion follows from the premises and the told axioms."""

    rule: str
    premises: tuple[NumberFact, ...] = ()
    axioms: tuple[int, ...] = ()
    details: tuple[int, ...] = ()
    """What the premises leave open: of Rrchain the two roles as told, of Rkey the shared filler for each property,
    of R⊥role from a link the empty role."""


Chosen = dict[NumberFact, Instance]
"""One instance for each fact of a proof."""


class Recorded(NamedTuple):
    """A rule instance as `Calculus` keeps it: premises by position, in the order of the rule's sequent."""

    rule: str
    premises: tuple[int, ...]
    axioms: tuple[int, ...]
    details: tuple[int, ...]


def as_set(body: tuple[int, ...]) -> tuple[int, ...]:
    """Return premises in order, each once.

    >>> as_set((2, 1)), as_set((3, 1, 3))
    ((1, 2), (1, 3))
    """
    match body:  # most have one or two
        case () | (_,):
            return body
        case (one, two):
            return body if one < two else (two, one) if two < one else (one,)
    return tuple(sorted(set(body)))
