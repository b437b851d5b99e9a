"""Examples to learn from: what is seen of individuals, what is known of them, and what is hidden."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, field
from operator import index
from typing import NotRequired, TypedDict, TypeVar, overload

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor
from torch.utils.data import Dataset

from moose.base.errors import MooseError
from moose.base.suggestions import shortened
from moose.grounding.atoms import Atom
from moose.grounding.task.graphs import Graph, read_graphs, write_graphs
from moose.grounding.task.task import Task
from moose.learning.inputs.padded import Inputs, Padded
from moose.learning.inputs.read_inputs import read_inputs
from moose.learning.roles.role_tensors import check_open_roles, check_pairs_there, check_roles, role_atom

Entry = TypeVar("Entry")
Rows = npt.NDArray[np.integer | np.bool_]
MOST_TITLES = 4
"""So many examples are named at most beside the first."""
BYTES = 255
"""The largest value of an image's byte, which becomes 1."""


class Example(TypedDict):
    """One example, as torch's DataLoader collects them into a batch."""

    row: int
    """Which it is: `examples[batch["row"]]` are the examples of a batch, with all that is known of them."""
    inputs: Tensor
    """As an encoder takes them, for each individual that has one."""
    evidence: Tensor
    truth: Tensor
    mask: NotRequired[Tensor]
    """Which steps there are, where inputs are sequences."""


@dataclass(frozen=True, eq=False, repr=False)
class Examples(Dataset[Example]):
    """Instances of one task: the inputs of its individuals, evidence and hidden truth; checked when it is made.

    A torch `Dataset`: `examples[3]` is one `Example`; by slices, lists and tensors one gets `Examples` again.

    Examples may differ in who is there and in which pairs the known roles join: `individuals` and `roles` then have an
    entry for each. What is said of the inputs and concepts of individuals that are not there must be nothing.

    >>> from moose.grounding.task.regimes import regime
    >>> evidence = torch.zeros(3, 1, 14, dtype=torch.int8)
    >>> evidence[0, 0, 10] = 1
    >>> examples = Examples(regime("mnist1"), torch.zeros(3, 1, 1, 28, 28), evidence, torch.zeros_like(evidence))
    >>> examples
    Examples(3 of 1 individual, 1×28×28)
    >>> examples.literals(0)
    ('Even(a)',)
    """

    task: Task
    """Individuals, concepts and known roles; the same in all examples but for `individuals` and `roles`."""
    inputs: Tensor
    """example × individual that has an input × whatever is seen of it: features; channel × height × width; step × ….

    Arrays, sparse matrices, tables and AnnData become a tensor; of one individual alone its dimension may be left out.
    A list of sequences of unequal lengths is padded. Bytes (uint8) are scaled to [0, 1] on use; nothing else is."""
    evidence: Tensor
    """int8, example × individual × concept (columns as `task.concepts`): +1 observed true, -1 false, 0 not observed."""
    truth: Tensor
    """int8, example × individual × concept: +1 true, -1 false, 0 unknown; no learner looks at it."""
    _: KW_ONLY
    allow_latent: bool = False
    """Whether evidence may speak of latent concepts (full or partial supervision)."""
    individuals: Sequence[Sequence[str]] | None = None
    """Who of the task's individuals is in each example; all of them if None."""
    roles: Sequence[Mapping[str, Iterable[Sequence[str]]]] | None = None
    """For each example the pairs of its known roles, which the task may leave open; as the task has it if None."""
    mask: Tensor | None = None
    """bool, example × individual that has an input × step: whether there is a step, where inputs are sequences."""
    role_evidence: Tensor | None = None
    """int8, example × role × individual × individual (roles as `task.role_predicates`): what is observed of the pairs
    of roles that are open, latent ones too; nothing if None."""
    role_truth: Tensor | None = None
    """int8, example × role × individual × individual: +1 true, -1 false, 0 unknown; no learner looks at it."""
    pair_features: Tensor | None = None
    """float32, example × individual × individual × feature: what is seen of a pair, for the pair network."""
    given: Sequence[str] = ()
    """Concepts of which the evidence is given beforehand, such as types that are always known: it is there when nothing
    else is observed, and no likelihood is asked of it."""
    where: Sequence[str] | None = None
    """Where each example stands, such as the line of a table: what is wrong with one is said there."""
    graphs: tuple[Graph, ...] | None = field(init=False)
    """Who is in each example and what joins them, where examples differ in that."""

    def __post_init__(self) -> None:
        for name, value in zip(("inputs", "mask"), read_inputs(self.inputs, self.mask, int(self.task.has_input.sum()))):
            object.__setattr__(self, name, value)
        graphs = None
        if self.individuals is not None or self.roles is not None:
            graphs = read_graphs(self.task, self.individuals, self.roles, count=len(self))
            # As they were read: what can be read once only is used up, and some of the examples, taken apart, must
            # know the roles that others list.
            people, pairs = write_graphs(self.task, graphs)
            object.__setattr__(self, "individuals", None if self.individuals is None else people)
            object.__setattr__(self, "roles", None if self.roles is None else pairs)
        object.__setattr__(self, "graphs", graphs)
        if self.where is not None and len(self.where) != len(self):
            raise MooseError(
                f"expected where each of {len(self):,} examples stands, but got {len(self.where):,} places"
            )
        is_there = _atoms_there(self)
        for name in ("evidence", "truth"):
            _check_literals(self, name)
            _check_there(self, name, is_there)
        if not self.allow_latent:
            _check_observed(self)
        _check_pairs(self)
        _check_given(self)

    def __len__(self) -> int:
        return int(self.inputs.shape[0])

    def __iter__(self) -> Iterator[Example]:
        return (self[row] for row in range(len(self)))

    def __repr__(self) -> str:
        count = len(self.task.individuals)
        if self.graphs is not None:
            return f"Examples({len(self):,} of up to {count:,} individuals, {len(set(self.graphs)):,} graphs)"
        shape = "×".join(map(str, self.inputs.shape[2:]))
        return f"Examples({len(self):,} of {count:,} individual{'s' * (count != 1)}, {shape})"

    @overload
    def __getitem__(self, key: int) -> Example: ...
    @overload
    def __getitem__(self, key: Sequence[int] | Rows | Tensor | slice) -> Examples: ...
    def __getitem__(self, key: int | Sequence[int] | Rows | Tensor | slice) -> Example | Examples:
        asked: object = key  # what a type checker would refuse may still come from a notebook
        if isinstance(asked, str) or not isinstance(asked, int | Sequence | slice | Tensor | np.ndarray | np.integer):
            raise MooseError(f"expected the row of an example, or several, but got {asked!r}")
        if isinstance(key, Sequence | slice) or (isinstance(key, Tensor | np.ndarray) and key.ndim):
            return self.take(key)
        row = range(len(self))[index(key)]
        example = Example(
            row=row,
            inputs=self.scaled_inputs(slice(row, row + 1))[0],
            evidence=self.evidence[row],
            truth=self.truth[row],
        )
        return example if self.mask is None else {**example, "mask": self.mask[row]}

    @property
    def input_shape(self) -> tuple[int, ...]:
        """Of one input: its features, or channels, height and width, or steps and what each has."""
        return tuple(self.inputs.shape[2:])

    def take(self, rows: Sequence[int] | Rows | Tensor | slice) -> Examples:
        """Return some of the examples, in the order asked for."""
        chosen = rows if isinstance(rows, slice | Tensor) else _row_numbers(rows, len(self))
        return Examples(
            self.task,
            self.inputs[chosen],
            self.evidence[chosen],
            self.truth[chosen],
            allow_latent=self.allow_latent,
            individuals=_taken(self.individuals, chosen),
            roles=_taken(self.roles, chosen),
            mask=None if self.mask is None else self.mask[chosen],
            role_evidence=None if self.role_evidence is None else self.role_evidence[chosen],
            role_truth=None if self.role_truth is None else self.role_truth[chosen],
            pair_features=None if self.pair_features is None else self.pair_features[chosen],
            given=self.given,
            where=_taken(self.where, chosen),
        )

    def title(self, row: int) -> str:
        """Return what messages call an example: where it stands, or else its number."""
        return f"example {row:,}" if self.where is None else self.where[row]

    def titles(self, rows: Sequence[int]) -> str:
        """Return what messages on the evidence of several examples call them: the first, and a few that are like it."""
        first, *others = map(self.title, rows)
        return f"{first} (and that of {shortened(others, MOST_TITLES)})" if others else first

    @property
    def has_evidence(self) -> bool:
        """Whether anything is observed of any example."""
        return bool(self.evidence.any()) or (self.role_evidence is not None and bool(self.role_evidence.any()))

    @property
    def given_evidence(self) -> Tensor | None:
        """The part of the evidence that is given beforehand; None if nothing is."""
        if not self.given:
            return None
        is_given = torch.tensor([concept.name in self.given for concept in self.task.concepts])
        return torch.where(is_given, self.evidence, 0).to(torch.int8)

    def scaled_inputs(self, rows: Tensor | slice) -> Tensor:
        """Return some inputs as a network takes them: float32, bytes in [0, 1]; whole numbers of other types int64."""
        chosen = self.inputs[rows]
        if chosen.dtype == torch.uint8:
            return chosen.float() / BYTES
        return chosen.float() if chosen.is_floating_point() or chosen.dtype == torch.bool else chosen.long()

    def network_inputs(self, rows: Tensor | slice) -> Inputs:
        """Return some inputs as a network takes them, with their mask where they are sequences."""
        scaled = self.scaled_inputs(rows)
        return scaled if self.mask is None else Padded(scaled, self.mask[rows])

    def image(self, row: int, individual: int) -> Tensor | None:
        """Return what is seen of one individual, channel × height × width in [0, 1]; none where there is no image."""
        if self.inputs.ndim != 5 or self.mask is not None:
            return None
        is_absent = self.graphs is not None and individual not in self.graphs[row].individuals
        if is_absent or not self.task.has_input[individual]:
            return None
        position = int(self.task.has_input[:individual].sum())
        return self.scaled_inputs(slice(row, row + 1))[0, position].clamp(0.0, 1.0)

    def literals(self, row: int) -> tuple[str, ...]:
        """Spell the evidence of one example."""
        literals = []
        for individual, concept in torch.nonzero(self.evidence[row]).tolist():
            atom = Atom(self.task.concepts[concept].name, (self.task.individuals[individual],))
            literals.append(str(atom) if self.evidence[row, individual, concept] > 0 else f"not {atom}")
        if self.role_evidence is not None:
            for slot in torch.nonzero(self.role_evidence[row]).tolist():
                atom = role_atom(self.task, *slot)
                literals.append(str(atom) if self.role_evidence[row, *slot] > 0 else f"not {atom}")
        return tuple(literals)


def joined_examples(parts: Sequence[Examples]) -> Examples:
    """Return all examples of several groups, which must be of one task and know the same kinds of things."""
    first = parts[0]
    names = ("mask", "role_evidence", "role_truth", "pair_features")
    for part in parts[1:]:
        is_alike = all((getattr(part, name) is None) == (getattr(first, name) is None) for name in names)
        is_alike &= part.task is first.task and tuple(part.given) == tuple(first.given)
        if not is_alike or part.graphs is not None or first.graphs is not None:
            raise MooseError(
                "expected groups of examples of one task, without graphs of their own and with the same kinds of "
                "tensors, but they differ; give them as a list"
            )

    def joined(name: str) -> Tensor | None:
        return None if getattr(first, name) is None else torch.cat([_tensor(part, name) for part in parts])

    return Examples(
        first.task,
        *(torch.cat([_tensor(part, name) for part in parts]) for name in ("inputs", "evidence", "truth")),
        allow_latent=any(part.allow_latent for part in parts),
        mask=joined("mask"),
        role_evidence=joined("role_evidence"),
        role_truth=joined("role_truth"),
        pair_features=joined("pair_features"),
        given=first.given,
    )


def _check_literals(examples: Examples, name: str) -> None:
    values = _tensor(examples, name)
    wanted = (len(examples), len(examples.task.individuals), len(examples.task.concepts))
    if tuple(values.shape) != wanted:
        raise MooseError(
            f"expected {name} of shape {wanted} (example, individual, concept as in task.concepts), "
            f"but got {tuple(values.shape)}"
        )
    if values.dtype != torch.int8:
        raise MooseError(f"expected {name} as int8 (+1 true, -1 false, 0 unknown), but got {values.dtype}")
    if bool(((values > 1) | (values < -1)).any()):
        strange = [value for value in values.unique().tolist() if abs(value) > 1]
        raise MooseError(f"expected only +1, 0 and -1 in {name}, but found {strange[0]}")


def _atoms_there(examples: Examples) -> Tensor:
    """Return which concepts of which individuals there are: bool, example × individual × concept."""
    has_concept = torch.from_numpy(examples.task.has_concept)
    if examples.graphs is None:
        return has_concept.expand(len(examples), -1, -1)
    is_present = torch.zeros(len(examples), len(has_concept), dtype=torch.bool)
    for row, graph in enumerate(examples.graphs):
        is_present[row, list(graph.individuals)] = True
    return is_present[:, :, None] & has_concept


def _check_there(examples: Examples, name: str, is_there: Tensor) -> None:
    wrong = torch.nonzero((getattr(examples, name) != 0) & ~is_there)
    if len(wrong):
        row, individual, concept = wrong[0].tolist()
        who, what = examples.task.individuals[individual], examples.task.concepts[concept].name
        has_concept = bool(examples.task.has_concept[individual, concept])
        reason = "is not in that example" if has_concept else f"is of a kind that has no {what}"
        raise MooseError(
            f"{name} of {examples.title(row)} speaks of {Atom(what, (who,))}, but {who} {reason}; leave it out"
        )


def _row_numbers(rows: Sequence[int] | Rows, count: int) -> Tensor:
    """Return which rows a list or an array stands for; one of truths must have one for each example."""
    chosen = np.asarray(rows)
    if not chosen.size:
        return torch.zeros(0, dtype=torch.int64)
    if chosen.ndim != 1 or chosen.dtype.kind not in "iub" or (chosen.dtype.kind == "b" and len(chosen) != count):
        raise MooseError(
            f"expected a list of rows, or whether to take each of {count:,} examples, but got {type(rows).__name__} of "
            f"{chosen.dtype} and shape {chosen.shape}"
        )
    return torch.from_numpy(chosen if chosen.dtype.kind == "b" else chosen.astype(np.int64))


def _taken(entries: Sequence[Entry] | None, chosen: Tensor | slice) -> list[Entry] | None:
    if entries is None:
        return None
    return [entries[row] for row in torch.arange(len(entries))[chosen].tolist()]


def _check_observed(examples: Examples) -> None:
    is_latent = torch.from_numpy(np.array([concept.is_latent for concept in examples.task.concepts], dtype=bool))
    wrong = torch.nonzero((examples.evidence != 0) & is_latent)
    if len(wrong):
        row, individual, concept = wrong[0].tolist()
        atom = Atom(examples.task.concepts[concept].name, (examples.task.individuals[individual],))
        raise MooseError(
            f"{examples.title(row)} observes {atom}, which is latent in the task; leave it out, declare it observed, "
            f"or say allow_latent=True"
        )


def _check_pairs(examples: Examples) -> None:
    """Check what is said of pairs."""
    task, count = examples.task, len(examples)
    for name in ("role_evidence", "role_truth"):
        if getattr(examples, name) is not None:
            values = check_roles(task, name, getattr(examples, name), count)
            check_pairs_there(task, name, values, examples.graphs)
    if examples.role_evidence is not None:
        check_open_roles(task, examples.role_evidence, examples.graphs)
    if examples.pair_features is not None:
        seen, people = _tensor(examples, "pair_features"), len(task.individuals)
        if seen.ndim != 4 or seen.shape[:3] != (count, people, people) or not seen.is_floating_point():
            raise MooseError(
                f"expected pair_features as floats of shape ({count}, {people}, {people}, features), "
                f"but got {seen.dtype} of {tuple(seen.shape)}"
            )


def _check_given(examples: Examples) -> None:
    names = {concept.name for concept in examples.task.concepts}
    if isinstance(examples.given, str):
        raise MooseError(f"expected a list of concepts that are given, but got the text {examples.given!r}")
    if strange := [name for name in examples.given if name not in names]:
        raise MooseError(f"expected concepts of the task among those that are given, but got {strange[0]!r}")


def _tensor(examples: Examples, name: str) -> Tensor:
    value: object = getattr(examples, name)
    if not isinstance(value, Tensor):
        raise MooseError(f"expected {name} as a tensor, but got {type(value).__name__}; torch.from_numpy makes one")
    return value
