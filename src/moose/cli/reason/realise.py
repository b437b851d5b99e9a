"""`moose realise`: what the individuals are."""

from __future__ import annotations

from collections.abc import Sequence
from time import perf_counter
from typing import Annotated

import typer

from moose.base.memory import paused_collection
from moose.cli.common.completeness import OutsideEl, say_unused
from moose.cli.common.naming import Naming
from moose.cli.common.ontology_notes import exit_if_inconsistent, outside_rows, say_outside, say_probabilities
from moose.cli.common.options import File, Imports, Json, Output
from moose.cli.common.output import print_json, writing
from moose.cli.common.progress import stages
from moose.cli.reason.hermit_answers import Source, by_hermit


@paused_collection()
def realise(
    file: File,
    *,
    output: Output = None,
    roles: Annotated[
        bool, typer.Option("--roles", help="Write lines `individual<TAB>property<TAB>individual` instead.")
    ] = False,
    json: Json = False,
    naming: Naming,
    outside_el: OutsideEl,
    imports: Imports,
) -> None:
    """Write all types of every named individual. Sorted lines `individual<TAB>class` without owl:Thing.

    Names are full IRIs, but on a terminal those that people use.
    With --json one object takes the place of the lines, which then only go to a file given by -o.
    """
    start = perf_counter()
    with stages("reading") as stage:
        ontology = imports.read(file)
        stage.enter("realising")
        from moose.saturation.answers.realise import realise as realise_ontology

        realisation = realise_ontology(ontology, progress=stage.count)
        find = realisation.role_assertions if roles else realisation.types
        rows: Sequence[tuple[str, ...]] = find() if realisation.is_consistent else ()
        found = Source(realisation.unused)
        with outside_el.running() as hermit:
            if hermit is not None and found.unused and realisation.is_consistent:
                stage.enter(f"asking {hermit.name}")
                told, found = by_hermit("roles" if roles else "types", ontology, hermit, found.unused, file)
                rows = [row[1:] for row in told]
    if realisation.is_consistent and (output is not None or not json):
        with writing(output, source=file) as stream:
            name = naming.in_lines(ontology, output)
            shown = rows if name is None else (tuple(map(name, row)) for row in rows)
            stream.writelines("\t".join(row) + "\n" for row in shown)
    if json:
        print_json(
            {
                "individuals": len(ontology.individuals),
                "consistent": realisation.is_consistent,
                **found.facts(),
                "role_assertions" if roles else "types": [list(row) for row in rows],
                "outside_el": outside_rows(ontology),
                "seconds": round(perf_counter() - start, 3),
            }
        )
    else:
        say_outside(ontology, file)
    if realisation.is_consistent:
        kind = "a relation" if roles else "a type"
        what = f"{kind}, or that there is no model, may be missing"
        say_unused(found.unused, naming.of(ontology), file, what=what, is_listed=outside_el.unused)
    say_probabilities(ontology, file)
    exit_if_inconsistent(realisation.is_consistent, file)
