"""How data ranges are spelt: by the axioms, and by the engine."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import fields, is_dataclass

from moose.owl.model import axioms as ax
from moose.owl.model import expressions as owl
from moose.owl.model.datatypes import value_set
from moose.owl.normal.normal_form import LITERAL, NormalForm
from moose.owl.syntax.functional.write_functional import render


def spell_ranges(
    form: NormalForm, sources: Sequence[ax.Axiom], asked: Sequence[owl.ClassExpression]
) -> dict[int, tuple[str, ...]]:
    """Return the spellings of each data range: those that axioms use, else a number."""
    numbers = {values: int(number) for values, number in zip(form.value_sets, form.value_concepts, strict=True)}
    found: dict[int, dict[str, None]] = {number: {} for number in numbers.values()}
    for data_range in ranges_in([*sources, *asked]):
        number = numbers.get(value_set(data_range))
        if number is not None:
            found[number][render(data_range)] = None
    for number, spellings in found.items():
        if not spellings:
            spellings[render(owl.LITERAL) if number == LITERAL else f"the data range number {number}"] = None
    return {number: tuple(spellings) for number, spellings in found.items()}


def ranges_in(values: Sequence[object]) -> Iterator[owl.DataRange]:
    """Yield every data range that axioms or expressions name, that of a single literal included."""
    stack: list[object] = list(values)
    while stack:
        value = stack.pop()
        if isinstance(value, owl.DataRange):
            yield value
        elif isinstance(value, owl.DataHasValue | ax.DataPropertyAssertion):
            yield owl.DataOneOf((value.literal,))
        elif isinstance(value, tuple):
            stack += value
        elif is_dataclass(value) and not isinstance(value, ax.Declaration | owl.Literal):
            stack += [getattr(value, each.name) for each in fields(value) if each.name != "annotations"]
