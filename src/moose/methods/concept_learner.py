"""The learner of `import moose`: the method moose, or moose-cover, at work with an encoder of the user's choice."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Literal

from torch import Tensor, nn

from moose.base.errors import MooseError
from moose.grounding.task.task import Task
from moose.learning.binding import Binding, latent_families
from moose.learning.encoders import ConvolutionalEncoder, EmbeddingEncoder, MLPEncoder, PatchEncoder
from moose.learning.evaluation.evaluate import Evaluation
from moose.learning.examples import Examples
from moose.learning.fit.training_loop import Training
from moose.learning.fit.watchers import Epoch, Watcher
from moose.learning.heads import HeadName
from moose.learning.loss.cover import Cover
from moose.learning.loss.likelihood import ObjectiveName, OpenName
from moose.learning.prediction import Predictions
from moose.methods.base.method import DEFAULT, Method, Predictor
from moose.methods.base.perception import Network, Perception
from moose.methods.load_predictor import load_predictor
from moose.methods.ours.moose import Moose, MooseModel
from moose.methods.ours.moose_cover import MooseCover, check_coverable


class ConceptLearner:
    """Learn the latent concepts of a task from inputs and partial evidence.

    `encoder` is any torch module from inputs (input × feature, input × channel × height × width, …; for sequences
    `encoder(values, mask)`) to one logit for each latent concept of the task, or to as many `features`, which then get
    a full layer on top. It is shared by all individuals. The cover, which keeps members of a family from falling on one
    label, is there by itself where a family is latent.

    Where the task has latent roles, `pair_network` is any torch module from two encodings, pair × feature each, and the
    `pair_features` of the examples if they have any, to one logit for each latent role; one is made if there is none.

    >>> from moose.grounding.task.regimes import regime
    >>> from moose.learning.encoders import mnist_encoder
    >>> ConceptLearner(regime("mnist2"), mnist_encoder(10))
    ConceptLearner(moose-cover, softmax, Task(2 individuals, 5 observed, 10 latent))
    """

    def __init__(  # noqa: PLR0913  # all but the first two are options with a default
        self,
        task: Task,
        encoder: nn.Module,
        *,
        head: HeadName = "softmax",
        cover: Cover | Literal["auto"] | None = "auto",
        objective: ObjectiveName = "auto",
        open_weights: OpenName = "learnt",
        features: int | None = None,
        pair_network: nn.Module | None = None,
        pair_features: int = 0,
        seed: int = 0,
    ) -> None:
        method: Method = Moose(head=head, objective=objective, open_weights=open_weights)
        if cover == "auto":
            cover = Cover() if latent_families(task) else None
        if cover is not None:
            check_coverable(task)
            method = MooseCover(cover.weight, cover.epochs, head, cover.is_pooled, objective, open_weights)
        bundled = ConvolutionalEncoder | PatchEncoder | MLPEncoder | EmbeddingEncoder
        plan = encoder.plan if isinstance(encoder, bundled) else None
        given = Perception(
            input_shape=None if plan is None else plan.input_shape,
            batch_norm=plan is not None and plan.is_normalised,
            make=lambda _outputs, _seed: encoder,
            features=features,
            make_pairs=None if pair_network is None else lambda _width, _roles, _seed: pair_network,
            pair_features=pair_features,
        )
        model = method.model(task, given, seed=seed)
        model.weight_map(task)  # a theory that contradicts itself is found now
        kept = given if plan is None else replace(given, make=None, plan=plan)
        self.predictor = Predictor(method, model, kept)

    def __repr__(self) -> str:
        return f"ConceptLearner({self.method}, {self.head}, {self.task!r})"

    @property
    def method(self) -> str:
        """What the method is called in the registry and in results."""
        return self.predictor.method.name

    @property
    def task(self) -> Task:
        """The task that is learnt."""
        return self.predictor.task

    @property
    def head(self) -> HeadName:
        """How the network's outputs are read."""
        return self.predictor.model.head

    @property
    def cover(self) -> Cover | None:
        """The term against collapse."""
        return self._model.objective.cover

    @property
    def network(self) -> Network:
        """What is trained: the encoder, with a layer on top where it gives features, and the pair network."""
        return self._model.network

    @property
    def binding(self) -> Binding:
        """The task with its circuit."""
        return self.predictor.model.weight_map(self.task).binding

    @property
    def history(self) -> tuple[Epoch, ...]:
        """The epochs of the last training."""
        return self.predictor.history

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
        self.predictor.fit(examples, training, validation=validation, folder=folder, watchers=watchers)
        return self

    def predict(self, examples: Examples, *, evidence: bool = True) -> Predictions:
        """Return the posteriors of all concepts of all individuals, given the evidence or without it."""
        return self.predictor.predict(examples, evidence=evidence)

    def evaluate(self, examples: Examples | Sequence[Examples]) -> Evaluation:
        """Return how right and how well calibrated the predictions are."""
        return self.predictor.evaluate(examples)

    def look_at(self, examples: Examples) -> None:
        """See what must be known of all examples before a loop of your own learns from some; `fit` does so itself.

        That is the scale of features, and which observables evidence both affirms and denies.
        """
        self.predictor.look_at(examples)

    def loss(self, examples: Examples, *, epochs_done: float = 0.0) -> Tensor:
        """Return what is minimised for some examples, to be differentiated: for a training loop of your own.

        How many epochs are done matters to a cover, whose weight falls with them.
        """
        return self.predictor.loss(examples, epochs_done=epochs_done)

    def save(self, folder: Path | str) -> None:
        """Write the weights, the method with its options, and the task; `moose.load_predictor` reads them, too."""
        self.predictor.save(folder)

    @staticmethod
    def load(
        folder: Path | str, encoder: nn.Module | None = None, pair_network: nn.Module | None = None
    ) -> ConceptLearner:
        """Read what `save` wrote; networks that did not come with Moose must be given."""
        predictor = load_predictor(
            folder,
            None if encoder is None else lambda _outputs, _seed: encoder,
            None if pair_network is None else lambda _width, _roles, _seed: pair_network,
        )
        if not isinstance(predictor.model, MooseModel):
            raise MooseError(
                f"{folder}: expected a model of the method moose or moose-cover, but it is one of "
                f"{predictor.method.name}; read it with moose.load_predictor"
            )
        learner = object.__new__(ConceptLearner)
        learner.predictor = predictor
        return learner

    @property
    def _model(self) -> MooseModel:
        model = self.predictor.model
        assert isinstance(model, MooseModel)
        return model
