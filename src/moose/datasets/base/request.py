"""What is asked of a data set, and what it is that can be asked."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from moose.base.errors import MooseError
from moose.datasets.base.regimes import Regime

if TYPE_CHECKING:
    from moose.learning.examples import Examples


@dataclass(frozen=True, slots=True, eq=False)
class Request:
    """Which examples to make."""

    regime: Regime
    folder: Path | None = None
    """Where the files are, or the file; without it, where `moose data get` puts them."""
    seed: int = 0
    count: int | None = None
    """Instances to train on."""
    test_count: int | None = None
    """Instances in every other split."""
    size: int | None = None
    """Pixels along each side of an image."""
    inductive: bool = False
    """Whether some labels of the first individual are held back (appendix F of the paper)."""
    features: tuple[str, ...] = ()
    """Of a table: patterns of the columns that are looked at; all that hold no words if empty."""
    allow_latent: bool = False
    """Whether literals of the user's own may be of latent concepts, as labels are."""

    def __post_init__(self) -> None:
        for name, least in (("seed", 0), ("count", 1), ("test_count", 1), ("size", 1)):
            value = getattr(self, name)
            if value is not None and (not isinstance(value, int) or isinstance(value, bool) or value < least):
                raise MooseError(f"expected {name} to be a whole number of at least {least}, but got {value!r}")


Tell = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class OwnRegimes:
    """The regimes of a data set whose tasks are made of its files."""

    usual: tuple[str, ...]
    """Names to list; there may be more."""
    check: Callable[[str], object]
    """Refuses a name that is none, without looking at files."""
    read: Callable[[str, Path | None], Regime]
    """Returns the regime of a name, given where the files are."""


@dataclass(frozen=True, slots=True)
class Source:
    """A data set, as the table has it."""

    summary: str
    """One line for people."""
    subject: str | None
    """What its images show; None: whatever the user's images show."""
    open: Callable[[Request], Mapping[str, Examples]]
    missing: Callable[[Path | None], str | None]
    """Says what is missing to open it, and how to get it; None when it can be opened."""
    get: Callable[[Path | None, Tell], Path | None] | None = None
    """Fetches its files into a folder and returns that; None where there is nothing to fetch."""
    has_files: bool = True
    """Whether it is read from a folder."""
    own_regimes: OwnRegimes | None = None
    """Its regimes, where they are not those of the table."""
    version: int = 1
    """Raised when the same request and the same files give other examples than before: cells of a benchmark have it."""


def data_folder(name: str) -> Path:
    """Return where a data set is kept: below `$MOOSE_DATA`, or below `moose/data` among the user's caches."""
    if chosen := os.environ.get("MOOSE_DATA"):
        return Path(chosen) / name
    caches = os.environ.get("XDG_CACHE_HOME")
    try:
        root = Path(caches) if caches else Path.home() / ".cache"
    except RuntimeError:
        raise MooseError("there is no home folder to keep data sets in; name a folder in MOOSE_DATA") from None
    return root / "moose" / "data" / name


def needs_library(module: str, package: str, what: str) -> str | None:
    """Say that a library is missing, and how to get it; None when it is there."""
    if find_spec(module) is not None:
        return None
    return f"{what} needs {package}, which is not installed; run `pip install 'moose-el[learn]'`"
