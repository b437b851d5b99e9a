"""How much the members of a family leave open: where that differs, what is not stated decides what is learnt."""

from __future__ import annotations

from dataclasses import replace

from moose.base.errors import ContradictoryEvidence
from moose.circuit.compile.compile_circuit import compile_circuit
from moose.grounding.ground import ground
from moose.grounding.task.task import Task


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
    who = "any"
    while who in task.individuals:
        who += "'"
    blank = replace(task, individuals=[who], roles=dict.fromkeys(task.roles or {}, ()), facts=())
    circuit = compile_circuit(ground(blank))
    observed = [concept.name for concept in task.concepts if not concept.is_latent]
    found = {}
    for member in members:
        try:
            decided = circuit.entailed({f"{member}({who})": True})
        except ContradictoryEvidence:  # a member that cannot be
            continue
        found[member] = tuple(name for name in observed if f"{name}({who})" not in decided)
    return found


def uneven_members(task: Task) -> str | None:
    """Say in one sentence that members leave different amounts open, and what to do; None where they do not."""
    left = {member: len(names) for member, names in open_observables(task).items()}
    if len(set(left.values())) < 2:
        return None
    least, most = min(left, key=left.__getitem__), max(left, key=left.__getitem__)
    return (
        f"members of a family leave different amounts open ({most} {left[most]} observables, {least} {left[least]}), "
        f"so that what is not stated matters: state it in the ontology, or show literals that affirm and deny it, or, "
        f'if members have only what is stated, add "only" to the closure of the task'
    )
