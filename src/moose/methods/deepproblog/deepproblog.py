"""DeepProbLog: -log P(query), the query being that the example's literals hold and known roles are kept to.

    P(query) = Σ over worlds w that prove it of Π over choices in w of their probability

Manhaeve, Dumančić, Kimmig, Demeester, De Raedt, "DeepProbLog: Neural Probabilistic Logic Programming", NeurIPS 2018.
A world chooses one member of each latent family (a softmax), and for each other latent concept whether it holds (a
sigmoid); rules prove the rest from that, and what they do not prove is false. `neural_program` says how a task becomes
such a program, `program_text` writes it down.

Where this differs from Moose:

- mnist1, mnist2, mnist3: the worlds of the program are the models of the closed theory, so that the loss is that of
  Moose with a softmax head, up to a constant, and so is its gradient.
- pizzaA: a recipe is read as a definition of the pizza, and the networks weigh toppings. With one pizza observed the
  loss is again that of Moose up to a constant. For pizzas outside the family, nothing constrains the toppings.
- pizzaB: the network weighs the four pizzas, and toppings follow from them by rules. It has no opinion on toppings of
  its own; what is reported as the network's word on them is what the program makes of its word on pizzas.
- pizzaC: to be spicy is to have one of the spicy toppings, while in the open ontology a pizza may be spicy without.

The paper's rows on pizzas are copies of Moose's, by an equivalence that does not hold: a rule whose head has a
probability of its own is a noisy-or (0.3::h. 0.6::b. h:-b. gives 0.72), not a constraint (0.3).

The engine `vectorised` compiles the program once into a circuit in which each literal of a query is evidence, and
computes a batch at a time. The engine `package` trains through the package `deepproblog`, query by query, and is for
comparison; both give the same loss and the same gradients. Answers come from the circuit under either.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import log
from typing import ClassVar, Literal, Protocol

import torch
from torch import Tensor, nn

from moose.grounding.atoms import Atom
from moose.grounding.clauses import AtomKind
from moose.grounding.task.task import Task
from moose.learning.binding import Binding, bind_clauses, latent_columns
from moose.learning.heads import Sides
from moose.learning.loss.objective import Outcome, Prepared, Unchanging, count_right, encode
from moose.learning.network import ConceptNetwork
from moose.learning.open_weights import OpenPair
from moose.methods.base.answers import BatchAnswer, circuit_posteriors
from moose.methods.base.method import Method
from moose.methods.base.model import Model, Stage
from moose.methods.base.options import check_choice
from moose.methods.base.perception import Perception
from moose.methods.deepproblog.deepproblog_package import Package, check_package
from moose.methods.deepproblog.neural_program import NeuralProgram, make_program

Engine = Literal["vectorised", "package"]
ENGINES: tuple[Engine, ...] = ("vectorised", "package")


@dataclass(frozen=True, slots=True)
class Deepproblog(Method):
    """DeepProbLog on the program of a task."""

    name: ClassVar[str] = "deepproblog"
    engine: Engine = "vectorised"
    """What computes the loss: a circuit of the whole program for a batch at a time, or the package itself."""

    def __post_init__(self) -> None:
        check_choice(self.name, "engine", self.engine, ENGINES)
        if self.engine == "package":
            check_package()

    def model(self, task: Task, perception: Perception, *, seed: int) -> ProgramModel:
        """Make the model."""
        return ProgramModel(task, perception, seed=seed, engine=self.engine)


@dataclass(frozen=True, eq=False)
class ProgramLayout:
    """The program of a task, and what the model must know of its atoms."""

    program: NeuralProgram
    is_decided: Tensor
    """Whether rules decide a latent atom: individual × latent concept."""
    decided: Tensor
    """Columns of the circuit: atoms that are not latent and that rules decide."""
    coins: Tensor
    """Columns of the circuit."""


class Prover(Protocol):
    """What else may compute the loss."""

    def __call__(self, program: NeuralProgram, prepared: Prepared, rows: Tensor | slice, sides: Sides) -> Tensor:
        """Return log P(query) of each example, or what stands for it, from the weights of latent atoms."""


class ProgramModel(Model):
    """One network whose outputs weigh the choices of a program."""

    def __init__(
        self, task: Task, perception: Perception, *, seed: int, engine: Engine | Prover = "vectorised"
    ) -> None:
        super().__init__(task, head="softmax")
        self.engine: Engine | Prover = engine
        self._layouts = dict[Task, ProgramLayout]()
        self._packages = dict[Task, Package]()
        outputs = len(latent_columns(task))
        self.network = ConceptNetwork(perception.encoder(outputs, seed=seed), outputs)

    def binding(self, task: Task, pairs: Sequence[OpenPair] = ()) -> Binding:
        """Compile the program instead of the theory."""
        program = make_program(task)
        binding = bind_clauses(task, program.clauses, pairs=pairs)
        self._layouts[task] = lay_out_program(program, binding)
        return binding

    def stages(self) -> Sequence[Stage]:
        """Train the network by -log P(query)."""
        return [Stage(self.network, Unchanging(self.prove), is_likelihood=True)]

    def prove(self, network: nn.Module, prepared: Prepared, rows: Tensor | slice) -> Outcome:
        """Return the mean of -log P(query) over some examples; the same in training and validation."""
        logits = encode(network, prepared, rows)
        right, judged = count_right(prepared, rows, logits.detach())
        return Outcome(-self._find(prepared, rows, logits).mean(), None, right, judged)

    def _find(self, prepared: Prepared, rows: Tensor | slice, logits: Tensor) -> Tensor:
        """Return log P(query) of each example as the engine finds it."""
        if self.engine == "vectorised":
            return self.log_probabilities(prepared, rows, logits)
        if self.engine == "package":
            return self.package_log_probabilities(prepared, rows, logits)
        program = self._layouts[prepared.examples.task].program
        return self.engine(program, prepared, rows, self.sides(prepared, logits))

    def log_probabilities(self, prepared: Prepared, rows: Tensor | slice, logits: Tensor) -> Tensor:
        """Return log P(query) of each example.

        In the layer's weights, what rules decide weighs ½ on both sides where it is not observed, and a coin that is
        observed weighs 1 rather than ½; both are put right here.
        """
        weight_map, mask = prepared.weight_map, prepared.mask[rows]
        log_counts: Tensor = weight_map.binding.layer(weight_map.log_weights(self.sides(prepared, logits), mask), mask)
        of_task = self._layouts[prepared.examples.task]
        halves = (mask[:, of_task.decided] == 0).sum(1) - (mask[:, of_task.coins] != 0).sum(1)
        return log_counts + log(2.0) * halves.to(log_counts.dtype)

    def package_log_probabilities(self, prepared: Prepared, rows: Tensor | slice, logits: Tensor) -> Tensor:
        """Return log P(query) of each example as the package finds it."""
        task = prepared.examples.task
        if task not in self._packages:
            self._packages[task] = Package(self._layouts[task].program, task)
        probabilities = prepared.weight_map.head.sides(logits.double()).positive.exp()
        query_probabilities = self._packages[task].query_probabilities(probabilities, prepared.examples.evidence[rows])
        return query_probabilities.log().to(logits.dtype)

    def sides(self, prepared: Prepared, logits: Tensor) -> Sides:
        """Return the weights of the latent atoms; what rules decide weighs 1 either way."""
        is_decided = self._layouts[prepared.examples.task].is_decided
        sides = prepared.weight_map.head.sides(logits)
        return Sides(*(side.masked_fill(is_decided, 0.0) for side in sides))

    def answer(self, prepared: Prepared, rows: slice, *, use_evidence: bool) -> BatchAnswer:
        """Return P(C(a) | query), and what the network says of choices."""
        task = prepared.examples.task
        sides = self.sides(prepared, encode(self.network, prepared, rows).double())
        posteriors = circuit_posteriors(prepared, rows, sides, use_evidence=use_evidence)
        network, is_decided = sides.positive.exp(), self._layouts[task].is_decided
        if bool(is_decided.any()):
            free = circuit_posteriors(prepared, rows, sides, use_evidence=False)[..., list(latent_columns(task))]
            network = torch.where(is_decided, free, network)
        return BatchAnswer(posteriors, network)


def lay_out_program(program: NeuralProgram, binding: Binding) -> ProgramLayout:
    """Find the atoms of a program in its circuit."""
    task, theory, columns = binding.task, program.theory, binding.layer.columns.from_clauses
    drawn = {theory.atoms[position] for position in program.drawn}
    latent = [task.concepts[column].name for column in latent_columns(task)]
    hidden = (AtomKind.LATENT, AtomKind.AUXILIARY)
    decided = [
        position for position, kind in enumerate(theory.kinds) if kind not in hidden and position not in program.drawn
    ]
    return ProgramLayout(
        program,
        is_decided=torch.tensor([[Atom(name, (who,)) not in drawn for name in latent] for who in task.individuals]),
        decided=torch.from_numpy(columns[decided]),
        coins=torch.from_numpy(columns[list(program.coins)]),
    )
