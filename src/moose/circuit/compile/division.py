"""Choose how to divide a theory: low trees where they cost nothing, whole ones where division does not pay."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from moose.circuit.compile.decomposition import Decomposition, decompose, find_bags, fuse
from moose.circuit.compile.elimination import Bag, height
from moose.circuit.compile.join import Plan, Watch, make_plan
from moose.circuit.compile.scopes import Places
from moose.circuit.compile.templates import RunJob, Solver, TooManyClasses

HIGH = 32  # bags above each other from which a lower tree is worth a try: below, a circuit has under 200 levels
MOST_TEMPLATES = 24  # of a low tree; a chain of digits has 14, a random tree can have hundreds, which take minutes

Count = Callable[[int, int, int], None]
"""Called with the bags done, all bags, and the different ones among those done; raises to stop."""


@dataclass(frozen=True, eq=False)
class Arrangement:
    """A theory divided into bags, and the solution of each."""

    decomposition: Decomposition
    plan: Plan
    is_low: bool
    undivided: int
    """How many trees are one bag because their separators had too many states."""

    def __str__(self) -> str:
        text = f"structure: {len(self.decomposition.bags)} parts, {len(self.plan.solutions)} different"
        text += ", balanced" if self.is_low else ""
        return f"{text}, {self.undivided} undivided because of wide separators" if self.undivided else text


def arrange(places: Places, *, minimise: bool, run: RunJob, watch: Count) -> Arrangement:
    """Divide a theory along its individuals and solve every part."""

    def attempt(bags: list[Bag], also: Watch, *, is_guarded: bool = False) -> tuple[Decomposition, Plan]:
        decomposition = decompose(places, bags, is_guarded=is_guarded)
        solver = Solver(decomposition.coding, places.quantified, places.determined, minimise, run)

        def both(place: int, plan: Plan) -> None:
            watch(place + 1, len(bags), len(plan.solutions))
            also(place, plan)

        return decomposition, make_plan(decomposition, solver, watch=both)

    bags = find_bags(places)
    if height(bags) > HIGH:
        low = find_bags(places, is_low=True)
        try:
            return Arrangement(*attempt(low, _stay_small(low)), is_low=True, undivided=0)
        except TooManyClasses:
            pass
    try:
        return Arrangement(*attempt(bags, _accept), is_low=False, undivided=0)
    except TooManyClasses:
        pass
    undivided: set[int] = set()
    while True:
        divided = fuse(bags, undivided) if undivided else bags
        try:
            found = attempt(divided, _accept, is_guarded=True)
            return Arrangement(*found, is_low=False, undivided=len(undivided))
        except TooManyClasses as error:
            undivided.add(divided[error.bag].own[0])


def _accept(place: int, plan: Plan) -> None:
    """Let every solution pass."""


def _stay_small(bags: list[Bag]) -> Watch:
    """Give up a low tree where a pair of individuals has many more classes than one has, or parts are too various."""
    most = 2

    def watch(place: int, plan: Plan) -> None:
        nonlocal most
        classes = len(plan.solutions[plan.solution_of[place]].template.results)
        if len(bags[place].separator) == 1:
            most = max(most, classes)
        elif classes > 2 * most or len(plan.solutions) > MOST_TEMPLATES:
            raise TooManyClasses(place)

    return watch
