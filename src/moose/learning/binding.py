"""A task made ready for learning: its circuit, and where each number of a network and each literal goes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256
from itertools import combinations, product

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor

from moose.base.errors import ContradictoryEvidence, MooseError
from moose.circuit.cache import cache_key
from moose.circuit.circuit import Circuit
from moose.circuit.clash import contradiction
from moose.circuit.compile.compile_circuit import compile_circuit
from moose.circuit.compile.shared_parts import SharedParts
from moose.grounding.atoms import Atom
from moose.grounding.clauses import AtomKind, Clauses
from moose.grounding.ground import ground
from moose.grounding.task.task import Task
from moose.layer.layer import WMCLayer
from moose.learning.examples import Examples
from moose.learning.open_weights import LearntColumns, OpenPair, add_pairs, pair_columns
from moose.learning.roles.role_tensors import known_truths, role_atom

Positions = npt.NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Binding:
    """Where things stand. Places in a flat row are individual · concepts + concept, columns as `task.concepts`."""

    task: Task
    layer: WMCLayer
    circuit_columns: Positions
    """For each place in a flat row the atom of the circuit; -1 for a concept that the individual's kind lacks."""
    families: tuple[Positions, ...]
    """Atoms of the circuit: each family that is latent, at each individual."""
    is_closed: bool
    """Whether the theory says that each of these families has one and only one member."""
    pairs: LearntColumns | None = None
    """The atoms whose weights are learnt beside the network's: for what members of families leave open, say."""

    @property
    def family_kinds(self) -> tuple[tuple[str, ...], ...]:
        """The concepts of each of these families: the same for one family at several individuals."""
        atoms = self.layer.circuit.atoms
        return tuple(tuple(atoms[member].predicate for member in family.tolist()) for family in self.families)

    @property
    def fingerprint(self) -> str:
        """Return a digest of everything about the task that learning depends on."""
        return fingerprint(self.task, self.layer.circuit.clauses)

    def evidence_mask(self, evidence: Tensor) -> Tensor:
        """Turn evidence, example × individual × concept, into a mask over the atoms of the circuit."""
        mask = torch.zeros(len(evidence), self.layer.atom_count, dtype=torch.int8)
        places = np.flatnonzero(self.circuit_columns >= 0)
        mask[:, torch.from_numpy(self.circuit_columns[places])] = evidence.flatten(1)[:, torch.from_numpy(places)]
        return mask

    def by_concept(self, values: Tensor) -> Tensor:
        """Turn values of the circuit's atoms, example × atom, into example × individual × concept; NaN for no atom."""
        columns = torch.from_numpy(self.circuit_columns)
        flat = values.index_select(1, columns.clamp_min(0))
        if bool((columns < 0).any()):
            flat = flat.masked_fill(columns < 0, torch.nan)
        return torch.unflatten(flat, 1, (len(self.task.individuals), len(self.task.concepts)))

    @cached_property
    def role_columns(self) -> Positions:
        """role × individual × individual: the atom of the circuit; -1 where the truth of a pair is known in advance."""
        people, positions = len(self.task.individuals), self.layer.circuit.positions
        columns = np.full((len(self.task.role_predicates), people, people), -1, np.int64)
        for number, role in enumerate(self.task.role_predicates):
            if role.name not in self.task.edges:
                for pair in product(range(people), repeat=2):
                    columns[number, *pair] = positions.get(role_atom(self.task, number, *pair), -1)
        return columns

    def by_role(self, values: Tensor) -> Tensor:
        """Turn values of the circuit's atoms, example × atom, into example × role × individual × individual.

        What is known in advance is 1 or 0.
        """
        columns, known = torch.from_numpy(self.role_columns), torch.from_numpy(known_truths(self.task))
        chosen = values[:, columns.clamp_min(0).flatten()].view(-1, *columns.shape)
        return torch.where(columns < 0, known.to(values.dtype), chosen)

    def role_mask(self, examples: Examples, *, title: str | None = None) -> Tensor:
        """Turn evidence of roles, where there is any, into a mask over the atoms of the circuit."""
        evidence = examples.role_evidence
        assert evidence is not None
        columns = torch.from_numpy(self.role_columns)
        mask = torch.zeros(len(evidence), self.layer.atom_count, dtype=torch.int8)
        mask[:, columns[columns >= 0]] = evidence[:, columns >= 0]
        known = torch.from_numpy(known_truths(self.task))
        wrong = torch.nonzero((columns < 0) & (evidence != 0) & ((evidence > 0) != (known > 0)))
        if len(wrong):
            row, *slot = wrong[0].tolist()
            atom = role_atom(self.task, *slot)
            literal = str(atom) if evidence[row, *slot] > 0 else f"not {atom}"
            rows = wrong[:, 0].unique().tolist()
            raise ContradictoryEvidence(
                f"the evidence of {title or examples.titles(rows)} says {literal}, but the facts deny it",
                literals=(literal,),
                examples=tuple(rows),
            )
        return mask

    def checked_mask(self, examples: Examples, *, title: str | None = None) -> Tensor:
        """Turn the evidence of examples into a mask; name those that contradict the theory, or call them `title`."""
        mask = self.evidence_mask(examples.evidence)
        if examples.role_evidence is not None:
            mask = mask + self.role_mask(examples, title=title)
        weights = torch.zeros(1, self.layer.literal_count, dtype=torch.float64)
        rows = torch.nonzero(self.layer(weights, mask).isneginf()).flatten().tolist()
        if rows:
            raise self._contradiction(mask, rows, f"the evidence of {title or examples.titles(rows)}")
        return mask

    def _contradiction(self, mask: Tensor, rows: Sequence[int], what: str) -> ContradictoryEvidence:
        clauses, atoms, first = self.layer.circuit.clauses, self.layer.circuit.atoms, mask[rows[0]]
        observed = [
            int(first[column]) * (clauses.positions[atoms[column]] + 1) for column in torch.nonzero(first).flatten()
        ]
        return contradiction(clauses, [*observed, *clauses.given], what=what, examples=rows)


def bind(task: Task, parts: SharedParts | None = None, pairs: Sequence[OpenPair] = ()) -> Binding:
    """Ground and compile a task, and find where everything stands; with parts, as one shape among many.

    `pairs` are those that get a weight of their own.
    """
    is_closed = True if {"mutex", "cover"}.issubset(task.closure) else None  # then the clauses say so themselves
    return bind_clauses(task, ground(task), parts, is_closed=is_closed, pairs=pairs)


def bind_clauses(
    task: Task,
    clauses: Clauses,
    parts: SharedParts | None = None,
    *,
    is_closed: bool | None = None,
    pairs: Sequence[OpenPair] = (),
) -> Binding:
    """Compile clauses over the atoms of a task, and find where everything stands.

    Whether families have one and only one member is asked of the circuit where it is not known.
    """
    if pairs:
        clauses = add_pairs(task, clauses, pairs)
    return bind_circuit(task, compile_circuit(clauses, parts=parts), is_closed=is_closed, pairs=pairs)


def bind_circuit(
    task: Task, circuit: Circuit, *, is_closed: bool | None = None, pairs: Sequence[OpenPair] = ()
) -> Binding:
    """Find where everything stands in a circuit over the atoms of a task; refuse one that has no model."""
    layer, clauses = WMCLayer(circuit), circuit.clauses
    if bool(layer(torch.zeros(1, layer.literal_count)).isneginf().any()):
        raise contradiction(clauses, list(clauses.given))
    positions = layer.circuit.positions
    columns = [positions.get(Atom(concept.name, (name,)), -1) for name in task.individuals for concept in task.concepts]
    latent = set(layer.columns.latent.tolist())
    families = tuple(family for family in layer.columns.families if latent.issuperset(family.tolist()))
    return Binding(
        task=task,
        layer=layer,
        circuit_columns=np.array(columns, dtype=np.int64),
        families=families,
        is_closed=_are_closed(layer, families) if is_closed is None else is_closed,
        pairs=pair_columns(task, layer.circuit, pairs) if pairs else None,
    )


def fingerprint(task: Task, clauses: Clauses) -> str:
    """Digest the grounded theory, what is latent in it, and the order of the columns."""
    state = sha256(cache_key(clauses, "learning").encode())
    fixed = sorted((atom.bare, truth) for atom, truth in clauses.fixed.items())
    kinds = [AtomKind(int(kind)).name for kind in clauses.kinds]
    state.update(repr((fixed, kinds, clauses.given, clauses.families)).encode())
    state.update(repr([(predicate.name, predicate.is_latent) for predicate in task.concepts]).encode())
    if task.read_roles:
        state.update(repr([task.role_predicates[one].name for one in task.read_roles]).encode())
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


def check_same_concepts(mine: Task, other: Task) -> None:
    """Refuse examples of a task over other concepts, or whose outputs would be read in another way."""
    known, theirs = ([(concept.name, concept.is_latent) for concept in task.concepts] for task in (mine, other))
    if known != theirs:
        strange = next((name for name, *_ in theirs if name not in dict(known)), "their order or kind")
        raise MooseError(
            f"expected examples over the concepts of the task that is learnt, latent and observed in the same order, "
            f"but theirs differ ({strange}); learn each task apart"
        )
    roles, theirs_too = ([task.role_predicates[one].name for one in task.read_roles] for task in (mine, other))
    if roles != theirs_too:
        raise MooseError(
            f"expected examples with the latent roles of the task that is learnt ({', '.join(roles) or 'none'}), but "
            f"theirs are {', '.join(theirs_too) or 'none'}; declare the same"
        )
    families, others = (set(map(frozenset, latent_families(task))) for task in (mine, other))
    if families != others:
        raise MooseError(
            "expected examples with the latent families of the task that is learnt, but theirs differ; declare the same"
        )


def latent_columns(task: Task) -> tuple[int, ...]:
    """Return the columns, in `task.concepts`, of the latent concepts: one output of the encoder for each."""
    return tuple(column for column, predicate in enumerate(task.concepts) if predicate.is_latent)


def _are_closed(layer: WMCLayer, families: Sequence[Positions]) -> bool:
    """Ask the circuit whether each family has a member, and no two."""
    rows = list[list[tuple[int, int]]]()
    for family in families:
        rows.append([(int(member), -1) for member in family])
        rows += [[(int(one), 1), (int(other), 1)] for one, other in combinations(family, 2)]
    signs = np.zeros((len(rows), layer.atom_count), dtype=np.int8)
    for row, literals in enumerate(rows):
        for column, sign in literals:
            signs[row, column] = sign
    mask = torch.from_numpy(signs)
    weights = torch.zeros(1, layer.literal_count, dtype=torch.float64)
    return not rows or bool(layer(weights, mask).isneginf().all())
