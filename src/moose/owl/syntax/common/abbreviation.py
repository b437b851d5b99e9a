"""IRIs in short, by the prefixes of a document: only where every reader takes the short form for the same IRI."""

from __future__ import annotations

import re
from collections.abc import Mapping

from moose.base.errors import MooseError
from moose.owl.model.expressions import STANDARD_PREFIXES

_PREFIX = re.compile(r"(?:[A-Za-z](?:[A-Za-z0-9_.-]*[A-Za-z0-9_-])?)?")
_LOCAL = re.compile(r"[A-Za-z0-9_](?:[A-Za-z0-9_.-]*[A-Za-z0-9_-])?")
_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:")


def written_prefixes(prefixes: Mapping[str, str]) -> dict[str, str]:
    """Return the prefixes that a document is written with: its own as far as they can be, and those of OWL; sorted."""
    own = {name: space for name, space in prefixes.items() if _PREFIX.fullmatch(name) and _SCHEME.match(space)}
    return dict(sorted({**STANDARD_PREFIXES, **own}.items()))


class Abbreviation:
    """Shortens IRIs; of several prefixes for one namespace, the last in order is used."""

    def __init__(self, prefixes: Mapping[str, str]) -> None:
        self.prefixes = written_prefixes(prefixes)
        self._names = {space: name for name, space in self.prefixes.items() if name != "xml"}
        self._lengths = sorted(set(map(len, self._names)), reverse=True)
        self._short: dict[str, str | None] = {}

    def short(self, iri: str) -> str | None:
        """Return prefix:name, or None for an IRI that has no such form.

        >>> Abbreviation({}).short("http://www.w3.org/2002/07/owl#Thing")
        'owl:Thing'
        """
        if iri not in self._short:
            self._short[iri] = self._shorten(iri)
        return self._short[iri]

    def _shorten(self, iri: str) -> str | None:
        for length in self._lengths:
            name = self._names.get(iri[:length]) if length < len(iri) else None
            if name is not None and _LOCAL.fullmatch(iri, length):
                return f"{name}:{iri[length:]}"
        return None


def absolute_iri(iri: str, title: str) -> str:
    """Return an IRI that is one in full, or say that a syntax would take it for a part of another."""
    if _SCHEME.match(iri) is None:
        raise MooseError(
            f"expected full IRIs to write {title}, but got <{iri}>, which a reader would complete; write it in full, "
            "or write functional syntax"
        )
    return iri
