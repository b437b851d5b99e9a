"""The package `deepproblog` at work: the probability of each example's query, by its own grounding and circuits.

The package builds a circuit for each set of literals it has not met yet and then evaluates it example by example, in
probabilities rather than their logarithms. It is here to compare with; the vectorised engine says the same.
"""

from __future__ import annotations

import sys
import warnings
from collections.abc import Callable, Sequence
from contextlib import redirect_stdout
from importlib.util import find_spec
from io import StringIO
from typing import TYPE_CHECKING, TypeVar, cast

import torch
from torch import Tensor, nn

from moose.base.errors import MooseError
from moose.grounding.task.task import Task
from moose.learning.binding import latent_columns
from moose.methods.deepproblog.neural_program import NeuralProgram
from moose.methods.deepproblog.program_text import network_names, program_text, word

if TYPE_CHECKING:
    from deepproblog.model import Model
    from deepproblog.query import Query

SOURCE = "image"
T = TypeVar("T")


def check_package() -> None:
    """Say what to do where the package is not installed."""
    missing = [name for name in ("deepproblog", "problog", "PIL") if find_spec(name) is None]
    if missing:
        raise MooseError(
            f"the engine `package` of deepproblog needs {', '.join(missing)}, not installed here; run `make peers`, "
            f"or `pip install --no-deps deepproblog==2.1.0` and `pip install problog==2.3.0 pillow`"
        )


class Part(nn.Module):
    """A network of the program: some of the probabilities that were found for all concepts of an individual at once."""

    def __init__(self, columns: Sequence[int]) -> None:
        super().__init__()
        self.columns = list(columns)

    def forward(self, probabilities: Tensor) -> Tensor:
        """Return the concepts of this network."""
        return probabilities[..., self.columns]


class Rows:
    """Where the package finds its tensors: `image(row,individual)`."""

    def __init__(self) -> None:
        self.probabilities = torch.zeros(0)

    def __getitem__(self, key: Sequence[object]) -> Tensor:
        row, individual = (int(str(part)) for part in key)
        return self.probabilities[row, individual]


class Package:
    """A program in the package."""

    def __init__(self, program: NeuralProgram, task: Task) -> None:
        check_package()
        self.task, self.rows = task, Rows()
        self.model = _quietly(lambda: self._model(program))

    def _model(self, program: NeuralProgram) -> Model:
        from deepproblog.engines import ExactEngine
        from deepproblog.model import Model
        from deepproblog.network import Network

        names = [self.task.concepts[column].name for column in latent_columns(self.task)]
        networks = [
            Network(Part([names.index(concept) for concept in concepts]), name)
            for name, concepts in network_names(program).items()
        ]
        model = Model(program_text(program), networks, load=False)
        model.set_engine(ExactEngine(model), cache=True)
        model.add_tensor_source(SOURCE, self.rows)
        return model

    def query_probabilities(self, probabilities: Tensor, evidence: Tensor) -> Tensor:
        """Return P(query) of each example.

        Probabilities are example × individual × latent concept, evidence is example × individual × concept.
        """
        self.rows.probabilities = probabilities
        queries = [self._query(row, literals) for row, literals in enumerate(evidence)]
        results = _quietly(lambda: self.model.solve(queries))
        values = [cast(Tensor | float, next(iter(result.result.values()))) for result in results]
        return torch.stack([torch.as_tensor(value, dtype=probabilities.dtype) for value in values])

    def _query(self, row: int, evidence: Tensor) -> Query:
        from deepproblog.query import Query
        from problog.logic import Constant, Term, list2term

        literals, substitution = list[Term](), dict[Term, Term]()
        for position, individual in enumerate(self.task.individuals):
            who = Term(word(individual))
            substitution[who] = Term("tensor", Term(SOURCE, Constant(row), Constant(position)))
            for column in torch.nonzero(evidence[position]).flatten().tolist():
                sign = "yes" if evidence[position, column] > 0 else "no"
                literals.append(Term(sign, who, Term(word(self.task.concepts[column].name))))
        return Query(Term("seen", list2term(literals)), substitution)


def _quietly(work: Callable[[], T]) -> T:
    """Keep the package from printing, from warning of what it is not asked for, and Python's limit of recursion."""
    limit = sys.getrecursionlimit()
    try:
        with redirect_stdout(StringIO()), warnings.catch_warnings():
            for known in ("ApproximateEngine is not available", "Converting a tensor with requires_grad=True"):
                warnings.filterwarnings("ignore", known)
            return work()
    finally:
        sys.setrecursionlimit(limit)
