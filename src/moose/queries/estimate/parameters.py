"""What is learnt: a number for each uncertain axiom, or for several that share it; and what is believed beforehand."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import NamedTuple

from moose.base.errors import MooseError
from moose.owl.model import axioms as ax
from moose.owl.model import expressions as owl
from moose.owl.ontology import Ontology, ontology_from_axioms
from moose.queries.probabilities.matching import spelt
from moose.queries.probabilities.probabilities import Probabilities, Reading

Axioms = Iterable[str | ax.Axiom]


class Beta(NamedTuple):
    """A Beta prior: as if α − 1 times an axiom had been seen to hold, and β − 1 times not to; (1, 1) says nothing."""

    alpha: float = 1.0
    beta: float = 1.0


NO_PRIOR = Beta()


@dataclass(frozen=True)
class CoinSharing:
    """How axioms share coins and numbers."""

    fixed: tuple[str | ax.Axiom, ...] = ()
    """Not learnt: the probability stays as it is."""
    tied: tuple[tuple[str | ax.Axiom, ...], ...] = ()
    """Axioms that have the same probability, each with a coin of its own."""
    per_individual: tuple[str | ax.Axiom, ...] = ()
    """Inclusions C ⊑ D with a coin for each named individual rather than one for all."""
    priors: Mapping[str | ax.Axiom, Beta] | Beta = NO_PRIOR


@dataclass(frozen=True)
class Parameter:
    """A probability, and the axioms that have it, by position."""

    positions: tuple[int, ...]
    """In the ontology that the cases are asked of, where an axiom for each individual is there once for each."""
    axioms: tuple[int, ...]
    """In the ontology of the user."""
    start: Fraction
    prior: Beta
    is_learnt: bool = True


@dataclass(frozen=True, eq=False)
class ParameterModel:
    """An ontology that cases are asked of, and the parameters of its uncertain axioms."""

    ontology: Ontology
    absent: frozenset[int]
    parameters: tuple[Parameter, ...]


def make_model(
    start: Probabilities, sharing: CoinSharing, individuals: Sequence[owl.NamedIndividual]
) -> ParameterModel:
    """Find out which axioms share a number, which keep theirs, and give each individual its own copy where asked."""
    reading = Reading(start.ontology)
    uncertain = start.uncertain

    def find(axiom: str | ax.Axiom, what: str) -> int:
        position = reading.find(axiom, what)[0]
        if position not in uncertain:
            raise MooseError(
                f"{what}: expected an axiom with a probability between 0 and 1, but "
                f"{spelt(start.ontology.axioms[position], reading.names.show)} is certain; give it one"
            )
        return position

    groups = tied_groups([[find(one, "tied") for one in several] for several in sharing.tied], uncertain)
    fixed = {find(one, "fixed") for one in sharing.fixed}
    copied = [find(one, "per individual") for one in sharing.per_individual]
    priors = read_priors(sharing.priors)
    own = {find(axiom, "priors"): prior for axiom, prior in priors.items()} if isinstance(priors, Mapping) else {}
    common = priors if isinstance(priors, Beta) else Beta()
    ontology, copies = with_copies(start.ontology, copied, individuals)
    parameters = []
    for group in groups:
        values = {uncertain[one] for one in group}
        beliefs = {own[one] for one in group if one in own} or {common}
        is_fixed = {one in fixed for one in group}
        if len(values) > 1 or len(beliefs) > 1 or len(is_fixed) > 1:
            raise MooseError(
                f"tied: expected one start, one prior and one word on being fixed for "
                f"{spelt(start.ontology.axioms[group[0]], reading.names.show)} and what is tied to it, but they differ"
            )
        positions = tuple(place for one in group for place in copies.get(one, (one,)))
        (value,), (belief,) = values, beliefs
        is_learnt = group[0] not in fixed
        parameters.append(Parameter(positions, tuple(group), value, belief, is_learnt))
    return ParameterModel(ontology, start.absent.union(copies), tuple(parameters))


def tied_groups(tied: Sequence[Sequence[int]], uncertain: Iterable[int]) -> list[list[int]]:
    """Return all uncertain axioms in groups that share a number; most are alone."""
    group_of: dict[int, list[int]] = {}
    for several in tied:
        group = list(dict.fromkeys(several))
        for one in group:
            if one in group_of:
                raise MooseError("tied: expected each axiom in one group at most, but one is in two; join the groups")
            group_of[one] = group
    for one in uncertain:
        group_of.setdefault(one, [one])
    return list({id(group): group for group in group_of.values()}.values())


def read_priors(priors: object) -> Mapping[str | ax.Axiom, Beta] | Beta:
    """Check priors: one for all, or one for each of some axioms."""
    if isinstance(priors, Mapping):
        return {axiom: read_prior(prior) for axiom, prior in priors.items()}
    return read_prior(priors)


def read_prior(prior: object) -> Beta:
    """Check a prior; below 1 there would be no likeliest probability inside (0, 1)."""
    if isinstance(prior, tuple) and len(prior) == 2:
        alpha, beta = prior
        if all(isinstance(one, int | float) and 1 <= one < float("inf") for one in (alpha, beta)):
            return Beta(float(alpha), float(beta))
    raise MooseError(f"priors: expected a pair (α, β) of numbers from 1 on, such as (2, 2), but got {prior!r}")


def with_copies(
    ontology: Ontology, copied: Sequence[int], individuals: Sequence[owl.NamedIndividual]
) -> tuple[Ontology, dict[int, tuple[int, ...]]]:
    """Add {a} ⊓ C ⊑ D for each individual a and some inclusions C ⊑ D; say where the copies of each stand."""
    if not copied:
        return ontology, {}
    axioms = list(ontology.axioms)
    copies: dict[int, tuple[int, ...]] = {}
    for position in copied:
        axiom = ontology.axioms[position]
        if not isinstance(axiom, ax.SubClassOf):
            raise MooseError(
                f"per individual: expected SubClassOf(C D), but got {type(axiom).__name__}; it has one coin for all"
            )
        if not individuals:
            raise MooseError("per individual: expected named individuals in the ontology or the cases, but got none")
        copies[position] = tuple(range(len(axioms), len(axioms) + len(individuals)))
        axioms += [
            ax.SubClassOf(owl.ObjectIntersectionOf((owl.ObjectOneOf((one,)), axiom.sub)), axiom.sup)
            for one in individuals
        ]
    return ontology_from_axioms(axioms, declarations=ontology.declarations), copies
