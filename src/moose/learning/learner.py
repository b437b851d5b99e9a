"""The learner: a network whose outputs, through the circuit of a task, must agree with the evidence."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import TYPE_CHECKING

from torch import nn

from moose.base.errors import MooseError
from moose.grounding.task.task import Task
from moose.learning.binding import Binding, bind, check_same_concepts, latent_columns
from moose.learning.cover import Cover
from moose.learning.examples import Examples
from moose.learning.fit.checkpoints import refuse_other_stages
from moose.learning.fit.training_loop import Training, Work, run
from moose.learning.fit.watchers import Epoch, Watcher
from moose.learning.heads import HeadName, Weigher, make_head
from moose.learning.network import ConceptNetwork
from moose.learning.objective import Counting, Prepared, prepare, settings_of_examples
from moose.learning.prediction import Predictions, find_logits, infer, predict

if TYPE_CHECKING:
    from moose.learning.evaluation.evaluate import Evaluation

DEFAULT = Training()


class ConceptLearner:
    """Learn the latent concepts of a task from inputs and partial evidence.

    `encoder` is any torch module from image × channel × height × width to one logit for each latent concept of the
    task, or to so many `features`, which then get a full layer on top. It is shared by all individuals.

    >>> from moose.grounding.task.regimes import regime
    >>> from moose.learning.encoders import mnist_encoder
    >>> ConceptLearner(regime("mnist2"), mnist_encoder(10), cover=Cover())
    ConceptLearner(moose-cover, softmax, Task(2 individuals, 5 observed, 10 latent))
    """

    def __init__(  # noqa: PLR0913  # all but the first two are options with a default
        self,
        task: Task,
        encoder: nn.Module,
        *,
        head: HeadName = "softmax",
        cover: Cover | None = None,
        features: int | None = None,
        seed: int = 0,
    ) -> None:
        latent = latent_columns(task)
        if not latent:
            raise MooseError("the task has no latent concept, so that there is nothing to learn; declare one latent")
        self.task = task
        self.head: HeadName = head
        self.cover = cover
        self.network = ConceptNetwork(encoder, len(latent), features=features, seed=seed)
        self.history: tuple[Epoch, ...] = ()
        """The epochs of the last training."""
        self._weighers = {task: Weigher(binding := bind(task), make_head(head, binding))}
        if cover is not None and not binding.families:
            raise MooseError("the cover needs a family whose members are all latent, but the task declares none")

    def __repr__(self) -> str:
        return f"ConceptLearner({self.method}, {self.head}, {self.task!r})"

    @property
    def method(self) -> str:
        """What the method is called in results."""
        plain = "moose" if self.head == "sigmoid" else "moose-softmax"
        return plain if self.cover is None else "moose-cover"

    @property
    def binding(self) -> Binding:
        """The task with its circuit."""
        return self._weighers[self.task].binding

    def fit(  # noqa: PLR0913  # all but the examples are options with a default
        self,
        examples: Examples | Sequence[Examples],
        training: Training = DEFAULT,
        *,
        epochs: int | None = None,
        seed: int | None = None,
        validation: Examples | Sequence[Examples] = (),
        folder: Path | str | None = None,
        watchers: Sequence[Watcher] = (),
    ) -> ConceptLearner:
        """Train, and return the learner itself.

        `epochs` and `seed` take precedence over those of `training`. With a `folder`, a checkpoint and a log are
        written there after each epoch, and a training that was interrupted goes on where it was.
        """
        training = replace(
            training,
            epochs=training.epochs if epochs is None else epochs,
            seed=training.seed if seed is None else seed,
        )
        train = self._prepared(examples)
        if not train:
            raise MooseError("expected examples to learn from, but got none")
        judged = self._prepared(validation)
        for group in (*train, *judged):
            self.network.try_on(group.examples.scaled_inputs(slice(0, 2)).flatten(0, 1))
        settings = self._settings(train, judged, training)
        work = Work(self.network, train, judged, Counting(self.cover), training, settings)
        if folder is not None:
            refuse_other_stages(Path(folder), 1)
        work = replace(work, folder=None if folder is None else Path(folder), watchers=watchers)
        self.history = run(work).history
        return self

    def predict(self, examples: Examples, *, evidence: bool = True) -> Predictions:
        """Return the posteriors of all concepts of all individuals, given the evidence or without it."""
        prepared = self._fitting(examples)
        return predict(self.network, prepared, use_evidence=evidence)

    def evaluate(self, examples: Examples | Sequence[Examples]) -> Evaluation:
        """Return how right and how well calibrated the predictions are."""
        from moose.learning.evaluation.evaluate import Judged, evaluate

        groups = [examples] if isinstance(examples, Examples) else list(examples)
        judged = list[Judged]()
        for prepared in map(self._fitting, groups):
            logits = find_logits(self.network, prepared)
            given, without = (infer(prepared, logits, use_evidence=use) for use in (True, False))
            judged.append((prepared.examples, given, without))
        return evaluate(judged)

    def save(self, folder: Path | str) -> None:
        """Write the weights and the task."""
        from moose.learning.model_files import save_learner

        save_learner(self, Path(folder))

    @staticmethod
    def load(folder: Path | str, encoder: nn.Module | None = None) -> ConceptLearner:
        """Read what `save` wrote; an encoder that did not come with Moose must be given."""
        from moose.learning.model_files import load_learner

        return load_learner(Path(folder), encoder)

    def _fitting(self, examples: Examples) -> Prepared:
        """Check examples against the theory and the encoder."""
        prepared = prepare(examples, self._weigher(examples.task))
        self.network.try_on(examples.scaled_inputs(slice(0, 1)).flatten(0, 1))
        return prepared

    def _prepared(self, examples: Examples | Sequence[Examples]) -> list[Prepared]:
        groups = [examples] if isinstance(examples, Examples) else list(examples)
        return [prepare(group, self._weigher(group.task)) for group in groups]

    def _weigher(self, task: Task) -> Weigher:
        """Return what turns outputs into weights for a task: this one's, or one over the same concepts."""
        if task not in self._weighers:
            check_same_concepts(self.task, task)
            binding = bind(task)
            known = {weigher.binding.fingerprint: weigher for weigher in self._weighers.values()}
            self._weighers[task] = known.get(binding.fingerprint) or Weigher(binding, make_head(self.head, binding))
        return self._weighers[task]

    def _settings(self, train: Sequence[Prepared], judged: Sequence[Prepared], training: Training) -> dict[str, object]:
        """Return what two trainings must share for one to go on where the other stopped; not how long they last."""
        return {
            "head": self.head,
            "cover": None if self.cover is None else asdict(self.cover),
            "seed": training.seed,
            "batch size": training.batch_size,
            "patience": training.patience,
            **settings_of_examples(self.binding.fingerprint, train, judged),
        }
