"""What is shown and what is observed in each regime: one table, a row each."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path

from moose.base.errors import MooseError
from moose.base.suggestions import unknown_word
from moose.datasets.base.subjects import Recipe, Subject
from moose.grounding.task import regimes as bundled
from moose.grounding.task.task import Task
from moose.grounding.task.task_file import read_task

DIGITS = tuple(f"D{digit}" for digit in range(10))
PROPERTIES = ("Even", "Odd", "Prime", "Composite")
PRIMALITY = ("Prime", "Composite")
PIZZAS = ("Mushroom", "Cajun", "Capricciosa", "FourSeasons")
KINDS = ("NonVegetarianPizza", "SpicyPizza", "RealFrenchPizza", "VegetarianPizza")

# The pizzas that no training image shows. On the training pizzas olives come with anchovies and never alone; here
# olives come alone. Their kinds are those of the Pizzaïolo ontology, as far as the tasks have them.
UNSEEN = tuple(
    Recipe(label, (*(f"{topping}Topping" for topping in toppings.split()), *kinds.split(), "NamedPizza", "Pizza"))
    for label, toppings, kinds in (
        ("Fiorentina", "Garlic Olive Parmesan SlicedTomato Spinach", "VegetarianPizza"),
        ("Giardiniera", "JalapenoPepper Mushroom Olive SlicedTomato", "VegetarianPizza SpicyPizza"),
        ("LaReine", "Ham Mushroom Olive", "NonVegetarianPizza RealFrenchPizza"),
        ("Soho", "Garlic Olive Parmesan Rocket", "VegetarianPizza"),
        ("Veneziana", "Olive Onion Sultana", "VegetarianPizza"),
    )
)


@dataclass(frozen=True, slots=True, eq=False)
class Regime:
    """A task, what its images show, and how evidence is drawn: `least` to `most` true literals over a pool of concepts.

    The literals are over different atoms, all atoms equally likely. A user's own regime is another such value.
    """

    name: str
    task: Task
    subject: Subject
    pool: tuple[str, ...]
    """The concepts that evidence speaks of, of any individual."""
    least: int = 1
    most: int = 1
    only_positive: bool = False
    """Whether evidence says only what holds; else it says either what holds or what does not."""
    steps: tuple[int, ...] = (0,)
    """For each individual how many labels after the first individual's label its own stands, round at the end."""
    held_back: tuple[str, ...] = ()
    """Labels of the first individual that an inductive split keeps from training."""
    shows_unseen: bool = False
    """Whether there is a split `held_out` of what the ontology does not know."""

    def __post_init__(self) -> None:
        if len(self.steps) != len(self.task.individuals) or self.steps[0] != 0:
            raise MooseError(
                f"expected a step for each of the {len(self.task.individuals)} individuals of {self.name}, 0 first, "
                f"but got {self.steps}"
            )
        if not 0 <= self.least <= self.most:
            raise MooseError(f"expected 0 ≤ least ≤ most literals in {self.name}, but got {self.least} and {self.most}")
        observed = {concept.name for concept in self.task.concepts if not concept.is_latent}
        for name in self.pool:
            if name not in observed:
                raise unknown_word(f"an observed concept in the pool of {self.name}", name, sorted(observed))
        for name in self.held_back:
            if name not in self.subject.labels:
                raise unknown_word(f"a label to hold back in {self.name}", name, self.subject.labels)


@dataclass(frozen=True, slots=True)
class Row:
    """A regime as data; the task and the ontologies are read when it is asked for."""

    subject: str
    pool: tuple[str, ...]
    most: int = 1
    only_positive: bool = False
    steps: tuple[int, ...] = (0,)
    held_back: tuple[str, ...] = ()
    shows_unseen: bool = False


ROWS = {
    "mnist1": Row("digits", PROPERTIES, most=3),
    "mnist2": Row("digits", PRIMALITY, most=3, steps=(0, 1), held_back=("D1", "D3", "D5", "D7", "D9")),
    "mnist3": Row("digits", PROPERTIES, most=3, steps=(0, 2), held_back=("D4", "D5", "D8", "D9")),
    "pizzaA": Row("pizzas", PIZZAS, only_positive=True, shows_unseen=True),
    "pizzaB": Row("pizzas", KINDS, only_positive=True),
    "pizzaC": Row("pizzas", ("SpicyPizza",)),
}
"""The paper's regimes, under the names of their tasks. What is held back in mnist2 and mnist3: appendix F."""


def find_regime(name: str) -> Regime:
    """Return a regime of the table.

    >>> find_regime("mnist2").steps
    (0, 1)
    """
    row = ROWS.get(name)
    if row is None:
        raise unknown_word("a regime", name, tuple(ROWS))
    task = bundled.regime(name)
    return Regime(
        name=name,
        task=task,
        subject=find_subject(row.subject, task),
        pool=row.pool,
        most=row.most,
        only_positive=row.only_positive,
        steps=row.steps,
        held_back=row.held_back,
        shows_unseen=row.shows_unseen,
    )


def find_subject(name: str, task: Task) -> Subject:
    """Return what the images of a regime show; its ontology is the task's own where that says it all."""
    if name == "digits":
        return Subject(name, task.ontology, DIGITS)
    # Track C's ontology has no pizzas, so their recipes are those of track A.
    told = bundled.regime("pizzaA")
    toppings = tuple(concept.name for concept in told.concepts if concept.is_latent)
    return Subject(name, told.ontology, PIZZAS, toppings=toppings, unseen=UNSEEN)


def read_regime(regime: str | Path | Task | Regime) -> Regime:
    """Return a regime given by name or as it is; a task, or a task's file, is one whose evidence is not drawn."""
    if isinstance(regime, Regime):
        return regime
    if isinstance(regime, str) and regime in ROWS:
        return find_regime(regime)
    if isinstance(regime, str):
        regime = bundled.task_path(regime)
    task = regime if isinstance(regime, Task) else read_task(regime)
    steps = (0,) * len(task.individuals)
    name = "task" if isinstance(regime, Task) else Path(regime).stem
    return Regime(name, task, Subject("anything", task.ontology, ()), (), least=0, most=0, steps=steps)


def without_closure(regime: Regime) -> Task:
    """Return the task with nothing closed: what the held-out pizzas are is outside the family of known ones."""
    task = regime.task
    return Task(
        task.ontology,
        task.individuals,
        task.observed,
        task.latent,
        (),
        task.roles,
        facts=task.facts,
        closure=(),
        unread=task.unread,
    )


def for_unseen(regime: Regime) -> Regime:
    """Return the regime by which held-out examples are made: nothing in the pool holds of what is unseen."""
    return replace(regime, task=without_closure(regime))
