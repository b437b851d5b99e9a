"""One interface to every data set."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from moose.base.errors import MooseError, needs_torch
from moose.base.suggestions import unknown_word
from moose.datasets.base.regimes import ROWS, Regime, read_regime
from moose.datasets.base.request import Request, Source
from moose.grounding.task.task import Task

if TYPE_CHECKING:
    from moose.learning.examples import Examples

DATASETS = ("digits", "mnist", "pizzas", "flagged_pizzas", "pizzaiolo", "images", "table", "hmc", "genes")
"""The one table: each is a file of this package that has a `SOURCE`."""


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Dataset:
    """The examples of a data set in a regime, by split."""

    name: str
    regime: str
    splits: Mapping[str, Examples]

    @property
    def train(self) -> Examples:
        """The examples to learn from."""
        return self["train"]

    @property
    def test(self) -> Examples:
        """Examples with other images than those to learn from."""
        return self["test"]

    @property
    def judged(self) -> str:
        """The split that predictions are judged by: `test` or, where there is none, `train` itself."""
        return "test" if "test" in self.splits else "train"

    def __getitem__(self, split: str) -> Examples:
        if split == "train" and split not in self.splits:
            raise MooseError(
                f"the data set {self.name} has nothing to learn from: expected the split train, but there is only "
                f"{', '.join(self.splits)}; leave the split of some rows empty, or call it train"
            )
        if split not in self.splits:
            raise unknown_word(f"a split of {self.name}", split, tuple(self.splits))
        return self.splits[split]

    def __iter__(self) -> Iterator[str]:
        return iter(self.splits)

    def __repr__(self) -> str:
        sizes = ", ".join(f"{split} {len(examples):,}" for split, examples in self.splits.items())
        return f"Dataset({self.name}, {self.regime}: {sizes})"


def open_dataset(  # noqa: PLR0913  # a data set, and what can be asked of any
    name: str,
    *,
    regime: str | Path | Task | Regime,
    folder: str | Path | None = None,
    seed: int = 0,
    count: int | None = None,
    test_count: int | None = None,
    size: int | None = None,
    inductive: bool = False,
    features: str | Sequence[str] = (),
    allow_latent: bool = False,
) -> Dataset:
    """Open a data set: `train`, `test` and perhaps more splits, each instance with inputs, evidence and hidden truth.

    A regime is a name, or a value of the user's own; for `images` and `table` a task or a task's file. `folder` is
    where the files are, for `table` the file itself, and `features` which of its columns are looked at, such as "x*".
    `count` and `test_count` are numbers of instances, `size` is the side of an image in pixels. With `allow_latent` the
    literals of `images` and `table` may be of latent concepts: those are labels. Nothing is downloaded.

    >>> open_dataset("digits", regime="mnist2", count=100, seed=1)
    Dataset(digits, mnist2: train 100, test 359)
    """
    source = find_source(name)
    if find_spec("torch") is None:
        raise needs_torch("reading data")
    request = Request(
        regime=find_regime_of(name, regime, None if folder is None else Path(folder)),
        folder=None if folder is None else Path(folder),
        seed=seed,
        count=count,
        test_count=test_count,
        size=size,
        inductive=inductive,
        features=(features,) if isinstance(features, str) else tuple(features),
        allow_latent=allow_latent,
    )
    if request.features and name != "table":
        raise MooseError(f"features are columns of a table, but the data set is {name}; leave them out")
    if folder is not None and not source.has_files:
        raise MooseError(f"the data set {name} is not read from a folder, but {folder} is named; leave the folder out")
    shown = request.regime.subject.name
    if source.subject is not None and source.subject != shown:
        fitting = regime_names(name)
        raise MooseError(
            f"the data set {name} shows {source.subject}, but the regime {request.regime.name} is about {shown}; "
            f"take one of {', '.join(fitting)}"
        )
    return Dataset(name, request.regime.name, source.open(request))


def find_regime_of(name: str, regime: str | Path | Task | Regime, folder: Path | None = None) -> Regime:
    """Return a regime of a data set: a row of the table, one of its own that is read from its files, or a user's."""
    own = find_source(name).own_regimes
    return own.read(regime, folder) if own is not None and isinstance(regime, str) else read_regime(regime)


def regime_names(name: str) -> tuple[str, ...]:
    """Return the regimes of a data set; those that have numbers in their names are not all listed.

    >>> regime_names("mnist")
    ('mnist1', 'mnist2', 'mnist3')
    """
    source = find_source(name)
    if source.own_regimes is not None:
        return source.own_regimes.usual
    return tuple(key for key, row in ROWS.items() if row.subject == source.subject)


def find_source(name: str) -> Source:
    """Return a data set of the table."""
    if name not in DATASETS:
        raise unknown_word("a data set", name, DATASETS)
    source = import_module(f"moose.datasets.{name}").SOURCE
    assert isinstance(source, Source)
    return source
