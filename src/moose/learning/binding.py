"""A task made ready for learning: its circuit, and where each number of a network and each literal goes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256
from itertools import combinations

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor

from moose.circuit.cache import cache_key
from moose.circuit.clash import contradiction
from moose.circuit.compile import compile_circuit
from moose.errors import ContradictoryEvidence, MooseError
from moose.grounding.atoms import Atom
from moose.grounding.clauses import AtomKind, Clauses
from moose.grounding.ground import ground
from moose.grounding.task import Task
from moose.layer.layer import WMCLayer
from moose.learning.examples import Examples

Positions = npt.NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Binding:
    """Where things stand. Places in a flat row are individual · concepts + concept, columns as `task.concepts`."""

    task: Task
    layer: WMCLayer
    circuit_columns: Positions
    """The atoms of the circuit that are concepts of individuals."""
    flat_places: Positions
    """Their places in a flat row."""
    fixed: npt.NDArray[np.int8]
    """For each place +1 or -1 if the theory alone decides it, else 0."""
    families: tuple[Positions, ...]
    """Atoms of the circuit: each family that is latent, at each individual."""
    is_closed: bool
    """Whether the theory says that each of these families has one and only one member."""

    @property
    def fingerprint(self) -> str:
        """Return a digest of everything about the task that learning depends on."""
        return fingerprint(self.task, self.layer.circuit.clauses)

    def evidence_mask(self, evidence: Tensor) -> Tensor:
        """Turn evidence, example × individual × concept, into a mask over the atoms of the circuit."""
        mask = torch.zeros(len(evidence), self.layer.atom_count, dtype=torch.int8)
        mask[:, torch.from_numpy(self.circuit_columns)] = evidence.flatten(1)[:, torch.from_numpy(self.flat_places)]
        return mask

    def checked_mask(self, examples: Examples) -> Tensor:
        """Turn the evidence of examples into a mask; name the first example that contradicts the theory."""
        mask = self.evidence_mask(examples.evidence)
        weights = torch.zeros(1, self.layer.literal_count, dtype=torch.float64)
        is_wrong = ((examples.evidence.flatten(1) * torch.from_numpy(self.fixed)) < 0).any(1)
        rows = torch.nonzero(self.layer(weights, mask).isneginf() | is_wrong).flatten().tolist()
        if rows:
            raise self._contradiction(examples, rows)
        return mask

    def _contradiction(self, examples: Examples, rows: Sequence[int]) -> ContradictoryEvidence:
        row, clauses = rows[0], self.layer.circuit.clauses
        more = f" (and that of {len(rows) - 1:,} more)" if len(rows) > 1 else ""
        what = f"the evidence of example {row}{more}"
        concepts = len(self.task.concepts)
        literals = list[int]()
        for place, concept in torch.nonzero(examples.evidence[row]).tolist():
            atom = Atom(self.task.concepts[concept].name, (self.task.individuals[place],))
            sign = int(examples.evidence[row, place, concept])
            if self.fixed[place * concepts + concept] == -sign:
                text = str(atom) if sign > 0 else f"not {atom}"
                return ContradictoryEvidence(
                    f"{what} contradicts the theory: {text} cannot hold, as the opposite always holds; correct it",
                    literals=(text,),
                )
            if atom in clauses.positions:
                literals.append(sign * (clauses.positions[atom] + 1))
        return contradiction(clauses, [*literals, *clauses.given], what=what)


def bind(task: Task) -> Binding:
    """Ground and compile a task, and find where everything stands."""
    clauses = ground(task)
    layer = WMCLayer(compile_circuit(clauses))
    if bool(layer(torch.zeros(1, layer.literal_count)).isneginf().any()):
        raise contradiction(clauses, list(clauses.given))
    concepts = {predicate.name: column for column, predicate in enumerate(task.concepts)}
    places = {name: place for place, name in enumerate(task.individuals)}

    def flat(atom: Atom) -> int:
        return places[atom.arguments[0]] * len(concepts) + concepts[atom.predicate]

    unary = [(column, atom) for column, atom in enumerate(layer.circuit.atoms) if len(atom.arguments) == 1]
    fixed = np.zeros(len(places) * len(concepts), dtype=np.int8)
    for atom, truth in clauses.fixed.items():
        if len(atom.arguments) == 1 and atom.predicate in concepts:
            fixed[flat(atom)] = 1 if truth else -1
    latent = set(layer.columns.latent.tolist())
    families = tuple(family for family in layer.columns.families if latent.issuperset(family.tolist()))
    return Binding(
        task=task,
        layer=layer,
        circuit_columns=np.array([column for column, _ in unary], dtype=np.int64),
        flat_places=np.array([flat(atom) for _, atom in unary], dtype=np.int64),
        fixed=fixed,
        families=families,
        is_closed=_are_closed(layer, families),
    )


def fingerprint(task: Task, clauses: Clauses) -> str:
    """Digest the grounded theory, what is latent in it, and the order of the columns."""
    state = sha256(cache_key(clauses, "learning").encode())
    fixed = sorted((str(atom), truth) for atom, truth in clauses.fixed.items())
    kinds = [AtomKind(int(kind)).name for kind in clauses.kinds]
    state.update(repr((fixed, kinds, clauses.given, clauses.families)).encode())
    state.update(repr([(predicate.name, predicate.is_latent) for predicate in task.concepts]).encode())
    return state.hexdigest()


def latent_families(task: Task) -> tuple[tuple[int, ...], ...]:
    """Return the columns, in `task.concepts`, of each family whose members are all latent."""
    columns = {predicate.name: column for column, predicate in enumerate(task.concepts)}
    families = [tuple(columns[name] for name in family) for family in task.families]
    chosen = [family for family in families if all(task.concepts[column].is_latent for column in family)]
    members = [column for family in chosen for column in family]
    if len(members) != len(set(members)):
        twice = next(column for column in members if members.count(column) > 1)
        raise MooseError(f"{task.concepts[twice].name} is in two latent families; keep it in one of them")
    return tuple(chosen)


def latent_columns(task: Task) -> tuple[int, ...]:
    """Return the columns, in `task.concepts`, of the latent concepts: one output of the encoder for each."""
    return tuple(column for column, predicate in enumerate(task.concepts) if predicate.is_latent)


def _are_closed(layer: WMCLayer, families: Sequence[Positions]) -> bool:
    """Ask the circuit whether each family has a member, and no two."""
    rows = list[list[tuple[int, int]]]()
    for family in families:
        rows.append([(int(member), -1) for member in family])
        rows += [[(int(one), 1), (int(other), 1)] for one, other in combinations(family, 2)]
    mask = torch.zeros(len(rows), layer.atom_count, dtype=torch.int8)
    for row, literals in enumerate(rows):
        for column, sign in literals:
            mask[row, column] = sign
    weights = torch.zeros(1, layer.literal_count, dtype=torch.float64)
    return not rows or bool(layer(weights, mask).isneginf().all())
