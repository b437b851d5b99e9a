"""A method at work on a task: networks, what their training minimises, and what they then say."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from typing import ClassVar, NamedTuple

import torch
from torch import nn

from moose.base.errors import ContradictoryEvidence, MooseError
from moose.circuit.compile.shared_parts import SharedParts
from moose.grounding.task.task import Task
from moose.learning.binding import Binding, bind, check_same_concepts, latent_columns
from moose.learning.examples import Examples
from moose.learning.heads import HeadName, WeightMap, make_head
from moose.learning.inputs.standardise import is_unmeasured
from moose.learning.loss.likelihood import ObjectiveName, OpenName, is_usually_conditional
from moose.learning.loss.objective import Objective, Prepared, prepare
from moose.learning.loss.theory_alone import TheoryAlone, theory_alone
from moose.learning.network import input_shape_errors
from moose.learning.open_weights import OpenPair, OpenWeights
from moose.learning.shapes import Group, alone, split_by_shape
from moose.methods.base.answers import BatchAnswer


class Stage(NamedTuple):
    """A part of training."""

    network: nn.Module
    """What is trained."""
    objective: Objective
    is_likelihood: bool = False
    """The loss is -log of how likely the evidence is."""


class Model(nn.Module):
    """The base of all models.

    Training has one or more stages, one after the other, each of which changes the weights of one network. All numbers
    that a model draws while it learns come from torch's own generator, which the training loop seeds; those that it
    draws when it is asked come from a generator of its own with a fixed seed.
    """

    takes_kinds: ClassVar[bool] = False
    """Whether it can do without concepts and inputs that some kinds of individuals lack."""
    takes_roles: ClassVar[bool] = False
    """Whether it learns latent roles."""
    needs_latent: ClassVar[bool] = True
    """Whether there is nothing to learn where all concepts are observed."""

    def __init__(
        self,
        task: Task,
        *,
        head: HeadName = "softmax",
        objective: ObjectiveName = "paper",
        open_weights: OpenName = "half",
    ) -> None:
        super().__init__()
        if task.is_typed and not self.takes_kinds:
            raise MooseError(
                "this method asks the same of all individuals, but the task has kinds that lack concepts or inputs; "
                "choose moose, moose-cover, moose-labels, moose-siblings, semantic-loss, spl, ensemble or independent, "
                "or declare no kinds"
            )
        roles = [task.role_predicates[one].name for one in task.read_roles]
        if roles and not self.takes_roles:
            raise MooseError(
                f"this method has no word on pairs of individuals, but the task has the latent role {roles[0]}; "
                "choose moose, moose-cover, semantic-loss, spl, ensemble or independent, or do not declare it latent"
            )
        if self.needs_latent and not latent_columns(task) and not roles:
            raise MooseError("the task has no latent concept, so that there is nothing to learn; declare one latent")
        self.task = task
        self.head: HeadName = head
        self.is_conditional = objective == "conditional" or (objective == "auto" and is_usually_conditional(task))
        self.learns_open = self.is_conditional and open_weights == "learnt" and head == "softmax"
        self._alone: TheoryAlone | None = None
        self._weight_maps = dict[Task, WeightMap]()
        self._parts = SharedParts()
        self._shape_tasks = set[Task]()

    # ------------------------------------------------------------------------------------- what a method decides

    def theory(self, task: Task) -> Task:
        """Return the task whose circuit the method uses: its own, or one with less in it."""
        return task

    def binding(self, task: Task, pairs: Sequence[OpenPair] = ()) -> Binding:
        """Return the circuit of the method's theory and where everything stands in it.

        Tasks of examples with graphs of their own share the parts of their circuits. `pairs` get weights of their own.
        """
        theory = self.theory(task)
        known = self._alone.binding_of(theory) if self._alone is not None and task is self.task else None
        return known or self.bind(theory, self._parts if task in self._shape_tasks else None, pairs)

    def bind(self, theory: Task, parts: SharedParts | None = None, pairs: Sequence[OpenPair] = ()) -> Binding:
        """Compile a theory; a method may add atoms of its own to it."""
        return bind(theory, parts, pairs)

    @abstractmethod
    def stages(self) -> Sequence[Stage]:
        """Return what is trained, in this order."""

    def begin(self, train: Sequence[Prepared]) -> None:
        """Look at all examples of a training that `finish` will end; a loop of the user's own has neither."""

    def finish(self, train: Sequence[Prepared], held_back: Sequence[Prepared]) -> None:
        """Learn what the stages could not, once all are trained; nothing for most methods.

        Held back are the examples that told when to stop, none where nothing stopped early.
        """

    @abstractmethod
    def answer(self, prepared: Prepared, rows: slice, *, use_evidence: bool) -> BatchAnswer:
        """Return what some examples show."""

    # --------------------------------------------------------------------------------------- what all have alike

    def prepare(self, examples: Examples) -> Prepared:
        """Check examples, all of one shape, against the theory and lay out their evidence."""
        self.refuse_given(examples)
        return prepare(examples, self.weight_map(examples.task))

    def refuse_given(self, examples: Examples) -> None:
        """Refuse evidence that is given, where all of it is taken for observed."""
        if examples.given and not self.takes_roles:
            raise MooseError(
                "this method takes all evidence for observed, but the examples have some that is given; choose moose, "
                "moose-cover, semantic-loss, ensemble or independent, or leave out given=…"
            )

    def prepare_shapes(self, examples: Examples) -> list[tuple[Group, Prepared]]:
        """Part examples by the shape of their graphs, and prepare each part; refuse evidence that cannot be."""
        prepared, wrong = [], list[int]()
        for group in split_by_shape(examples):
            if examples.graphs is not None:
                self._shape_tasks.add(group.examples.task)
            try:
                prepared.append((group, self.prepare(group.examples)))
            except ContradictoryEvidence as error:
                if examples.graphs is None:
                    raise
                wrong += group.rows[list(error.examples)].tolist()
        if wrong:
            raise self._contradiction(examples, sorted(wrong))
        return prepared

    def _contradiction(self, examples: Examples, rows: Sequence[int]) -> ContradictoryEvidence:
        """Say of examples with graphs of their own that their evidence cannot be, of the first in its own names."""
        own = alone(examples, rows[0])
        try:
            prepare(own, self.weight_map(own.task), title=examples.titles(rows))
        except ContradictoryEvidence as error:
            return ContradictoryEvidence(
                str(error), literals=error.literals, clauses=error.clauses, examples=tuple(rows)
            )
        what = f"the evidence of {examples.titles(rows)} contradicts the theory; leave out or correct a part of it"
        return ContradictoryEvidence(what, examples=tuple(rows))

    def try_on(self, prepared: Prepared) -> None:
        """Ask about two examples, so that an encoder that does not fit the inputs is found out before training."""
        self.eval()
        with torch.no_grad(), torch.random.fork_rng(devices=()), input_shape_errors(prepared.examples.input_shape):
            self.answer(prepared, slice(0, 2), use_evidence=False)

    def theory_alone(self) -> TheoryAlone:
        """Return the theory without anything that is known of an instance, which all tasks of examples share."""
        if self._alone is None:
            theory = self.theory(self.task)
            self._alone = theory_alone(theory, self.head, with_pairs=self.learns_open, bind_task=self.bind)
        return self._alone

    def make_open_weights(self) -> OpenWeights | None:
        """Make what a network learns of observables that members of families leave open, if there are any."""
        has_some = self.learns_open and any(self.theory_alone().pairs)
        return OpenWeights(len(self.task.concepts)) if has_some else None

    def look_at(self, train: Sequence[Prepared], *, is_all: bool = True) -> None:
        """See before training which observables the evidence both affirms and denies; or see some of it, then more."""
        for module in self.modules():
            if isinstance(module, OpenWeights):
                module.look_at([one.examples.evidence for one in train], is_all=is_all)

    @property
    def must_look(self) -> bool:
        """Whether something must be known of all examples before it learns from some."""
        return any(isinstance(one, OpenWeights) or is_unmeasured(one) for one in self.modules())

    def weight_map(self, task: Task) -> WeightMap:
        """Return what turns numbers into weights for the task of some examples, over the same concepts as this one."""
        if task not in self._weight_maps:
            check_same_concepts(self.task, task)
            alone = self.theory_alone() if self.is_conditional else None
            binding = self.binding(task, [] if alone is None else alone.pairs_of(task))
            self._weight_maps[task] = WeightMap(binding, make_head(self.head, binding), alone)
        return self._weight_maps[task]
