"""`moose explain --justifications`, `--repairs` and `--unsatisfiable`: why an axiom follows, in sets of axioms."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TextIO, TypeVar

import typer

from moose.base.errors import LimitReached, MooseError
from moose.cli.common.messages import say
from moose.cli.common.options import read_duration
from moose.cli.common.output import write_json, writing
from moose.cli.common.progress import stages

if TYPE_CHECKING:
    from moose.owl.model.axioms import Axiom
    from moose.owl.names import Names
    from moose.owl.ontology import Ontology
    from moose.saturation.answers.unsatisfiable import UnsatisfiableClass
    from moose.saturation.proofs.notation import Display

Item = TypeVar("Item")
FORMATS = ("text", "json", "markdown")


@dataclass(frozen=True, slots=True)
class Justifying:
    """Which sets of axioms are asked for."""

    justifications: Annotated[
        int | None,
        typer.Option(metavar="N", min=1, help="List the N smallest sets of axioms that the axiom follows from."),
    ] = None
    laconic: Annotated[
        bool, typer.Option("--laconic", help="With --justifications: of each axiom, only the part that is needed.")
    ] = False
    repairs: Annotated[
        int | None, typer.Option(metavar="N", min=1, help="List the N smallest sets of axioms to leave out against it.")
    ] = None
    unsatisfiable: Annotated[
        bool, typer.Option("--unsatisfiable", help="List the unsatisfiable classes, causes before consequences.")
    ] = False
    limit: Annotated[
        str | None, typer.Option(metavar="TIME", help="Look for the sets of an axiom no longer, such as 10s.")
    ] = None

    @property
    def seconds(self) -> float | None:
        """Return the time for the sets of one axiom."""
        return read_duration(self.limit)

    @property
    def is_asked(self) -> bool:
        """Return whether sets of axioms are asked for in place of a proof."""
        return self.justifications is not None or self.repairs is not None

    def check(self, form: str) -> None:
        """Refuse what does not go together."""
        if (self.is_asked or self.unsatisfiable) and form not in FORMATS:
            raise MooseError(f"expected --format {', '.join(FORMATS)} for sets of axioms, but got {form}; choose one")
        if self.laconic and self.justifications is None:
            raise MooseError("expected --justifications N with --laconic, but it is not there; add it")
        if self.limit is not None and not self.is_asked:
            raise MooseError("expected --justifications N or --repairs N with --limit, but neither is there; add one")
        read_duration(self.limit)


@dataclass(slots=True)
class Sets:
    """The sets of axioms that were found for one goal, with their kinds, and of which kinds these are all."""

    goal: Axiom
    found: list[tuple[str, tuple[Axiom, ...]]] = field(default_factory=list)
    complete: set[str] = field(default_factory=set)
    is_limit_reached: bool = False

    def count(self, kind: str) -> int:
        """Return how many of a kind there are."""
        return sum(other == kind for other, _ in self.found)

    def __str__(self) -> str:
        counts = ", ".join(map(self._counted, dict.fromkeys(kind for kind, _ in self.found)))
        return (counts or "no set of axioms") + ("; the limit was reached" if self.is_limit_reached else "")

    def _counted(self, kind: str) -> str:
        count = self.count(kind)
        more = "" if kind in self.complete or self.is_limit_reached else f" (there may be more {kind}s)"
        return f"{count:,} {kind}{'s' if count > 1 else ''}{more}"


def write_justified(  # what is asked, and where the answer goes
    ontology: Ontology,
    goal: Axiom,
    asked: Justifying,
    *,
    names: Names,
    form: str,
    output: Path | None,
    source: Path,
) -> bool:
    """Write sets of axioms as they are found, in JSON all at the end; return whether there was one."""
    with writing(output, source=source) as stream:
        sets = find_sets(ontology, goal, asked, tell=telling(form, names, stream))
        if form == "json":
            write_json(as_values(sets), stream)
        else:
            stream.write(ending(sets, form, names))
    if sets.found or sets.is_limit_reached:
        say(f"{source}: {sets}")
    return bool(sets.found)


def find_sets(ontology: Ontology, goal: Axiom, asked: Justifying, *, tell: Callable[[Sets], None]) -> Sets:
    """Look for the sets of axioms that are asked for, and tell of each as soon as it is found."""
    from moose.queries.justify.justifications import justifications, repairs

    sets = Sets(goal)
    if asked.justifications is not None:
        with stages("recording rule instances") as stage:
            search = justifications(ontology, goal, is_laconic=asked.laconic, limit=asked.seconds, progress=stage.count)
        for one in one_by_one(search, asked.justifications):
            sets.found.append(("justification", one.axioms))
            tell(sets)
        if search.are_all:
            sets.complete.add("justification")
        sets.is_limit_reached = search.is_limit_reached
    if asked.repairs is not None and (sets.found or not sets.is_limit_reached):
        try:
            for cut in one_by_one(repairs(ontology, goal, limit=asked.seconds), asked.repairs):
                if cut.axioms:
                    sets.found.append(("repair", cut.axioms))
                    tell(sets)
        except LimitReached:
            sets.is_limit_reached = True
        else:
            if sets.count("repair") < asked.repairs:
                sets.complete.add("repair")
    return sets


def one_by_one(search: Iterator[Item], most: int) -> Iterator[Item]:
    """Yield the first items of a search, showing that it goes on while it does."""
    for _ in range(most):
        with stages("looking for sets of axioms"):
            found = list(islice(search, 1))
        if not found:
            return
        yield found[0]


# ── How sets are written ──────────────────────────────────────────────────────────────────────────────────────────


def telling(form: str, names: Names, stream: TextIO) -> Callable[[Sets], None]:
    """Return what writes the last set that was found, at once; JSON is written at the end."""
    writer = {"text": as_text, "markdown": as_markdown}.get(form)

    def tell(sets: Sets) -> None:
        if writer is not None:
            stream.write(writer(sets, names))
            stream.flush()

    return tell


def as_text(sets: Sets, names: Names) -> str:
    """Write the last set for people."""
    from moose.owl.model.axioms import without_annotations
    from moose.owl.syntax.functional.write_functional import render

    kind, axioms = sets.found[-1]
    head = title(sets, "text", names) if len(sets.found) == 1 else ""
    lines = [f"\n{kind} {sets.count(kind)}, {count_axioms(len(axioms))}"]
    lines += [f"  {render(without_annotations(axiom), names.show)}" for axiom in axioms]
    return head + "\n".join(lines) + "\n"


def as_markdown(sets: Sets, names: Names) -> str:
    """Write the last set as Markdown."""
    from moose.saturation.proofs.markdown import links, sentence

    display = links(names)
    kind, axioms = sets.found[-1]
    head = title(sets, "markdown", names) if len(sets.found) == 1 else ""
    lines = [f"\n## {kind.capitalize()} {sets.count(kind)}: {count_axioms(len(axioms))}\n"]
    lines += [f"- {sentence(axiom, display)}" for axiom in axioms]
    return head + "\n".join(lines) + "\n"


def title(sets: Sets, form: str, names: Names) -> str:
    """Write the goal, above its first set."""
    from moose.owl.syntax.functional.write_functional import render
    from moose.saturation.proofs.markdown import links, sentence

    return f"# {sentence(sets.goal, links(names))}\n" if form == "markdown" else f"{render(sets.goal, names.show)}\n"


def ending(sets: Sets, form: str, names: Names) -> str:
    """Say below the sets that there was no time for more; nothing if there was."""
    if not sets.is_limit_reached:
        return ""
    return ("" if sets.found else title(sets, form, names)) + f"\n{sets}\n"


def count_axioms(count: int) -> str:
    """Write a number of axioms."""
    return "1 axiom" if count == 1 else f"{count:,} axioms"


def as_values(sets: Sets) -> dict[str, object]:
    """Return sets of axioms as values that JSON can hold."""
    from moose.owl.model.axioms import without_annotations
    from moose.owl.syntax.functional.write_functional import render

    def rows(kind: str) -> list[list[str]]:
        return [
            [render(without_annotations(axiom)) for axiom in axioms] for other, axioms in sets.found if other == kind
        ]

    return {
        "goal": render(sets.goal),
        "justifications": rows("justification"),
        "all_justifications": "justification" in sets.complete,
        "repairs": rows("repair"),
        "all_repairs": "repair" in sets.complete,
        "limit_reached": sets.is_limit_reached,
    }


# ── Unsatisfiable classes ─────────────────────────────────────────────────────────────────────────────────────────


def write_unsatisfiable(  # what is asked, and where the answer goes
    ontology: Ontology, asked: Justifying, *, names: Names, form: str, output: Path | None, source: Path
) -> None:
    """List the unsatisfiable classes, roots first, others with what they derive from; then the sets of each root."""
    from moose.saturation.answers.unsatisfiable import unsatisfiable_classes

    with stages("classifying"):
        rows = unsatisfiable_classes(ontology)
    with writing(output, source=source) as stream:
        if form != "json":
            write_rows(rows, form, names, stream)
        roots: dict[str, Sets] = {}
        for row in rows:
            if row.is_root and asked.is_asked:
                if form != "json":
                    stream.write("\n")
                sets = find_sets(ontology, no_element(row.iri), asked, tell=telling(form, names, stream))
                if form != "json":
                    stream.write(ending(sets, form, names))
                roots[row.iri] = sets
        if form == "json":
            values = [{"class": row.iri, **origin(row), **sets_of(roots.get(row.iri))} for row in rows]
            write_json({"unsatisfiable": values}, stream)
    for iri, sets in roots.items():
        say(f"{source}: {names.show(iri)}: {sets}")
    if not rows:
        say(f"{source}: no class is unsatisfiable")


def no_element(iri: str) -> Axiom:
    """Return the axiom that a class can have no element."""
    from moose.owl.model.axioms import SubClassOf
    from moose.owl.model.expressions import NOTHING, Class

    return SubClassOf(Class(iri), NOTHING)


def write_rows(rows: Iterable[UnsatisfiableClass], form: str, names: Names, stream: TextIO) -> None:
    """Write a line for each class."""
    if form == "markdown":
        from moose.saturation.proofs.markdown import links

        display, mark = links(names), "- "
    else:
        display, mark = names.show, ""
    origins = ((row.iri, "root" if row.is_root else derived(row, display)) for row in rows)
    stream.writelines(f"{mark}{display(iri)}  {text}\n" for iri, text in origins)


def origin(row: UnsatisfiableClass) -> dict[str, object]:
    """Return for JSON what makes a class unsatisfiable."""
    return {"root": row.is_root, "derives_from": list(row.derives_from), "roots": list(row.roots)}


def sets_of(sets: Sets | None) -> dict[str, object]:
    """Return for JSON the sets of axioms of a root, where they were asked for."""
    return {} if sets is None else as_values(sets)


def derived(row: UnsatisfiableClass, display: Display) -> str:
    """Say what a class that is no root derives from, and from which roots in the end."""
    further = [display(iri) for iri in row.roots if iri not in row.derives_from]
    end = f"; in the end from {', '.join(further)}" if further else ""
    return f"derived, from {', '.join(map(display, row.derives_from))}{end}"
