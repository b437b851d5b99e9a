"""Ask Moose and HermiT what follows about three named individuals from random ontologies, inside and outside EL.

    python -m bench.closed_domain [--count 1000] [--seed 17000] [--reading closed] [--keep] [--show 3]

Moose grounds the ontology and compiles a circuit. In the reading `closed` (the component `closed_domain`) HermiT gets
the ontology with a domain closure axiom ({a, b, c} ≡ ⊤) and all different. Compared are whether there is a model, and
for every atom over what the task declares, and its negation, whether it follows. HermiT is asked by consistency alone:
whether the ontology with some literals has a model. A model of the circuit, given to it whole, answers for all of its
literals at once; each literal that is in no model of the circuit is asked for by itself.

In the reading `open`, the default of tasks, HermiT gets the ontology and all different. What follows for Moose must
follow for HermiT; of the literals that Moose leaves open some are asked for too, and it is counted how many HermiT has.

With `--keep` the counts are written to bench/results/closed_domain.json. An ontology that HermiT refuses, or whose
circuit takes too long, is counted apart and another is drawn. The status is 1 where something is wrong.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import time
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import product
from pathlib import Path

from bench.closed_draw import NAMESPACE, Draw
from moose.base.errors import LimitReached, MooseError
from moose.circuit.circuit import Circuit
from moose.circuit.compile.compile_circuit import compile_circuit
from moose.circuit.limits import Limits
from moose.grounding.atoms import Atom
from moose.grounding.ground import ground
from moose.grounding.task.components import Components
from moose.grounding.task.task import Task
from moose.hermit.hermit import Hermit, HermitRefused
from moose.hermit.java import HermitAbsent
from moose.owl.model import axioms as ax
from moose.owl.model import expressions as owl
from moose.owl.ontology import ontology_from_axioms
from moose.owl.syntax.functional.write_functional import render

RESULTS = Path(__file__).with_name("results") / "closed_domain.json"
WITHOUT_LINKS = Components(links=False, reverse_links=False)
READINGS = {"closed": replace(WITHOUT_LINKS, closed_domain=True), "open": WITHOUT_LINKS}
"""Tasks without families, so that nothing but the links is assumed beside."""
ASKED = 5
"""How many of the literals that Moose leaves open HermiT is asked for, in an open domain."""
SECONDS = 120
"""How long a circuit may take to compile; with up to 27 free role atoms among three individuals some take longer."""
Literals = dict[Atom, bool]
LIKELY = {(False, False): 0.5, (True, True): 0.5, (True, False): 0.9, (False, True): 0.1}
"""How likely an atom is made, to see it false and true: by whether it was so before."""


def task_of(draw: Draw, axioms: Sequence[ax.Axiom]) -> Task:
    """Declare some of the names; what is left out must be found through."""
    concepts = draw.some(draw.classes, draw.number(2, len(draw.classes)))
    roles = draw.some(draw.roles, draw.number(1, len(draw.roles)))
    ontology = ontology_from_axioms(axioms, declarations=(*draw.classes, *draw.roles, *draw.individuals))
    people = [one.iri.removeprefix(NAMESPACE) for one in draw.individuals]
    names = [*(one.iri for one in concepts), *(one.iri for one in roles)]
    return Task(ontology, people, [name.removeprefix(NAMESPACE) for name in names], [])


def atoms_of(task: Task) -> list[Atom]:
    """Return the atoms of what a task declares."""
    atoms = [Atom(concept.name, (x,)) for concept in task.concepts for x in task.individuals]
    return atoms + [
        Atom(role.name, pair) for role in task.role_predicates for pair in product(task.individuals, repeat=2)
    ]


def domain_axioms(draw: Draw, reading: str) -> list[ax.Axiom]:
    """Say that the individuals are different, and in the closed reading all there are."""
    individuals = tuple(draw.individuals)
    different = ax.DifferentIndividuals(individuals)
    everybody = ax.EquivalentClasses((owl.THING, owl.ObjectOneOf(individuals)))
    return [different, everybody] if reading == "closed" else [different]


def asserted(literals: Literals) -> Iterable[ax.Axiom]:
    """Yield literals as axioms."""
    for atom, truth in literals.items():
        who = [owl.NamedIndividual(NAMESPACE + name) for name in atom.arguments]
        if len(who) == 1:
            cls = owl.Class(NAMESPACE + atom.predicate)
            yield ax.ClassAssertion(cls if truth else owl.ObjectComplementOf(cls), who[0])
        else:
            role = owl.ObjectProperty(NAMESPACE + atom.predicate)
            yield ax.ObjectPropertyAssertion(role, who[0], who[1], negative=not truth)


def compiled(task: Task, reading: str) -> Circuit | None:
    """Compile a task; none where Moose says that it has no model."""
    try:
        circuit = compile_circuit(ground(task, components=READINGS[reading]), limits=Limits(seconds=SECONDS))
    except LimitReached:
        raise
    except MooseError as error:
        if "contradict" not in str(error) and "inconsistent" not in str(error):
            raise
        return None
    return circuit if circuit.model_count() else None


class Comparison:
    """Moose and HermiT on one random ontology after another, and the counts so far."""

    def __init__(self, hermit: Hermit, reading: str) -> None:
        self.hermit = hermit
        self.reading = reading
        self.counts: Counter[str] = Counter()
        self.differences: list[str] = []

    def ask(self, seed: int) -> None:
        """Compare on one ontology."""
        draw = Draw(random.Random(seed))  # noqa: S311 - an experiment, not a secret
        axioms = draw.axioms()
        task = task_of(draw, axioms)
        theirs = [*axioms, *domain_axioms(draw, self.reading)]
        try:
            circuit = compiled(task, self.reading)
            compare = self._differences if self.reading == "closed" else self._errors
            wrong = self._refuted(theirs) if circuit is None else compare(circuit, atoms_of(task), theirs)
            if self.reading == "open" and circuit is not None:
                self._ask_open(circuit, draw.some(atoms_of(task), ASKED), theirs)
        except (HermitRefused, LimitReached) as error:
            is_theirs = isinstance(error, HermitRefused)
            self.counts["refused by HermiT" if is_theirs else f"not compiled in {SECONDS} s"] += 1
            return
        self.counts["ontologies"] += 1
        self.counts["axioms"] += len(axioms)
        self.counts["axioms unused"] += len(task.unused)
        if wrong:
            self.counts["ontologies that differ"] += 1
            self.differences.append(
                "\n    ".join([f"seed {seed}: {wrong}", *map(render, axioms)]).replace(NAMESPACE, "")
            )

    def _refuted(self, theirs: list[ax.Axiom]) -> list[str]:
        """Return what is wrong with there being no model."""
        self.counts["inconsistent"] += 1
        return ["consistent, says HermiT"] if self.hermit.is_consistent(theirs) else []

    def _errors(self, circuit: Circuit, atoms: Sequence[Atom], theirs: list[ax.Axiom]) -> list[str]:
        """Return what follows for Moose, and not for HermiT."""
        entailed = circuit.entailed()
        wrong = []
        for atom in atoms:
            if str(atom) in entailed:
                self.counts["follow"] += 1
                if self.hermit.is_consistent([*theirs, *asserted({atom: not entailed[str(atom)]})]):
                    wrong.append(f"does not follow, says HermiT: {'' if entailed[str(atom)] else '¬'}{atom}")
        return wrong

    def _ask_open(self, circuit: Circuit, atoms: Sequence[Atom], theirs: list[ax.Axiom]) -> None:
        """Count how many atoms that Moose leaves open HermiT decides."""
        entailed = circuit.entailed()
        for atom in (atom for atom in atoms if str(atom) not in entailed):
            self.counts["left open, asked"] += 1
            decided = (not self.hermit.is_consistent([*theirs, *asserted({atom: truth})]) for truth in (False, True))
            self.counts["left open, decided by HermiT"] += any(decided)

    def _differences(self, circuit: Circuit, atoms: Sequence[Atom], theirs: list[ax.Axiom]) -> list[str]:
        """Return every difference about a model, or about what follows."""
        self.counts["literals"] += 2 * len(atoms)
        wrong = []
        possible = set[tuple[Atom, bool]]()
        while (left := self._left(circuit, atoms, possible)) is not None:
            model = {atom: left[str(atom)] for atom in atoms}
            possible.update(model.items())
            if not self.hermit.is_consistent([*theirs, *asserted(model)]):
                wrong.append(f"no model, says HermiT: {' '.join(str(a) if t else f'¬{a}' for a, t in model.items())}")
        for literal in ((atom, truth) for atom in atoms for truth in (False, True)):
            if literal not in possible:
                self.counts["follow"] += 1
                if self.hermit.is_consistent([*theirs, *asserted(dict([literal]))]):
                    wrong.append(f"does not follow, says HermiT: {'¬' if literal[1] else ''}{literal[0]}")
        return wrong

    def _left(
        self, circuit: Circuit, atoms: Sequence[Atom], possible: set[tuple[Atom, bool]]
    ) -> Mapping[str, bool] | None:
        """Return a model of the circuit with a literal that is in none so far, and with as many more as it can have."""
        entailed = circuit.entailed()
        weights = {atom: LIKELY[(atom, False) in possible, (atom, True) in possible] for atom in atoms}
        for atom, truth in product(atoms, (False, True)):
            if (atom, truth) not in possible and entailed.get(str(atom), truth) == truth:
                return circuit.most_probable({atom: truth}, weights).assignment
        return None


def main() -> None:
    """Read the options, compare, and end with status 1 where the two differ."""
    parser = argparse.ArgumentParser(prog="python -m bench.closed_domain", description="A closed domain beside HermiT.")
    parser.add_argument("--count", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=17000, help="of the first")
    parser.add_argument("--reading", choices=list(READINGS), default="closed")
    parser.add_argument("--keep", action="store_true", help="write the counts to bench/results")
    parser.add_argument("--show", type=int, default=3, help="how many differences to print")
    options = parser.parse_args()
    start = time.perf_counter()
    try:
        hermit = Hermit()
    except HermitAbsent as absent:
        sys.exit(str(absent))
    with hermit:
        comparison = Comparison(hermit, options.reading)
        seed = options.seed
        while comparison.counts["ontologies"] < options.count:
            comparison.ask(seed)
            seed += 1
        comparison.counts["questions to HermiT"] = hermit.asked
    for text in comparison.differences[: options.show]:
        print(text)
    counts = {"ontologies that differ": 0, **comparison.counts}
    for name, value in sorted(counts.items()):
        print(f"{name:24}{value:8,}")
    if options.keep:
        earlier = json.loads(RESULTS.read_text(encoding="utf-8")) if RESULTS.exists() else {}
        seconds = round(time.perf_counter() - start, 1)
        record = {"seed": options.seed, "reasoner": hermit.name, "counts": counts, "seconds": seconds}
        text = json.dumps({**earlier, options.reading: record}, indent=2, sort_keys=True)
        RESULTS.write_text(text + "\n", encoding="utf-8", newline="\n")
    sys.exit(1 if comparison.differences else 0)


if __name__ == "__main__":
    main()
