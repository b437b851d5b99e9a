"""The answer-set program of a task, and its stable models as rows of numbers.

    {D0(a); …; D9(a)} = 1.      one member of each latent family           {C(a)}.       any other latent concept
    H :- B₁, …, Bₙ.             a clause B₁ ∧ … ∧ Bₙ → H, H not latent     {O(a)}.       observed, and head of no rule
    :- B₁, …, Bₙ, not H₁, …     any other clause: with a latent head, with several heads, or with none

The world is closed: what is not latent holds only where a rule derives it. Rules have no negation, so a stable model is
a choice together with its least model, provided that no constraint fails. A circle of rules does not hold itself up.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor

from moose.base.errors import MooseError
from moose.grounding.atoms import Atom
from moose.grounding.clauses import AtomKind
from moose.grounding.ground import ground
from moose.grounding.task.task import Task
from moose.layer.layer import WMCLayer
from moose.learning.binding import latent_families
from moose.methods.deepproblog.neural_program import NeuralProgram
from moose.methods.deepproblog.program_rules import definite_rules

MOST_CHOICES = 1 << 17
"""How many choices of latent atoms are listed for one evidence."""


def answer_set_program(task: Task) -> NeuralProgram:
    """Make the program: its facts are the choices of latent concepts, its coins those of observed ones.

    >>> from moose.grounding.task.regimes import regime
    >>> program = answer_set_program(regime("pizzaC"))
    >>> len(program.facts), len(program.coins), len(program.rules)
    (4, 0, 6)
    """
    latent_families(task)  # refuses families that share a member
    theory = ground(task)
    latent = {position for position, kind in enumerate(theory.kinds) if kind == AtomKind.LATENT}
    disjunctions = tuple(family for family in theory.families if latent.issuperset(family))
    facts = tuple(sorted(latent.difference(*disjunctions)))
    rules = tuple(rule for rule in definite_rules(theory) if rule.head not in latent)
    heads = {rule.head for rule in rules}
    free = [position for position in range(len(theory.atoms)) if position not in latent and position not in heads]
    return NeuralProgram(theory, disjunctions, facts, tuple(free), rules)


@dataclass(frozen=True, eq=False)
class Choices:
    """All choices of latent atoms with a stable model that agrees with some evidence."""

    holds: Tensor
    """int8, choice × latent atom: +1 where it is chosen, -1 where it is not."""
    log_shares: Tensor
    """float64, choice: log of how many of the stable models with this choice agree with the evidence."""
    posteriors: Tensor
    """float32, choice × atom of the circuit: in how many of those that agree it holds."""


def list_choices(layer: WMCLayer, latent: Sequence[int], evidence: Tensor) -> Choices:
    """List the choices of latent atoms (columns of the circuit) that agree with one row of evidence.

    The circuit holds the stable models. Latent atoms are decided one by one; what has no model left is dropped.
    """
    rows = evidence[None].clone()
    weights = torch.zeros(1, layer.literal_count, dtype=torch.float64)
    for column in latent:
        both = rows.repeat_interleave(2, 0)
        both[::2, column], both[1::2, column] = 1, -1
        agrees = (evidence[column] == 0) | (both[:, column] == evidence[column])
        both = both[agrees]
        rows = both[~layer(weights, both).isneginf()]
        if len(rows) > MOST_CHOICES:
            raise MooseError(
                f"what is observed leaves more than {MOST_CHOICES:,} choices of latent concepts, which neurasp lists; "
                "choose the method deepproblog or moose, which need no list of them"
            )
    alone = torch.zeros_like(rows)
    alone[:, list(latent)] = rows[:, list(latent)]
    log_shares = layer(weights, rows) - layer(weights, alone)
    return Choices(rows[:, list(latent)], log_shares, layer.posteriors(weights, rows).float())


def latent_atoms(layer: WMCLayer, task: Task) -> list[int]:
    """Return the columns of latent atoms, individual by individual, as a network speaks of them."""
    concepts = [concept.name for concept in task.concepts if concept.is_latent]
    positions = {str(atom): column for column, atom in enumerate(layer.circuit.atoms)}
    return [positions[str(Atom(name, (who,)))] for who in task.individuals for name in concepts]


def signs_of(mask: Tensor) -> bytes:
    """Return a key for a row of evidence."""
    return np.ascontiguousarray(mask.numpy()).tobytes()
