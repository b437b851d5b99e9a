"""DL queries: which named classes are above, below and equal to a class expression, and which individuals are in it.

The closure has been computed once. Of an expression of classes, ⊓ and ∃, what is below is looked up
(`expressions_below`), and what is above is found by the kernel in a context of its own (`expressions_above`). Where
rules that look at the whole closure may conclude more, the expression gets a name and everything is saturated again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from moose.base.errors import InconsistentOntology, MooseError
from moose.owl.model.axioms import Axiom, EquivalentClasses
from moose.owl.model.expressions import Class, ClassExpression, Entity, NamedIndividual
from moose.owl.names import short_name
from moose.owl.normal.normal_form import NormalForm
from moose.owl.normal.normalise import normalise
from moose.owl.notebook import data_frame, html_table
from moose.owl.profile.el import is_el
from moose.owl.syntax.functional.write_functional import render
from moose.saturation.dl.expressions_above import Overlay
from moose.saturation.dl.expressions_below import Below, Numbers
from moose.saturation.dl.hierarchy_rows import Rows
from moose.saturation.engine.arrays import Flags, Indices
from moose.saturation.engine.facts import Facts
from moose.saturation.engine.saturate import Saturation, is_possible, roots_that_matter, saturate_form

if TYPE_CHECKING:
    import pandas as pd

Show = Callable[[str], str]
QUERY_IRI = "urn:moose:query:"
"""The beginning of the names that expressions get where everything is saturated again."""


@dataclass(frozen=True)
class ClassMatches:
    """The named classes and individuals that stand in some relation to a class expression.

    Classes are IRIs, sorted; unsatisfiable ones are left out, as they are below everything.
    """

    expression: ClassExpression
    is_satisfiable: bool
    rows: Rows = field(repr=False, compare=False)
    equal: Indices = field(repr=False, compare=False)
    above: Indices = field(repr=False, compare=False)
    below: Indices = field(repr=False, compare=False)
    instances: tuple[str, ...] = field(repr=False)
    """IRIs of the named individuals that are in it, sorted."""
    show: Show = field(repr=False, compare=False)
    """How people read an IRI."""

    @cached_property
    def equivalents(self) -> tuple[str, ...]:
        """The classes with the same elements."""
        return self.rows.names_of(self.equal)

    @cached_property
    def ancestors(self) -> tuple[str, ...]:
        """The classes strictly above, near and far; none for an expression that can have no element."""
        return self.rows.names_of(self.above)

    @cached_property
    def parents(self) -> tuple[str, ...]:
        """The classes directly above."""
        return self.rows.names_of(self.rows.least(self.above))

    @cached_property
    def descendants(self) -> tuple[str, ...]:
        """The classes strictly below, near and far."""
        return self.rows.names_of(self.below)

    @cached_property
    def children(self) -> tuple[str, ...]:
        """The classes directly below."""
        return self.rows.names_of(self.rows.greatest(self.below))

    def related(self) -> Iterator[tuple[str, str]]:
        """Yield pairs of a relation (equivalent, super, sub, instance) and the IRI of what stands in it."""
        relations = {"equivalent": self.equivalents, "super": self.ancestors, "sub": self.descendants}
        for relation, iris in (*relations.items(), ("instance", self.instances)):
            yield from ((relation, iri) for iri in iris)

    def to_pandas(self) -> pd.DataFrame:
        """Return what stands in which relation, with the name that people read, as a data frame."""
        pairs = list(self.related())
        iris = [iri for _, iri in pairs]
        relations = [relation for relation, _ in pairs]
        return data_frame({"relation": relations, "iri": iris, "name": [*map(self.show, iris)]})

    def _repr_html_(self) -> str:
        """Show a notebook what stands in which relation."""
        rows = ((relation, self.show(iri)) for relation, iri in self.related())
        count = len(self.equal) + len(self.above) + len(self.below) + len(self.instances)
        return html_table(repr(self), ("relation", "name"), rows, count=count)

    def __repr__(self) -> str:
        counts = f"{len(self.equal):,} equivalent, {len(self.above):,} above, {len(self.below):,} below"
        state = counts if self.is_satisfiable else "unsatisfiable"
        return f"ClassMatches({render(self.expression, self.show)}: {state}, {len(self.instances):,} instances)"


class DLQueries:
    """Answers DL queries about one saturated ontology; what the first needs is kept for the next."""

    def __init__(self, saturation: Saturation, rows: Rows, axioms: Sequence[Axiom], *, show: Show = short_name) -> None:
        self._saturation = saturation
        self._facts = saturation.base
        self._rows = rows
        self._axioms = axioms
        self._show = show
        self._numbers = Numbers(saturation.form)
        self._below = Below(saturation.base, self._numbers)
        self._overlay = Overlay(saturation.base, self._numbers)

    def ask(self, expression: ClassExpression) -> ClassMatches:
        """Answer one query."""
        return self.ask_all([expression])[0]

    def ask_all(self, expressions: Sequence[ClassExpression]) -> list[ClassMatches]:
        """Answer several queries; those that need everything saturated again need it once together."""
        if not is_possible(self._facts):
            raise InconsistentOntology(
                "expected a consistent ontology, but it has no model, so that every class is below every other; "
                "ask `moose explain` why"
            )
        for expression in expressions:
            check_query(expression)
        answers = [self._looked_up(expression) for expression in expressions]
        waiting = [one for one, answer in zip(expressions, answers, strict=True) if answer is None]
        again = iter(self._saturated_again(waiting) if waiting else ())
        return [next(again) if answer is None else answer for answer in answers]

    # ── In the closure that is there ──────────────────────────────────────────────────────────────────────────────

    @cached_property
    def _is_unconditional(self) -> bool:
        """Whether nothing follows from some concept's having an element."""
        started = np.flatnonzero(self._facts.is_started).tolist()
        return (
            self._saturation.form.universal_role < 0
            and not self._saturation.worlds
            and (not self._saturation.form.individuals or not roots_that_matter(self._facts, started))
        )

    def _looked_up(self, expression: ClassExpression) -> ClassMatches | None:
        """Answer from the closure as it is, or return None where more may follow."""
        if not self._is_unconditional or not self._numbers.knows(expression):
            return None
        above = self._overlay.above(expression)
        if not above.is_settled:
            return None
        if above.is_bottom:
            return self._matches(expression, None, np.zeros(0, dtype=np.int32))
        return self._matches(expression, above.subsumers, self._below.of(expression))

    def _matches(self, expression: ClassExpression, subsumers: Indices | None, below: Indices) -> ClassMatches:
        """Put together what is above (None for what has no element) and below, as concepts of the base facts."""
        low, high = self._classes(below), self._classes(subsumers if subsumers is not None else below[:0])
        is_low = self._flags(low)
        equal = high[is_low[high]]
        is_low[equal] = False
        instances = self._individual_names[below]
        return ClassMatches(
            expression=expression,
            is_satisfiable=subsumers is not None,
            rows=self._rows,
            equal=equal,
            above=high[~self._flags(equal)[high]],
            below=low[is_low[low]],
            show=self._show,
            instances=tuple(sorted(instances[instances != ""].tolist())) if self._has_individuals else (),
        )

    def _flags(self, numbers: Indices) -> Flags:
        flags = np.zeros(len(self._rows.names), dtype=np.bool_)
        flags[numbers] = True
        return flags

    def _classes(self, concepts: Indices) -> Indices:
        """Return the rows of those concepts that are satisfiable named classes."""
        numbers = self._row_numbers[concepts]
        return numbers[numbers >= 0]

    @cached_property
    def _row_numbers(self) -> Indices:
        form = self._saturation.form
        return row_numbers(form, self._rows)

    @cached_property
    def _has_individuals(self) -> bool:
        return any(isinstance(one, NamedIndividual) for one in self._saturation.form.individuals)

    @cached_property
    def _individual_names(self) -> np.ndarray[tuple[int], np.dtype[np.object_]]:
        """Return the IRI of each concept that is a nominal of a named individual, else an empty text."""
        return individual_names(self._saturation.form)

    # ── With everything saturated again ───────────────────────────────────────────────────────────────────────────

    def _saturated_again(self, expressions: Sequence[ClassExpression]) -> list[ClassMatches]:
        """Answer queries by giving each a name: Q ≡ the expression, added to the axioms."""
        queries = [Class(f"{QUERY_IRI}{position}") for position in range(len(expressions))]
        told = [EquivalentClasses(pair) for pair in zip(queries, expressions, strict=True)]
        form = self._saturation.form
        entities: list[Entity] = [Class(iri) for iri in (*form.classes, *(query.iri for query in queries))]
        entities += [*form.roles, *(one for one in form.individuals if isinstance(one, NamedIndividual))]
        again = saturate_form(normalise([*self._axioms, *told], entities=entities))
        numbers = [again.form.class_number(query.iri) for query in queries]
        below: list[list[int]] = [[] for _ in queries]
        position_of = {number: position for position, number in enumerate(numbers)}
        candidates = [*again.form.class_concepts.tolist(), *again.form.nominal_concepts.tolist()]
        for concept in candidates:
            if concept not in position_of:
                for sup in again.world_of(concept).subsumers(concept).tolist():
                    if sup in position_of:
                        below[position_of[sup]].append(concept)
        known = old_numbers(again.form, form)
        return [
            self._renumbered(again, known, query=number, expression=expression, below=below[position])
            for position, (expression, number) in enumerate(zip(expressions, numbers, strict=True))
            if number is not None
        ]

    def _renumbered(
        self, again: Saturation, known: Indices, *, query: int, expression: ClassExpression, below: Sequence[int]
    ) -> ClassMatches:
        """Read one answer off the new closure, in the concepts of the old one, of which these are known."""
        facts: Facts = again.world_of(query)
        is_empty = not is_possible(facts) or bool(facts.is_bottom[query])
        subsumers = known[facts.subsumers(query)]
        concepts = known[np.array(below, dtype=np.int32)] if below and not is_empty else np.zeros(0, dtype=np.int32)
        return self._matches(expression, None if is_empty else subsumers[subsumers >= 0], concepts[concepts >= 0])


def row_numbers(form: NormalForm, rows: Rows) -> Indices:
    """Return the row of each concept that is a satisfiable named class, else -1."""
    numbers = np.full(len(form.kinds), -1, dtype=np.int32)
    concepts = [form.class_number(name) for name in rows.names]
    numbers[np.array(concepts, dtype=np.int32)] = np.arange(len(concepts), dtype=np.int32)
    return numbers


def individual_names(form: NormalForm) -> np.ndarray[tuple[int], np.dtype[np.object_]]:
    """Return the IRI of each concept that is a nominal of a named individual, else an empty text."""
    names = np.full(len(form.kinds), "", dtype=object)
    for individual, concept in zip(form.individuals, form.nominal_concepts.tolist(), strict=True):
        if isinstance(individual, NamedIndividual):
            names[concept] = individual.iri
    return names


def old_numbers(form: NormalForm, old: NormalForm) -> Indices:
    """Return, for each class and nominal of a form, its number in an older one, else -1."""
    numbers = np.full(len(form.kinds), -1, dtype=np.int32)
    for iri, concept in zip(form.classes, form.class_concepts.tolist(), strict=True):
        numbers[concept] = -1 if (known := old.class_number(iri)) is None else known
    nominals = dict(zip(old.individuals, old.nominal_concepts.tolist(), strict=True))
    for individual, concept in zip(form.individuals, form.nominal_concepts.tolist(), strict=True):
        numbers[concept] = nominals.get(individual, -1)
    return numbers


def check_query(expression: ClassExpression) -> None:
    """Refuse what is not in OWL 2 EL, in one sentence."""
    if not is_el(expression):
        raise MooseError(
            f"expected a class expression of OWL 2 EL, but got {render(expression)}; "
            "leave out unions, complements, universals, cardinalities and inverses"
        )
