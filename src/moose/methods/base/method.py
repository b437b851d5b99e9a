"""What every method is: options, a model for a task, and `fit`, which gives a predictor."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import ClassVar

from torch import nn

from moose.base.errors import MooseError
from moose.grounding.ground import ground
from moose.grounding.task.task import Task
from moose.learning.binding import fingerprint, latent_columns
from moose.learning.encoders import encoder_for
from moose.learning.examples import Examples
from moose.learning.fit.checkpoints import refuse_other_stages, stage_folder
from moose.learning.fit.training_loop import Training, Work, run
from moose.learning.fit.watchers import Watcher
from moose.learning.objective import settings_of_examples
from moose.methods.base.model import Model
from moose.methods.base.predictor import Predictor

DEFAULT = Training()
MakeEncoder = Callable[[int, int], nn.Module]
"""From a number of outputs and a seed to a network: image × channel × height × width to image × output."""


@dataclass(frozen=True, slots=True)
class Perception:
    """How a method's networks look at an input."""

    input_shape: tuple[int, int, int]
    """Channels, height, width."""
    batch_norm: bool = False
    """Of the bundled encoders."""
    make: MakeEncoder | None = None
    """The user's own encoder; one that comes with Moose if None."""

    def encoder(self, outputs: int, *, seed: int) -> nn.Module:
        """Make an encoder with so many outputs."""
        if self.make is not None:
            return self.make(outputs, seed)
        return encoder_for(outputs, self.input_shape, batch_norm=self.batch_norm, seed=seed)


@dataclass(frozen=True, slots=True)
class Method(ABC):
    """A way to learn latent concepts; its fields are its options."""

    name: ClassVar[str]
    """What it is called in the registry and in results."""

    @abstractmethod
    def model(self, task: Task, perception: Perception, *, seed: int) -> Model:
        """Make the model for a task, not yet trained; the seed decides its first weights."""

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
        groups, others = _groups(train), _groups(validation)
        if not groups:
            raise MooseError("expected examples to learn from, but got none")
        if not latent_columns(task):
            raise MooseError("the task has no latent concept, so that there is nothing to learn; declare one latent")
        perception = perception or Perception(groups[0].input_shape)
        model = self.model(task, perception, seed=training.seed)
        learnt, judged = ([model.prepare(group) for group in part] for part in (groups, others))
        for group in (*learnt, *judged):
            model.try_on(group)
        settings = self._settings(training) | settings_of_examples(fingerprint(task, ground(task)), learnt, judged)
        predictor = Predictor(self, model, perception)
        stages = model.stages()
        if len(stages) > 1:  # one may look at what those before it have become
            settings["epochs of each stage"] = training.epochs
        if folder is not None:
            refuse_other_stages(Path(folder), len(stages))
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
            )
            predictor.history += run(work).history
        model.eval()
        return predictor

    def _settings(self, training: Training) -> dict[str, object]:
        """Return what two trainings must share for one to go on where the other stopped; not how long they last."""
        return {
            "method": self.name,
            "options": asdict(self),
            "seed": training.seed,
            "batch size": training.batch_size,
            "patience": training.patience,
        }


def _groups(examples: Examples | Sequence[Examples]) -> list[Examples]:
    return [examples] if isinstance(examples, Examples) else list(examples)
