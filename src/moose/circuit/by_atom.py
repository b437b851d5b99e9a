"""Answers by atom."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Generic, TypeVar

from moose.errors import UnknownName
from moose.grounding.atoms import Atom, parse_atom

Value_co = TypeVar("Value_co", covariant=True)


class UnknownAtom(UnknownName, KeyError):
    """An answer has no such atom; also a `KeyError`, as a mapping should raise."""

    def __str__(self) -> str:
        return str(self.args[0])


class ByAtom(Mapping[str, Value_co], Generic[Value_co]):
    """A value for each atom, by its text; an `Atom`, or a text with other spaces, is accepted as a key too.

    >>> values = ByAtom({"succ(a,b)": 0.5})
    >>> values["succ(a, b)"], values[Atom("succ", ("a", "b"))], "succ(a, b)" in values, "Even(a)" in values
    (0.5, 0.5, True, False)
    """

    __slots__ = ("_values",)

    def __init__(self, values: dict[str, Value_co]) -> None:
        self._values = values

    def __getitem__(self, key: str | Atom) -> Value_co:
        text = self._spelled(key)
        if text not in self._values:
            raise UnknownAtom(f"expected an atom among {_some(self._values)}, but got {text}")
        return self._values[text]

    def __contains__(self, key: object) -> bool:
        return isinstance(key, str | Atom) and self._spelled(key) in self._values

    def _spelled(self, key: str | Atom) -> str:
        """Return the text of an atom as atoms are printed."""
        text = str(key)
        return text if text in self._values else str(parse_atom(text))

    def __iter__(self) -> Iterator[str]:
        return iter(self._values)

    def __len__(self) -> int:
        return len(self._values)

    def __repr__(self) -> str:
        return repr(self._values)


def _some(names: Mapping[str, object], most: int = 5) -> str:
    """List the first few names."""
    return ", ".join(list(names)[:most]) + (", …" if len(names) > most else "")
