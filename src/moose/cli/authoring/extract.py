"""`moose extract`: the module of some terms."""

from __future__ import annotations

import sys
from pathlib import Path
from time import perf_counter
from typing import Annotated

import typer

from moose.authoring.module_methods import ModuleMethod
from moose.cli.common.options import File, Imports, Json, Output
from moose.cli.common.output import print_json
from moose.cli.common.progress import stages
from moose.cli.reason.convert import SyntaxOption, put

Terms = Annotated[
    list[str] | None,
    typer.Option(
        "--term",
        "--terms",
        metavar="NAME",
        help="A class or property: IRI, CURIE, short name or label; several times for more.",
        show_default=False,
    ),
]
TermFile = Annotated[
    Path | None, typer.Option("--file", metavar="TXT", help="Read terms here, one a line; - is the input.")
]


def extract(
    file: File,
    *,
    terms: Terms = None,
    term_file: TermFile = None,
    method: Annotated[
        ModuleMethod,
        typer.Option(help="bot keeps what is above the terms, top what is below, star only what is between them."),
    ] = ModuleMethod.star,
    output: Output = None,
    syntax: SyntaxOption = None,
    iri: Annotated[
        str | None, typer.Option(metavar="IRI", help="The IRI of the module, else that of the ontology.")
    ] = None,
    json: Json = False,
    imports: Imports,
) -> None:
    """Write the part of an ontology that can matter for terms.

    The annotations of what it mentions come with it.

    Whatever follows about the terms from the ontology follows from the module (syntactic locality, all of OWL 2). With
    --json a summary takes the place of the text, which then only goes to a file given by -o.
    """
    start = perf_counter()
    named = [*(terms or ()), *(read_terms(term_file) if term_file else ())]
    with stages("reading") as stage:
        ontology = imports.read(file)
        stage.enter("extracting")
        from moose.authoring.extract import extract as extract_module

        module = extract_module(ontology, named, method=method, iri=iri)
        if output is not None or not json:
            stage.enter("writing")
            put(module, output, syntax, sources=[file], is_quiet=json)
    if json:
        counts = {
            "axioms": len(module.axioms),
            "of_axioms": len(ontology.axioms),
            "classes": len(module.classes),
            "object_properties": len(module.object_properties),
            "individuals": len(module.individuals),
        }
        print_json({"method": method.value, **counts, "seconds": round(perf_counter() - start, 3)})


def read_terms(file: Path) -> list[str]:
    """Return the terms of a file: one a line, without what follows ` # `; empty lines are passed over."""
    text = sys.stdin.read() if str(file) == "-" else file.read_text("utf-8")
    lines = (line.partition(" #")[0].strip() for line in text.splitlines())
    return [line for line in lines if line and not line.startswith("#")]
