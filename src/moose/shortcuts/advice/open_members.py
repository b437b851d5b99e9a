"""How much the members of a family leave open: where that differs, what is not stated decides what is learnt."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace
from json import dumps

from moose.base.errors import ContradictoryEvidence
from moose.base.suggestions import shortened
from moose.circuit.compile.compile_circuit import compile_circuit
from moose.grounding.atoms import Atom
from moose.grounding.ground import ground
from moose.grounding.task.task import Task

SHOWN = 4
"""So many observables are named at most."""


def open_observables(task: Task) -> dict[str, tuple[str, ...]]:
    """Return for each member of a latent family the observables that the theory leaves open for it.

    An individual of which nothing is known is asked. A task with kinds has several sorts of them, and gets no answer.

    >>> import moose
    >>> open_observables(moose.regime("mnist1"))["D0"]
    ()
    """
    latent = {concept.name for concept in task.concepts if concept.is_latent}
    members = [name for family in task.families if latent.issuperset(family) for name in family]
    if task.kinds or not members:
        return {}
    blank = with_anybody(task)
    who, circuit = blank.individuals[0], compile_circuit(ground(blank))
    observed = [concept.name for concept in task.concepts if not concept.is_latent]
    found = {}
    for member in members:
        try:
            decided = circuit.entailed({Atom(member, (who,)): True})
        except ContradictoryEvidence:  # a member that cannot be
            continue
        found[member] = tuple(name for name in observed if str(Atom(name, (who,))) not in decided)
    return found


def with_anybody(task: Task) -> Task:
    """Return a task of one individual of which nothing is known; the task has no kinds."""
    who = "any"
    while who in task.individuals:
        who += "'"
    return replace(task, individuals=[who], roles=dict.fromkeys(task.roles or {}, ()), facts=())


def uneven_members(task: Task, contested: Collection[str] = ()) -> str | None:
    """Say in one sentence that members leave different amounts open, and what to do; None where they do not.

    `contested` are the observables that the data are known to affirm of some and to deny of others.
    """
    unstated = open_observables(task)
    left = {member: len(names) for member, names in unstated.items()}
    if len(set(left.values())) < 2:
        return None
    one_sided = list(dict.fromkeys(name for names in unstated.values() for name in names if name not in contested))
    which = f" (of {shortened(one_sided, SHOWN)})" if contested else ""
    show = f"show literals that affirm and deny it{which}, " if one_sided else ""
    least, most = min(left, key=left.__getitem__), max(left, key=left.__getitem__)
    return (
        f"members of a family leave different amounts open ({most} {_listed(unstated[most])}; "
        f"{least} {_listed(unstated[least])}), "
        f"so that what is not stated matters: state it in the ontology, {show}or, if members have only what is stated, "
        f"write closure = {dumps([*task.closure, 'only'])} in the task"
    )


def _listed(names: Sequence[str]) -> str:
    """Say how many observables there are, and name the first.

    >>> print(_listed([]), _listed(["Red"]), _listed(["A", "B", "C", "D", "E"]), sep="; ")
    none; 1 observable: Red; 5 observables: A, B, C, D and 1 more
    """
    return f"{len(names)} observable{'s' * (len(names) != 1)}: {shortened(names, SHOWN)}" if names else "none"
