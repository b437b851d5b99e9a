"""How far the surrogate of A-NeSI is from the exact circuit: `python -m bench.surrogate [--steps 4000] [--json OUT]`.

Chains of one to five digits, each of which follows the one before: circuits of growing size. A surrogate is taught by
worlds that the circuit draws, under beliefs from the prior, as the method does. Then it is asked about beliefs and
evidence that it has not seen, half of whose literals are observed, and its posteriors and log P(e | T) are held against
the circuit's. The mean of the exact posteriors themselves is what a constant guess would err by.

Then the same where a circuit would be too wide: bounds are given so few rows that they do not meet, worlds are drawn
from the lower one, and the surrogate is held against the exact circuit, which is at hand after all.
"""

from __future__ import annotations

import argparse
import time
from dataclasses import asdict, dataclass
from itertools import pairwise
from pathlib import Path

import torch
from rich.console import Console
from torch import Tensor

from bench.measure import describe_machine, write_json
from moose.circuit.bounds.compile_bounds import compile_bounds
from moose.circuit.limits import Limits
from moose.grounding.ground import ground
from moose.grounding.task.regimes import regime
from moose.grounding.task.task import Task
from moose.learning.binding import Binding, bind, bind_circuit, latent_columns
from moose.learning.heads import WeightMap, make_head
from moose.methods.anesi.anesi import Anesi
from moose.methods.anesi.exact_worlds import draw_logits, draw_worlds
from moose.methods.anesi.surrogate import Surrogate, log_evidence, log_truths, mean_error, observed_like, prefixes
from moose.methods.base.latent_variables import LatentVariables, find_variables

ROOT = Path(__file__).parent.parent
LENGTHS = (1, 2, 3, 4, 5)
BOUNDED = ((3, 10), (5, 400))
"""How many digits, and how many rows their bounds may have."""
ASKED = 500
OBSERVED = 0.5
RATE = 1e-3


@dataclass(frozen=True, slots=True)
class Row:
    """One circuit: its size, and how far the surrogate is from it."""

    digits: int
    elements: int
    """Of the circuit."""
    posterior_error: float
    """Mean of |q - P| over latent atoms."""
    largest_error: float
    constant_error: float
    """What the mean posterior of each atom would err by."""
    log_error: float
    """Mean of |log q(e) - log P(e | T)|."""
    log_bias: float
    teaching_seconds: float
    surrogate_milliseconds: float
    circuit_milliseconds: float
    missed: float
    """Which share of the worlds, by weight, is never drawn: the mean over beliefs."""


def chain(length: int) -> Task:
    """Digits each of which follows the one before."""
    base = regime("mnist2")
    names = [f"i{place}" for place in range(length)]
    roles = {"succ": list(pairwise(names))}
    return Task(base.ontology, names, base.observed, base.latent, families=base.families, roles=roles)


class Drawing:
    """Draws beliefs, worlds and evidence of one task."""

    def __init__(self, task: Task, binding: Binding, options: Anesi, seed: int) -> None:
        self.task, self.options = task, options
        self.weight_map = WeightMap(binding, make_head("softmax", binding))
        self.variables: LatentVariables = find_variables(self.weight_map)
        self.generator = torch.Generator().manual_seed(seed)

    def draw(self, rows: int) -> tuple[Tensor, Tensor, Tensor]:
        """Return beliefs as logits, what holds in a world, and what is observed of it."""
        logits = draw_logits(self.variables, rows, self.options.concentration, self.generator)
        world = draw_worlds(self.variables, self.log_weights(logits), self.generator)
        facts = self.weight_map.binding.by_concept(world.float()).to(torch.int8)
        is_latent = torch.tensor([concept.is_latent for concept in self.task.concepts])
        pattern = (torch.rand(facts.shape, generator=self.generator) < OBSERVED) & ~is_latent
        return logits, facts, observed_like(pattern, facts)

    def log_weights(self, logits: Tensor) -> Tensor:
        """Return the weights of the circuit's literals, in double precision."""
        free = torch.zeros(len(logits), self.weight_map.binding.layer.atom_count, dtype=torch.int8)
        return self.weight_map.log_weights(self.weight_map.head.sides(logits.double()), free)

    def beliefs(self, logits: Tensor) -> Tensor:
        """Return what the surrogate sees."""
        return self.weight_map.head.sides(logits).positive.exp()


def teach(drawing: Drawing, surrogate: Surrogate, links: Tensor, steps: int) -> None:
    """Train a surrogate."""
    optimiser = torch.optim.Adam(surrogate.parameters(), lr=RATE)
    for _ in range(steps):
        logits, facts, evidence = drawing.draw(drawing.options.draws)
        known = prefixes(evidence, torch.rand(len(facts), generator=drawing.generator))
        answers = surrogate(drawing.beliefs(logits), known, links)
        optimiser.zero_grad()
        mean_error(drawing.weight_map.head, answers, facts, known).backward()
        optimiser.step()


def lower_bound(task: Task, size: int) -> Binding:
    """Return the worlds that bounds with few rows are sure of."""
    return bind_circuit(task, compile_bounds(ground(task), limits=Limits(size=size)).lower)


def compare(length: int, steps: int, seed: int, *, size: int | None = None) -> Row:
    """Teach a surrogate by the circuit, or by its lower bound of a size, and hold it against the circuit."""
    task, options = chain(length), Anesi()
    drawing = Drawing(task, bind(task), options, seed)
    taught = drawing if size is None else Drawing(task, lower_bound(task, size), options, seed)
    latent = list(latent_columns(task))
    surrogate = Surrogate(task, len(latent), width=options.width, rounds=options.rounds, seed=seed)
    links, head = surrogate.links(task), drawing.weight_map.head
    start = time.process_time()
    teach(taught, surrogate, links, steps)
    teaching = time.process_time() - start
    logits, _, evidence = drawing.draw(ASKED)
    layer = drawing.weight_map.binding.layer
    weights, mask = drawing.log_weights(logits), drawing.weight_map.binding.evidence_mask(evidence)
    start = time.process_time()
    exact = drawing.weight_map.binding.by_concept(layer.posteriors(weights, mask))[..., latent]
    by_circuit = time.process_time() - start
    log_exact = layer(weights, mask) - layer(weights)
    log_drawn = taught.weight_map.binding.layer(taught.log_weights(logits)) - layer(weights)
    with torch.no_grad():
        beliefs = drawing.beliefs(logits)
        start = time.process_time()
        found = log_truths(head, surrogate(beliefs, evidence, links)).holds.exp()[..., latent]
        by_surrogate = time.process_time() - start
        log_found = log_evidence(surrogate, head, beliefs, evidence, links)
    errors, differences = (found - exact).abs(), log_found - log_exact
    return Row(
        digits=length,
        elements=len(layer.program.diagram.primes),
        posterior_error=float(errors.mean()),
        largest_error=float(errors.max()),
        constant_error=float((exact - exact.mean(0)).abs().mean()),
        log_error=float(differences.abs().mean()),
        log_bias=float(differences.mean()),
        teaching_seconds=teaching,
        surrogate_milliseconds=1000 * by_surrogate / ASKED,
        circuit_milliseconds=1000 * by_circuit / ASKED,
        missed=float((1 - log_drawn.clamp_max(0.0).exp()).mean()),
    )


def main() -> None:
    """Measure, print and write."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--steps", type=int, default=4000, help="of teaching")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--json", type=Path, default=ROOT / "bench" / "results" / "surrogate.json")
    options = parser.parse_args()
    torch.set_num_threads(1)
    rows = []
    for length, size in (*((length, None) for length in LENGTHS), *BOUNDED):
        rows.append(compare(length, options.steps, options.seed, size=size))
        Console().print(rows[-1])
    settings = {"steps": options.steps, "seed": options.seed, "asked": ASKED, "observed": OBSERVED, "rate": RATE}
    write_json(
        options.json,
        {"machine": describe_machine(), "settings": settings | asdict(Anesi()), "rows": [asdict(row) for row in rows]},
    )


if __name__ == "__main__":
    main()
