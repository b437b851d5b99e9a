"""The latent atoms of a task as variables: one for each family that the theory closes, one for each other atom."""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor

from moose.learning.binding import latent_columns
from moose.learning.heads import Sides, WeightMap

LONGEST_KEY = 53
"""How many bits a number can tell apart exactly in float64, the fastest type for products of matrices."""


@dataclass(frozen=True, eq=False)
class LatentVariables:
    """Which atoms are one variable together.

    A vector of values, some of them masked, is said by its atoms (`known`): int8, row × individual × latent concept, +1
    where the value makes an atom true, -1 where false, 0 where its variable is masked. That is evidence to a circuit.
    Variables are numbered from individual to individual, so that there are individuals · each_has of them.
    """

    weight_map: WeightMap
    individuals: int
    concepts: int
    """How many are latent."""
    variable_of: Tensor
    """int64, individual · latent concept: the variable that an atom belongs to."""
    is_family: Tensor
    """bool, variable: whether its values are the members of a family, rather than true and false."""
    circuit_columns: Tensor
    """int64, individual · latent concept: the atom of the circuit."""

    @property
    def count(self) -> int:
        """How many variables an example has, all individuals together."""
        return len(self.is_family)

    # ---------------------------------------------------------------------------------------- values and masks

    def masked(self, known: Tensor, is_masked: Tensor) -> Tensor:
        """Mask some variables (bool, row × variable) of vectors of values."""
        hidden = is_masked.index_select(1, self.variable_of).view_as(known)
        return known.masked_fill(hidden, 0)

    def free(self, rows: int) -> Tensor:
        """Return vectors in which all is masked."""
        return torch.zeros(rows, self.individuals, self.concepts, dtype=torch.int8)

    def settled(self, sides: Sides, known: Tensor) -> Sides:
        """Give what is known the weight 1: a variable that is not masked is a point mass, which `evidence` places."""
        is_known = known != 0
        return Sides(sides.positive.masked_fill(is_known, 0.0), sides.negative.masked_fill(is_known, 0.0))

    def evidence(self, mask: Tensor, known: Tensor) -> Tensor:
        """Add what is known to the evidence of a circuit."""
        flat = known.flatten(1)
        both = mask.clone()
        both[:, self.circuit_columns] = torch.where(flat != 0, flat, mask.index_select(1, self.circuit_columns))
        return both

    def log_probability(self, sides: Sides, values: Tensor) -> Tensor:
        """Return log p of each atom's share in values; sums over atoms are sums over variables."""
        zero = sides.positive.new_zeros(())
        return torch.where(values > 0, sides.positive, zero) + torch.where(values < 0, sides.negative, zero)

    def are_consistent(self, values: Tensor, mask: Tensor) -> Tensor:
        """Return which vectors of values, row × vector × individual × concept, theory and evidence allow: row × vector.

        Atoms that are neither latent nor observed are free: it is enough that some of their values fit.
        """
        count = values.shape[1]
        flat = values.flatten(2).flatten(0, 1)
        evidences, which = mask.unique(dim=0, return_inverse=True)
        which = which.repeat_interleave(count)
        if flat.shape[1] + len(evidences).bit_length() > LONGEST_KEY:
            return self._are_consistent(flat, evidences[which]).view(values.shape[:2])
        # Most draws occur many times; each is counted once.
        bits = (flat > 0).to(torch.float64) @ (2.0 ** torch.arange(flat.shape[1], dtype=torch.float64))
        keys, key_of = (bits + which * 2.0 ** flat.shape[1]).unique(return_inverse=True)
        example = torch.empty(len(keys), dtype=torch.int64).scatter_(0, key_of, torch.arange(len(flat)))
        return self._are_consistent(flat[example], evidences[which[example]])[key_of].view(values.shape[:2])

    def _are_consistent(self, values: Tensor, mask: Tensor) -> Tensor:
        layer = self.weight_map.binding.layer
        evidence = self.evidence(mask, values)
        logs: Tensor = layer(torch.zeros(1, layer.literal_count), evidence)
        return ~logs.isneginf()

    # ------------------------------------------------------------------------------------------------- drawing

    def draw_one(self, probabilities: Tensor, variable: Tensor, uniform: Tensor) -> Tensor:
        """Draw the value of one variable in each row from the probabilities of its atoms, row × atom.

        Returns int8, row × atom, 0 for the atoms of all others. Values are found where their running sum passes a
        uniform number; one that cannot be has no width there, and is never drawn.
        """
        is_chosen = self.variable_of == variable.unsqueeze(1)
        widths = torch.where(is_chosen, probabilities, torch.zeros_like(probabilities))
        upper = widths.cumsum(1)
        whole = torch.where(self.is_family[variable], upper[:, -1], torch.ones_like(uniform))
        mark = (uniform * whole).unsqueeze(1)
        is_true = is_chosen & (mark < upper) & (upper - widths <= mark) & (widths > 0)
        return is_true.to(torch.int8) * 2 - is_chosen.to(torch.int8)

    def draw_all(self, sides: Sides, count: int, generator: torch.Generator) -> Tensor:
        """Draw `count` vectors for each row, all variables independently: int8, row × count × individual × concept."""
        probabilities = sides.positive.detach().exp()
        rows = len(probabilities)
        values = torch.full((rows, self.individuals, self.concepts, count), -1, dtype=torch.int8)
        loose = self._loose()
        if loose:
            noise = torch.rand(rows, self.individuals, len(loose), count, generator=generator)
            values[:, :, loose] = torch.where(noise < probabilities[..., loose].unsqueeze(-1), 1, -1).to(torch.int8)
        for family in self._families():
            upper = probabilities[..., family].cumsum(-1)
            marks = upper[..., -1:] * torch.rand(rows, self.individuals, count, generator=generator)
            member = torch.searchsorted(upper, marks, right=True).clamp_max(len(family) - 1)
            members = torch.tensor(family)[member].unsqueeze(2)
            values.scatter_(2, members, 1)
        return values.permute(0, 3, 1, 2)

    def _loose(self) -> list[int]:
        members = {concept for family in self._families() for concept in family}
        return [concept for concept in range(self.concepts) if concept not in members]

    def _families(self) -> tuple[list[int], ...]:
        head = self.weight_map.head
        return tuple(list(family) for family in head.families) if head.is_closed else ()


def find_variables(weight_map: WeightMap) -> LatentVariables:
    """Find the variables of a task."""
    task, head = weight_map.binding.task, weight_map.head
    latent, individuals = latent_columns(task), len(task.individuals)
    families = head.families if head.is_closed else ()
    groups = [*families, *((concept,) for concept in range(len(latent)) if not any(concept in one for one in families))]
    variable = [
        next(position for position, group in enumerate(groups) if concept in group) for concept in range(len(latent))
    ]
    offsets = torch.arange(individuals).unsqueeze(1) * len(groups)
    columns = torch.from_numpy(weight_map.binding.circuit_columns).view(individuals, -1)[:, list(latent)]
    return LatentVariables(
        weight_map=weight_map,
        individuals=individuals,
        concepts=len(latent),
        variable_of=(torch.tensor(variable, dtype=torch.int64) + offsets).flatten(),
        is_family=torch.tensor([position < len(families) for position in range(len(groups))] * individuals),
        circuit_columns=columns.flatten(),
    )
