"""What every method is: options and a model for a task; and its predictor, which learns, predicts and is kept."""

from __future__ import annotations

import warnings
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, fields, replace
from pathlib import Path
from typing import ClassVar, Literal, Self

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor

from moose.base.errors import MooseError, MooseWarning
from moose.base.memory import freed_memory_kept
from moose.grounding.ground import ground
from moose.grounding.task.task import Task
from moose.learning.binding import fingerprint, latent_columns
from moose.learning.evaluation.evaluate import Evaluation, Judged, evaluate
from moose.learning.evaluation.label_metrics import Information
from moose.learning.evaluation.role_metrics import average_precision
from moose.learning.examples import Examples
from moose.learning.fit.checkpoints import refuse_other_stages, stage_folder
from moose.learning.fit.training_loop import Training, Work, run
from moose.learning.fit.watchers import Epoch, Watcher
from moose.learning.inputs.standardise import measure_once
from moose.learning.loss.objective import Part, Prepared, joint_outcome, settings_of_examples
from moose.learning.model_files import write_model
from moose.learning.network import input_shape_errors, move_encoders
from moose.learning.prediction import Predictions, Reals, Signs, in_parts
from moose.methods.base.model import Model
from moose.methods.base.perception import Perception

DEFAULT = Training()
KIND = "predictor"
FORMAT = 2
"""Of the file that a predictor is saved in."""


@dataclass(frozen=True, slots=True)
class Method(ABC):
    """A way to learn latent concepts; its fields are its options."""

    name: ClassVar[str]
    """What it is called in the registry and in results."""
    version: ClassVar[int] = 1
    """Raised when the same options, data and seed come to another result than before: cells of a benchmark have it."""
    added: ClassVar[frozenset[str]] = frozenset()
    """Options that came later than the first results of the method."""
    before: ClassVar[Mapping[str, object]] = {}
    """What results had of options whose default has become another since."""

    @abstractmethod
    def model(self, task: Task, perception: Perception, *, seed: int) -> Model:
        """Make the model for a task, not yet trained; the seed decides its first weights."""

    @property
    def options(self) -> dict[str, object]:
        """Its options by name; those that were added later only where they are not what they were before.

        Cells of a benchmark and checkpoints are recognised by these, and an option that was added later must not give
        those that are there already another name.
        """
        unsaid: dict[str, object] = {one.name: one.default for one in fields(self) if one.name in self.added}
        unsaid |= self.before
        return {name: value for name, value in asdict(self).items() if name not in unsaid or value != unsaid[name]}

    def fit(  # noqa: PLR0913  # all but the task and the examples are options with a default
        self,
        task: Task,
        train: Examples | Sequence[Examples],
        *,
        seed: int | None = None,
        training: Training = DEFAULT,
        perception: Perception | None = None,
        validation: Examples | Sequence[Examples] = (),
        folder: Path | str | None = None,
        watchers: Sequence[Watcher] = (),
    ) -> Predictor:
        """Train on a task, and return what then predicts.

        `seed` takes precedence over that of `training`. With a `folder`, a checkpoint is written there after each
        epoch, and a training that was interrupted goes on where it was.
        """
        training = training if seed is None else replace(training, seed=seed)
        groups = _groups_to_learn(train)
        if perception is None:
            pairs = groups[0].pair_features
            perception = Perception(groups[0].input_shape, pair_features=0 if pairs is None else pairs.shape[-1])
        predictor = Predictor(self, self.model(task, perception, seed=training.seed), perception)
        return predictor.fit(groups, training, validation=validation, folder=folder, watchers=watchers)


class Predictor:
    """A method at work on a task: it is trained, and says what examples show."""

    def __init__(self, method: Method, model: Model, perception: Perception) -> None:
        self.method, self.model, self.perception = method, model, perception
        self._looked: Literal["never", "in passing", "at all"] = "never"
        self.history: tuple[Epoch, ...] = ()
        """The epochs of the last training, all stages one after the other."""

    def __repr__(self) -> str:
        return f"Predictor({self.method.name}, {self.task!r})"

    @property
    def task(self) -> Task:
        """The task that it is trained on."""
        return self.model.task

    @property
    def objective(self) -> str | None:
        """What is maximised, `conditional` or `paper`, as `auto` comes to for the task; None of other methods' own."""
        if self.model.is_conditional:
            return "conditional"
        return "paper" if any(one.name == "objective" for one in fields(self.method)) else None

    @property
    def seconds(self) -> float:
        """How long the epochs took."""
        return sum(epoch.seconds for epoch in self.history)

    def fit(
        self,
        train: Examples | Sequence[Examples],
        training: Training = DEFAULT,
        *,
        validation: Examples | Sequence[Examples] = (),
        folder: Path | str | None = None,
        watchers: Sequence[Watcher] = (),
    ) -> Self:
        """Train, and return the predictor itself; the weights that it has are those it begins with."""
        model = self.model
        pools = [[one for _, one in model.prepare_shapes(group)] for group in _groups_to_learn(train)]
        to_judge = [[one for _, one in model.prepare_shapes(group)] for group in _groups(validation)]
        for pool in (*pools, *to_judge):
            model.try_on(pool[0])  # all of a pool have inputs of the same shape
        move_encoders(model, training.device)
        learnt, judged = ([one for pool in several for one in pool] for several in (pools, to_judge))
        self._look_at(learnt)
        model.begin(learnt)
        stages = model.stages()
        settings = self._settings(training, learnt, judged)
        error = self._ranking_error(judged, len(stages)) if training.stop_by == "au_prc" and judged else None
        if len(stages) > 1:  # one may look at what those before it have become
            settings["epochs of each stage"] = training.epochs
        if folder is not None:
            refuse_other_stages(Path(folder), len(stages))
        history = list[Epoch]()
        for number, stage in enumerate(stages):
            work = Work(
                network=stage.network,
                train=learnt,
                validation=judged,
                objective=stage.objective,
                training=replace(training, seed=training.seed + number),
                settings=settings | {"stage": number},
                folder=None if folder is None else stage_folder(Path(folder), number, len(stages)),
                watchers=watchers,
                pools=[number for number, pool in enumerate(pools) for _ in pool],
                is_likelihood=stage.is_likelihood,
                error=error,
            )
            history += run(work).history
        model.eval()
        model.finish(learnt, [] if training.patience is None else judged)
        self.history = tuple(history)
        return self

    def look_at(self, train: Examples) -> None:
        """See what must be known of all examples before a loop of your own learns from some; `fit` does so itself."""
        self._look_at([one for _, one in self.model.prepare_shapes(train)])

    def loss(self, examples: Examples, *, epochs_done: float = 0.0) -> Tensor:
        """Return what is minimised for some examples, to be differentiated: for a training loop of your own.

        Without `look_at` before, what must be known of all examples is taken from those that have come so far.
        """
        stages = self.model.stages()
        if len(stages) > 1:
            raise MooseError(
                f"{self.method.name} is trained in {len(stages)} stages, each with a loss of its own; use fit"
            )
        prepared = [one for _, one in self.model.prepare_shapes(examples)]
        if torch.is_grad_enabled():
            self._look_in_passing(prepared)
        parts = [Part(one, torch.arange(len(one))) for one in prepared]
        return joint_outcome(stages[0].objective, stages[0].network, parts, epochs_done).total

    def predict(self, examples: Examples, *, evidence: bool = True) -> Predictions:
        """Return the posteriors of all concepts of all individuals, given the evidence or without it."""
        shape = (len(examples), len(examples.task.individuals), len(examples.task.concepts))
        of_pairs = [blank_roles(examples) if examples.task.read_roles else None for _ in range(2)]
        posteriors, network = (np.full(shape, np.nan, np.float32) for _ in range(2))
        everything = Predictions(examples.task, posteriors, network, of_pairs[0], of_pairs[1])
        worlds: Signs | None = None
        for group, prepared in self.model.prepare_shapes(examples):
            some = self._predict(prepared, use_evidence=evidence)
            if some.worlds is not None:
                worlds = np.zeros(shape, np.int8) if worlds is None else worlds
                worlds[group.rows[:, None], group.places] = some.worlds
            everything.posteriors[group.rows[:, None], group.places] = some.posteriors
            everything.network[group.rows[:, None], group.places] = some.network
            for whole, part in zip(of_pairs, (some.roles, some.role_network), strict=True):
                if whole is not None and part is not None:
                    put_pairs(whole, part, group.rows.numpy(), group.places.numpy())
        return replace(everything, worlds=worlds)

    def evaluate(
        self,
        examples: Examples | Sequence[Examples],
        *,
        with_labels: bool | None = None,
        information: Information | None = None,
    ) -> Evaluation:
        """Return how right and how well calibrated the predictions are.

        The metrics of labels are there where every concept is latent and in no family, or as `with_labels` says;
        `information` is `information_content` of the task and labels to count, for Smin.
        """
        judged = list[Judged]()
        for group in _groups(examples):
            for shape, prepared in self.model.prepare_shapes(group):
                given = self._predict(prepared, use_evidence=True)
                without = self._predict(prepared, use_evidence=False) if group.has_evidence else given
                judged.append((shape.examples, given, without))
        return evaluate(judged, with_labels=with_labels, information=information)

    def save(self, folder: Path | str) -> None:
        """Write the weights, the method with its options, and the task; `load_predictor` reads them."""
        facts = {
            "kind": KIND,
            "format": FORMAT,
            "method": self.method.name,
            "options": self.method.options,
            "perception": self.perception.facts(),
        }
        write_model(Path(folder), self.task, self.model.state_dict(), facts)

    def _look_at(self, learnt: Sequence[Prepared], *, is_all: bool = True) -> None:
        measure_once(self.model, (one.examples.scaled_inputs(slice(None)).flatten(0, 1) for one in learnt))
        self.model.look_at(learnt, is_all=is_all)
        self._looked = "at all" if is_all else "in passing"

    def _look_in_passing(self, learnt: Sequence[Prepared]) -> None:
        """Look at the examples of a loop of the user's own, who has not shown all of them before."""
        if self._looked == "at all":
            return
        if self._looked == "never" and self.model.must_look:
            warnings.warn(
                f"the loss was asked for before look_at: the scale of features and which observables are learnt to be "
                f"open come from the {sum(map(len, learnt))} examples at hand, and those that follow; call "
                f"look_at(train) once before the loop",
                MooseWarning,
                stacklevel=4,
            )
        self._look_at(learnt, is_all=False)

    def _predict(self, prepared: Prepared, *, use_evidence: bool) -> Predictions:
        examples, task = prepared.examples, prepared.examples.task
        shape = (len(examples), len(task.individuals), len(task.concepts))
        posteriors, network = np.zeros(shape, np.float32), np.full(shape, np.nan, np.float32)
        latent, roles = list(latent_columns(task)), list(task.read_roles)
        of_pairs, pair_network = (blank_roles(examples) if roles else None for _ in range(2))
        worlds = list[Tensor]()
        self.model.eval()
        with freed_memory_kept(), torch.no_grad(), input_shape_errors(examples.input_shape):
            for rows in in_parts(len(examples)):
                answer = self.model.answer(prepared, rows, use_evidence=use_evidence)
                posteriors[rows] = answer.posteriors.numpy()
                network[rows, :, latent] = answer.network.numpy()
                worlds += [] if answer.worlds is None else [answer.worlds]
                if of_pairs is not None and pair_network is not None:
                    assert answer.roles is not None and answer.role_network is not None
                    of_pairs[rows] = answer.roles.numpy()
                    pair_network[rows, roles] = answer.role_network.numpy()
        posteriors[:, ~task.has_concept] = np.nan
        network[:, ~(task.has_concept & task.has_input[:, None])] = np.nan
        found = torch.cat(worlds).numpy() if worlds else None
        return Predictions(task, posteriors, network, of_pairs, pair_network, found)

    def _ranking_error(self, judged: Sequence[Prepared], stages: int) -> Callable[[], float]:
        """Return what computes 1 - AU(PRC) of the labels that some examples show, predicted without them."""
        if stages > 1:
            raise MooseError(
                f"{self.method.name} is trained in {stages} stages, none of which can be judged by what all of them "
                f"predict; stop by the loss"
            )
        shown = [one.examples.evidence.numpy() for one in judged]
        holds = np.concatenate([signs[signs != 0] > 0 for signs in shown])
        if holds.all() or not holds.any():
            raise MooseError(
                "AU(PRC) needs validation examples with labels that hold and labels that do not; stop by the loss"
            )

        def error() -> float:
            said = [self._predict(one, use_evidence=False).posteriors for one in judged]
            chosen = np.concatenate([some[signs != 0] for some, signs in zip(said, shown, strict=True)])
            found = average_precision(chosen.astype(np.float64), holds)
            assert found is not None
            return 1.0 - found

        return error

    def _settings(self, training: Training, train: Sequence[Prepared], judged: Sequence[Prepared]) -> dict[str, object]:
        """Return what two trainings must share for one to go on where the other stopped; not how long they last."""
        return {
            "method": self.method.name,
            "options": self.method.options,
            "seed": training.seed,
            "batch size": training.batch_size,
            "patience": training.patience,
            **({} if training.stop_by == "loss" else {"stop by": training.stop_by}),
            **({"base rates": True} if training.base_rates else {}),
            **settings_of_examples(fingerprint(self.task, ground(self.task)), train, judged),
        }


def blank_roles(examples: Examples) -> Reals:
    """Return NaN for each role of each pair of individuals of each example."""
    people, roles = len(examples.task.individuals), len(examples.task.role_predicates)
    return np.full((len(examples), roles, people, people), np.nan, np.float32)


def put_pairs(whole: Reals, part: Reals, rows: npt.NDArray[np.int64], places: npt.NDArray[np.int64]) -> None:
    """Put what is predicted of the pairs of some examples, whose individuals have an order of their own, in place."""
    roles = np.arange(whole.shape[1])[None, :, None, None]
    whole[rows[:, None, None, None], roles, places[:, None, :, None], places[:, None, None, :]] = part


def _groups(examples: Examples | Sequence[Examples]) -> list[Examples]:
    if isinstance(examples, Examples):
        return [examples]
    given: object = examples
    groups = list(examples) if isinstance(given, Sequence) else [given]
    for one in groups:
        if not isinstance(one, Examples):
            kind = type(one).__name__
            parts = "; give one of its parts, such as data.train" if hasattr(one, "splits") else "; make Examples of it"
            raise MooseError(f"expected Examples, or a list of them, but got {kind}{parts}")
    return [one for one in groups if isinstance(one, Examples)]


def _groups_to_learn(examples: Examples | Sequence[Examples]) -> list[Examples]:
    groups = _groups(examples)
    if not groups:
        raise MooseError("expected examples to learn from, but got none")
    return groups
