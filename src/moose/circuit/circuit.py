"""The circuit: a diagram whose atoms have names, and what it was compiled from."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import islice
from pathlib import Path
from typing import TypeVar

import numpy as np
import numpy.typing as npt

from moose.circuit import files, question
from moose.circuit.atom_mapping import AtomMapping
from moose.circuit.checks.check_diagram import Report, check_diagram
from moose.circuit.compiled_theory import Statistics, visible_atoms
from moose.circuit.diagram import Diagram
from moose.circuit.inference import entailment, evaluate, marginals, models
from moose.circuit.inference.most_probable_world import World, heaviest
from moose.circuit.inference.weights import Weights
from moose.circuit.picture import draw_diagram
from moose.grounding.atoms import Atom
from moose.grounding.clauses import Assumption, Clauses
from moose.grounding.evidence import Evidence

Value = TypeVar("Value")


@dataclass(frozen=True, eq=False)
class Circuit:
    """An exact circuit of a grounded theory: `compile_circuit(ground(task))`.

    Every question takes evidence, as {"Even(a)": True} or ["Even(a)", "not Prime(a)"], and most take weights, as
    {"Even(a)": 0.9} or, where they do not sum to one, {"Even(a)": (3, 1)}. What is observed weighs 1 and its negation
    0; an atom without a weight weighs ½ either way. Literals that the clauses say are given count as evidence.

    >>> from moose.circuit.compile.compile_circuit import compile_circuit
    >>> from moose.grounding.clauses import clauses_from_lists
    >>> even, odd = Atom("Even", ("a",)), Atom("Odd", ("a",))
    >>> circuit = compile_circuit(clauses_from_lists([even, odd], [(1, 2), (-1, -2)]))
    >>> circuit.posterior(weights={"Even(a)": 0.75})
    {'Even(a)': 0.75, 'Odd(a)': 0.25}
    >>> circuit.most_probable(weights={"Even(a)": 0.75}).assignment
    {'Even(a)': True, 'Odd(a)': False}
    >>> circuit.entails("not Odd(a)", ["Even(a)"])
    True
    >>> circuit.wmc({"Even(a)": (3, 5)})
    Fraction(4, 1)
    """

    clauses: Clauses
    """What was compiled."""
    atoms: tuple[Atom, ...]
    """The variables of the diagram: the atoms of the clauses that are not auxiliary, in the same order."""
    diagram: Diagram
    statistics: Statistics

    @property
    def assumptions(self) -> tuple[Assumption, ...]:
        """What every answer of this circuit rests on besides the ontology."""
        return self.clauses.assumptions

    @cached_property
    def positions(self) -> dict[Atom, int]:
        """The index of each atom in `atoms`."""
        return {atom: position for position, atom in enumerate(self.atoms)}

    def __repr__(self) -> str:
        return f"Circuit(atoms={len(self.atoms)}, size={self.statistics.size}, nodes={self.statistics.nodes})"

    def wmc(self, weights: Weights | None = None, evidence: Evidence | None = None) -> Fraction:
        """Return the weighted model count exactly; a float weight is taken for the binary fraction that it is."""
        return evaluate.wmc(self.diagram, question.ask(self, evidence, weights).weights)

    def log_wmc(self, weights: Weights | None = None, evidence: Evidence | None = None) -> float:
        """Return the natural logarithm of the weighted model count, -inf where it is zero; nothing underflows."""
        return evaluate.log_wmc(self.diagram, question.ask(self, evidence, weights).weights)

    def model_count(self, evidence: Evidence | None = None) -> int:
        """Count the models that agree with the evidence."""
        return evaluate.model_count(self.diagram, question.observed(self, evidence))

    def posterior(self, evidence: Evidence | None = None, weights: Weights | None = None) -> AtomMapping[float]:
        """Return the probability of every atom given the evidence, all of them in two passes."""
        asked = question.ask(self, evidence, weights)
        result = marginals.marginals(self.diagram, asked.weights)
        if result is None:
            raise asked.no_weight()
        return self.by_atom(result.tolist(), 0.0, 1.0)

    def exact_posterior(
        self, evidence: Evidence | None = None, weights: Weights | None = None
    ) -> AtomMapping[Fraction]:
        """Return the probability of every atom given the evidence as a fraction; for small circuits."""
        asked = question.ask(self, evidence, weights)
        result = marginals.exact_marginals(self.diagram, asked.weights)
        if result is None:
            raise asked.no_weight()
        return self.by_atom(result, Fraction(0), Fraction(1))

    def family_argmax(self, evidence: Evidence | None = None, weights: Weights | None = None) -> tuple[Atom, ...]:
        """Return the likeliest member of each family in `clauses.families`, of equals the first."""
        return question.likeliest_members(self.clauses, self.posterior(evidence, weights))

    def most_probable(self, evidence: Evidence | None = None, weights: Weights | None = None) -> World:
        """Return the most probable world given the evidence, and its probability."""
        asked = question.ask(self, evidence, weights)
        result = heaviest(self.diagram, asked.weights)
        if result is None:
            raise asked.no_weight()
        world, probability, log_probability = result
        return World(self.by_atom(world, False, True), probability, log_probability)

    def sample(
        self, count: int, seed: int, *, evidence: Evidence | None = None, weights: Weights | None = None
    ) -> npt.NDArray[np.bool_]:
        """Draw worlds given the evidence, in proportion to their weight: a row each, a column for each of `atoms`."""
        rows, start = (
            question.whole_number(count, what="a number of samples"),
            question.whole_number(seed, what="a seed"),
        )
        asked = question.ask(self, evidence, weights)
        samples = models.draw_models(self.diagram, asked.weights, rows, start)
        if samples is None:
            raise asked.no_weight()
        return samples

    def entails(self, literal: str | Atom, evidence: Evidence | None = None) -> bool:
        """Return whether "D2(a)", or "not D2(a)", holds in every model that agrees with the evidence."""
        atom, truth = question.read_literal(self, literal)
        known = question.observed(self, evidence)
        if not entailment.is_satisfiable(self.diagram, known):
            raise question.no_model(self, known)
        position = self.positions.get(atom)
        if position is None:
            return self.clauses.known_truth(atom) == truth
        return entailment.is_entailed(self.diagram, position, truth, known)

    def entailed(self, evidence: Evidence | None = None) -> AtomMapping[bool]:
        """Return the atoms that have one value in every model that agrees with the evidence, with that value."""
        known = question.observed(self, evidence)
        certain = entailment.entailed_atoms(self.diagram, known)
        if certain is None:
            raise question.no_model(self, known)
        texts = {str(self.atoms[position]): truth for position, truth in certain.items()}
        texts |= {str(atom): truth for atom, truth in self.clauses.fixed.items()}
        return AtomMapping(texts, self.clauses, false=False)

    def models(self, limit: int | None = None, evidence: Evidence | None = None) -> Iterator[AtomMapping[bool]]:
        """Yield the models that agree with the evidence, at most `limit`, in an order that does not change."""
        most = None if limit is None else question.whole_number(limit, what="a number of models, or None for all")
        known = question.observed(self, evidence)
        return (self.by_atom(world, False, True) for world in islice(models.list_models(self.diagram, known), most))

    def check(self, *, seed: int = 0) -> Report:
        """Check the diagram: topological order, decomposable, deterministic, smooth."""
        return check_diagram(self.diagram, seed=question.whole_number(seed, what="a seed"))

    def svg(self) -> str:
        """Draw the circuit as SVG; only for one small enough to read."""
        return draw_diagram(self.diagram, [str(atom) for atom in self.atoms])

    def write_svg(self, path: str | Path) -> None:
        """Draw the circuit into a file."""
        Path(path).write_text(self.svg(), encoding="utf-8", newline="\n")

    def save(self, path: str | Path) -> None:
        """Write the circuit to a file."""
        files.save_circuit(self, Path(path))

    @staticmethod
    def load(path: str | Path) -> Circuit:
        """Read a circuit from a file."""
        clauses, diagram, statistics = files.read_circuit(Path(path))
        return Circuit(clauses, visible_atoms(clauses), diagram, statistics)

    def by_atom(self, values: Sequence[Value], false: Value, true: Value) -> AtomMapping[Value]:
        """Name the values by atom, and add those of the atoms whose truth is fixed."""
        texts = {str(atom): value for atom, value in zip(self.atoms, values)}
        texts |= {str(atom): true if truth else false for atom, truth in self.clauses.fixed.items()}
        return AtomMapping(texts, self.clauses, false)
