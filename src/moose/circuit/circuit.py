"""The circuit: a diagram whose atoms have names, and what it was compiled from."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

import numpy as np
import numpy.typing as npt

from moose.circuit.diagram import Diagram
from moose.grounding.atoms import Atom
from moose.grounding.clauses import Assumption, Clauses

if TYPE_CHECKING:
    from moose.circuit.by_atom import ByAtom
    from moose.circuit.checks.check_diagram import Report
    from moose.circuit.inference.most_probable_world import World
    from moose.circuit.inference.weights import Weights
    from moose.grounding.evidence import Evidence

Value = TypeVar("Value")


@dataclass(frozen=True, slots=True)
class Statistics:
    """What a compilation made and took."""

    atoms: int
    clauses: int
    size: int
    """Elements of all decision nodes, those with a false sub included: `size()` of PySDD, "SDD nodes" in the paper."""
    nodes: int
    """Decision nodes."""
    seconds: float
    vtree: str


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
        """Where each atom stands in `atoms`."""
        return {atom: position for position, atom in enumerate(self.atoms)}

    def __repr__(self) -> str:
        return f"Circuit(atoms={len(self.atoms)}, size={self.statistics.size}, nodes={self.statistics.nodes})"

    def wmc(self, weights: Weights | None = None, evidence: Evidence | None = None) -> Fraction:
        """Return the weighted model count exactly; a float weight is taken for the binary fraction that it is."""
        from moose.circuit.inference.evaluate import wmc
        from moose.circuit.question import ask

        return wmc(self.diagram, ask(self, evidence, weights).weights)

    def log_wmc(self, weights: Weights | None = None, evidence: Evidence | None = None) -> float:
        """Return the natural logarithm of the weighted model count, -inf where it is zero; nothing underflows."""
        from moose.circuit.inference.evaluate import log_wmc
        from moose.circuit.question import ask

        return log_wmc(self.diagram, ask(self, evidence, weights).weights)

    def model_count(self, evidence: Evidence | None = None) -> int:
        """Count the models that agree with the evidence."""
        from moose.circuit.inference.evaluate import model_count
        from moose.circuit.question import observed

        return model_count(self.diagram, observed(self, evidence))

    def posterior(self, evidence: Evidence | None = None, weights: Weights | None = None) -> ByAtom[float]:
        """Return the probability of every atom given the evidence, all of them in two passes."""
        from moose.circuit.inference.marginals import marginals
        from moose.circuit.question import ask

        question = ask(self, evidence, weights)
        found = marginals(self.diagram, question.weights)
        if found is None:
            raise question.no_weight()
        return self._by_atom(found.tolist(), 0.0, 1.0)

    def exact_posterior(self, evidence: Evidence | None = None, weights: Weights | None = None) -> ByAtom[Fraction]:
        """Return the probability of every atom given the evidence as a fraction; for small circuits."""
        from moose.circuit.inference.marginals import exact_marginals
        from moose.circuit.question import ask

        question = ask(self, evidence, weights)
        found = exact_marginals(self.diagram, question.weights)
        if found is None:
            raise question.no_weight()
        return self._by_atom(found, Fraction(0), Fraction(1))

    def family_argmax(self, evidence: Evidence | None = None, weights: Weights | None = None) -> tuple[Atom, ...]:
        """Return the likeliest member of each family in `clauses.families`, of equals the first."""
        from moose.circuit.question import likeliest_members

        return likeliest_members(self.clauses, self.posterior(evidence, weights))

    def most_probable(self, evidence: Evidence | None = None, weights: Weights | None = None) -> World:
        """Return the most probable world given the evidence, and its probability."""
        from moose.circuit.inference.most_probable_world import World, heaviest
        from moose.circuit.question import ask

        question = ask(self, evidence, weights)
        found = heaviest(self.diagram, question.weights)
        if found is None:
            raise question.no_weight()
        world, probability, log_probability = found
        return World(self._by_atom(world, False, True), probability, log_probability)

    def sample(
        self, count: int, seed: int, *, evidence: Evidence | None = None, weights: Weights | None = None
    ) -> npt.NDArray[np.bool_]:
        """Draw worlds given the evidence, in proportion to their weight: a row each, a column for each of `atoms`."""
        from moose.circuit.inference.models import draw_models
        from moose.circuit.question import ask, whole_number

        rows, start = whole_number(count, what="a number of samples"), whole_number(seed, what="a seed")
        question = ask(self, evidence, weights)
        samples = draw_models(self.diagram, question.weights, rows, start)
        if samples is None:
            raise question.no_weight()
        return samples

    def entails(self, literal: str | Atom, evidence: Evidence | None = None) -> bool:
        """Say whether a literal such as "D2(a)" or "not D2(a)" holds in every model that agrees with the evidence."""
        from moose.circuit.inference.entailment import is_entailed, is_satisfiable
        from moose.circuit.question import no_model, observed, read_literal

        atom, truth = read_literal(self, literal)
        known = observed(self, evidence)
        if not is_satisfiable(self.diagram, known):
            raise no_model(self, known)
        position = self.positions.get(atom)
        if position is None:
            return self.clauses.known_truth(atom) == truth
        return is_entailed(self.diagram, position, truth, known)

    def entailed(self, evidence: Evidence | None = None) -> ByAtom[bool]:
        """Return the atoms that have one value in every model that agrees with the evidence, with that value."""
        from moose.circuit.by_atom import ByAtom
        from moose.circuit.inference.entailment import entailed_atoms
        from moose.circuit.question import no_model, observed

        known = observed(self, evidence)
        found = entailed_atoms(self.diagram, known)
        if found is None:
            raise no_model(self, known)
        texts = {str(self.atoms[position]): truth for position, truth in found.items()}
        texts |= {str(atom): truth for atom, truth in self.clauses.fixed.items()}
        return ByAtom(texts, self.clauses, false=False)

    def models(self, limit: int | None = None, evidence: Evidence | None = None) -> Iterator[ByAtom[bool]]:
        """Yield the models that agree with the evidence, at most so many, in an order that does not change."""
        from moose.circuit.inference.models import list_models
        from moose.circuit.question import observed, whole_number

        most = None if limit is None else whole_number(limit, what="a number of models, or None for all")
        known = observed(self, evidence)
        return (self._by_atom(world, False, True) for world in islice(list_models(self.diagram, known), most))

    def check(self, *, seed: int = 0) -> Report:
        """Check the diagram: topological order, decomposable, deterministic, smooth."""
        from moose.circuit.checks.check_diagram import check_diagram
        from moose.circuit.question import whole_number

        return check_diagram(self.diagram, seed=whole_number(seed, what="a seed"))

    def svg(self) -> str:
        """Draw the circuit as SVG; only for one small enough to read."""
        from moose.circuit.picture import draw_diagram

        return draw_diagram(self.diagram, [str(atom) for atom in self.atoms])

    def write_svg(self, path: str | Path) -> None:
        """Draw the circuit into a file."""
        Path(path).write_text(self.svg(), encoding="utf-8")

    def save(self, path: str | Path) -> None:
        """Write the circuit to a file."""
        from moose.circuit.files import save_circuit

        save_circuit(self, Path(path))

    @staticmethod
    def load(path: str | Path) -> Circuit:
        """Read a circuit from a file."""
        from moose.circuit.files import load_circuit

        return load_circuit(Path(path))

    def _by_atom(self, values: Sequence[Value], false: Value, true: Value) -> ByAtom[Value]:
        """Name the values by atom, and add those of the atoms whose truth is fixed."""
        from moose.circuit.by_atom import ByAtom

        texts = {str(atom): value for atom, value in zip(self.atoms, values)}
        texts |= {str(atom): true if truth else false for atom, truth in self.clauses.fixed.items()}
        return ByAtom(texts, self.clauses, false)
