"""One run: a regime, a data set, a method and a seed; trained, evaluated, and told in one JSON object."""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING

import moose
from moose.base.errors import MooseError, MooseWarning
from moose.base.suggestions import no_such_file, no_such_folder
from moose.base.user_files import is_there

if TYPE_CHECKING:
    from moose.datasets.open import Dataset
    from moose.grounding.task.task import Task
    from moose.learning.evaluation.evaluate import Evaluation
    from moose.learning.examples import Examples
    from moose.learning.fit.training_loop import StopBy, Training
    from moose.learning.fit.watchers import Watcher
    from moose.methods.base.method import Method, Predictor
    from moose.methods.base.perception import Perception

IF_GIVEN = (
    *("folder", "features", "hold_back", "objective", "allow_latent"),
    *("hidden", "valid", "patience", "dropout", "weight_decay", "base_rates", "patches"),
)
"""Fields that a record tells only where they say something."""
VALID = ("", "stop", "learn", "refit")
PATIENCE = 5
"""Epochs without a better loss of the examples held back."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """Everything that decides what a run comes to."""

    regime: str
    data: str
    seed: int = 0
    epochs: int = 6
    batch_size: int = 64
    learning_rate: float = 1e-3
    head: str = "softmax"
    cover: float = 0.0
    """The weight of the cover at the start, 0 for none."""
    cover_epochs: float = 3.0
    batch_norm: bool = False
    closure: bool | Sequence[str] = True
    """Whether declared families are closed, or by which parts of the closure, in training and in what is then asked."""
    count: int | None = None
    """Instances to train on; the data set decides if None."""
    test_count: int | None = None
    size: int | None = None
    inductive: bool = False
    by: str | None = None
    """A method of the registry; if None, moose with this head, or moose-cover if there is a cover."""
    options: Mapping[str, object] = field(default_factory=dict)
    """Of the method that is named."""
    objective: str | None = None
    """What is maximised, where no method is named; what the method takes by itself if None."""
    allow_latent: bool = False
    """Whether the literals of the user's own data may be of latent concepts: labels."""
    folder: str | None = None
    """Where the files of the data set were, or its table; where they usually are if None."""
    features: Sequence[str] = ()
    """The columns of the table that are looked at, in order."""
    device: str = "cpu"
    """Where the encoder runs."""
    hold_back: float = 0.0
    """Which share of the examples is not learnt from: once their loss no longer falls, the best weights are taken."""
    valid: str = ""
    """What the split `valid` is for: `stop`, when its loss no longer falls; `learn`, as from the others; `refit`, first
    to stop, and then to learn from all for as many epochs as were best; or nothing."""
    patience: int = 0
    """Epochs without a better loss before a training stops; 0 for the usual ones."""
    hidden: Sequence[int] = ()
    """The widths of the full layers that look at features; what the encoder has by itself if there are none."""
    dropout: float = 0.0
    """How likely a number after each of them is left out of a training step."""
    patches: int = 0
    """How many patches of an image decide on a concept, by an encoder that looks at patches; 0 for another."""
    weight_decay: float = 0.0
    """Of Adam."""
    stop_by: StopBy = "loss"
    """What must get better on the examples held back: the loss, or AU(PRC) of the labels that they show."""
    base_rates: bool = False
    """Whether training starts at the base rates of the labels, which the last layer's biases learn by themselves."""

    def __post_init__(self) -> None:
        if not 0.0 <= self.hold_back < 1.0:
            raise MooseError(f"expected a share of examples to hold back from 0 to below 1, but got {self.hold_back}")
        if self.valid not in VALID:
            raise MooseError(f"expected stop, learn or refit for the split valid, or nothing, but got {self.valid!r}")
        if self.valid and self.hold_back:
            raise MooseError("examples are held back from those to learn from, or the split valid serves; choose one")
        if self.by is not None and (self.head, self.cover, self.objective) != ("softmax", 0.0, None):
            raise MooseError(
                "head, cover and objective are not for a named method; give its own options instead, "
                "such as --method moose --option head=sigmoid"
            )
        if self.by is None and self.options:
            raise MooseError(f"the option {next(iter(self.options))} needs a method; name one, such as --method bears")

    @property
    def method(self) -> str:
        """The name of the method in the registry, as `--method` takes it."""
        return self.by or ("moose-cover" if self.cover else "moose")

    @property
    def method_options(self) -> dict[str, object]:
        """The options of the method, as `--option` takes them: those given, or what head and cover come to."""
        if self.by is not None:
            return dict(self.options)
        cover = {"cover_weight": self.cover, "cover_epochs": self.cover_epochs} if self.cover else {}
        objective = {} if self.objective is None else {"objective": self.objective}
        return {"head": self.head, **cover, **objective}

    def make_method(self) -> Method:
        """Make the method; options that it does not have, or that make no sense, are refused."""
        from moose.methods.registry import make_method

        return make_method(self.method, **self.method_options)

    def open(self, folder: Path | None = None, *, task: Task | None = None) -> Dataset:
        """Open the data set; `folder` is where its files are now, if they were moved.

        A model brings its own task, as the file that it was read from may have changed or gone.
        """
        from moose.datasets.base.regimes import ROWS, read_regime
        from moose.datasets.open import find_regime_of, find_source, open_dataset

        if folder is None and self.folder is not None:
            folder = Path(self.folder)
            if task is None:
                check_there(folder, self.data)
            elif not is_there(folder):
                option = "--table FILE" if self.data == "table" else "--folder FOLDER"
                raise MooseError(
                    f"{folder}: the data were here in training, but no longer are; say where with {option}"
                )
        if task is None or self.regime in ROWS or find_source(self.data).own_regimes is not None:
            regime = find_regime_of(self.data, self.regime, folder)
        else:
            regime = replace(read_regime(task), name=Path(self.regime).stem)
        if self.closure is not True:
            regime = replace(regime, task=replace(regime.task, closure=self.closure or ()))
        dataset = open_dataset(
            self.data,
            regime=regime,
            folder=folder,
            seed=self.seed,
            count=self.count,
            test_count=self.test_count,
            size=self.size,
            inductive=self.inductive,
            features=self.features,
            allow_latent=self.allow_latent,
        )
        if dataset.judged != "test":
            warnings.warn(
                "no instance is of the split test, so that all that is told is of the instances to train on; "
                "write test into the column split of some",
                MooseWarning,
                stacklevel=2,
            )
        return dataset

    def with_named_features(self, task: Task) -> Run:
        """Return the run with the columns that its patterns stand for, so that another table is read alike."""
        if self.data != "table" or self.folder is None:
            return self
        from moose.datasets.table import feature_names

        return replace(self, features=feature_names(Path(self.folder), task, self.features))

    def fit(self, dataset: Dataset, *, folder: Path | None = None, watchers: Sequence[Watcher] = ()) -> Predictor:
        """Train the method, from its checkpoint in the folder where there is one."""
        if self.valid == "refit":
            from moose.learning.fit.checkpoints import SEARCH

            first = None if folder is None else folder / SEARCH
            searched = replace(self, valid="stop").fit(dataset, folder=first, watchers=watchers)
            again = replace(self, valid="learn", epochs=best_epoch(searched))
            return again.fit(dataset, folder=folder, watchers=watchers)
        from moose.methods.ours.moose_cover import check_coverable

        train, held = self.split(dataset)
        if self.by is None and self.cover:
            check_coverable(train.task)
        return self.make_method().fit(
            train.task,
            train,
            training=self.training,
            perception=self.perception(train.input_shape),
            validation=() if held is None else held,
            folder=folder,
            watchers=watchers,
        )

    def check_layers(self) -> None:
        """Refuse layers of an encoder of features beside one of patches, which would never be made."""
        if self.patches and (self.hidden or self.dropout):
            raise MooseError(
                "hidden layers and dropout (--hidden, --dropout) are for feature vectors, and patches (--patches) for "
                "images; leave out one or the other"
            )

    def check_stopping(self) -> None:
        """Refuse what says when to stop where there are no rows to judge by, so that it would do nothing."""
        named = [
            name for name, is_said in (("--patience", self.patience), ("--stop-by", self.stop_by != "loss")) if is_said
        ]
        if named and not self.hold_back and self.valid not in ("stop", "refit"):
            raise MooseError(
                f"{' and '.join(named)} would do nothing, as no rows are kept to judge by; add --hold-back 0.1, or "
                "--valid stop where the data have a split valid"
            )

    def perception(self, input_shape: tuple[int, ...]) -> Perception:
        """Return how inputs are looked at: with the layers that are asked for, or as suits their shape."""
        from moose.learning.encoders import HIDDEN, MLPPlan, patch_encoder
        from moose.methods.base.perception import Perception

        shape = "×".join(map(str, input_shape))
        if self.patches:
            self.check_layers()
            if len(input_shape) != 3:
                raise MooseError(f"patches are those of images, but an input is {shape}; leave them out")
            channels, height, width = input_shape
            encoder = patch_encoder(
                1, input_shape=(channels, height, width), top=self.patches, batch_norm=self.batch_norm
            )
            return Perception(input_shape, self.batch_norm, plan=encoder.plan)
        if not self.hidden and not self.dropout:
            return Perception(input_shape, self.batch_norm)
        if len(input_shape) != 1:
            raise MooseError(f"hidden layers and dropout are for feature vectors, but an input is {shape}; leave them")
        hidden = tuple(self.hidden) or (HIDDEN, HIDDEN)
        return Perception(input_shape, plan=MLPPlan(1, input_shape[0], hidden, self.batch_norm, self.dropout))

    def split(self, dataset: Dataset) -> tuple[Examples, Examples | None]:
        """Return the examples that are learnt from, and those that are held back to know when to stop, if any are."""
        if self.valid:
            from moose.learning.examples import joined_examples

            train, valid = dataset.train, dataset["valid"]
            return (train, valid) if self.valid == "stop" else (joined_examples([train, valid]), None)
        return split_off(dataset.train, self.hold_back, seed=self.seed) if self.hold_back else (dataset.train, None)

    def to_judge(self, dataset: Dataset) -> Dataset:
        """Return the data set without the split `valid` where that is learnt from."""
        is_learnt = self.valid in ("learn", "refit")
        kept = {split: dataset[split] for split in dataset if split != "valid" or not is_learnt}
        return replace(dataset, splits=kept)

    @property
    def training(self) -> Training:
        """How its epochs are run."""
        from moose.learning.fit.training_loop import Training

        patience = (self.patience or PATIENCE) if self.hold_back or self.valid == "stop" else None
        return Training(
            self.epochs,
            self.batch_size,
            self.learning_rate,
            self.seed,
            patience,
            device=self.device,
            weight_decay=self.weight_decay,
            stop_by=self.stop_by,
            base_rates=self.base_rates,
        )

    def record(self, seconds: float, evaluations: Mapping[str, Evaluation]) -> dict[str, object]:
        """Return the run as one JSON object; `seconds` is how long its epochs took."""
        left_out = {"stop_by"} if self.stop_by == "loss" else set[str]()
        left_out |= {"regime", "data", "seed", "device", *(key for key in IF_GIVEN if not getattr(self, key))}
        configuration = {key: value for key, value in asdict(self).items() if key not in left_out}
        judged = "test" if "test" in evaluations else "train"
        others = {f"{split}_split": one.as_dict() for split, one in evaluations.items() if split != judged}
        return {
            "regime": self.regime,
            "data": self.data,
            "method": self.method,
            "options": self.method_options,
            "seed": self.seed,
            "configuration": configuration,
            "version": moose.__version__,
            "seconds": round(seconds, 2),
            "split": judged,
            **evaluations[judged].as_dict(),
            **others,
        }


def check_there(place: Path, data: str) -> None:
    """Refuse a table or a folder that is named for a data set, but is not there."""
    if not is_there(place):
        raise no_such_file(place, "a table") if data == "table" else no_such_folder(place, "the data's folder")


def evaluate_splits(predictor: Predictor, dataset: Dataset) -> dict[str, Evaluation]:
    """Evaluate on every split but that to learn from; on that only where there is no split `test`."""
    from moose.training.evaluate_splits import information_of

    information = information_of(dataset)
    splits = [split for split in dataset if split == dataset.judged or split != "train"]
    return {split: predictor.evaluate(dataset[split], information=information) for split in splits}


def best_epoch(predictor: Predictor) -> int:
    """Return after how many epochs the loss of the validation examples was least; of several stages, the most."""
    least, found = float("inf"), 1
    chosen = list[int]()
    for epoch in predictor.history:
        if epoch.epoch == 1:  # a stage begins
            least, found = float("inf"), 1
            chosen.append(found)
        if epoch.validation_loss is not None and epoch.validation_loss < least:
            least, found = epoch.validation_loss, epoch.epoch
        chosen[-1] = found
    return max(chosen)


def split_off(examples: Examples, share: float, *, seed: int) -> tuple[Examples, Examples]:
    """Return the examples to learn from, and a share of them that is held back, drawn by the seed."""
    import torch

    count = round(share * len(examples))
    if not 0 < count < len(examples):
        raise MooseError(
            f"holding back {share:g} of {len(examples):,} examples leaves none on one side; "
            f"give another share, or more examples"
        )
    order = torch.randperm(len(examples), generator=torch.Generator().manual_seed(seed))
    return examples.take(order[count:]), examples.take(order[:count])
