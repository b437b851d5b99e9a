"""Axioms in the normal forms of EL, for methods that take them one kind at a time.

    NF1 C ⊑ D        NF2 C ⊓ D ⊑ E        NF3 C ⊑ ∃R.D        NF4 ∃R.C ⊑ D        and ⊥ on the right of NF1, NF2, NF4

A concept that is made of others and stands inside an axiom gets a number of its own, and the axioms that define it as
far as is needed (Baader, Brandt and Lutz 2005, IJCAI).
"""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor

from moose.methods.theory.task_axioms import Conjunction, Existential, Told

KINDS = {"nf1": 2, "nf1_bottom": 1, "nf2": 3, "nf2_bottom": 2, "nf3": 3, "nf4": 3, "nf4_bottom": 2}
"""How many numbers an axiom of each kind is."""


@dataclass(frozen=True, eq=False)
class NormalForms:
    """Each kind as a matrix of concepts and roles by number, one axiom a row.

    >>> import moose
    >>> from moose.methods.theory.task_axioms import told_axioms
    >>> forms = normal_forms(told_axioms(moose.regime("mnist2")))
    >>> forms.concepts, {kind: len(getattr(forms, kind)) for kind in KINDS if len(getattr(forms, kind))}
    (15, {'nf1': 18, 'nf2_bottom': 47, 'nf3': 10})
    """

    concepts: int
    """Those of the task, ⊤, and those that were introduced."""
    nf1: Tensor
    """C, D"""
    nf1_bottom: Tensor
    """C"""
    nf2: Tensor
    """C, D, E"""
    nf2_bottom: Tensor
    """C, D"""
    nf3: Tensor
    """C, R, D"""
    nf4: Tensor
    """R, C, D"""
    nf4_bottom: Tensor
    """R, C"""


def normal_forms(told: Told) -> NormalForms:
    """Bring what was told into normal form."""
    builder = _Builder(told)
    for sub, sup in told.inclusions:
        builder.tell(sub, sup)
    tables = {
        kind: torch.tensor(list(dict.fromkeys(builder.rows[kind])), dtype=torch.int64).reshape(-1, width)
        for kind, width in KINDS.items()
    }
    return NormalForms(concepts=told.named + 1 + len(builder.introduced), **tables)


class _Builder:
    """Writes the rows. ⊥ needs no number, as it is a kind of axiom; concepts that are introduced are numbered after ⊤.

    An axiom's right-hand side is () for ⊥ and (A,) for a name.
    """

    def __init__(self, told: Told) -> None:
        self.told = told
        self.rows: dict[str, list[tuple[int, ...]]] = {kind: [] for kind in KINDS}
        self.introduced: dict[tuple[int, bool], int] = {}

    def tell(self, sub: int, sup: int) -> None:
        """C ⊑ D, for concepts as they were told."""
        if isinstance(self.told.parts(sup), Existential):
            self._right(self._above(sub), sup)
        elif sup == self.told.bottom:
            self._left(sub, ())
        else:
            self._left(sub, (sup,))

    def _left(self, sub: int, end: tuple[int, ...]) -> None:
        """C ⊑ A or C ⊑ ⊥, for a C as it was told; where C is empty by itself that says nothing."""
        kind, bottom = "" if end else "_bottom", self.told.bottom
        match self.told.parts(sub):
            case Conjunction(first, second):
                if bottom not in (first, second):
                    self.rows["nf2" + kind].append((self._above(first), self._above(second), *end))
            case Existential(role, filler):
                if filler != bottom:
                    self.rows["nf4" + kind].append((role, self._above(filler), *end))
            case None:
                if sub != bottom:
                    self.rows["nf1" + kind].append((sub, *end))

    def _right(self, name: int, sup: int) -> None:
        """A ⊑ D, for a D as it was told."""
        match self.told.parts(sup):
            case Conjunction(first, second):
                self._right(name, first)
                self._right(name, second)
            case Existential(role, filler):
                if filler == self.told.bottom:
                    self.rows["nf1_bottom"].append((name,))
                else:
                    self.rows["nf3"].append((name, role, self._below(filler)))
            case None:
                if sup == self.told.bottom:
                    self.rows["nf1_bottom"].append((name,))
                elif sup not in (name, self.told.top):
                    self.rows["nf1"].append((name, sup))

    def _above(self, concept: int) -> int:
        """Return a name that holds wherever a concept does."""
        if concept <= self.told.top:
            return concept
        name, is_new = self._introduce(concept, True)
        if is_new:
            self._left(concept, (name,))
        return name

    def _below(self, concept: int) -> int:
        """Return a name that holds only where a concept does."""
        if concept <= self.told.top:
            return concept
        name, is_new = self._introduce(concept, False)
        if is_new:
            self._right(name, concept)
        return name

    def _introduce(self, concept: int, is_above: bool) -> tuple[int, bool]:
        before = len(self.introduced)
        name = self.introduced.setdefault((concept, is_above), self.told.top + 1 + before)
        return name, len(self.introduced) > before
