"""A plain reading of programs: every world is made, and its least model found by trying all rules until none adds."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import product

import torch
from torch import Tensor

from moose.grounding.atoms import Atom
from moose.grounding.task.task import Task
from moose.learning.binding import latent_columns, latent_families
from moose.methods.deepproblog.neural_program import NeuralProgram, make_program
from moose.methods.deepproblog.program_rules import Rule


def least_model(rules: Iterable[Rule], chosen: Iterable[int]) -> set[int]:
    """Return what follows from choices; negative literals are on choices alone."""
    found, rules = set(chosen), list(rules)
    given = frozenset(found)
    while True:
        more = {
            rule.head
            for rule in rules
            if all(literal - 1 in found if literal > 0 else -literal - 1 not in given for literal in rule.body)
        }
        if more <= found:
            return found
        found |= more


def worlds(program: NeuralProgram, probabilities: dict[Atom, Tensor]) -> Iterator[tuple[set[Atom], Tensor]]:
    """Yield what holds in each world that keeps to the theory, and the world's probability."""
    atoms, half = program.theory.atoms, torch.tensor(0.5, dtype=torch.float64)
    switches: list[list[tuple[int | None, Tensor]]] = [
        [(member, probabilities[atoms[member]]) for member in group] for group in program.disjunctions
    ]
    facts = [(fact, probabilities[atoms[fact]]) for fact in program.facts]
    switches += [[(fact, chance), (None, 1 - chance)] for fact, chance in facts]
    switches += [[(coin, half), (None, half)] for coin in program.coins]
    for choice in product(*switches):
        model = least_model(program.rules, [atom for atom, _ in choice if atom is not None])
        if all(any((abs(literal) - 1 in model) == (literal > 0) for literal in clause) for clause in program.theory):
            weight = torch.stack([probability for _, probability in choice]).prod()
            yield {atoms[place] for place in model}, weight


def probabilities_of(task: Task, logits: Tensor) -> dict[Atom, Tensor]:
    """Read logits, individual × latent concept: a softmax for each latent family, a sigmoid for any other concept."""
    columns, found = latent_columns(task), logits.sigmoid()
    for family in latent_families(task):
        members = [columns.index(column) for column in family]
        found = found.index_copy(-1, torch.tensor(members), logits[:, members].softmax(-1))
    return {
        Atom(task.concepts[column].name, (who,)): found[row, place]
        for row, who in enumerate(task.individuals)
        for place, column in enumerate(columns)
    }


def query_probability(task: Task, logits: Tensor, evidence: dict[str, bool]) -> Tensor:
    """Add up the worlds in which all literals hold, such as {"Even(a)": True}."""
    kept = _kept(task, logits, evidence)
    return torch.stack([weight for _, weight in kept]).sum()


def posteriors(task: Task, logits: Tensor, evidence: dict[str, bool], atoms: Sequence[Atom]) -> list[float]:
    """Return how likely atoms are given a query."""
    kept = _kept(task, logits, evidence)
    total = sum(float(weight) for _, weight in kept)
    return [sum(float(weight) for model, weight in kept if atom in model) / total for atom in atoms]


def _kept(task: Task, logits: Tensor, evidence: dict[str, bool]) -> list[tuple[set[Atom], Tensor]]:
    program = make_program(task)
    found = worlds(program, probabilities_of(task, logits))
    return [
        (model, weight)
        for model, weight in found
        if all((text in map(str, model)) == truth for text, truth in evidence.items())
    ]
