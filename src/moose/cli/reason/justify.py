"""`moose explain --justifications`, `--repairs` and `--unsatisfiable`: why an axiom follows, in sets of axioms."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TextIO, TypeVar

import typer

from moose.base.errors import LimitReached, MooseError
from moose.cli.common.messages import say
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
    limit: Annotated[float | None, typer.Option(metavar="SECONDS", help="Look for sets of axioms no longer.")] = None

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
        if self.limit is not None and not self.limit > 0:
            raise MooseError(f"expected --limit to be some seconds, but got {self.limit:g}; leave it out for no limit")


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
    from moose.queries.justify.justifications import justifications, repairs

    sets: list[tuple[str, tuple[Axiom, ...]]] = []
    with writing(output, source=source) as stream:
        writer = WRITERS.get(form)
        note = ""
        if asked.justifications is not None:
            with stages("recording rule instances") as stage:
                search = justifications(
                    ontology, goal, is_laconic=asked.laconic, limit=asked.limit, progress=stage.count
                )
            for one in one_by_one(search, asked.justifications):
                sets.append(("justification", one.axioms))
                tell(writer, stream, goal, names, sets)
            note = "" if search.are_all or len(sets) == asked.justifications else "; the limit was reached"
        if asked.repairs is not None and (sets or asked.justifications is None):
            try:
                for cut in one_by_one(repairs(ontology, goal, limit=asked.limit), asked.repairs):
                    if cut.axioms:
                        sets.append(("repair", cut.axioms))
                        tell(writer, stream, goal, names, sets)
            except LimitReached:
                note = "; the limit was reached"
        if writer is None and sets:
            write_json(as_values(goal, sets, is_cut=bool(note)), stream)
    if sets:
        say(f"{source}: {counts(sets)}{note}")
    return bool(sets)


Writer = Callable[["Axiom", "Names", Sequence[tuple[str, tuple["Axiom", ...]]]], str]


def tell(
    writer: Writer | None, stream: TextIO, goal: Axiom, names: Names, sets: Sequence[tuple[str, tuple[Axiom, ...]]]
) -> None:
    """Write the last set that was found, at once."""
    if writer is not None:
        stream.write(writer(goal, names, sets))
        stream.flush()


def one_by_one(search: Iterator[Item], most: int) -> Iterator[Item]:
    """Yield the first items of a search, showing that it goes on while it does."""
    for _ in range(most):
        with stages("looking for sets of axioms"):
            found = list(islice(search, 1))
        if not found:
            return
        yield found[0]


def counts(sets: Sequence[tuple[str, tuple[Axiom, ...]]]) -> str:
    """Count the sets of each kind."""
    kinds = [kind for kind, _ in sets]
    return ", ".join(
        f"{kinds.count(kind):,} {kind}{'s' if kinds.count(kind) > 1 else ''}" for kind in dict.fromkeys(kinds)
    )


def as_text(goal: Axiom, names: Names, sets: Sequence[tuple[str, tuple[Axiom, ...]]]) -> str:
    """Write the last set for people."""
    from moose.owl.model.axioms import without_annotations
    from moose.owl.syntax.functional.write_functional import render

    kind, axioms = sets[-1]
    number = [other for other, _ in sets].count(kind)
    head = f"{render(goal, names.show)}\n" if len(sets) == 1 else ""
    lines = [f"\n{kind} {number}, {count_axioms(len(axioms))}"]
    lines += [f"  {render(without_annotations(axiom), names.show)}" for axiom in axioms]
    return head + "\n".join(lines) + "\n"


def as_markdown(goal: Axiom, names: Names, sets: Sequence[tuple[str, tuple[Axiom, ...]]]) -> str:
    """Write the last set as Markdown."""
    from moose.saturation.proofs.markdown import links, sentence

    display = links(names)
    kind, axioms = sets[-1]
    number = [other for other, _ in sets].count(kind)
    head = f"# {sentence(goal, display)}\n" if len(sets) == 1 else ""
    lines = [f"\n## {kind.capitalize()} {number}: {count_axioms(len(axioms))}\n"]
    lines += [f"- {sentence(axiom, display)}" for axiom in axioms]
    return head + "\n".join(lines) + "\n"


WRITERS: dict[str, Writer] = {"text": as_text, "markdown": as_markdown}
"""JSON is written at the end."""


def count_axioms(count: int) -> str:
    """Write a number of axioms."""
    return "1 axiom" if count == 1 else f"{count:,} axioms"


def as_values(goal: Axiom, sets: Sequence[tuple[str, tuple[Axiom, ...]]], *, is_cut: bool) -> dict[str, object]:
    """Return sets of axioms as values that JSON can hold."""
    from moose.owl.model.axioms import without_annotations
    from moose.owl.syntax.functional.write_functional import render

    def rows(kind: str) -> list[list[str]]:
        return [[render(without_annotations(axiom)) for axiom in axioms] for other, axioms in sets if other == kind]

    return {
        "goal": render(goal),
        "justifications": rows("justification"),
        "repairs": rows("repair"),
        "limit_reached": is_cut,
    }


def write_unsatisfiable(ontology: Ontology, names: Names, form: str, *, output: Path | None, source: Path) -> None:
    """List the unsatisfiable classes, roots first, others with what they derive from."""
    from moose.saturation.answers.unsatisfiable import unsatisfiable_classes

    with stages("classifying"):
        rows = unsatisfiable_classes(ontology)
    with writing(output, source=source) as stream:
        if form == "json":
            write_json({"unsatisfiable": [{"class": row.iri, **origin(row)} for row in rows]}, stream)
            return
        if form == "markdown":
            from moose.saturation.proofs.markdown import links

            display, mark = links(names), "- "
        else:
            display, mark = names.show, ""
        for row in rows:
            stream.write(f"{mark}{display(row.iri)}  {'root' if row.is_root else derived(row, display)}\n")
    if not rows:
        say(f"{source}: no class is unsatisfiable")


def origin(row: UnsatisfiableClass) -> dict[str, object]:
    """Return for JSON what makes a class unsatisfiable."""
    return {"root": row.is_root, "derives_from": list(row.derives_from), "roots": list(row.roots)}


def derived(row: UnsatisfiableClass, display: Display) -> str:
    """Say what a class that is no root derives from, and from which roots in the end."""
    further = [display(iri) for iri in row.roots if iri not in row.derives_from]
    end = f"; in the end from {', '.join(further)}" if further else ""
    return f"derived, from {', '.join(map(display, row.derives_from))}{end}"
