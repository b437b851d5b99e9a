"""Count what there is of rows with labels from a hierarchy."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING

import numpy as np

from moose.datasets.hierarchies.hierarchy import make_hierarchy
from moose.grounding.task.task import Task
from moose.owl.model.axioms import SubClassOf
from moose.owl.model.expressions import Class

if TYPE_CHECKING:
    from moose.datasets.open import Dataset
    from moose.learning.examples import Examples


@dataclass(frozen=True, slots=True)
class SplitCounts:
    """Means over the rows of a split."""

    rows: int
    labels: float
    """Classes that hold of a row."""
    shown_positive: float
    """Literals that say that a class holds."""
    shown_negative: float


@dataclass(frozen=True, slots=True)
class LabelCounts:
    """How much there is."""

    data: str
    regime: str
    features: int
    classes: int
    axioms: int
    depth: int
    splits: dict[str, SplitCounts]

    def as_dict(self) -> dict[str, object]:
        """Return everything for JSON."""
        return asdict(self)

    def lines(self) -> Iterator[str]:
        """Yield lines with tabs between what stands in columns."""
        yield f"{self.data}\t{self.regime}"
        yield f"features\t{self.features:,}"
        yield f"classes\t{self.classes:,}, depth {self.depth}, {self.axioms:,} axioms"
        for split, one in self.splits.items():
            shown = f"{one.shown_positive:.1f} + {one.shown_negative:.1f}"
            yield f"{split}\t{one.rows:,} rows with {one.labels:.1f} classes; literals shown, true + false: {shown}"


def count_labels(dataset: Dataset) -> LabelCounts:
    """Count features, classes, rows, labels and what is shown of them."""
    train = dataset.train
    return LabelCounts(
        data=dataset.name,
        regime=dataset.regime,
        features=int(train.inputs.shape[-1]),
        classes=len(train.task.concepts),
        axioms=len(train.task.ontology.axioms),
        depth=hierarchy_depth(train.task),
        splits={split: _count_split(dataset[split]) for split in dataset},
    )


def hierarchy_depth(task: Task) -> int:
    """Return how deep the deepest class stands, along the shortest way to it."""
    known = {concept.iri for concept in task.concepts}
    pairs = [
        (axiom.sub.iri, axiom.sup.iri)
        for axiom in task.ontology.axioms
        if isinstance(axiom, SubClassOf) and isinstance(axiom.sub, Class) and isinstance(axiom.sup, Class)
    ]
    hierarchy = make_hierarchy(known, [(low, high) for low, high in pairs if low in known and high in known])
    return int(np.max(hierarchy.depths))


def _count_split(examples: Examples) -> SplitCounts:
    rows = len(examples)
    means = [float((signs > 0).sum()) / rows for signs in (examples.truth, examples.evidence, -examples.evidence)]
    return SplitCounts(rows, *(round(mean, 2) for mean in means))
