"""What several values of one functional data property say together, as data ranges that can be numbered beforehand.

All of them are one value, so it lies in the intersection of their ranges. Of parts that OWL 2 defines, the
intersections are few. Of those whose meaning is not known (xsd:date, one's own datatypes) every set of them would be
another; but such an intersection says more than its parts only where the ontology names an intersection itself, or
where the known parts alone say it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from fractions import Fraction
from functools import cached_property, reduce

from moose.owl.model.datatypes import ValueSet, is_known
from moose.owl.model.literals import OPAQUE, Value


class FunctionalValues:
    """The data ranges of an ontology, and what two or more of them can share that is worth a number."""

    def __init__(self, told: Iterable[ValueSet]) -> None:
        self.told = tuple(told)

    @cached_property
    def _named(self) -> tuple[tuple[ValueSet, ...], ...]:
        """For each intersection that the ontology names and that has unknown parts: its parts, one more each time."""
        mixed = [values for values in self.told if len(parts(values)) > 1 and known_part(values) != values]
        return tuple(tuple(prefixes(parts(values))) for values in mixed)

    def all_shared(self) -> list[ValueSet]:
        """Return every range that `shared` can name, besides those that are told."""
        results = dict.fromkeys([ValueSet.empty()])
        results.update((prefix, None) for row in self._named for prefix in row)
        known = dict.fromkeys(map(known_part, self.told))
        results.update(known)
        closed = dict.fromkeys(values for values in known if values.single is None)
        growing = list(closed)
        for first in growing:  # grows while it is read
            for second in growing[:]:
                both = first.intersect(second)
                if both not in closed:
                    closed[both] = results[both] = None
                    growing.append(both)
        return list(results)

    def shared(self, ranges: Iterable[ValueSet]) -> list[ValueSet]:
        """Return ranges that have numbers, and that say together what it says of a value to lie in all of these."""
        given = tuple(ranges)
        whole = reduce(ValueSet.intersect, given)
        if whole.is_empty():
            return [whole]
        results = dict.fromkeys([known_part(whole)])
        results.update((prefix, None) for row in self._named for prefix in row if whole.is_subset(prefix))
        results.update((one, None) for one in given if not any(result.is_subset(one) for result in results))
        return [one for one in results if one != ValueSet()]


def parts(values: ValueSet) -> tuple[ValueSet, ...]:
    """Return the ranges of one value or datatype each whose intersection a range is, in a fixed order."""
    single = [ValueSet(frozenset([value])) for value in sorted(values.values, key=_order)]
    return (*single, *(ValueSet(datatypes=frozenset([datatype])) for datatype in sorted(values.datatypes)))


def _order(value: Value) -> tuple[str, str]:
    return value.space, _spelt(value.content)


def _spelt(content: object) -> str:
    """Write the content of a value; numbers in hexadecimal, which Python does at any length."""
    if isinstance(content, Fraction):
        return f"{content.numerator:x}/{content.denominator:x}"
    if isinstance(content, tuple):
        return " ".join(map(_spelt, content))
    return f"{content:x}" if isinstance(content, int) else repr(content)


def prefixes(operands: tuple[ValueSet, ...]) -> Iterator[ValueSet]:
    """Yield the first part, the first two together, and so on."""
    whole = ValueSet()
    for operand in operands:
        whole = whole.intersect(operand)
        yield whole


def known_part(values: ValueSet) -> ValueSet:
    """Return the range without the parts of which it is not known how they fit to others."""
    if values.has_none:
        return values
    known = frozenset(value for value in values.values if value.space != OPAQUE)
    datatypes = frozenset(datatype for datatype in values.datatypes if is_known(datatype))
    return ValueSet().intersect(ValueSet(known, datatypes))
