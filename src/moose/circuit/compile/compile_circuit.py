"""Compile clauses into a circuit: `compile_circuit`."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from moose.base.errors import LimitReached, MooseError
from moose.circuit.cache import cached_circuit
from moose.circuit.circuit import Circuit
from moose.circuit.compile.division import Count, Structure, divide
from moose.circuit.compile.join import Joined, instantiate
from moose.circuit.compile.settings import current_settings
from moose.circuit.compile.shared_parts import SharedParts
from moose.circuit.compile.templates import TooManyClasses
from moose.circuit.compiled_theory import Statistics, visible_atoms
from moose.circuit.diagram import Diagram
from moose.circuit.diagram_builder import Builder
from moose.circuit.limits import Deadline, Limits, Overgrown
from moose.circuit.sdd.job_runner import Engine
from moose.circuit.sdd.jobs import Fragment, Job, whole_job
from moose.circuit.tables.compile_tables import TooWide, compile_tables
from moose.circuit.tables.theory import NotDetermined
from moose.grounding.clauses import AtomKind, Clauses, Origin

MOST_INDIVIDUALS = 3  # in one bag up to which diagrams are tried first: two in a chain or a tree, three in a low one
MOST_ATOMS = 64  # in one bag likewise: the digits of the paper have 14 each
MOST_BAGS = 20  # of individuals up to which nothing is won by compiling like ones once
A_MINUTE = 60.0  # for diagrams of what is too wide for tables: where they can do it at all, they do it soon
MOST_DIVIDED = 1_000_000  # elements: a bag that grows beyond this tells apart too many states; its tree is then one bag

MOST_SHARED = 200_000  # clauses of one theory among many up to which tables come first; a thousand digits have as many

Progress = Callable[[str, float], None]


def compile_circuit(  # noqa: PLR0913 - all but the clauses are options with a default
    clauses: Clauses,
    *,
    vtree: str | None = None,
    minimise: bool | None = None,
    limits: Limits | None = None,
    cache: Path | bool | None = None,
    progress: Progress | None = None,
    parts: SharedParts | None = None,
) -> Circuit:
    """Compile clauses into an exact circuit.

    `vtree` is "tables" (variables are eliminated one by one, and no diagram is searched for), "structure" (a tree
    decomposition of the individuals, whose parts are diagrams; minimised unless told otherwise), "auto" (the one of
    these that suits how the individuals and their concepts hang together), or one diagram over the atoms as declared,
    "balanced" (the paper's) or "linear" (minimised only if told so). `cache` is a folder for compiled circuits, or True
    for the default one. What is not given is as `compiling` says, around the call; else "auto", the default limits, no
    cache. `progress` is called with a message and the share that is done. `parts` holds what compilations before this
    one have solved, and is added to; with it, "auto" takes tables first.

    >>> from moose.grounding.atoms import Atom
    >>> from moose.grounding.clauses import clauses_from_lists
    >>> theory = clauses_from_lists([Atom("Even", ("a",)), Atom("Odd", ("a",))], [(1, 2), (-1, -2)])
    >>> compile_circuit(theory).statistics.size
    2
    """
    given: object = clauses
    if not isinstance(given, Clauses):
        raise MooseError(f"expected clauses, but got {given!r}; make them of a task with moose.ground")
    settings = current_settings().changed(vtree, limits, cache)
    is_minimised = minimise if minimise is not None else settings.vtree in ("auto", "structure")
    wanted = Options(settings.vtree, minimise=is_minimised, is_one_of_many=parts is not None)
    tell = progress or _say_nothing
    deadline = Deadline.begin(settings.limits, clauses)

    def build() -> Circuit:
        return _compile(clauses, wanted, parts, deadline=deadline, tell=tell)

    circuit = cached_circuit(clauses, repr(wanted), folder=settings.cache, build=build, tell=tell)
    if settings.limits.size is not None and circuit.statistics.size > settings.limits.size:
        raise deadline.too_large(circuit.statistics.size, "it was complete")
    tell("compiled", 1.0)
    return circuit


@dataclass(frozen=True, slots=True)
class Options:
    """What the result depends on besides the clauses."""

    vtree: str
    minimise: bool
    is_one_of_many: bool
    """Whether it shares parts with other circuits: then fewer elimination orders are tried."""


def _say_nothing(message: str, share: float) -> None:
    """Be silent: the default."""


def _compile(
    clauses: Clauses, options: Options, parts: SharedParts | None, *, deadline: Deadline, tell: Progress
) -> Circuit:
    joined = _joined(clauses, options, parts, deadline=deadline, tell=tell)
    atoms = visible_atoms(clauses)
    statistics = Statistics(
        atoms=len(atoms),
        clauses=len(clauses),
        size=joined.size,
        nodes=joined.nodes,
        seconds=deadline.elapsed,
        vtree=joined.vtree,
    )
    return Circuit(clauses, atoms, joined.diagram, statistics)


def _joined(
    clauses: Clauses, options: Options, parts: SharedParts | None, *, deadline: Deadline, tell: Progress
) -> Joined:
    if (np.diff(clauses.starts) == 0).any():
        return _impossible(int((clauses.kinds != AtomKind.AUXILIARY).sum()), options.vtree)
    structure = Structure(clauses)
    if options.vtree in ("auto", "tables"):
        reason = "" if options.vtree == "tables" else why_tables(structure, parts)
        if reason is not None:
            try:
                return _by_tables(clauses, reason, parts, deadline=deadline, tell=tell)
            except NotDetermined as error:
                if options.vtree == "tables":
                    raise MooseError(f"{error}; compile it with the vtree structure") from None
            except TooWide as error:
                if options.vtree == "tables":
                    raise
                try:
                    return _by_diagrams(structure, options, parts, deadline=deadline.within(A_MINUTE), tell=tell)
                except LimitReached as other:
                    raise TooWide(f"{error}; nor by diagrams: {other}") from None
    return _by_diagrams(structure, options, parts, deadline=deadline, tell=tell)


def _by_diagrams(
    structure: Structure, options: Options, parts: SharedParts | None, *, deadline: Deadline, tell: Progress
) -> Joined:
    with Engine(deadline, lambda share: tell(f"compiling, {share:.0%} of the clauses", share)) as engine:
        if options.vtree in ("balanced", "linear"):
            return _at_once(structure.clauses, engine, options=options)
        return _by_structure(structure, engine, parts, options=options, tell=tell)


def why_tables(structure: Structure, parts: SharedParts | None = None) -> str | None:
    """Say why tables suit a theory better than diagrams of its individuals; none where they do not.

    Diagrams of parts win where parts are small and alike, as in a chain of ten thousand individuals, and where there
    is no family, which tables have as one variable. Tables are made in a fraction of the time, which is what counts
    where many theories are compiled one after another.
    """
    clauses = structure.clauses
    if parts is not None and len(clauses) <= MOST_SHARED:
        return "one of many theories with parts in common"
    scopes = structure.scopes
    if not len(scopes.used):
        return None
    bags = structure.bags
    width = max(len(bag.members) for bag in bags)
    if width > MOST_INDIVIDUALS:
        return f"{width} individuals hang together"
    concepts = np.bincount(scopes.firsts[scopes.used], minlength=scopes.individual_count)
    largest = max(int(concepts[list(bag.members)].sum()) for bag in bags)
    if largest > MOST_ATOMS:
        return f"{largest} atoms hang together"
    if (clauses.origins == Origin.NAMED_INDIVIDUALS).any():
        return "axioms outside OWL 2 EL tie it together"
    is_short = len(bags) <= MOST_BAGS
    return "a family is one variable there" if clauses.families and is_short else None


def _by_tables(
    clauses: Clauses, reason: str, parts: SharedParts | None, *, deadline: Deadline, tell: Progress
) -> Joined:
    def watch(done: int, total: int, rows: int, size: int) -> None:
        progress = f"{done} of {total} variables"
        deadline.check(progress, size=rows, megabytes=size / 1e6)
        if done and done % 100 == 0:
            tell(f"compiling, {progress}, {rows} rows", 0.9 * done / total)

    known = None if parts is None else parts.known_tables()
    compiled = compile_tables(clauses, most_rows=deadline.limits.table_rows, watch=watch, known=known)
    decisions = compiled.diagram.decision_count
    return Joined(compiled.diagram, compiled.rows, decisions, f"{compiled}{reason and ', because ' + reason}")


def _impossible(atom_count: int, vtree: str) -> Joined:
    """Return the circuit of a theory with the empty clause: ⊥."""
    return Joined(Builder(atom_count).diagram(2 * atom_count + 1), 0, 0, vtree)


def _at_once(clauses: Clauses, engine: Engine, *, options: Options) -> Joined:
    """Compile all clauses in one diagram over the atoms as they are declared."""
    is_visible = clauses.kinds != AtomKind.AUXILIARY
    job = whole_job(
        len(clauses.atoms), clauses.literals, clauses.starts, shape=options.vtree, minimise=options.minimise
    )
    job = replace(job, quantified=np.flatnonzero(~is_visible).astype(np.int32) + 1)
    fragment = _run_limited(engine, job)
    new = int(is_visible.sum())
    positions = np.cumsum(is_visible) - 1
    decisions = 2 * new + 2 + np.arange(fragment.functions.decision_count)
    table = np.concatenate([positions, positions + new, [2 * new, 2 * new + 1], decisions]).astype(np.int32)
    functions = fragment.functions
    root = int(table[fragment.results[0]]) if len(fragment.results) else 2 * new + 1
    diagram = Diagram(new, functions.starts, table[functions.primes], table[functions.subs], root)
    return Joined(diagram, fragment.size, fragment.count, options.vtree + (", minimised" if options.minimise else ""))


def _run_limited(engine: Engine, job: Job) -> Fragment:
    """Run an undivided job: when it grows too large, the user's limit is reached."""
    allowed = engine.deadline.limits.size
    try:
        return engine.run(replace(job, most_elements=allowed))
    except Overgrown as error:
        raise engine.deadline.too_large(error.size, f"after {error.share:.0%} of the clauses") from None


def _run_divided(engine: Engine, job: Job) -> Fragment:
    """Run the job of a bag: when it grows too large, its tree may still compile as one bag."""
    if len(job.separator) == 0:
        return _run_limited(engine, job)
    try:
        return engine.run(replace(job, most_elements=min(engine.deadline.limits.size or MOST_DIVIDED, MOST_DIVIDED)))
    except Overgrown:
        raise TooManyClasses(-1) from None


def _by_structure(
    structure: Structure, engine: Engine, parts: SharedParts | None, *, options: Options, tell: Progress
) -> Joined:
    tell("finding the structure", 0.0)
    divided = divide(
        structure,
        minimise=options.minimise,
        run=lambda job: _run_divided(engine, job),
        watch=_part_watch(engine, tell),
        known=None if parts is None else parts.bags,
    )
    tell("joining the parts", 0.9)
    is_visible = structure.clauses.kinds != AtomKind.AUXILIARY
    joined = instantiate(
        divided.decomposition,
        divided.assembly,
        positions=(np.cumsum(is_visible) - 1).astype(np.int64),
        atom_count=int(is_visible.sum()),
    )
    return replace(joined, vtree=str(divided))


def _part_watch(engine: Engine, tell: Progress) -> Count:
    def watch(done: int, total: int, different: int) -> None:
        engine.stage = f"{done} of {total} parts"
        engine.deadline.check(engine.stage)
        if done % 100 == 0 or done == total:
            tell(f"compiling, {done} of {total} parts, {different} of them different", 0.9 * done / total)

    return watch
