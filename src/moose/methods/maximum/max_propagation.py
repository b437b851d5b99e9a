"""Max-propagation: a plain network with a sigmoid for each class, then each class raised to its likeliest subclass.

The usual repair of predictions that contradict a hierarchy: training is cross-entropy on the labels that are known,
class by class, and the maximum over subclasses (as the ontology entails them) is taken of what is predicted. Labels
that follow from others by the theory are added before. Beside max-constraint it shows what learning through the maximum
is good for.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from moose.grounding.task.task import Task
from moose.methods.base.method import Method
from moose.methods.base.perception import Perception
from moose.methods.maximum.max_constraint import MaximumModel


@dataclass(frozen=True, slots=True)
class MaxPropagation(Method):
    """Cross-entropy, and then the maximum over subclasses."""

    name: ClassVar[str] = "max-propagation"

    def model(self, task: Task, perception: Perception, *, seed: int) -> MaximumModel:
        """Make the model."""
        return MaximumModel(task, perception, seed=seed, through_maximum=False)
