"""One piece of work for PySDD and what comes out of it, both as plain arrays, so that a worker process can do it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

Integers = npt.NDArray[np.int32]
Pointers = npt.NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Functions:
    """Several Boolean functions of the variables 1 … n that share their decisions; slots are as in a `Diagram`."""

    variable_count: int
    starts: Pointers
    primes: Integers
    subs: Integers
    roots: Integers
    """The slot of each function."""

    @property
    def true(self) -> int:
        """The slot of ⊤."""
        return 2 * self.variable_count

    @property
    def false(self) -> int:
        """The slot of ⊥."""
        return 2 * self.variable_count + 1

    @property
    def first_decision(self) -> int:
        """The slot of decision 0."""
        return 2 * self.variable_count + 2

    @property
    def decision_count(self) -> int:
        """How many decisions there are."""
        return len(self.starts) - 1


@dataclass(frozen=True, eq=False)
class Job:
    """A theory to compile: clauses, and blocks of functions of which exactly one holds, each with a name.

    The variables come in this order: the bag's own, the separator's, the names.
    """

    variable_count: int
    separator: Integers
    """The variables that stand apart, on the left of the vtree's root; none for an undivided diagram."""
    literals: Integers
    starts: Pointers
    quantified: Integers
    """Variables that the clauses are quantified over (∃); no block may speak of them."""
    blocks: Functions
    """The functions of all blocks, end to end."""
    block_starts: Pointers
    """Block j is `blocks.roots[block_starts[j]:block_starts[j + 1]]`."""
    names: Integers
    """For each function of a block the variable that is true just where the function is."""
    clusters: Integers
    """For each of the bag's own variables its individual k, or -1 - k for a role of individuals up to the k-th."""
    silent: npt.NDArray[np.bool_]
    """For each of the bag's own variables whether it is not shown, because the others determine it."""
    shape: str
    """How the vtree begins: "balanced", "linear", or "best" to try several."""
    minimise: bool
    most_elements: int | None = None
    """The size at which to give up."""

    @property
    def own_count(self) -> int:
        """How many variables are the bag's own."""
        return self.variable_count - len(self.separator) - len(self.names)


@dataclass(frozen=True, eq=False)
class Fragment:
    """What a job gives: ⋁ₖ conditionsₖ(separator) ∧ resultsₖ(the rest), the conditions excluding each other.

    The functions are the conditions first, then as many results; no result is ⊥.
    """

    functions: Functions
    sizes: Integers
    """For each decision its elements in PySDD, those with a false sub included."""
    size: int
    """All elements that the results reach in PySDD, those below false subs included."""
    count: int
    """All decisions that the results reach in PySDD."""

    @property
    def conditions(self) -> Integers:
        """The slot of each condition."""
        return self.functions.roots[: len(self.functions.roots) // 2]

    @property
    def results(self) -> Integers:
        """The slot of each result."""
        return self.functions.roots[len(self.functions.roots) // 2 :]


def whole_job(variable_count: int, literals: Integers, starts: Pointers, *, shape: str, minimise: bool) -> Job:
    """Return the job of compiling clauses alone, undivided."""
    nothing = np.zeros(0, np.int32)
    return Job(
        variable_count=variable_count,
        separator=nothing,
        literals=literals,
        starts=starts,
        quantified=nothing,
        blocks=concatenated([], variable_count),
        block_starts=np.zeros(1, np.int64),
        names=nothing,
        clusters=np.zeros(variable_count, np.int32),
        silent=np.zeros(variable_count, bool),
        shape=shape,
        minimise=minimise,
    )


def relabelled(functions: Functions, variables: Sequence[int]) -> Functions:
    """Return functions whose variable k + 1 is called `variables[k]` from now on; the highest sets the count."""
    count = max(variables, default=0)
    return _translated(functions, np.array(variables, np.int64), count)


def _translated(functions: Functions, variables: npt.NDArray[np.int64], count: int) -> Functions:
    decisions = np.arange(functions.decision_count)
    table = np.concatenate(
        [variables - 1, variables - 1 + count, [2 * count, 2 * count + 1], 2 * count + 2 + decisions]
    ).astype(np.int32)
    return Functions(count, functions.starts, table[functions.primes], table[functions.subs], table[functions.roots])


def concatenated(blocks: Sequence[Functions], variable_count: int) -> Functions:
    """Lay functions of the same variables end to end."""
    parts = [_translated(block, np.arange(1, block.variable_count + 1), variable_count) for block in blocks]
    starts, primes, subs, roots = [np.zeros(1, np.int64)], [], [], []
    elements = decisions = 0
    for part in parts:
        shift = np.where(np.arange(part.first_decision + part.decision_count) < part.first_decision, 0, decisions)
        primes.append((part.primes + shift[part.primes]).astype(np.int32))
        subs.append((part.subs + shift[part.subs]).astype(np.int32))
        roots.append((part.roots + shift[part.roots]).astype(np.int32))
        starts.append(part.starts[1:] + elements)
        elements += len(part.primes)
        decisions += part.decision_count
    nothing = np.zeros(0, np.int32)
    return Functions(
        variable_count,
        np.concatenate(starts),
        np.concatenate([nothing, *primes]),
        np.concatenate([nothing, *subs]),
        np.concatenate([nothing, *roots]),
    )
