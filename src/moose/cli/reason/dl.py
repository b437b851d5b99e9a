"""`moose dl`: which classes and individuals stand in which relation to a class expression."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Annotated

import typer

from moose.base.errors import MooseError, ParseError, UnknownName
from moose.cli.common.completeness import ListUnused, say_unused, unused_texts
from moose.cli.common.messages import BAD_INPUT, say
from moose.cli.common.naming import Naming
from moose.cli.common.ontology_notes import exit_if_inconsistent, say_probabilities
from moose.cli.common.options import File, Imports, Json, Output
from moose.cli.common.output import print_json, writing
from moose.cli.common.progress import stages

if TYPE_CHECKING:
    from moose.owl.model.expressions import ClassExpression
    from moose.owl.names import Names
    from moose.saturation.dl.dl_queries import ClassMatches

Queries = Annotated[
    list[str] | None,
    typer.Argument(metavar="QUERY…", help="Class expressions in Manchester or functional syntax.", show_default=False),
]
QueryFile = Annotated[
    Path | None, typer.Option("--file", metavar="TXT", help="Read more queries here, one a line; - is the input.")
]


@dataclass(frozen=True, slots=True)
class Relations:
    """Which relations are asked for; all of them if none is named."""

    equivalent: Annotated[bool, typer.Option("--equivalent", help="The classes with the same elements.")] = False
    super: Annotated[bool, typer.Option("--super", help="The classes above.")] = False
    sub: Annotated[bool, typer.Option("--sub", help="The classes below.")] = False
    instances: Annotated[bool, typer.Option("--instances", help="The individuals that are in it.")] = False
    direct: Annotated[bool, typer.Option("--direct", help="Of the classes above and below only the nearest.")] = False

    def of(self, found: ClassMatches) -> Iterator[tuple[str, Sequence[str]]]:
        """Yield the names in each relation that is asked for."""
        is_all = not (self.equivalent or self.super or self.sub or self.instances)
        if is_all or self.equivalent:
            yield "equivalent", found.equivalents
        if is_all or self.super:
            yield "super", found.parents if self.direct else found.ancestors
        if is_all or self.sub:
            yield "sub", found.children if self.direct else found.descendants
        if is_all or self.instances:
            yield "instance", found.instances


def dl(
    file: File,
    queries: Queries = None,
    *,
    query_file: QueryFile = None,
    relations: Relations,
    output: Output = None,
    json: Json = False,
    unused: ListUnused = False,
    naming: Naming,
    imports: Imports,
) -> None:
    """Answer DL queries.

    Printed are sorted lines `relation<TAB>name`, with several queries `query<TAB>relation<TAB>name`.

    A query is a class expression of OWL 2 EL such as "'part of' some 'immune system'" or ObjectSomeValuesFrom(r A). A
    name is an IRI, a CURIE, a short name or a label, in quotes if it has spaces. Unsatisfiable classes, which are below
    everything, are left out. Names in lines are full IRIs, but on a terminal those that people use. Of several queries,
    one that makes no sense is said to be so, the others are answered, and the exit code is 2.
    """
    start = perf_counter()
    texts = [("the query", text) for text in queries or ()] + (read_queries(query_file) if query_file else [])
    if not texts:
        raise MooseError("expected a class expression, but got none; write it behind FILE, or name a file with --file")
    with stages("reading") as stage:
        ontology = imports.read(file)
        names = naming.of(ontology)
        asked, problems = understood(texts, names)
        if not asked:
            raise next(iter(problems.values()))
        stage.enter("classifying")
        from moose.saturation.answers.taxonomy import classify

        taxonomy = classify(ontology, progress=stage.count)
        exit_if_inconsistent(taxonomy.is_consistent, file)
        stage.enter("answering")
        ready = perf_counter()
        answers = taxonomy.dl_queries.ask_all(list(asked.values()))
        found = dict(zip(asked, answers, strict=True))
    if json:
        answered = [
            answer(text, found[number], relations)
            if number in found
            else {"query": text, "error": str(problems[number])}
            for number, (_, text) in enumerate(texts)
        ]
        times = {"seconds": round(perf_counter() - start, 3), "query_seconds": round(perf_counter() - ready, 3)}
        print_json({"queries": answered, "unused": unused_texts(taxonomy.unused), **times})
    if output is not None or not json:
        with writing(output, source=file) as stream:
            name = naming.in_lines(ontology, output)
            for number, one in found.items():
                stream.writelines(lines(texts[number][1] if len(texts) > 1 else None, relations.of(one), name))
    for number, one in found.items():
        if not one.is_satisfiable:
            say(f"{file}: {texts[number][1]} can have no element, and so is below every class")
    what = "a class or an individual that an answer should have may be missing"
    say_unused(taxonomy.unused, names, file, what=what, is_listed=unused)
    say_probabilities(ontology, file)
    for problem in problems.values():
        say(str(problem))
    if problems:
        raise typer.Exit(BAD_INPUT)


def understood(
    texts: Sequence[tuple[str, str]], names: Names
) -> tuple[dict[int, ClassExpression], dict[int, MooseError]]:
    """Read queries with their places; return by number those that could be read, and why the others could not."""
    expressions: dict[int, ClassExpression] = {}
    problems: dict[int, MooseError] = {}
    for number, (where, text) in enumerate(texts):
        try:
            expressions[number] = parse(text, where, names)
        except MooseError as problem:
            problems[number] = problem
    return expressions, problems


def parse(text: str, where: str, names: Names) -> ClassExpression:
    """Read one query, and say which one it was where that fails."""
    from moose.owl.syntax.goal_text import parse_expression
    from moose.owl.unquoted_labels import hinting_at_labels
    from moose.saturation.dl.dl_queries import check_query

    try:
        with hinting_at_labels(text, names):
            expression = parse_expression(text, where, names.resolve)
        check_query(expression)
    except ParseError:
        raise
    except UnknownName as problem:
        raise UnknownName(f"{where}: {problem}") from None
    except MooseError as problem:
        raise MooseError(f"{where}: {problem}") from None
    return expression


def read_queries(file: Path) -> list[tuple[str, str]]:
    """Return the queries of a file with their places; empty lines and those that open with # are passed over."""
    text = sys.stdin.read() if str(file) == "-" else file.read_text("utf-8")
    numbered = enumerate(text.splitlines(), start=1)
    return [(f"{file}:{number}", line.strip()) for number, line in numbered if line.strip() and line.lstrip()[0] != "#"]


def lines(
    query: str | None, found: Iterable[tuple[str, Sequence[str]]], name: Callable[[str], str] | None
) -> Iterator[str]:
    """Yield the lines of one answer."""
    before = "" if query is None else f"{' '.join(query.split())}\t"
    for relation, iris in found:
        yield from (f"{before}{relation}\t{iri if name is None else name(iri)}\n" for iri in iris)


def answer(text: str, found: ClassMatches, relations: Relations) -> dict[str, object]:
    """Return one answer for JSON."""
    from moose.owl.syntax.functional.write_functional import render

    rows = {relation: list(iris) for relation, iris in relations.of(found)}
    return {"query": text, "expression": render(found.expression), "satisfiable": found.is_satisfiable, **rows}
