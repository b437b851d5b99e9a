"""Learn the probabilities of one network of causes from the same cases, by Moose and by ProbLog's LFI, and compare.

    python -m bench.learning_probabilities [--causes 3] [--effects 4] [--cases 200] [--rounds 20] [--json OUT]

Causes hold of an individual with a probability, each cause implies some effects with a probability; what is seen of a
case leaves some out. Both sides begin with the same numbers and make the same number of rounds of expectation
maximisation, in this process, from cases in memory to the numbers. Both count processor time.
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from importlib import metadata
from math import log
from pathlib import Path

from rich.console import Console

import moose
from bench.measure import describe_machine, write_json
from moose.base.errors import MooseError
from moose.owl.model import axioms as ax
from moose.owl.model.expressions import Class, NamedIndividual
from moose.owl.ontology import Ontology, ontology_from_axioms
from moose.queries.estimate.cases import ObservedCase
from moose.queries.estimate.learn import LearningOptions, learn_probabilities
from moose.queries.probabilities.probabilities import Probabilities

ROOT = Path(__file__).parent.parent
WHO = NamedIndividual("urn:who")
SHARE_SEEN = 0.7
START = 0.5
AGREEMENT = 1e-6
"""Of log-likelihoods, for each case."""


@dataclass(frozen=True)
class Network:
    """Which cause implies which effect, and how likely everything is."""

    causes: dict[str, float]
    links: dict[tuple[str, str], float]

    @property
    def effects(self) -> list[str]:
        """The effects, sorted."""
        return sorted({effect for _, effect in self.links})

    def ontology(self) -> Ontology:
        """Return the network as axioms."""
        held = [ax.ClassAssertion(Class(f"urn:{one}"), WHO) for one in self.causes]
        return ontology_from_axioms(
            [*held, *(ax.SubClassOf(Class(f"urn:{low}"), Class(f"urn:{high}")) for low, high in self.links)]
        )

    def program(self) -> str:
        """Return the network for ProbLog, every probability to be learnt."""
        lines = [f"t({START})::{one}." for one in self.causes]
        for low, high in self.links:
            lines += [f"t({START})::l_{low}_{high}.", f"{high} :- {low}, l_{low}_{high}."]
        return "\n".join(lines)

    def draw(self, count: int, source: random.Random) -> list[dict[str, bool]]:
        """Draw worlds, and see some of each."""
        cases = []
        for _ in range(count):
            world = {one: source.random() < chance for one, chance in self.causes.items()}
            for (low, high), chance in self.links.items():
                follows = source.random() < chance and world[low]
                world[high] = world.get(high, False) or follows
            cases.append({name: truth for name, truth in world.items() if source.random() < SHARE_SEEN})
        return cases


def make_network(causes: int, effects: int, source: random.Random) -> Network:
    """Draw a network in which every effect has two causes."""
    names = [f"c{one}" for one in range(causes)]
    links = {
        (low, f"e{effect}"): source.uniform(0.2, 0.9) for effect in range(effects) for low in source.sample(names, 2)
    }
    return Network({one: source.uniform(0.2, 0.8) for one in names}, links)


def learn_ours(
    network: Network, cases: Sequence[dict[str, bool]], rounds: int
) -> tuple[float, dict[str, float], float]:
    """Learn by Moose; return the log-likelihood, the probabilities and the seconds."""
    ontology = network.ontology()
    start = Probabilities(ontology, dict.fromkeys(range(len(ontology.axioms)), Fraction(1, 2)))
    begin = time.process_time()
    seen = [
        ObservedCase({f"ClassAssertion(urn:{name} urn:who)": truth for name, truth in one.items()}) for one in cases
    ]
    found = learn_probabilities(
        ontology, seen, probabilities=start, learning=LearningOptions(steps=rounds, tolerance=0.0)
    )
    seconds = time.process_time() - begin
    names = [*network.causes, *(f"l_{low}_{high}" for low, high in network.links)]
    values = {name: float(found.probabilities[place]) for place, name in enumerate(names)}
    return found.log_likelihood, values, seconds


def learn_problog(network: Network, cases: Sequence[dict[str, bool]], rounds: int) -> tuple[dict[str, float], float]:
    """Learn by ProbLog; return the probabilities and the seconds."""
    from problog.learning.lfi import run_lfi
    from problog.logic import Term
    from problog.program import PrologString

    program = PrologString(network.program())
    examples = [[(Term(name), truth) for name, truth in one.items()] for one in cases]
    begin = time.process_time()
    _, weights, names, _, _ = run_lfi(program, examples, max_iter=rounds, min_improv=0.0)
    seconds = time.process_time() - begin
    return {str(name.with_probability()): float(weight) for name, weight in zip(names, weights, strict=True)}, seconds


def likelihood_of(network: Network, cases: Sequence[dict[str, bool]], values: dict[str, float]) -> float:
    """Weigh cases by going through all worlds: a count that neither side made."""
    names = [*network.causes, *(f"l_{low}_{high}" for low, high in network.links)]
    total = dict.fromkeys((tuple(sorted(one.items())) for one in cases), 0.0)
    for choice in range(1 << len(names)):
        held = {name: bool(choice >> bit & 1) for bit, name in enumerate(names)}
        weight = 1.0
        for name, holds in held.items():
            weight *= values[name] if holds else 1 - values[name]
        world = {one: held[one] for one in network.causes}
        for low, high in network.links:
            world[high] = world.get(high, False) or (held[low] and held[f"l_{low}_{high}"])
        for seen in total:
            if all(world[name] == truth for name, truth in seen):
                total[seen] += weight
    return sum(log(total[tuple(sorted(one.items()))]) for one in cases)


def run(options: argparse.Namespace, console: Console) -> None:
    """Learn on both sides, compare, print and write."""
    source = random.Random(options.seed)  # noqa: S311 - nothing is secret here
    network = make_network(options.causes, options.effects, source)
    cases = network.draw(options.cases, source)
    log_likelihood, ours, seconds = learn_ours(network, cases, options.rounds)
    theirs, their_seconds = learn_problog(network, cases, options.rounds)
    by_worlds = {"moose": likelihood_of(network, cases, ours), "problog": likelihood_of(network, cases, theirs)}
    content = {
        "machine": describe_machine(),
        "versions": {"problog": metadata.version("problog"), "moose": moose.__version__},
        "settings": {key: value for key, value in vars(options).items() if key != "json"},
        "parameters": len(ours),
        "log_likelihood": log_likelihood,
        "log_likelihood_by_worlds": by_worlds,
        "largest_difference": max(abs(ours[name] - theirs[name]) for name in ours),
        "are_equal": abs(by_worlds["moose"] - by_worlds["problog"]) <= AGREEMENT * len(cases),
        "cpu_seconds": {"moose": seconds, "problog": their_seconds},
        "times_faster": their_seconds / seconds,
    }
    console.print(content)
    write_json(options.json, content)


def main() -> None:
    """Read the options and measure."""
    parser = argparse.ArgumentParser(prog="python -m bench.learning_probabilities", description="Moose beside LFI.")
    parser.add_argument("--causes", type=int, default=3)
    parser.add_argument("--effects", type=int, default=4)
    parser.add_argument("--cases", type=int, default=200)
    parser.add_argument("--rounds", type=int, default=20)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--json", type=Path, default=ROOT / "bench" / "results" / "learning_probabilities.json")
    try:
        run(parser.parse_args(), Console())
    except (MooseError, OSError) as problem:
        sys.exit(str(problem))


if __name__ == "__main__":
    main()
