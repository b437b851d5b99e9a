"""Work in several processes of this machine, or on a Ray cluster; what a lost process was at is done again."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.util import find_spec
from socket import create_connection
from typing import TypeVar

from moose.base.errors import MooseError

CONNECT_SECONDS = 20.0
MOST_LOSSES = 3
"""How often processes may be killed without anything being finished in between: then memory is short, not luck."""

Item = TypeVar("Item")
Value = TypeVar("Value")


class WorkerLost(MooseError):
    """A cluster has tried a task again and again, and each time lost the process that was at it."""


@dataclass(frozen=True, slots=True)
class Workers:
    """Who works; that changes no result."""

    jobs: int = 1
    """Processes at a time; -1 for one a core."""
    cluster: str | None = None
    """The address of a Ray cluster; "local" starts one here."""

    def __post_init__(self) -> None:
        if self.jobs == 0 or self.jobs < -1:
            raise MooseError(f"expected a number of processes, or -1 for one a core, but got {self.jobs}; correct it")

    @property
    def is_alone(self) -> bool:
        """Whether all is done in this process."""
        return self.jobs == 1 and self.cluster is None

    def split(self, items: Sequence[Item]) -> list[Sequence[Item]]:
        """Return items in a few parts for each process, so that none waits long for the others."""
        size = max(1, -(-len(items) // (PARTS_OF_EACH * self.count)))
        return [items[start : start + size] for start in range(0, len(items), size)]

    @property
    def count(self) -> int:
        """How many processes there are, as far as that is known."""
        if self.jobs > 0:
            return self.jobs
        from joblib import cpu_count

        return int(cpu_count())


ALONE = Workers()
PARTS_OF_EACH = 4


def work_in_parallel(
    function: Callable[[Item], Value], items: Iterable[Item], workers: Workers
) -> Iterator[tuple[int, Value]]:
    """Yield the position of each item and what a function makes of it, as soon as it is there.

    Killed processes are replaced, and only what was not yet yielded is done again. An error of the function is raised.
    """
    if workers.cluster is not None:
        yield from work_on_cluster(function, items, workers.cluster)
        return
    pending = dict(enumerate(items))
    losses = 0
    with processes(workers.jobs):
        while pending:
            try:
                for position, value in finished(function, pending, workers.jobs):
                    del pending[position]
                    losses = 0
                    yield position, value
            except BrokenProcessPool:
                losses += 1
                if losses >= MOST_LOSSES:
                    raise MooseError(
                        "the processes that compute were killed again and again; perhaps memory is short: take fewer"
                    ) from None


@contextmanager
def processes(jobs: int) -> Iterator[None]:
    """Let joblib use processes of this machine, and end them afterwards."""
    if find_spec("joblib") is None:
        raise MooseError("several processes need joblib, which is not installed; run `pip install 'moose-el[bench]'`")
    from joblib import parallel_config

    with parallel_config(backend="loky"):
        try:
            yield
        finally:
            if jobs != 1:
                dismiss()


def finished(function: Callable[[Item], Value], items: Mapping[int, Item], jobs: int) -> Iterator[tuple[int, Value]]:
    """Yield what is finished, in any order, until all is or a process is killed."""
    from joblib import Parallel, delayed

    pool = Parallel(n_jobs=jobs, batch_size=1, return_as="generator_unordered")
    yield from pool(delayed(numbered)(function, *one) for one in list(items.items()))


def work_on_cluster(
    function: Callable[[Item], Value], items: Iterable[Item], address: str
) -> Iterator[tuple[int, Value]]:
    """Yield the same from a cluster: what the function knows is sent to each machine once, and Ray replaces workers."""
    with cluster(address):
        yield from work_as_tasks(function, items)


def work_as_tasks(function: Callable[[Item], Value], items: Iterable[Item]) -> Iterator[tuple[int, Value]]:
    """Yield the same from the cluster that this process is connected to; raise `WorkerLost` where it gives up."""
    import ray

    known = ray.put(function)
    task = ray.remote(max_retries=MOST_LOSSES)(numbered)
    waiting = [task.remote(known, position, item) for position, item in enumerate(items)]
    while waiting:
        done, waiting = ray.wait(waiting)
        try:
            yield ray.get(done[0])
        except ray.exceptions.RayTaskError as error:
            raise error.as_instanceof_cause() from None
        except ray.exceptions.RayError as error:
            raise WorkerLost(f"the cluster lost a task for good: {error}; check its machines") from None


def numbered(function: Callable[[Item], Value], position: int, item: Item) -> tuple[int, Value]:
    """Return the position with what a function makes of an item."""
    return position, function(item)


def dismiss() -> None:
    """End the processes, which would stay idle for minutes, and remove their folder, which the command leaves else."""
    from joblib.externals.loky import get_reusable_executor

    pool = get_reusable_executor(reuse=True)
    pool.shutdown(wait=True)
    if hasattr(pool, "terminate"):
        pool.terminate()


@contextmanager
def cluster(address: str) -> Iterator[None]:
    """Connect to a Ray cluster."""
    if find_spec("ray") is None:
        raise MooseError("a cluster needs Ray, which is not installed; run `pip install 'moose-el[ray]'`")
    import ray

    check_address(address)
    try:
        ray.init(address=address, log_to_driver=False, logging_level="warning")
    except (ConnectionError, RuntimeError, ValueError) as error:
        raise MooseError(f"no Ray cluster answers at {address}: {error}; check the address") from None
    try:
        yield
    finally:
        ray.shutdown()


def check_address(address: str) -> None:
    """Refuse an address where nothing listens, for which Ray would wait minutes; words such as "auto" are Ray's."""
    host, colon, port = address.removeprefix("ray://").rpartition(":")
    if not colon or not port.isdecimal():
        return
    try:
        create_connection((host, int(port)), timeout=CONNECT_SECONDS).close()
    except (OSError, OverflowError) as error:
        raise MooseError(f"no Ray cluster answers at {address} ({error}); check the address") from None
