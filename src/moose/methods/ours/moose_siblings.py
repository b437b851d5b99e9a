"""Moose with siblings: -log P(e | T, λ), where learnt odds λ say how many of the classes below a class hold together.

Ours. A hierarchy says what is above a class, and leaves open whether those beside it can hold, too. With every label
known a network learns that from what it sees; with few it must be told, or learn it once for all examples. Each group
of siblings has the factor exp(λ·[some hold] + μ·[several hold]), a soft form of a closed family: the distribution over
worlds is proportional to the product of sigmoids and these factors, on the worlds of the theory alone, exact as ever.

Where labels are missing λ and μ are learnt together with the network, which then knows of them: one label says
something of those beside it; and once it is trained they are learnt to the end, as the network is at its best long
before they are. Where all are known the network is trained as that of `moose`, which ranks classes better so, and they
are learnt afterwards.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from functools import cached_property
from typing import ClassVar, Literal

import numpy as np
import torch

from moose.circuit.compile.shared_parts import SharedParts
from moose.circuit.tables.compile_tables import TooWide, compile_tables
from moose.circuit.tables.theory import NotDetermined
from moose.grounding.clauses import Clauses
from moose.grounding.ground import ground
from moose.grounding.task.task import Task
from moose.learning.binding import Binding, bind_clauses
from moose.learning.fit.sibling_odds import PRIORS, WITH_GAPS, fit_odds
from moose.learning.fit.temperature import set_temperature
from moose.learning.fit.training_loop import mean_loss
from moose.learning.labels.complete_labels import Signs, completion
from moose.learning.labels.sibling_counts import CountColumns, Siblings, add_counts, count_columns, find_siblings
from moose.learning.loss.objective import Prepared
from moose.learning.open_weights import OpenPair, SiblingOdds
from moose.methods.base.method import Method
from moose.methods.base.options import check_choice
from moose.methods.base.perception import Perception
from moose.methods.ours.moose import MooseModel

OddsName = Literal["auto", "together", "afterwards", "both"]
ODDS: tuple[OddsName, ...] = ("auto", "together", "afterwards", "both")
MOST_ROWS = 100_000
"""Of tables on the way to a circuit in which classes with several parents are counted."""


@dataclass(frozen=True, slots=True)
class GroupOdds:
    """How many of a group of siblings hold together, as it was learnt: log odds, 0 where nothing was."""

    above: str | None
    """The class that all of them are just below; None for those that are below no class of the task."""
    members: tuple[str, ...]
    some: float
    """λ: worlds in which at least one of them holds weigh exp(λ) times as much."""
    several: float | None
    """μ: those in which at least two do weigh exp(μ) times as much again; None where two never can."""

    def as_dict(self) -> dict[str, object]:
        """Return it for JSON."""
        return {**asdict(self), "members": list(self.members)}


@dataclass(frozen=True, slots=True)
class MooseSiblings(Method):
    """How many siblings hold together is learnt."""

    name: ClassVar[str] = "moose-siblings"
    before: ClassVar[Mapping[str, object]] = {"odds": "together"}
    odds: OddsName = "auto"
    """When odds are learnt: with the network, after it, or with it and then to the end.

    `auto` is after it where all labels of all examples are known; where some are missing, and evidence is of latent
    concepts alone and says of some that they hold and of some that they do not, both; else with it. A training loop of
    your own learns them with the network."""

    def __post_init__(self) -> None:
        check_choice(self.name, "odds", self.odds, ODDS)

    def model(self, task: Task, perception: Perception, *, seed: int) -> MooseSiblingsModel:
        """Make the model."""
        return MooseSiblingsModel(task, perception, seed=seed, odds=self.odds)


class MooseSiblingsModel(MooseModel):
    """The network of `moose`, and log odds that all examples share."""

    takes_roles = False

    def __init__(self, task: Task, perception: Perception, *, seed: int, odds: OddsName = "auto") -> None:
        super().__init__(task, perception, seed=seed, head="sigmoid", objective="conditional")
        self.odds: OddsName = odds
        self.when: OddsName = "together"
        self.network.open_weights = SiblingOdds(len(self.groups)) if self.groups else None

    @property
    def groups(self) -> tuple[Siblings, ...]:
        """The groups whose members are counted: where all would make tables too large, those of trees alone.

        That depends on the theory alone, and on no limit or way of compiling: a model is read as it was written.
        """
        return self._groups[0]

    @cached_property
    def _groups(self) -> tuple[tuple[Siblings, ...], tuple[int | None, ...]]:
        """The groups, and what each is just below."""
        theory = self.theory(self.task)
        found = find_siblings(theory)
        is_every = found.every == found.of_trees or _is_small(add_counts(theory, ground(theory), found.every))
        return (found.every, found.above) if is_every else (found.of_trees, found.above_of_trees)

    def learnt_odds(self) -> tuple[GroupOdds, ...]:
        """Return what was learnt of each group of siblings, by the class that they are just below."""
        odds = self.network.open_weights
        if not isinstance(odds, SiblingOdds):
            return ()
        names = [concept.name for concept in self.task.concepts]
        learnt = odds().detach().view(-1, 2).tolist()
        return tuple(
            GroupOdds(
                above=None if above is None else names[above],
                members=tuple(names[one] for one in group),
                some=some,
                several=several if can_be else None,
            )
            for group, above, (some, several), can_be in zip(*self._groups, learnt, self._can_be_several(), strict=True)
        )

    def _can_be_several(self) -> list[bool]:
        """Return of each group whether the theory lets two of it hold."""
        binding = self.weight_map(self.task).binding
        assert isinstance(binding.pairs, CountColumns)
        columns, numbers = binding.pairs.columns, binding.pairs.numbers
        mask = torch.zeros(len(columns), binding.layer.atom_count, dtype=torch.int8)
        mask[torch.arange(len(columns)), torch.from_numpy(columns)] = 1
        weights = torch.zeros(1, binding.layer.literal_count, dtype=torch.float64)
        with torch.no_grad():
            possible = {*numbers[~binding.layer(weights, mask).isneginf().numpy()].tolist()}
        return [2 * group + 1 in possible for group in range(len(self.groups))]

    def bind(self, theory: Task, parts: SharedParts | None = None, pairs: Sequence[OpenPair] = ()) -> Binding:
        """Compile a theory with what counts siblings; there are no pairs where the head is not a softmax."""
        del pairs
        if not self.groups:
            return super().bind(theory, parts)
        binding = bind_clauses(theory, add_counts(theory, ground(theory), self.groups), parts)
        return replace(binding, pairs=count_columns(theory, binding.layer.circuit, self.groups))

    def begin(self, train: Sequence[Prepared]) -> None:
        """Keep odds at 0 while the network is trained, where they are to be learnt afterwards alone."""
        self.when = self._when(train)
        odds = self.network.open_weights
        if isinstance(odds, SiblingOdds):
            odds.scaled.requires_grad_(self.when != "afterwards")
            if self.when == "afterwards":
                odds.scaled.detach().zero_()

    def _when(self, train: Sequence[Prepared]) -> OddsName:
        """Return when odds are learnt from examples."""
        if self.odds != "auto":
            return self.odds
        if all(map(_has_all_labels, train)):
            return "afterwards"
        is_of_labels = all(concept.is_latent for concept in self.task.concepts)
        return "both" if is_of_labels and _has_both_signs(train) else "together"

    def finish(self, train: Sequence[Prepared], held_back: Sequence[Prepared]) -> None:
        """Learn the odds, or learn them to the end, from all examples; those held back then say how sure it may be."""
        odds = self.network.open_weights
        if not isinstance(odds, SiblingOdds) or self.when == "together":
            return
        fit_odds(self.network, [*train, *held_back], WITH_GAPS if self.when == "both" else PRIORS)
        odds.scaled.requires_grad_(True)
        if held_back:
            with torch.no_grad():
                set_temperature(self.network, lambda: mean_loss(self.network, held_back, self.objective))


def _has_both_signs(train: Sequence[Prepared]) -> bool:
    """Return whether examples say of some concepts that they hold, and of some that they do not, or the theory then.

    By labels that all hold whatever is open would be likeliest to hold, too.
    """
    signs = [_known_labels(one) for one in train]
    return all(any((one == sign).any() for one in signs) for sign in (1, -1))


def _known_labels(prepared: Prepared) -> Signs:
    """Return what examples say of concepts, and what then follows: example × individual × concept."""
    examples = prepared.examples
    return completion(examples.task).complete(examples.evidence.numpy())


def _has_all_labels(prepared: Prepared) -> bool:
    """Return whether each example says of each latent concept whether it holds, or the theory then does."""
    examples = prepared.examples
    known = _known_labels(prepared) != 0
    asked = np.array([concept.is_latent for concept in examples.task.concepts]) & examples.task.has_concept
    return bool((known | ~asked).all())


def _is_small(clauses: Clauses) -> bool:
    """Return whether tables of clauses stay within a number of rows."""

    def watch(_done: int, _all: int, rows: int, _size: int) -> None:
        if rows > MOST_ROWS:
            raise TooWide(f"{rows} rows")

    try:
        compile_tables(clauses, most_rows=MOST_ROWS, watch=watch)
    except (TooWide, NotDetermined):
        return False
    return True
