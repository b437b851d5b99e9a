"""How circuits are compiled where a call does not say: `compiling`."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from os import PathLike
from pathlib import Path

from moose.base.errors import MooseError
from moose.circuit.limits import Limits, checked_limits

VTREES = ("auto", "tables", "structure", "balanced", "linear")


@dataclass(frozen=True, slots=True)
class Settings:
    """The way of compiling, what it may take, and where circuits are kept."""

    vtree: str = "auto"
    limits: Limits = field(default_factory=Limits)
    cache: Path | bool | None = None

    def __post_init__(self) -> None:
        if self.vtree not in VTREES:
            raise MooseError(f"expected a vtree among {', '.join(VTREES)}, but got {self.vtree!r}")
        checked_limits(self.limits)
        folder: object = self.cache
        if not isinstance(folder, str | PathLike | bool | None):
            raise MooseError(f"expected a folder, True or False as the cache, but got {folder!r}")

    def changed(self, vtree: str | None, limits: Limits | None, cache: Path | bool | None) -> Settings:
        """Return the settings with what is given instead."""
        return Settings(
            vtree=self.vtree if vtree is None else vtree,
            limits=self.limits if limits is None else limits,
            cache=self.cache if cache is None else cache,
        )


_current: ContextVar[Settings | None] = ContextVar("settings", default=None)


def current_settings() -> Settings:
    """Return the settings that hold here."""
    return _current.get() or Settings()


@contextmanager
def compiling(
    *, vtree: str | None = None, limits: Limits | None = None, cache: Path | bool | None = None
) -> Iterator[Settings]:
    """Say how circuits are compiled inside a `with` statement, by whatever compiles there: learners, shortcuts, tasks.

    >>> import moose
    >>> with moose.compiling(vtree="tables", limits=moose.Limits(seconds=10)):
    ...     circuit = moose.compile_circuit(moose.ground(moose.regime("mnist1")))
    >>> circuit.statistics.vtree
    'tables: 27 rows, width 4 by min-fill'
    """
    settings = current_settings().changed(vtree, limits, cache)
    token = _current.set(settings)
    try:
        yield settings
    finally:
        _current.reset(token)
