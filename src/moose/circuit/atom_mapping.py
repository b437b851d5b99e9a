"""Answers of a circuit: a value for each atom, looked up by text or by atom."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Generic, TypeVar

from moose.base.errors import MooseError, UnknownName
from moose.grounding.atoms import Atom, parse_atom
from moose.grounding.clauses import Clauses

Value_co = TypeVar("Value_co", covariant=True)


class UnknownAtom(UnknownName, KeyError):
    """An answer has no such atom; also a `KeyError`, as a mapping should raise."""

    def __str__(self) -> str:
        return str(self.args[0])


class AtomMapping(Mapping[str, Value_co], Generic[Value_co]):
    """A value for each atom, by its text; an `Atom`, or a text with other spaces, is accepted as a key too.

    Pairs that the clauses know to be false because their role is closed are answered, but too many to be listed.

    >>> values = AtomMapping({"succ(a,b)": 0.5})
    >>> values["succ(a, b)"], values[Atom("succ", ("a", "b"))], "succ(a, b)" in values, "Even(a)" in values
    (0.5, 0.5, True, False)
    """

    __slots__ = ("_clauses", "_false", "_values")

    def __init__(
        self, values: dict[str, Value_co], clauses: Clauses | None = None, false: Value_co | None = None
    ) -> None:
        self._values = values
        self._clauses = clauses
        self._false = false

    def __getitem__(self, key: str | Atom) -> Value_co:
        if isinstance(key, str) and key in self._values:
            return self._values[key]
        atom = key if isinstance(key, Atom) else _parsed(key, self._clauses)
        if str(atom) in self._values:
            return self._values[str(atom)]
        if self._false is not None and self._clauses is not None and self._clauses.known_truth(atom) is False:
            return self._false
        raise UnknownAtom(f"expected an atom among {_some(self._values)}, but got {atom}")

    def __contains__(self, key: object) -> bool:
        try:
            self[key]  # type: ignore[index]  # whatever is no atom is not in it
        except KeyError:
            return False
        return True

    def __iter__(self) -> Iterator[str]:
        return iter(self._values)

    def __len__(self) -> int:
        return len(self._values)

    def __repr__(self) -> str:
        return repr(self._values)


def _parsed(key: str, clauses: Clauses | None) -> Atom:
    """Read a key; what is no atom is no key either."""
    try:
        return parse_atom(key) if clauses is None else clauses.read_atom(key)
    except MooseError as error:
        raise UnknownAtom(str(error)) from None


def _some(names: Mapping[str, object], most: int = 5) -> str:
    """List the first few names."""
    return ", ".join(list(names)[:most]) + (", …" if len(names) > most else "")
