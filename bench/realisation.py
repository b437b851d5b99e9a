"""Realise 50,000 individuals with 1,000,000 role assertions by ELK and by Moose, and compare CPU, memory and answers.

    python -m bench.realisation [--individuals 50000] [--json OUT]

The ontology is drawn, always the same: 1,000 classes, each below one or two that were drawn before it; twenty roles;
200 axioms ∃r.C ⊑ D; a chain, a sub-role, a domain and a range; each individual in one class and with twenty role
assertions. ELK 0.6.0 does not apply ranges to named individuals, so what the range says of them is asserted, too.

End to end: a fresh process from its start to all types of all individuals written as TSV. Both read the same
functional-syntax file; that they write the same lines is checked.
"""

from __future__ import annotations

import argparse
import random
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path

from bench.classify import our_command, versions
from bench.measure import Usage, describe_machine, run_measured, write_json
from bench.peers import PeersAbsentError, find_peers
from moose.base.errors import MooseError

RESULTS = Path(__file__).with_name("results") / "realisation.json"
CLASSES, ROLES, EXISTENTIALS, ASSERTIONS_EACH = 1_000, 20, 200, 20
SECOND_PARENT = 0.2
"""How often a class has two superclasses; with this, individuals have some sixty types each."""
TARGET = 1 / 4


def axioms(individuals: int, seed: int) -> Iterator[str]:
    """Draw the ontology, an axiom a line."""
    draw = random.Random(seed)  # noqa: S311 - an experiment, not a secret
    for number in range(1, CLASSES):
        parents = {draw.randrange(number) for _ in range(2 if draw.random() < SECOND_PARENT else 1)}
        yield from (f"SubClassOf(:C{number} :C{parent})" for parent in sorted(parents))
    for _ in range(EXISTENTIALS):
        role, filler, above = draw.randrange(ROLES), draw.randrange(CLASSES), draw.randrange(CLASSES)
        yield f"SubClassOf(ObjectSomeValuesFrom(:r{role} :C{filler}) :C{above})"
    yield "SubObjectPropertyOf(ObjectPropertyChain(:r0 :r1) :r2)"
    yield "SubObjectPropertyOf(:r3 :r4)"
    yield f"ObjectPropertyDomain(:r5 :C{draw.randrange(CLASSES)})"
    in_range = draw.randrange(CLASSES)
    yield f"ObjectPropertyRange(:r6 :C{in_range})"
    targets = set()
    for number in range(individuals):
        yield f"ClassAssertion(:C{draw.randrange(CLASSES)} :i{number})"
        for _ in range(ASSERTIONS_EACH):
            role, target = draw.randrange(ROLES), draw.randrange(individuals)
            yield f"ObjectPropertyAssertion(:r{role} :i{number} :i{target})"
            if role == 6:
                targets.add(target)
    yield from (f"ClassAssertion(:C{in_range} :i{target})" for target in sorted(targets))


def write_ontology(file: Path, individuals: int, *, seed: int = 0) -> None:
    """Write the drawn ontology in functional syntax, with declarations."""
    names = [
        *(f"Declaration(Class(:C{number}))" for number in range(CLASSES)),
        *(f"Declaration(ObjectProperty(:r{number}))" for number in range(ROLES)),
    ]
    with file.open("w", encoding="utf-8") as stream:
        stream.write("Prefix(:=<http://example.org/drawn#>)\nOntology(<http://example.org/drawn>\n")
        stream.writelines(f"{line}\n" for line in (*names, *axioms(individuals, seed)))
        stream.write(")\n")


def run(options: argparse.Namespace) -> dict[str, object]:
    """Draw, realise with both, compare and write the result."""
    peers = find_peers()
    about: dict[str, object] = {"machine": describe_machine(), "versions": versions(peers)}
    with tempfile.TemporaryDirectory() as scratch:
        file = Path(scratch) / "drawn.ofn"
        write_ontology(file, options.individuals)
        outputs = {side: Path(scratch) / f"{side}.tsv" for side in ("elk", "moose")}
        commands = {
            "elk": peers.command("ElkRealisation", file, outputs["elk"]),
            "moose": [*our_command(), "realise", str(file), "-o", str(outputs["moose"])],
        }
        small = Path(scratch) / "small.ofn"
        write_ontology(small, 500)
        run_measured([*our_command(), "realise", str(small), "-o", str(outputs["moose"])])  # fills numba's cache
        usages: dict[str, Usage] = {side: run_measured(command)[0] for side, command in commands.items()}
        types = {side: set(output.read_text(encoding="utf-8").splitlines()) for side, output in outputs.items()}
    return {
        **about,
        "individuals": options.individuals,
        "role_assertions": options.individuals * ASSERTIONS_EACH,
        "types": len(types["moose"]),
        "has_equal_types": types["elk"] == types["moose"],
        "sides": {side: asdict(usage) for side, usage in usages.items()},
        "cpu_ratio": usages["moose"].cpu / usages["elk"].cpu,
        "target": TARGET,
    }


def main() -> None:
    """Read the options, measure and print."""
    parser = argparse.ArgumentParser(prog="python -m bench.realisation", description="Realisation beside ELK.")
    parser.add_argument("--individuals", type=int, default=50_000)
    parser.add_argument("--json", type=Path, default=RESULTS)
    options = parser.parse_args()
    try:
        result = run(options)
    except (MooseError, PeersAbsentError) as problem:
        sys.exit(str(problem))
    write_json(options.json, result)
    for side, usage in result["sides"].items():  # type: ignore[attr-defined]  # a table by side
        print(f"{side}: {usage['cpu']:.1f} CPU s, {usage['wall']:.1f} s, {usage['peak_mb']:.0f} MB")
    same = "the same" if result["has_equal_types"] else "NOT the same"
    print(f"{result['types']:,} types, {same}; ours / ELK {result['cpu_ratio']:.3f}, at most {TARGET}")


if __name__ == "__main__":
    main()
