"""`moose reason`: the ontology with what follows from it, fit for release."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Annotated

import typer

from moose.base.errors import MooseError
from moose.cli.common.completeness import ListUnused, say_unused
from moose.cli.common.messages import DOES_NOT_FOLLOW, say
from moose.cli.common.naming import Naming
from moose.cli.common.ontology_notes import exit_if_inconsistent, say_outside, say_probabilities
from moose.cli.common.options import File, Imports, Json, Output
from moose.cli.common.output import print_json
from moose.cli.common.progress import stages
from moose.cli.reason.convert import SyntaxOption, put
from moose.cli.reason.justify import origin

if TYPE_CHECKING:
    from moose.authoring.reasoned import Reasoned
    from moose.owl.names import Names
    from moose.saturation.answers.taxonomy import Taxonomy

MOST_SAID = 20
"""Classes that are listed at most; --json has them all."""


class Failure(StrEnum):
    """What can make the command fail."""

    inconsistent = "inconsistent"
    unsatisfiable = "unsatisfiable"
    equivalent = "equivalent"


FailOn = Annotated[
    str,
    typer.Option(
        "--fail-on",
        metavar="WHAT,…",
        help="Exit with 1 and write nothing if there are unsatisfiable classes, or equivalent ones not asserted so; "
        "of unsatisfiable, equivalent and inconsistent, which always fails.",
    ),
]
Materialise = Annotated[
    list[str] | None,
    typer.Option(
        metavar="PROPERTY",
        help="Write the inferred restrictions and role assertions of this object property; several times for more.",
        show_default=False,
    ),
]


def reason(
    file: File,
    *,
    output: Output = None,
    syntax: SyntaxOption = None,
    reduce: Annotated[
        bool, typer.Option("--reduce", help="Leave out asserted subclass axioms that the others say already.")
    ] = False,
    materialise: Materialise = None,
    mark: Annotated[bool, typer.Option("--mark", help="Annotate what is inferred by oboInOwl:is_inferred.")] = False,
    fail_on: FailOn = "",
    json: Json = False,
    unused: ListUnused = False,
    naming: Naming,
    imports: Imports,
) -> None:
    """Write an ontology with what follows from it.

    That is: direct subclasses, equivalences, and what is unsatisfiable.

    What is imported becomes part of it. With --json a summary takes the place of the text, which then only goes to a
    file given by -o.
    """
    start = perf_counter()
    failures = read_failures(fail_on)
    with stages("reading") as stage:
        ontology = imports.read(file)
        stage.enter("reasoning")
        from moose.authoring.reasoned import reason as reason_over
        from moose.saturation.answers.taxonomy import classify

        taxonomy = classify(ontology, progress=stage.count)
        exit_if_inconsistent(taxonomy.is_consistent, file)
        names = naming.of(ontology)
        problems = find_problems(taxonomy, failures)
        reasoned = reason_over(ontology, reduce=reduce, materialise=materialise or (), mark=mark)
        if not problems and (output is not None or not json):
            stage.enter("writing")
            put(reasoned.ontology, output, syntax, sources=[file], is_quiet=json)
    if json:
        print_json(facts(reasoned, problems) | {"seconds": round(perf_counter() - start, 3)})
    say_outside(ontology, file)
    what = "an inferred axiom, or that there is no model, may be missing"
    say_unused(taxonomy.unused, names, file, what=what, is_listed=unused)
    say_probabilities(ontology, file)
    if taxonomy.unsatisfiable:
        say_unsatisfiable_roots(taxonomy, names, file)
    if Failure.equivalent in problems:
        say_equivalences(problems[Failure.equivalent], names, file)
    if problems:
        raise typer.Exit(DOES_NOT_FOLLOW)


def read_failures(text: str) -> set[Failure]:
    """Read what the command is to fail on."""
    words = [word.strip() for word in text.split(",") if word.strip()]
    known = [one.value for one in Failure]
    for word in words:
        if word not in known:
            raise MooseError(f"--fail-on: expected {', '.join(known)}, but got {word!r}; separate them by commas")
    return {Failure(word) for word in words}


def find_problems(taxonomy: Taxonomy, failures: set[Failure]) -> dict[Failure, list[tuple[str, ...]]]:
    """Return what was found of what the command is to fail on, as groups of classes."""
    from moose.authoring.reasoned import inferred_equivalences

    problems: dict[Failure, list[tuple[str, ...]]] = {}
    if Failure.unsatisfiable in failures and taxonomy.unsatisfiable:
        problems[Failure.unsatisfiable] = [(iri,) for iri in taxonomy.unsatisfiable]
    if Failure.equivalent in failures and (found := inferred_equivalences(taxonomy)):
        problems[Failure.equivalent] = found
    return problems


def facts(reasoned: Reasoned, problems: dict[Failure, list[tuple[str, ...]]]) -> dict[str, object]:
    """Return what was done and found, for JSON."""
    from moose.authoring.reasoned import inferred_equivalences, summary
    from moose.saturation.answers.unsatisfiable import unsatisfiable_classes

    taxonomy = reasoned.taxonomy
    return {
        **summary(reasoned),
        "unsatisfiable": [{"iri": one.iri, **origin(one)} for one in unsatisfiable_classes(taxonomy.ontology)],
        "equivalent": [list(group) for group in inferred_equivalences(taxonomy)],
        "failed_on": sorted(one.value for one in problems),
    }


def say_unsatisfiable_roots(taxonomy: Taxonomy, names: Names, file: Path) -> None:
    """Say which classes are unsatisfiable, those with a reason of their own first."""
    from moose.saturation.answers.unsatisfiable import unsatisfiable_classes

    rows = unsatisfiable_classes(taxonomy.ontology)
    roots = sum(row.is_root for row in rows)
    noun, own = "class is" if len(rows) == 1 else "classes are", "its own" if roots == 1 else "their own"
    say(f"{file}: {len(rows):,} {noun} unsatisfiable, {roots:,} for a reason of {own}:")
    for row in rows[:MOST_SAID]:
        because = "" if row.is_root else f", because of {', '.join(map(names.show, row.roots[:3]))}"
        say(f"  {names.show(row.iri)}{because}")
    if len(rows) > MOST_SAID:
        say(f"  and {len(rows) - MOST_SAID:,} more; --json lists them")


def say_equivalences(groups: list[tuple[str, ...]], names: Names, file: Path) -> None:
    """Say which classes are equivalent and not asserted to be."""
    noun = "group of classes is" if len(groups) == 1 else "groups of classes are"
    say(f"{file}: {len(groups):,} {noun} equivalent without being asserted so:")
    for group in groups[:MOST_SAID]:
        say(f"  {', '.join(map(names.show, group))}")
    if len(groups) > MOST_SAID:
        say(f"  and {len(groups) - MOST_SAID:,} more; --json lists them")
