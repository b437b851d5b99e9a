"""The labels that a theory adds to those of examples: ancestors of what holds, descendants of what does not, and more.

A method that counts models has these anyway. One that does not is given them, so that it is compared by what it makes
of labels, and not by what it was not told.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from typing import cast

import numpy as np
import numpy.typing as npt
import torch

from moose.base.errors import ContradictoryEvidence, MooseError
from moose.circuit.clash import clauses_by_literal, contradiction
from moose.grounding.atoms import Atom
from moose.grounding.clauses import Clauses
from moose.grounding.ground import ground
from moose.grounding.task.components import Components
from moose.grounding.task.task import Task
from moose.learning.examples import Examples
from moose.learning.labels.label_loops import ClauseArrays
from moose.learning.shapes import split_by_shape

Signs = npt.NDArray[np.int8]
TOLD = Components.without("profiles", "only", "links", "reverse_links")
"""What ontology and families say, without what is assumed of who has the properties of a member, and of witnesses."""
MOST_ROWS = 8_192
"""So many rows are completed at once: each takes a byte for every atom."""


@dataclass(frozen=True, eq=False)
class Completion:
    """What a task's theory says of labels, by unit propagation over its ground clauses.

    That is all that follows where clauses have two literals, as those of a hierarchy and of disjoint classes have; and
    where all concepts have a label, unit propagation sees every contradiction of Horn clauses.
    """

    clauses: Clauses
    atoms: tuple[Atom, ...]
    """Each concept of each individual, flat."""
    columns: npt.NDArray[np.int64]
    """For each of these its place among the atoms of the clauses; -1 where it has none."""
    settled: Signs
    """For each of these what holds in every example: +1, -1, or 0."""

    def complete(self, evidence: Signs) -> Signs:
        """Return evidence, example × individual × concept, with what follows from it; refuse what contradicts."""
        flat = evidence.reshape(-1, len(self.columns))
        signs, is_wrong = self._propagated(flat)
        if is_wrong.any():
            row = int(is_wrong.argmax())
            raise self.contradiction(flat, [row], what=f"the evidence of example {row:,}")
        has_atom = self.columns >= 0
        found = np.tile(self.settled, (len(flat), 1))
        found[:, has_atom] = signs[:, self.columns[has_atom]]
        return found.reshape(evidence.shape)

    def complete_all(self, evidence: Signs) -> Signs:
        """Return the same, and 0 throughout for examples that contradict the theory."""
        is_wrong = self.contradicts(evidence)
        return self.complete(np.where(is_wrong.reshape(-1, 1, 1), 0, evidence).astype(np.int8))

    def contradicts(self, evidence: Signs) -> npt.NDArray[np.bool_]:
        """Return which examples contradict the theory."""
        return self._propagated(evidence.reshape(-1, len(self.columns)))[1]

    def _propagated(self, flat: Signs) -> tuple[Signs, npt.NDArray[np.bool_]]:
        """Return what holds of each atom, and which rows contradict."""
        clauses, has_atom = self.clauses, self.columns >= 0
        signs = np.zeros((len(flat), len(clauses.atoms)), np.int8)
        signs[:, self.columns[has_atom]] = flat[:, has_atom]
        is_wrong = ((flat * self.settled) < 0).any(1)
        is_unit = np.diff(clauses.starts) == 1
        for literal in (*clauses.given, *clauses.literals[clauses.starts[:-1][is_unit]].tolist()):
            sign, atom = (1 if literal > 0 else -1), abs(literal) - 1
            is_wrong |= signs[:, atom] * sign < 0
            signs[:, atom] = sign
        clashes, queue = np.zeros(len(flat), np.int8), np.empty(len(clauses.atoms), np.int64)
        theory = ClauseArrays(clauses.literals, clauses.starts, *clauses_by_literal(clauses))
        compiled()(signs, theory, queue, clashes)
        return signs, is_wrong | (clashes > 0)

    def contradiction(self, signs: Signs, rows: Sequence[int], *, what: str) -> ContradictoryEvidence:
        """Return the error that says what clashes in the first of some rows, given that something does in each."""
        flat, row = signs.reshape(-1, len(self.columns)), rows[0]
        for place in np.flatnonzero((self.columns < 0) & (flat[row] * self.settled < 0)).tolist():
            literal = str(self.atoms[place]) if flat[row, place] > 0 else f"not {self.atoms[place]}"
            return ContradictoryEvidence(
                f"{what} contradicts the theory: {literal} cannot hold in any example; leave it out or correct it",
                literals=(literal,),
                examples=tuple(rows),
            )
        shown = [place for place in np.flatnonzero(flat[row]).tolist() if self.columns[place] >= 0]
        literals = [int(flat[row, place]) * (int(self.columns[place]) + 1) for place in shown]
        return contradiction(self.clauses, [*literals, *self.clauses.given], what=what, examples=rows)


@lru_cache(maxsize=8)
def completion(task: Task, components: Components | None = None) -> Completion:
    """Ground the theory of a task; that of one asked for lately is kept."""
    clauses = ground(task, components=components)
    atoms = tuple(Atom(concept.name, (name,)) for name in task.individuals for concept in task.concepts)
    columns = np.array([clauses.positions.get(atom, -1) for atom in atoms], dtype=np.int64)
    truths = [clauses.known_truth(atom) for atom in atoms]
    settled = np.array([0 if truth is None else 1 if truth else -1 for truth in truths], dtype=np.int8)
    settled[~task.has_concept.flatten()] = 0
    return Completion(clauses, atoms, columns, settled)


def complete_examples(examples: Examples) -> Examples:
    """Return examples with all labels that follow from theirs.

    >>> import moose
    >>> task = moose.regime("mnist1")
    >>> evidence = torch.zeros(1, 1, 14, dtype=torch.int8)
    >>> evidence[0, 0, 2] = 1
    >>> examples = Examples(task, torch.zeros(1, 1, 4), evidence, torch.zeros_like(evidence), allow_latent=True)
    >>> [one for one in complete_examples(examples).literals(0) if "not" not in one]
    ['D2(a)', 'Even(a)', 'Prime(a)']
    """
    theory, signs = completion(examples.task), examples.evidence.numpy()
    try:
        completed = theory.complete(signs)
    except ContradictoryEvidence:
        rows = np.flatnonzero(theory.contradicts(signs)).tolist()
        raise theory.contradiction(signs, rows, what=f"the evidence of {examples.titles(rows)}") from None
    return replace(examples, evidence=torch.from_numpy(completed), allow_latent=True)


def complete_truth(examples: Examples) -> Examples:
    """Return examples with all that follows from their truth; that of which nothing is known stays unknown.

    What follows is what axioms and families say. Links and the other assumptions about members are left out: they are
    made by predictions, too, which should not be judged by them. A truth that contradicts the theory is refused.
    """
    truth = examples.truth.clone()
    if not bool(truth.any()):
        return examples
    for group in split_by_shape(examples):
        own = group.examples
        known = torch.nonzero(own.truth.any(dim=2).any(dim=1)).flatten()
        theory = completion(own.task, TOLD)
        for rows in known.split(MOST_ROWS):
            signs = own.truth[rows].numpy()
            if (is_wrong := theory.contradicts(signs)).any():
                row = int(is_wrong.argmax())
                what = f"the truth of {own.title(int(rows[row]))}"
                raise MooseError(str(theory.contradiction(signs, [row], what=what)))
            truth[group.rows[rows][:, None], group.places[rows]] = torch.from_numpy(theory.complete(signs))
    return replace(examples, truth=truth)


@cache
def compiled() -> Callable[..., None]:
    """Compile the loop, or take it from numba's cache."""
    from moose.base.compiled.numba_compilation import compile_functions
    from moose.learning.labels import label_loops

    return cast(Callable[..., None], compile_functions([label_loops], ["complete_rows"])["complete_rows"])
