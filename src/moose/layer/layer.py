"""The layer: exact, differentiable weighted model counting for a batch of examples."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Annotated, Literal, NamedTuple

import numpy as np
import torch
from torch import Tensor, nn
from torch.autograd import forward_ad

from moose.base.errors import ContradictoryEvidence, MooseError
from moose.circuit.circuit import Circuit
from moose.grounding.atoms import Atom
from moose.grounding.evidence import Evidence, read_evidence
from moose.layer import derivatives
from moose.layer import torch_executor as plain
from moose.layer.fused_executor import Fused
from moose.layer.inputs import family_columns, find_columns, read_inputs, read_mask
from moose.layer.level_executor import LevelRunner
from moose.layer.program import make_program
from moose.layer.weights import bernoulli_weights, categorical_weights, observed_weights

LogWeights = Annotated[Tensor, "float: batch × literal"]
EvidenceMask = Annotated[Tensor, "int8: batch × atom"]
Executor = Literal["auto", "fused", "torch"]
Scale = Literal["logits", "log_probabilities"]


class BatchWorlds(NamedTuple):
    """The most probable world of each example."""

    holds: Annotated[Tensor, "bool: batch × atom"]
    """Whether each atom of the circuit holds; nothing does where theory and evidence contradict each other."""
    log_probabilities: Tensor
    """log P(world | theory, evidence); -∞ where they contradict each other."""


PLAIN = (Tensor, nn.Parameter)
is_compiling, is_exporting = torch.compiler.is_compiling, torch.compiler.is_exporting


class WMCLayer(nn.Module):
    """Weighted model counting in a circuit: `layer(log_weights, evidence)` is log WMC of each example.

    `log_weights` has two columns for each atom of `circuit.atoms`: first log w(X) of all atoms, then log w(¬X) of all.
    They need not be normalised. `evidence` says for each example and atom +1 observed true, -1 observed false, 0 not
    observed; what is observed not to hold weighs 0. Literals that the clauses give are always observed.

    >>> from moose.grounding.clauses import clauses_from_lists
    >>> from moose.circuit.compile.compile_circuit import compile_circuit
    >>> rain, wet = Atom("Rain", ("a",)), Atom("Wet", ("a",))
    >>> layer = WMCLayer(compile_circuit(clauses_from_lists([rain, wet], [(-1, 2)])))
    >>> probabilities = torch.tensor([[0.5, 0.5]])
    >>> log_weights = torch.cat([probabilities.log(), (1 - probabilities).log()], dim=1)
    >>> layer(log_weights).exp().item()
    0.75
    >>> layer.posteriors(log_weights, layer.evidence([{"Wet(a)": True}])).tolist()
    [[0.5, 1.0]]
    """

    starts: Tensor
    primes: Tensor
    subs: Tensor
    root: Tensor
    given: Tensor

    def __init__(self, circuit: Circuit, *, executor: Executor = "auto") -> None:
        super().__init__()
        given: object = circuit
        if not isinstance(given, Circuit):
            raise MooseError(f"expected a circuit, but got {given!r}; make one with moose.compile_circuit")
        if executor not in ("auto", "fused", "torch"):
            raise MooseError(f"expected an executor among auto, fused, torch, but got {executor!r}")
        self.circuit = circuit
        self.executor: Executor = executor
        self.program = make_program(circuit)
        self.atom_count = self.program.diagram.atom_count
        self.literal_count = 2 * self.atom_count
        self.fused = Fused(self.program)
        self.levels = LevelRunner(self.program)
        self.columns = find_columns(circuit)
        diagram = self.program.diagram
        arrays = {"starts": diagram.starts, "primes": diagram.primes, "subs": diagram.subs, "given": self.program.given}
        for name, array in arrays.items():
            self.register_buffer(name, torch.from_numpy(array))
        self.register_buffer("root", torch.tensor(diagram.root))
        register: Callable[..., object] = self.register_load_state_dict_pre_hook  # which has no types
        register(_refuse_another_circuit)

    # ------------------------------------------------------------------------------------------------ inference

    def forward(self, log_weights: LogWeights, evidence: EvidenceMask | None = None) -> Tensor:
        """Return log WMC of each example; -∞, with derivative 0, where evidence and theory contradict each other."""
        log_weights, evidence = read_inputs(log_weights, evidence, self.literal_count, self.atom_count)
        runner = self._runner(log_weights)
        if runner is None:
            return plain.count(log_weights, evidence, *self._wired())
        if is_compiling():
            logs: Tensor = derivatives.count_operator(*_as_matrices(log_weights, evidence), runner.number)[0]
            return logs.reshape(log_weights.shape[:-1])
        if log_weights.ndim == 2:
            return derivatives.count(runner, log_weights, evidence)
        return derivatives.count(runner, *_as_matrices(log_weights, evidence)).reshape(log_weights.shape[:-1])

    def loss(self, log_weights: LogWeights, evidence: EvidenceMask | None = None) -> Tensor:
        """Return the mean of -log WMC over the batch (the paper's eq:loss)."""
        logs: Tensor = self(log_weights, evidence)
        return -logs.mean()

    def posteriors(self, log_weights: LogWeights, evidence: EvidenceMask | None = None) -> Tensor:
        """Return P(X | theory, evidence) of each example and atom (eq:posterior); 0 where they contradict each other.

        One pass up and down finds them all. They can be part of a loss: their derivatives are exact too.
        """
        return self.literal_posteriors(log_weights, evidence)[..., : self.atom_count]

    def literal_posteriors(self, log_weights: LogWeights, evidence: EvidenceMask | None = None) -> LogWeights:
        """Return P(X | theory, evidence) of all atoms, then P(¬X | theory, evidence); 1 - P(X) may be too coarse."""
        log_weights, evidence = read_inputs(log_weights, evidence, self.literal_count, self.atom_count)
        runner = self._runner(log_weights)
        if runner is None:
            return plain.marginals(log_weights, evidence, *self._wired())
        if is_compiling():
            literals: Tensor = derivatives.marginals_operator(*_as_matrices(log_weights, evidence), runner.number)
        else:
            literals = derivatives.marginals(runner, *_as_matrices(log_weights, evidence))
        return literals.reshape(log_weights.shape)

    def family_posteriors(self, log_weights: LogWeights, evidence: EvidenceMask | None = None) -> tuple[Tensor, ...]:
        """Return the posteriors of each declared family at each individual, as `circuit.clauses.families` has them."""
        posteriors = self.posteriors(log_weights, evidence)
        return tuple(posteriors[..., torch.from_numpy(members)] for members in self.columns.families)

    def most_probable(self, log_weights: LogWeights, evidence: EvidenceMask | None = None) -> BatchWorlds:
        """Return the most probable world of each example, which is consistent with theory and evidence.

        Of worlds that are as probable one is taken, always the same. It is found on the CPU, and has no derivative.
        """
        log_weights, evidence = read_inputs(log_weights.detach(), evidence, self.literal_count, self.atom_count)
        flat, seen = _as_matrices(log_weights, evidence)
        holds, logs = self.fused.heaviest(flat.cpu(), None if seen is None else seen.cpu())
        leading = log_weights.shape[:-1]
        logs = logs.to(log_weights.device).reshape(leading)
        shares = torch.where(logs.isneginf(), logs, logs - self.forward(log_weights, evidence))
        return BatchWorlds(holds.to(log_weights.device).reshape(*leading, self.atom_count), shares)

    def entails(self, evidence: Evidence | EvidenceMask | None, literal: str | Atom) -> bool | Tensor:
        """Return whether theory and evidence entail a literal such as "not Even(a)" (eq:entail); no network is asked.

        For evidence as a tensor the answer is one for each example. Evidence without a model entails everything.
        """
        mask = evidence if isinstance(evidence, Tensor) else self.evidence([evidence])
        weights = torch.zeros(1, self.literal_count, dtype=torch.float64, device=self.given.device)
        text = [str(literal)]
        try:
            for position, truth in self._positions(text).items():
                # Deny the literal by its weight: the evidence may say something of it already.
                weights[0, position if truth else self.atom_count + position] = -math.inf
            is_settled = not self._positions(text)
        except ContradictoryEvidence:
            is_settled = False  # the opposite is fixed, so that only evidence without a model entails the literal
        is_empty = self.forward(weights, mask).isneginf() | is_settled
        return is_empty if isinstance(evidence, Tensor) else bool(is_empty.item())

    def from_probabilities(
        self, probabilities: Annotated[Tensor, "float: batch × atom"], evidence: EvidenceMask | None = None
    ) -> Tensor:
        """Return log WMC for w(X) = p and w(¬X) = 1 - p, a column for each atom.

        The derivative is (WMC given X - WMC given ¬X) / WMC, exact where p is 0 or 1 too, where log p has none.
        """
        probabilities, evidence = read_inputs(probabilities, evidence, self.atom_count, self.atom_count)
        if is_compiling() or self._runner(probabilities) is not self.fused:
            return plain.count_probabilities(probabilities, evidence, *self._wired())
        if bool(((probabilities < 0) | (probabilities > 1)).any()):
            raise MooseError("expected probabilities between 0 and 1; for weights of any size call the layer itself")
        flat = _as_matrices(probabilities, evidence)
        return derivatives.count_probabilities(self.fused, *flat).reshape(probabilities.shape[:-1])

    # ------------------------------------------------------------------------------------- weights and evidence

    @property
    def latent_atoms(self) -> tuple[Atom, ...]:
        """The atoms that a network weighs, in the order of the columns that `literal_weights` takes."""
        return tuple(self.circuit.atoms[position] for position in self.columns.latent.tolist())

    def literal_weights(
        self,
        latent: Annotated[Tensor, "float: batch × latent atom"],
        evidence: EvidenceMask | None = None,
        *,
        scale: Scale = "logits",
        categorical: bool = False,
    ) -> LogWeights:
        """Return the paper's literal-weight map (its table 1) as log weights.

        A latent concept weighs what the network says, an observed atom 1 or 0, any other ½; w(¬X) = 1 - w(X).
        Evidence on a latent concept leaves its weight alone: the layer then counts the worlds where it holds.

        With `categorical`, each declared family of latent atoms is one variable with a softmax over its members:
        w(X) is the member's probability and w(¬X) is 1. WMC is then the probability of theory and evidence when one
        member of each family is drawn, provided that the theory says that exactly one member holds.
        """
        if scale not in ("logits", "log_probabilities"):
            raise MooseError(f"expected the scale logits or log_probabilities, but got {scale!r}")
        columns, device = self.columns, latent.device
        if latent.shape[-1:] != (len(columns.latent),):
            raise MooseError(
                f"expected a column for each of the {len(columns.latent)} latent atoms (layer.latent_atoms), "
                f"but the tensor has the shape {tuple(latent.shape)}"
            )
        if categorical:
            families, loose = family_columns(columns, self.circuit)
            members = [torch.from_numpy(family).to(device) for family in families]
            weights = categorical_weights(
                latent, members, torch.from_numpy(loose).to(device), is_logit=scale == "logits"
            )
        else:
            weights = bernoulli_weights(latent, is_logit=scale == "logits")
        observed = self.given.to(device)
        if evidence is not None:
            observed = observed + read_mask(evidence, self.atom_count, device)
        others = observed.index_select(-1, torch.from_numpy(columns.others).to(device))
        rest = observed_weights(others.expand(*latent.shape[:-1], len(columns.others)), latent)
        back = torch.from_numpy(columns.back).to(device)
        sides = [torch.cat([mine, other], -1).index_select(-1, back) for mine, other in zip(weights, rest)]
        return torch.cat(sides, -1)

    def evidence(self, evidence: Sequence[Evidence | None]) -> EvidenceMask:
        """Return the mask of a batch: for each example a mapping such as {"Even(a)": True}, or literals in words."""
        if isinstance(evidence, str | Mapping):
            raise MooseError(
                "expected a list with the evidence of each example; put brackets around that of a single one"
            )
        mask = np.zeros((len(evidence), self.atom_count), dtype=np.int8)
        for row, observed in enumerate(evidence):
            for position, truth in self._positions(observed).items():
                mask[row, position] = 1 if truth else -1
        return torch.from_numpy(mask).to(self.given.device)

    # -------------------------------------------------------------------------------------------------- inside

    def _positions(self, evidence: Evidence | None) -> dict[int, bool]:
        observed = read_evidence(self.circuit.clauses, evidence)
        auxiliary = [position for position in observed if self.columns.from_clauses[position] < 0]
        if auxiliary:
            atom = self.circuit.clauses.atoms[auxiliary[0]]
            raise MooseError(f"{atom} stands for a complex concept and is no atom of the circuit; observe a named one")
        return {int(self.columns.from_clauses[position]): truth for position, truth in observed.items()}

    def _runner(self, weights: Tensor) -> Fused | LevelRunner | None:
        """Return the executor of some weights; none where torch must see every operation.

        What torch.compile compiles has the executor as one operator; what torch.export writes down must do without.
        """
        is_plain = not (derivatives.is_transforming() or is_exporting())
        if not is_compiling():
            is_plain = is_plain and type(weights) in PLAIN and forward_ad._current_level < 0
        if self.executor == "fused" and not (is_plain and weights.is_cpu):
            raise MooseError(
                f"the fused executor needs plain tensors on the CPU, outside torch.export, vmap and the like, but got "
                f"{type(weights).__name__} on {weights.device}; choose executor='auto' or 'torch'"
            )
        if not is_plain:
            return None
        return self.levels if self.executor == "torch" or not weights.is_cpu else self.fused

    def _wired(self) -> tuple[Tensor, int, plain.TorchWiring]:
        _, root, wiring = self.levels.plain_arguments
        return self.given, root, wiring.to(self.given.device)


def _as_matrices(weights: Tensor, evidence: Tensor | None) -> tuple[Tensor, Tensor | None]:
    rows = weights.shape[:-1].numel()  # said outright: torch cannot tell it for a circuit without atoms
    flat = None if evidence is None else evidence.reshape(rows, evidence.shape[-1])
    return weights.reshape(rows, weights.shape[-1]), flat


def _refuse_another_circuit(layer: nn.Module, state: Mapping[str, Tensor], prefix: str, *_: object) -> None:
    for name in ("starts", "primes", "subs", "root", "given"):
        loaded, own = state.get(prefix + name), getattr(layer, name)
        if loaded is not None and not torch.equal(loaded.cpu(), own.cpu()):
            raise MooseError(
                f"the state was saved from another circuit: its {name!r} differ; compile that one's clauses"
            )
