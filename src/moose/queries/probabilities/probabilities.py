"""How probable the axioms of an ontology are: read from their annotations, from a file, or given in Python."""

from __future__ import annotations

import json
import warnings
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from os import PathLike
from pathlib import Path
from typing import get_args

from moose.base.errors import MooseError, MooseWarning, UnknownName
from moose.base.suggestions import did_you_mean
from moose.owl.model.axioms import Annotation, Axiom, DatatypeDefinition
from moose.owl.model.expressions import PROBABILITY_IRI, PROBABILITY_IRIS, Literal
from moose.owl.names import Names
from moose.owl.ontology import Ontology
from moose.owl.syntax.functional.write_functional import render
from moose.owl.syntax.goal_text import parse_axiom
from moose.owl.unquoted_labels import hinting_at_labels
from moose.queries.probabilities.matching import AxiomPositions, closest, spelt
from moose.queries.probabilities.numbers import Number, read_probability
from moose.queries.probabilities.probability_files import read_lines

CERTAIN, ABSENT = Fraction(1), Fraction(0)
NAMESPACE = PROBABILITY_IRI.removesuffix("probability")
"""Of Moose's own annotations."""


@dataclass(frozen=True, eq=False)
class Probabilities:
    """The exact probability of each axiom of an ontology; an axiom that none was stated for is certain.

    Axioms are told apart by what they say: one that stands in the ontology several times, with other annotations or in
    another order of operands, is one axiom with one probability. It then counts at the first of its positions, and the
    others are taken as absent.
    """

    ontology: Ontology
    stated: Mapping[int, Fraction]
    """What was stated, by the first position in `ontology.axioms` of each axiom, in that order."""
    copies: frozenset[int] = frozenset()
    """The other positions of the same axioms."""

    def __post_init__(self) -> None:
        for position, value in self.stated.items():
            if not 0 <= position < len(self.ontology.axioms):
                raise MooseError(
                    f"expected positions of the {len(self.ontology.axioms):,} axioms, but got {position}; count from 0"
                )
            if not 0 <= value <= 1:
                raise MooseError(
                    f"expected a probability from 0 to 1 for axiom {position}, but got {value}; correct it"
                )
        object.__setattr__(self, "stated", dict(sorted(self.stated.items())))

    def __getitem__(self, position: int) -> Fraction:
        """Return the probability of the axiom at a position; 0 for a copy, which another position stands for."""
        if not 0 <= position < len(self.ontology.axioms):
            raise IndexError(position)
        return ABSENT if position in self.copies else self.stated.get(position, CERTAIN)

    def of(self, axiom: Axiom) -> Fraction:
        """Return the probability of an axiom, whatever its annotations and the order of its operands."""
        if not isinstance(axiom, get_args(Axiom)):
            raise MooseError(
                f"expected a logical axiom, such as ontology.axioms[0], but got {axiom!r}; at a position, as "
                "`uncertain` has them, it is probabilities[position]"
            )
        positions = self._positions.of(axiom)
        if not positions:
            raise unknown_axiom(axiom, "the axiom", self.ontology, Names(self.ontology))
        return self.stated.get(positions[0], CERTAIN)

    @property
    def values(self) -> dict[int, Fraction]:
        """Return the probability at each position for which there is one: what was stated, and 0 for copies."""
        return {**self.stated, **dict.fromkeys(sorted(self.copies), ABSENT)}

    @property
    def uncertain(self) -> dict[int, Fraction]:
        """Return the positions in `ontology.axioms` of those that may or may not hold, with their probabilities."""
        return {position: value for position, value in self.stated.items() if 0 < value < 1}

    @property
    def absent(self) -> frozenset[int]:
        """Return the positions of the axioms that do not hold: of probability 0, and copies."""
        return self.copies.union(position for position, value in self.stated.items() if value == 0)

    @cached_property
    def unused(self) -> tuple[int, ...]:
        """Return the positions whose probability makes no difference: nothing of the axiom can be said in EL."""
        left_out = {row.axiom for row in self.ontology.profile.outside if not row.used and not row.is_exact}
        profile = self.ontology.profile
        joint = {position for one in (*profile.joint, *profile.disjunctions) for position in one.sources}
        return tuple(
            position for position in self.stated if position not in joint and self.ontology.axioms[position] in left_out
        )

    def to_json(self) -> str:
        """Return what was stated as a JSON object {axiom: probability, …}, which `read_probabilities` reads back."""
        rows = {
            render(replace(self.ontology.axioms[position], annotations=())): str(self.stated[position])
            for position in self.stated
        }
        return json.dumps(rows, ensure_ascii=False, indent=2) + "\n"

    @cached_property
    def _positions(self) -> AxiomPositions:
        return AxiomPositions(self.ontology)

    def __repr__(self) -> str:
        return f"Probabilities({len(self.uncertain):,} of {len(self.ontology.axioms):,} axioms uncertain)"


GivenProbabilities = Probabilities | Mapping[str | Axiom, Number] | str | PathLike[str] | None
"""How probabilities are given to a query: read already, as a mapping or file beside annotations, or by these alone."""


def probabilities_of(
    ontology: Ontology, beside: Path | str | None = None, given: Mapping[str | Axiom, Number] | None = None
) -> Probabilities:
    """Return what the annotations of an ontology, a file beside it and a mapping say together.

    >>> import moose
    >>> found = moose.probabilities(moose.load(moose.PIZZERIA), given={"SubClassOf(Pizza Dish)": "0.9"})
    >>> found.uncertain
    {31: Fraction(9, 10)}
    """
    reading = Reading(ontology)
    stated = [*reading.annotations()]
    if beside is not None:
        stated += reading.file(Path(beside))
    if given is not None:
        stated += reading.mapping(given)
    return reading.settle(stated)


def stated_for(ontology: Ontology, given: GivenProbabilities) -> Probabilities:
    """Return probabilities that are given: themselves, or what annotations and a file or a mapping say together."""
    if given is None or isinstance(given, str | PathLike):
        return probabilities_of(ontology, None if given is None else Path(given))
    if isinstance(given, Mapping):
        return probabilities_of(ontology, given=given)
    if not isinstance(given, Probabilities):
        raise MooseError(
            "expected probabilities as moose.probabilities(ontology, …) reads them, a mapping from axioms to numbers "
            f"or the path of a file, but got {type(given).__name__}"
        )
    if given.ontology is not ontology:
        raise MooseError(f"expected probabilities of {ontology!r}, but got those of {given.ontology!r}")
    return given


def read_probabilities(path: Path | str, ontology: Ontology) -> Probabilities:
    """Return what a TSV or JSON file says of the axioms of an ontology, and nothing else."""
    reading = Reading(ontology)
    return reading.settle([*reading.file(Path(path))])


@dataclass(frozen=True, slots=True)
class Stated:
    """A probability that was stated of an axiom: all its positions, and where it was stated."""

    positions: tuple[int, ...]
    value: Fraction
    where: str
    source: str = ""
    """What to call the statement when another contradicts it, where `where` does not do."""


class Reading:
    """One ontology and the probabilities that are read for it."""

    def __init__(self, ontology: Ontology) -> None:
        self.ontology = ontology
        self.names = Names(ontology)
        self.axiom_positions = AxiomPositions(ontology)

    def annotations(self) -> Iterator[Stated]:
        """Yield what stands as annotations on axioms, and refuse what stands where it means nothing."""
        for misplaced in self.ontology.misplaced_probabilities:
            raise MooseError(
                f"{render(misplaced, self.names.show)}: expected probabilities on logical axioms only, "
                "but this is none; move it to an axiom such as SubClassOf(Annotation(…) A B)"
            )
        self._warn_of_unknown()
        for axiom in self.ontology.axioms:
            for note in axiom.annotations:
                if note.property in PROBABILITY_IRIS:
                    where = spelt(axiom, self.names.show)
                    value = read_probability(_annotated(note, where), where)
                    yield Stated(self.axiom_positions.of(axiom), value, where, "its annotation")
                elif note.annotations and _bears_probability(note):
                    raise MooseError(
                        f"{spelt(axiom, self.names.show)}: expected a probability on the axiom, but one stands on its "
                        f"annotation {render(note, self.names.show)}; move it to the axiom"
                    )

    def _warn_of_unknown(self) -> None:
        """Warn of annotations of axioms in the namespace of Moose that it does not know: a probability may be meant."""
        notes = ((note.property, axiom) for axiom in self.ontology.axioms for note in axiom.annotations)
        first: dict[str, Axiom] = {}
        for iri, axiom in notes:
            if iri.startswith(NAMESPACE) and iri not in PROBABILITY_IRIS:
                first.setdefault(iri, axiom)
        for iri, axiom in first.items():
            warnings.warn(
                f"{spelt(axiom, self.names.show)}: expected {PROBABILITY_IRI} as an annotation in the namespace of "
                f"Moose, but got {iri}, which says nothing to it, so that the axiom is taken as certain; did you mean "
                "moose:probability?",
                MooseWarning,
                stacklevel=2,
            )

    def file(self, path: Path) -> Iterator[Stated]:
        """Yield what a file says."""
        for line in read_lines(path):
            value = read_probability(line.probability, line.where)
            yield Stated(self.find(line.axiom, line.where), value, line.where)

    def mapping(self, given: Mapping[str | Axiom, Number]) -> Iterator[Stated]:
        """Yield what was given in Python."""
        for axiom, number in given.items():
            shown = axiom if isinstance(axiom, str) else render(axiom, self.names.show)
            where = f"the probability given for {shown}"
            yield Stated(self.find(axiom, where), read_probability(number, where), where)

    def find(self, axiom: str | Axiom, where: str) -> tuple[int, ...]:
        """Return all the positions of an axiom, which may be written as text with short names."""
        if isinstance(axiom, str):
            try:
                with hinting_at_labels(axiom, self.names):
                    axiom = parse_axiom(axiom, where, self.names.resolve)
            except UnknownName as error:
                raise UnknownName(f"{where}: {error}") from None
        elif not isinstance(axiom, get_args(Axiom)):
            raise MooseError(f"{where}: expected a logical axiom, but got one of type {type(axiom).__name__}")
        positions = self.axiom_positions.of(axiom)
        if not positions:
            raise unknown_axiom(axiom, where, self.ontology, self.names)
        return positions

    def settle(self, stated: list[Stated]) -> Probabilities:
        """Put statements together; two of one axiom must agree."""
        settled: dict[int, Stated] = {}
        for one in stated:
            first = settled.setdefault(one.positions[0], one)
            if first.value != one.value:
                axiom = spelt(self.ontology.axioms[one.positions[0]], self.names.show)
                raise MooseError(
                    f"{one.where}: expected one probability of {axiom}, but got {one.value}, "
                    f"and {first.value} by {first.source or first.where}; keep one"
                )
            self._check_kind(one)
        copies = frozenset(position for one in settled.values() for position in one.positions[1:])
        return Probabilities(self.ontology, {position: one.value for position, one in settled.items()}, copies)

    def _check_kind(self, stated: Stated) -> None:
        axiom = self.ontology.axioms[stated.positions[0]]
        if isinstance(axiom, DatatypeDefinition) and stated.value != 1:
            raise MooseError(
                f"{stated.where}: expected probabilities on axioms that are reasoned with, but "
                f"{spelt(axiom, self.names.show)} is put in place of the datatype wherever that is used; "
                "leave it certain"
            )


def unknown_axiom(axiom: Axiom, where: str, ontology: Ontology, names: Names) -> MooseError:
    """Say that an ontology does not have an axiom, and which of its axioms are close."""
    hint = did_you_mean(closest(axiom, ontology, names), otherwise="write it as the ontology does")
    return MooseError(
        f"{where}: expected an axiom of the ontology, but it does not have {spelt(axiom, names.show)}; {hint}"
    )


def _annotated(note: Annotation, where: str) -> str:
    if not isinstance(note.value, Literal):
        raise MooseError(f'{where}: expected a probability as a literal such as "0.3", but got {render(note)}')
    return note.value.lexical


def _bears_probability(note: Annotation) -> bool:
    return any(inner.property in PROBABILITY_IRIS or _bears_probability(inner) for inner in note.annotations)
