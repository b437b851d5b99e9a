"""Choose how to divide a theory: low trees where they cost nothing, whole ones where division does not pay."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

from moose.circuit.compile.decomposition import Decomposition, decompose, find_bags, fuse
from moose.circuit.compile.elimination import Bag, height
from moose.circuit.compile.join import Assembly, Watch, make_assembly
from moose.circuit.compile.scopes import Scopes, find_scopes
from moose.circuit.compile.templates import BagSolver, KnownBags, RunJob, TooManyClasses
from moose.grounding.clauses import Clauses

HIGH = 32  # bags above each other from which a lower tree is worth a try: below, a circuit has under 200 levels
MOST_TEMPLATES = 24  # of a low tree; a chain of digits has 14, a random tree can have hundreds, which take minutes

Count = Callable[[int, int, int], None]
"""Called with the bags done, all bags, and the different ones among those done; raises to stop."""


@dataclass(frozen=True, eq=False)
class DividedTheory:
    """A theory divided into bags, and the solution of each."""

    decomposition: Decomposition
    assembly: Assembly
    is_low: bool
    undivided: int
    """How many trees are one bag because their separators had too many states."""

    def __str__(self) -> str:
        text = f"structure: {len(self.decomposition.bags)} parts, {len(self.assembly.solutions)} different"
        text += ", balanced" if self.is_low else ""
        return f"{text}, {self.undivided} undivided because of wide separators" if self.undivided else text


@dataclass(frozen=True, eq=False)
class Structure:
    """How a theory hangs together: what each clause speaks of, and the bags of individuals; found once, when asked."""

    clauses: Clauses

    @cached_property
    def scopes(self) -> Scopes:
        """Which individuals each clause speaks of."""
        return find_scopes(self.clauses)

    @cached_property
    def bags(self) -> list[Bag]:
        """The bags, children before parents."""
        return find_bags(self.scopes)


def divide(
    structure: Structure, *, minimise: bool, run: RunJob, watch: Count, known: KnownBags | None = None
) -> DividedTheory:
    """Divide a theory along its individuals and solve every part that is not known."""
    scopes = structure.scopes
    solved = {} if known is None else known

    def attempt(bags: list[Bag], also: Watch, *, is_guarded: bool = False) -> tuple[Decomposition, Assembly]:
        decomposition = decompose(scopes, bags, is_guarded=is_guarded)
        solver = BagSolver(decomposition.coding, scopes.quantified, scopes.determined, minimise, run, solved)

        def both(index: int, assembly: Assembly) -> None:
            watch(index + 1, len(bags), len(assembly.solutions))
            also(index, assembly)

        return decomposition, make_assembly(decomposition, solver, watch=both)

    bags = structure.bags
    if height(bags) > HIGH:
        low = find_bags(scopes, is_low=True)
        try:
            return DividedTheory(*attempt(low, _stay_small(low)), is_low=True, undivided=0)
        except TooManyClasses:
            pass
    try:
        return DividedTheory(*attempt(bags, _accept), is_low=False, undivided=0)
    except TooManyClasses:
        pass
    undivided: set[int] = set()
    while True:
        divided = fuse(bags, undivided) if undivided else bags
        try:
            result = attempt(divided, _accept, is_guarded=True)
            return DividedTheory(*result, is_low=False, undivided=len(undivided))
        except TooManyClasses as error:
            undivided.add(divided[error.bag].own[0])


def _accept(index: int, assembly: Assembly) -> None:
    """Let every solution pass."""


def _stay_small(bags: list[Bag]) -> Watch:
    """Give up a low tree where a pair of individuals has many more classes than one has, or parts are too various."""
    most = 2

    def watch(index: int, assembly: Assembly) -> None:
        nonlocal most
        classes = len(assembly.solutions[assembly.solution_of[index]].template.results)
        if len(bags[index].separator) == 1:
            most = max(most, classes)
        elif classes > 2 * most or len(assembly.solutions) > MOST_TEMPLATES:
            raise TooManyClasses(index)

    return watch
