"""The class hierarchy: who is below whom, directly and not."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from itertools import chain, pairwise
from typing import TYPE_CHECKING, TextIO

import numpy as np

from moose.base.compiled.machine_code import MachineFunction
from moose.base.errors import MooseError
from moose.owl.model.axioms import Axiom, EquivalentClasses, SubClassOf
from moose.owl.model.expressions import NOTHING, THING, Class, ClassExpression
from moose.owl.modules.unused import unused_anywhere
from moose.owl.names import Kind, Names
from moose.owl.normal.extend_form import extend_form, is_addable
from moose.owl.normal.normal_form import TOP, NormalForm
from moose.owl.notebook import data_frame, directed_graph, html_table
from moose.owl.ontology import Ontology, with_axioms, with_sets
from moose.owl.profile.profile import Outside
from moose.owl.syntax.goal_text import parse_axiom, parse_expression
from moose.saturation.answers import reduction
from moose.saturation.answers.closure import KEPT, Closure, saturate
from moose.saturation.answers.go_on import go_on
from moose.saturation.dl.dl_queries import ClassMatches, DLQueries
from moose.saturation.dl.hierarchy_rows import Rows
from moose.saturation.engine.arrays import Flags, Indices
from moose.saturation.engine.run import Progress, is_warm
from moose.saturation.engine.saturate import Saturation

if TYPE_CHECKING:
    import networkx as nx
    import pandas as pd

    from moose.saturation.proofs.explain import Explanation

SMALL = 20_000
"""Subsumptions up to which the hierarchy is computed by uncompiled code."""

NONE: Indices = np.zeros(0, dtype=np.int32)


@dataclass(frozen=True)
class Taxonomy:
    """The hierarchy of the named classes of an ontology.

    >>> import moose
    >>> taxonomy = moose.classify(moose.load(moose.PIZZERIA))
    >>> taxonomy.is_consistent
    True
    """

    ontology: Ontology
    closure: Closure
    is_consistent: bool
    unsatisfiable: tuple[str, ...]
    """IRIs of the classes that can have no element, sorted; all classes when the ontology is inconsistent."""
    rows: Rows

    @property
    def classes(self) -> tuple[str, ...]:
        """Return the IRIs of all named classes, sorted."""
        return self.ontology.classes

    def __repr__(self) -> str:
        state = f"{len(self.unsatisfiable):,} unsatisfiable" if self.is_consistent else "inconsistent"
        return f"Taxonomy({len(self.classes):,} classes, {state})"

    @cached_property
    def unused(self) -> tuple[Outside, ...]:
        """The axioms that can matter and are not used whole; if there are none, what is not below does not follow."""
        return unused_anywhere(self.ontology)

    @cached_property
    def _names(self) -> Names:
        return Names(self.ontology)

    @cached_property
    def row_numbers(self) -> dict[str, int]:
        """The row of each satisfiable class, by its IRI."""
        return {name: number for number, name in enumerate(self.rows.names)}

    def number_of(self, name: str) -> int | None:
        """Return the row of a class, given by IRI, CURIE, short name or label; None for an unsatisfiable one."""
        iri = self._names.resolve_class(name).iri
        return self.row_numbers.get(iri)

    def equivalents(self, name: str) -> tuple[str, ...]:
        """Return the other classes with the same elements."""
        return self.rows.names_of(self._equals(self.number_of(name)))

    def ancestors(self, name: str) -> tuple[str, ...]:
        """Return the classes strictly above, near and far."""
        return self.rows.names_of(self._above(self.number_of(name), is_direct=False))

    def parents(self, name: str) -> tuple[str, ...]:
        """Return the classes directly above (with all equivalents of each)."""
        return self.rows.names_of(self._above(self.number_of(name), is_direct=True))

    def descendants(self, name: str) -> tuple[str, ...]:
        """Return the satisfiable classes strictly below, near and far."""
        return self.rows.names_of(self._below(self.number_of(name), is_direct=False))

    def children(self, name: str) -> tuple[str, ...]:
        """Return the satisfiable classes directly below (with all equivalents of each)."""
        return self.rows.names_of(self._below(self.number_of(name), is_direct=True))

    def _equals(self, number: int | None) -> Indices:
        if number is None:
            return NONE
        above = self.rows.above[self.rows.row(number)]
        members: Indices = above[(self.rows.heights[above] == self.rows.heights[number]) & (above != number)]
        return members

    def _above(self, number: int | None, *, is_direct: bool) -> Indices:
        if number is None:
            return NONE
        row = self.rows.row(number)
        above = self.rows.above[row]
        flags = self.rows.is_direct[row] if is_direct else self.rows.heights[above] < self.rows.heights[number]
        members: Indices = above[flags]
        return members

    def _below(self, number: int | None, *, is_direct: bool) -> Indices:
        if number is None:
            return NONE
        flags = self.rows.above == number
        entries = np.flatnonzero(flags & self.rows.is_direct if is_direct else flags)
        below = (np.searchsorted(self.rows.pointers, entries, side="right") - 1).astype(np.int32)
        members: Indices = below[self.rows.heights[below] > self.rows.heights[number]]
        return members

    def is_below(self, sub: str, sup: str) -> bool:
        """Return whether one named class, which may be owl:Thing or owl:Nothing, is a subclass of another."""
        low, high = self._names.resolve_class(sub), self._names.resolve_class(sup)
        if high in (THING, low) or not self.is_consistent:
            return True
        number, above = self.row_numbers.get(low.iri), self.row_numbers.get(high.iri)
        if low == THING:
            return self._is_full(high.iri)
        if number is None:
            return True
        return above is not None and bool(np.any(self.rows.above[self.rows.row(number)] == above))

    def query(self, expression: str | ClassExpression) -> ClassMatches:
        """Answer a DL query: what is above, below and equal to a class expression of OWL 2 EL, and what is in it.

        Text is Manchester or functional syntax; a name is an IRI, a CURIE, a short name or a 'quoted label'.

        >>> import moose
        >>> taxonomy = moose.classify(moose.load(moose.PIZZERIA))
        >>> [moose.owl.names.short_name(iri) for iri in taxonomy.query("Pizza and contains some Fish").children]
        ['Napoli']
        """
        if isinstance(expression, str):
            expression = parse_expression(expression, "the query", self._names.resolve)
        return self.dl_queries.ask(expression)

    def add(self, axioms: Iterable[str | Axiom] | str | Axiom, *, progress: Progress | None = None) -> Taxonomy:
        """Return the taxonomy with more axioms; where they only add, what was derived before is not derived again.

        Text is Manchester or functional syntax, in which <IRI> may be a name that the ontology does not have yet.

        >>> import moose
        >>> more = moose.classify(moose.load(moose.PIZZERIA)).add("Napoli SubClassOf contains some Chilli")
        >>> more.is_below("Napoli", "SpicyDish")
        True
        """
        given = [axioms] if isinstance(axioms, str) or not isinstance(axioms, Iterable) else list(axioms)
        for one in given:
            if not isinstance(one, str | Axiom):
                raise MooseError(f"expected axioms, or their text, but got {one!r}; write them as `A SubClassOf B`")
        read = [parse_axiom(one, "the axiom", self._names_or_new) if isinstance(one, str) else one for one in given]
        return go_on_with(self, read, progress=progress)

    def _names_or_new(self, kind: type[Kind], text: str) -> Kind:
        """Return the entity that a name stands for; a full IRI may be new."""
        found = self._names.find(kind, text)
        if found is None and text.startswith("<"):
            return kind(text[1:-1])
        return self._names.resolve(kind, text) if found is None else found

    def to_pandas(self, *, closure: bool = False) -> pd.DataFrame:
        """Return the pairs (sub, super) with their labels as a data frame: the direct ones, or all that follow."""
        pairs = list(self.pairs(closure=closure))
        subs, sups = [sub for sub, _ in pairs], [sup for _, sup in pairs]
        labels = ([self._names.label(iri) for iri in column] for column in (subs, sups))
        return data_frame(dict(zip(("sub", "super", "sub_label", "super_label"), (subs, sups, *labels), strict=True)))

    def to_networkx(self, *, closure: bool = False) -> nx.DiGraph:
        """Return the hierarchy as a graph with an edge from each class to those above it, directly or at all."""
        return directed_graph(self.classes, self.pairs(closure=closure), labels=self._names.label)

    def _repr_html_(self) -> str:
        """Show a notebook the topmost classes, each with the number of those below it."""
        is_top = [not self.rows.is_direct[self.rows.row(number)].any() for number in range(len(self.rows.names))]
        tops = [name for name, top in zip(self.rows.names, is_top, strict=True) if top]
        rows = ((self._names.show(name), f"{len(self.descendants(f'<{name}>')):,}") for name in tops)
        return html_table(repr(self), ("topmost class", "classes below"), rows, count=len(tops))

    @cached_property
    def dl_queries(self) -> DLQueries:
        """What answers `query`; it takes class expressions that are no text, and several at once."""
        saturation = Saturation(self.closure.form, self.closure.base, self.closure.worlds)
        return DLQueries(saturation, self.rows, self.closure.axioms, show=self._names.show)

    def explain(self, sub: str, sup: str) -> Explanation | None:
        """Return a proof that one class is below another, or None where there is none."""
        from moose.saturation.proofs.explain import explain

        resolve = self._names.resolve_class
        return explain(self.ontology, SubClassOf(resolve(sub), resolve(sup)))

    def property_pairs(self) -> list[tuple[str, str]]:
        """Return pairs (property, property above it), sorted, without the top properties."""
        from moose.saturation.answers.properties import property_pairs

        return property_pairs(self.ontology)

    def pairs(self, *, closure: bool) -> Iterator[tuple[str, str]]:
        """Return pairs of IRIs, sorted: direct edges and equivalences, or everything that follows."""
        return self.rows.pairs(closure=closure)

    def closure_pairs(self) -> list[tuple[str, str]]:
        """Return every pair (sub, super), without the pairs of a class with itself."""
        return list(self.pairs(closure=True))

    def direct_pairs(self) -> list[tuple[str, str]]:
        """Return the pairs (sub, super) that are direct, and those of equivalent classes, both ways."""
        return list(self.pairs(closure=False))

    def write_tsv(self, stream: TextIO, *, closure: bool, name: Callable[[str], str] | None = None) -> None:
        """Write the pairs as lines `sub<TAB>super`, of full IRIs unless a function names them otherwise."""
        pairs = self.pairs(closure=closure)
        named = pairs if name is None else ((name(sub), name(sup)) for sub, sup in pairs)
        stream.writelines(f"{sub}\t{sup}\n" for sub, sup in named)

    def inferred_axioms(self) -> Iterator[Axiom]:
        """Yield the direct hierarchy as axioms: equivalences, subclasses, and what is unsatisfiable."""
        for number, name in enumerate(self.rows.names):
            row = self.rows.row(number)
            equal = np.sort(self._equals(number))
            if len(equal) and number < equal[0]:
                yield EquivalentClasses(tuple(Class(self.rows.names[each]) for each in (number, *equal.tolist())))
            for other in np.sort(self.rows.above[row][self.rows.is_direct[row]]).tolist():
                yield SubClassOf(Class(name), Class(self.rows.names[other]))
        full = [name for name in self.rows.names if self._is_full(name)]
        if full:
            yield EquivalentClasses((THING, *map(Class, full)))
        for name in self.unsatisfiable:
            yield SubClassOf(Class(name), NOTHING)

    def _is_full(self, iri: str) -> bool:
        concept = self.closure.form.class_number(iri)
        return concept is not None and self.closure.base.has(TOP, concept)


def classify(ontology: Ontology, *, progress: Progress | None = None) -> Taxonomy:
    """Compute the hierarchy of all named classes."""
    return taxonomy_of(ontology, saturate(ontology, progress=progress))


def go_on_with(taxonomy: Taxonomy, axioms: Sequence[Axiom], *, progress: Progress | None = None) -> Taxonomy:
    """Return the taxonomy with more axioms, from the saturated state where these only add to it."""
    known = set(taxonomy.ontology.axioms)
    new = [axiom for axiom in dict.fromkeys(map(with_sets, axioms)) if axiom not in known]
    ontology = with_axioms(taxonomy.ontology, [*taxonomy.ontology.axioms, *new])
    before, closure = taxonomy.ontology.profile.used_axioms, taxonomy.closure
    is_only_more = ontology.profile.used_axioms == (*before, *new)
    if is_only_more and is_addable(closure.form, new):
        form = extend_form(closure.form, new, len(before))
        KEPT[ontology] = Closure(*go_on(closure.base, form, progress=progress), axioms=ontology.profile.used_axioms)
    return classify(ontology, progress=progress)


def taxonomy_of(ontology: Ontology, closure: Closure) -> Taxonomy:
    """Read the hierarchy off a closure."""
    form = closure.form
    iris = np.array(form.classes, dtype=object)
    concepts = form.class_concepts
    is_listed = concepts > TOP + 1
    satisfiable = is_listed & np.array([closure.is_consistent]) & ~closure.base.is_bottom[concepts]
    for concept in closure.worlds:
        position = int(form.first[concept])
        if position < len(concepts) and concepts[position] == concept:
            satisfiable[position] = satisfiable[position] and closure.is_satisfiable(concept)
    return Taxonomy(
        ontology=ontology,
        closure=closure,
        is_consistent=closure.is_consistent,
        unsatisfiable=tuple(sorted(iris[is_listed & ~satisfiable].tolist())),
        rows=hierarchy(closure, satisfiable),
    )


def hierarchy(closure: Closure, satisfiable: Flags) -> Rows:
    """Put the named subsumers of each satisfiable class into a row, and flag the direct ones."""
    form, facts = closure.form, closure.base
    names, concepts_in_order = in_order(np.array(form.classes, dtype=object)[satisfiable].tolist(), form, satisfiable)
    number = np.full(len(form.kinds), -1, dtype=np.int32)
    number[concepts_in_order] = np.arange(len(names))
    contexts, concepts = facts.contexts, facts.concepts
    if closure.worlds:
        contexts, concepts = with_worlds(closure)
    functions = compiled_reduction() if len(concepts) > SMALL or is_warm() else vars(reduction)
    pointers, above = reduction.empty_rows(len(names), len(concepts))
    functions["gather_rows"](contexts, concepts, number, pointers, above)
    above = above[: pointers[-1]]
    is_direct = np.zeros(len(above), dtype=np.bool_)
    functions["reduce_rows"](pointers, above, np.full(len(names), -1, dtype=np.int32), is_direct)
    return Rows(names, pointers, above, is_direct)


def in_order(names: list[str], form: NormalForm, is_listed: Flags) -> tuple[tuple[str, ...], Indices]:
    """Return classes and their concepts in the order of their IRIs; those added to a form stand behind the others."""
    concepts = form.class_concepts[is_listed]
    if all(one < other for one, other in pairwise(names)):
        return tuple(names), concepts
    order = sorted(range(len(names)), key=names.__getitem__)
    return tuple(names[position] for position in order), concepts[order]


def rows_of_pairs(names: Sequence[str], pairs: Iterable[tuple[str, str]]) -> Rows:
    """Put subsumptions that are given, all of them and none of a class by itself, into rows; names are sorted."""
    number = {name: position for position, name in enumerate(names)}
    above_of: list[list[int]] = [[position] for position in range(len(names))]
    for sub, sup in pairs:
        above_of[number[sub]].append(number[sup])
    pointers = np.cumsum([0, *map(len, above_of)], dtype=np.int64)
    above = np.fromiter(chain.from_iterable(map(sorted, above_of)), dtype=np.int32)
    is_direct = np.zeros(len(above), dtype=np.bool_)
    functions = compiled_reduction() if len(above) > SMALL else vars(reduction)
    functions["reduce_rows"](pointers, above, np.full(len(names), -1, dtype=np.int32), is_direct)
    return Rows(tuple(names), pointers, above, is_direct)


def with_worlds(closure: Closure) -> tuple[Indices, Indices]:
    """Return the subsumptions with those of conditional concepts taken from their own worlds."""
    base = closure.base
    is_own = np.zeros(len(closure.form.kinds), dtype=np.bool_)
    is_own[list(closure.worlds)] = True
    rest = ~is_own[base.contexts]
    contexts, concepts = [base.contexts[rest]], [base.concepts[rest]]
    for concept, world in closure.worlds.items():
        subsumers = world.subsumers(concept)
        contexts.append(np.full(len(subsumers), concept, dtype=np.int32))
        concepts.append(subsumers)
    return np.concatenate(contexts), np.concatenate(concepts)


@cache
def compiled_reduction() -> dict[str, Callable[..., object]]:
    """Return the loops of `reduction` as machine code."""
    return {name: MachineFunction([reduction], name) for name in ("gather_rows", "reduce_rows")}
