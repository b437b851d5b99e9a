"""Learn the probabilities of axioms from cases: by expectation maximisation or along the gradient, both exact."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path
from typing import NamedTuple

import numpy as np

from moose.base.errors import MooseError
from moose.owl.model import axioms as ax
from moose.owl.model.expressions import NamedIndividual
from moose.owl.model.signature import walk
from moose.owl.names import Names
from moose.owl.ontology import Ontology
from moose.owl.syntax.functional.write_functional import render
from moose.queries.estimate.cases import Observed, ObservedCase, ObservedPattern, patterns
from moose.queries.estimate.checkpoint import LearningState, fingerprint, read_checkpoint, write_checkpoint
from moose.queries.estimate.expectation import Likelihood, log_prior, maximised
from moose.queries.estimate.likelihood import compile_patterns
from moose.queries.estimate.parameters import CoinSharing, ParameterModel, make_model
from moose.queries.probabilities.probabilities import GivenProbabilities, Probabilities, stated_for

METHODS = ("em", "gradient")
DIGITS = 12
"""To which learnt probabilities are rounded when they become fractions."""
NEAREST = 1e-9
"""How near to 0 and 1 the gradient goes: on the edge a case may become impossible."""
MOST_HALVINGS = 40
Cases = Iterable[ObservedCase | Observed]


class LearningStep(NamedTuple):
    """How far learning has come: for a progress bar."""

    number: int
    objective: float
    """The log-likelihood, with the logarithm of the priors if there are any."""


@dataclass(frozen=True)
class LearningOptions:
    """How probabilities are learnt."""

    method: str = "em"
    steps: int = 1000
    """At most."""
    tolerance: float = 1e-9
    """Learning ends when a step changes the objective by less than this for each case."""
    checkpoint: Path | None = None
    progress: Callable[[LearningStep], None] | None = None

    def __post_init__(self) -> None:
        if self.method not in METHODS:
            raise MooseError(f"expected the method {' or '.join(METHODS)}, but got {self.method!r}")
        if self.steps < 1 or not self.tolerance >= 0:
            raise MooseError(f"expected 1 step or more and a tolerance from 0 on, got {self.steps}, {self.tolerance}")


@dataclass(frozen=True)
class LearntProbabilities:
    """Probabilities that were learnt, and how well they fit."""

    probabilities: Probabilities
    log_likelihood: float
    """Of the cases: the sum of the natural logarithms of their probabilities."""
    cases: int
    held_out: float | None = None
    """The log-likelihood of the cases that were not learnt from."""
    standard_errors: Mapping[ax.Axiom, float] = field(default_factory=dict)
    """Of each learnt axiom, by the empirical information; infinite where the cases do not tell its probability."""
    history: tuple[float, ...] = ()
    """The objective before each step, and at the end."""
    is_converged: bool = True

    def __str__(self) -> str:
        end = "" if self.is_converged else ", not converged"
        return f"log-likelihood {self.log_likelihood:.6g} of {self.cases:,} cases, {len(self.history) - 1} steps{end}"


def learn_probabilities(  # noqa: PLR0913 - all but the first two are options with a default
    ontology: Ontology,
    cases: Cases,
    *,
    probabilities: GivenProbabilities = None,
    sharing: CoinSharing | None = None,
    learning: LearningOptions | None = None,
    held_out: Cases = (),
) -> LearntProbabilities:
    """Return the probabilities of uncertain axioms under which cases are likeliest, beginning with those given.

    Each case is one world, all coins thrown anew. `sharing` says which axioms are fixed, tied, thrown for each
    individual, and what is believed of them beforehand; `learning` how to learn.

    >>> import moose
    >>> from moose.owl.model.expressions import Class
    >>> birds = moose.ontology([ax.ClassAssertion(Class("Bird"), NamedIndividual("tweety"))])
    >>> start = moose.probabilities(birds, given={birds.axioms[0]: "1/2"})
    >>> seen = [{"ClassAssertion(Bird tweety)": True}] * 3 + [{"ClassAssertion(Bird tweety)": False}]
    >>> moose.learn_probabilities(birds, seen, probabilities=start).probabilities.uncertain
    {0: Fraction(3, 4)}
    """
    start = stated_for(ontology, probabilities)
    check(ontology, start)
    learning, names = learning or LearningOptions(), Names(ontology)
    seen, kept = patterns(cases, names), patterns(held_out, names)
    if not seen:
        raise MooseError("expected at least one case, but got none; give what was observed")
    model = make_model(start, sharing or CoinSharing(), individuals_of(ontology, [*seen, *kept]))
    if not any(parameter.is_learnt for parameter in model.parameters):
        raise MooseError(
            "expected an axiom whose probability is to be learnt, but all are certain or fixed; "
            "give some a probability to begin with, such as 0.5"
        )
    likelihood = Likelihood(compile_patterns(model, seen), model.parameters)
    state, is_converged = climb(likelihood, learning, fingerprint_of(model, seen, learning))
    end = likelihood.count(state.values, 1.0)
    rest = Likelihood(compile_patterns(model, kept), model.parameters) if kept else None
    return LearntProbabilities(
        learnt_probabilities(start, model, state.values),
        end.log_likelihood,
        likelihood.cases,
        None if rest is None else rest.count(state.values, 1.0).log_likelihood,
        standard_errors(ontology, likelihood, state.values),
        state.history,
        is_converged,
    )


def check(ontology: object, start: Probabilities) -> None:
    """Refuse what is easily mistaken for the right thing."""
    if not isinstance(ontology, Ontology):
        raise MooseError(f"expected an ontology, but got {ontology!r}; read one with moose.load")
    if start.ontology is not ontology:
        raise MooseError(f"expected probabilities of {ontology!r}, but got those of {start.ontology!r}")


def individuals_of(ontology: Ontology, several: Sequence[ObservedPattern]) -> list[NamedIndividual]:
    """Return the named individuals of an ontology and of what was observed, sorted."""
    goals = [pair for pattern in several for goal in pattern.goals for pair in goal.inclusions]
    inside = {one for pair in goals for side in pair for one in walk(side) if isinstance(one, NamedIndividual)}
    return sorted({*inside, *(NamedIndividual(iri) for iri in ontology.individuals)}, key=lambda one: one.iri)


# ── Steps ─────────────────────────────────────────────────────────────────────────────────────────────────────────


def climb(likelihood: Likelihood, learning: LearningOptions, name: str) -> tuple[LearningState, bool]:
    """Make steps until they change nothing; return where they lead, and whether they came to an end."""
    parameters = likelihood.parameters
    begin = LearningState(tuple(float(parameter.start) for parameter in parameters))
    state = learning.checkpoint and read_checkpoint(learning.checkpoint, name, len(parameters))
    state = state or begin
    step = expectation_step if learning.method == "em" else GradientStep(likelihood)
    while True:
        values, objective = step(likelihood, state.values)
        is_new = not state.history or len(state.history) == 1 or objective != state.history[-1]
        rise = objective - state.history[-1] if state.history else math.inf
        history = (*state.history, objective)
        if learning.progress is not None:
            learning.progress(LearningStep(len(history) - 1, objective))
        is_converged = not is_new or abs(rise) <= learning.tolerance * likelihood.cases
        if is_converged or len(history) > learning.steps:
            return LearningState(state.values, history), is_converged
        state = LearningState(values, history)
        if learning.checkpoint is not None:
            write_checkpoint(learning.checkpoint, state, name)


def expectation_step(likelihood: Likelihood, values: Sequence[float]) -> tuple[tuple[float, ...], float]:
    """Return the values after a step of expectation maximisation, and the objective before it."""
    counted = likelihood.count(values, 1.0)
    better = maximised(counted, values, likelihood.parameters, 1.0)
    return tuple(min(1.0, max(0.0, one)) for one in better), counted.log_likelihood + log_prior(
        values, likelihood.parameters
    )


class GradientStep:
    """Goes along the gradient in log-odds, as far as the objective rises enough (Armijo); the length is remembered."""

    def __init__(self, likelihood: Likelihood) -> None:
        self._length = 4.0 / likelihood.cases

    def __call__(self, likelihood: Likelihood, values: Sequence[float]) -> tuple[tuple[float, ...], float]:
        """Return the values after a step, and the objective before it."""
        values = tuple(min(1 - NEAREST, max(NEAREST, one)) for one in values)
        parameters = likelihood.parameters
        counted = likelihood.count(values, 1.0)
        now = counted.log_likelihood + log_prior(values, parameters)
        slopes = [
            value * (1 - value) * float(slope)
            + (parameter.prior.alpha - 1) * (1 - value)
            - (parameter.prior.beta - 1) * value
            if parameter.is_learnt
            else 0.0
            for value, slope, parameter in zip(values, counted.slopes, parameters, strict=True)
        ]
        square = math.fsum(slope * slope for slope in slopes)
        length = self._length * 2
        for _ in range(MOST_HALVINGS):
            further = tuple(moved(value, length * slope) for value, slope in zip(values, slopes, strict=True))
            reached = likelihood.count(further, 1.0).log_likelihood + log_prior(further, parameters)
            if reached >= now + 1e-4 * length * square:
                self._length = length
                return further, now
            length /= 2
        return values, now


def moved(value: float, by: float) -> float:
    """Move a probability in log-odds; one that does not move stays as it is."""
    if not by:
        return value
    odds = math.log(value) - math.log1p(-value) + by
    result = 1 / (1 + math.exp(-odds)) if odds >= 0 else math.exp(odds) / (1 + math.exp(odds))
    return min(1 - NEAREST, max(NEAREST, result))


# ── Results ───────────────────────────────────────────────────────────────────────────────────────────────────────


def learnt_probabilities(start: Probabilities, model: ParameterModel, values: Sequence[float]) -> Probabilities:
    """Put learnt values in place of those that learning began with."""
    stated = dict(start.stated)
    for parameter, value in zip(model.parameters, values, strict=True):
        if parameter.is_learnt:
            rounded = Fraction(format(value, f".{DIGITS}f"))
            stated.update(dict.fromkeys(parameter.axioms, rounded))
    return Probabilities(start.ontology, stated, start.copies)


def standard_errors(ontology: Ontology, likelihood: Likelihood, values: Sequence[float]) -> dict[ax.Axiom, float]:
    """Return the standard error of each learnt probability, by the inverse of the empirical information.

    One that the cases do not tell, or only together with others, has an infinite one; one on the edge has none, as
    there the likelihood is not round: 0.
    """
    numbers = [number for number, one in enumerate(likelihood.parameters) if one.is_learnt]
    inner = [number for number in numbers if NEAREST < values[number] < 1 - NEAREST]
    errors = dict.fromkeys(numbers, 0.0)
    if inner:
        information = likelihood.information(values)[np.ix_(inner, inner)]
        scale = np.sqrt(np.diag(information))
        told = scale > 0
        errors |= dict.fromkeys(inner, math.inf)
        places = np.flatnonzero(told)
        if len(places):
            scaled = information[np.ix_(places, places)] / np.outer(scale[places], scale[places])
            sizes, directions = np.linalg.eigh(scaled)
            is_flat = sizes < FLAT
            spread = (directions[:, ~is_flat] ** 2 / sizes[~is_flat]).sum(axis=1)
            flat = (directions[:, is_flat] ** 2).sum(axis=1) > FLAT
            for place, variance, is_unknown in zip(places.tolist(), spread.tolist(), flat.tolist()):
                errors[inner[place]] = math.inf if is_unknown else math.sqrt(variance) / float(scale[place])
    axioms = ontology.axioms
    return {axioms[one]: errors[number] for number in numbers for one in likelihood.parameters[number].axioms}


FLAT = 1e-9
"""Of information in units of its diagonal: below, a direction is one that the cases do not tell."""


def fingerprint_of(model: ParameterModel, seen: Sequence[ObservedPattern], learning: LearningOptions) -> str:
    """Return a name of what is learnt from what, and how."""
    rows = [
        [
            [goal.text for goal in pattern.goals],
            sorted([*evidence, count] for evidence, count in pattern.counts.items()),
        ]
        for pattern in seen
    ]
    parameters = [[one.axioms, one.positions, str(one.start), one.prior, one.is_learnt] for one in model.parameters]
    return fingerprint([[render(axiom) for axiom in model.ontology.axioms], rows, parameters, learning.method])
