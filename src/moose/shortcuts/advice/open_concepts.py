"""Which observed concepts the theory leaves open though all latent concepts are known: nothing is learnt of these."""

from __future__ import annotations

import time
from collections.abc import Iterator
from math import inf

from moose.base.errors import ContradictoryEvidence
from moose.base.suggestions import shortened
from moose.circuit.circuit import Circuit
from moose.circuit.compile.compile_circuit import compile_circuit
from moose.circuit.limits import Limits
from moose.grounding.atoms import Atom
from moose.grounding.ground import ground
from moose.grounding.task.task import Task
from moose.shortcuts.advice.open_members import SHOWN, with_anybody

MOST_ASKED = 256
"""So many concepts at most are taken to hold, one after the other, to see what the theory then leaves open."""
SELDOM = 0.01
"""How likely a latent concept is that need not hold, so that as few as possible do."""


def open_concepts(task: Task, limits: Limits | None = None) -> tuple[str, ...]:
    """Return the observed concepts that are open in some state of the latent ones, where no family is latent.

    The states are those in which one concept holds and as few others as possible. Where a family is latent,
    `open_observables` says what its members leave open, and odds of that are learnt. A task with kinds has several
    sorts of individuals, and gets no answer. When the time of `limits` is over, those are returned that were found.

    >>> import moose
    >>> open_concepts(moose.regime("pizzaC"))
    ('SpicyTopping', 'SpicyPizza')
    """
    latent = [concept.name for concept in task.concepts if concept.is_latent]
    observed = [concept.name for concept in task.concepts if not concept.is_latent]
    has_family = any(set(latent).issuperset(family) for family in task.families)
    if task.kinds or has_family or not latent or not observed:
        return ()
    blank = with_anybody(task)
    circuit, who = compile_circuit(ground(blank), limits=limits), blank.individuals[0]
    unknown = dict.fromkeys(Atom(name, (who,)) for name in observed)
    found = set[Atom]()
    seconds = None if limits is None else limits.seconds
    end = inf if seconds is None else time.monotonic() + seconds
    for state in _states(circuit, [Atom(name, (who,)) for name in latent], list(unknown)):
        decided = circuit.entailed(state)
        found |= {atom for atom in unknown if str(atom) not in decided}
        if len(found) == len(unknown) or time.monotonic() > end:
            break
    return tuple(atom.predicate for atom in unknown if atom in found)


def _states(circuit: Circuit, latent: list[Atom], observed: list[Atom]) -> Iterator[dict[Atom, bool]]:
    """Yield states of latent atoms: with as few that hold as possible, and with as few as possible beside each atom."""
    weights = dict.fromkeys(latent, SELDOM)
    for atom in [None, *[*observed, *latent][:MOST_ASKED]]:
        try:
            world = circuit.most_probable({} if atom is None else {atom: True}, weights).assignment
        except ContradictoryEvidence:  # what can never hold
            continue
        yield {one: world[one] for one in latent}


def advice_on_open_concepts(task: Task, limits: Limits | None = None) -> str | None:
    """Say in one sentence which observed concepts are left open, and what cures it; None where none are."""
    names = open_concepts(task, limits)
    if not names:
        return None
    is_one = len(names) == 1
    what = "is observed" if is_one else "are observed"
    them, they = ("it", "it is") if is_one else ("them", "they are")
    return (
        f"{shortened(names, SHOWN)} {what}, but the theory leaves {them} open for some individuals though their "
        f"latent concepts are known, and no network looks at {them}: there {they} predicted with 1/2, whatever the "
        f"input; declare {them} latent, so that a network learns {them} (from literals, with --allow-latent), or add "
        f"an axiom that decides {them}"
    )
