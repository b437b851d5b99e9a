"""Refined truth values beside the exact posterior and the most probable world: `python -m bench.refinement`.

Beliefs are drawn from a prior, a world exactly from the circuit, and half of its observed literals are the evidence, as
in `bench.surrogate`. Iterative local refinement then starts from the beliefs. What is counted: how often all clauses
hold afterwards (each has a literal above ½), how often the latent atoms above ½ are those of the most probable world,
how far refined values are from posteriors, and how long both take.
"""

from __future__ import annotations

import argparse
import time
from dataclasses import asdict, dataclass
from pathlib import Path

import torch
from rich.console import Console

from bench.measure import describe_machine, write_json
from bench.surrogate import Drawing
from moose.grounding.task.regimes import regime
from moose.learning.binding import bind, latent_columns
from moose.methods.anesi.anesi import Anesi
from moose.methods.ilr.ilr import circuit_clauses, first_truths
from moose.methods.ilr.refinement import LOGICS, Logic, Refinement, refine, satisfied

ROOT = Path(__file__).parent.parent
REGIMES = ("mnist1", "mnist2", "mnist3", "pizzaA", "pizzaC")
ASKED = 500
STEPS = 50
SHARES: dict[Logic, float] = {"godel": 1.0, "product": 0.5, "lukasiewicz": 0.1}


@dataclass(frozen=True, slots=True)
class Row:
    """One logic on one theory."""

    regime: str
    logic: str
    holding: float
    """The share of rows in which all clauses hold."""
    most_probable: float
    """The share in which the refined latent atoms are those of the most probable world."""
    distance: float
    """Mean of |refined value - posterior| over latent atoms."""
    own_distance: float
    """The same for the beliefs before refinement."""
    refinement_milliseconds: float
    circuit_milliseconds: float


def compare(name: str, logic: Logic, seed: int) -> Row:
    """Refine beliefs of one theory in one logic."""
    task = regime(name)
    drawing = Drawing(task, bind(task), Anesi(), seed)
    weight_map = drawing.weight_map
    binding, layer = weight_map.binding, weight_map.binding.layer
    latent = list(latent_columns(task))
    logits, _, evidence = drawing.draw(ASKED)
    weights, mask = drawing.log_weights(logits), binding.evidence_mask(evidence)
    start = time.process_time()
    posteriors = binding.by_concept(layer.posteriors(weights, mask))[..., latent]
    by_circuit = time.process_time() - start
    best = binding.by_concept(layer.most_probable(weights, mask).holds.double())[..., latent] > 0.5
    table = circuit_clauses(binding)
    own = weight_map.head.sides(logits.double()).positive.exp()
    truths, held = first_truths(weight_map, table, own, mask)
    start = time.process_time()
    after = refine(truths, held, table, Refinement(logic, STEPS, SHARES[logic]))
    by_refinement = time.process_time() - start
    refined = binding.by_concept(after[:, : layer.atom_count])[..., latent]
    return Row(
        name,
        logic,
        float((satisfied(after, table) == 1).double().mean()),
        float(((refined > 0.5) == best).flatten(1).all(1).double().mean()),
        float((refined - posteriors).abs().mean()),
        float((own - posteriors).abs().mean()),
        1000 * by_refinement / ASKED,
        1000 * by_circuit / ASKED,
    )


def main() -> None:
    """Measure, print and write."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--json", type=Path, default=ROOT / "bench" / "results" / "refinement.json")
    options = parser.parse_args()
    torch.set_num_threads(1)
    rows = []
    for name in REGIMES:
        for logic in LOGICS:
            rows.append(compare(name, logic, options.seed))
            Console().print(rows[-1])
    settings = {"asked": ASKED, "steps": STEPS, "shares": SHARES, "seed": options.seed}
    write_json(
        options.json, {"machine": describe_machine(), "settings": settings, "rows": [asdict(row) for row in rows]}
    )


if __name__ == "__main__":
    main()
