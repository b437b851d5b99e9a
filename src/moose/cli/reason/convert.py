"""`moose convert` and `moose merge`: the same ontology in another syntax, several ontologies in one."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Annotated

import typer

from moose.base.errors import MooseError
from moose.cli.common.messages import say
from moose.cli.common.options import CatalogueFile, File, Imports, ImportsFrom, Json, Output, source_of
from moose.cli.common.output import print_json, writing
from moose.cli.common.progress import stages

if TYPE_CHECKING:
    from moose.owl.ontology import Ontology
    from moose.owl.syntax.common.written import Written


def known_syntax(name: str | None) -> str | None:
    """Refuse the name of a syntax that cannot be written, before anything is read."""
    if name is not None:
        from moose.owl.write import choose_syntax

        choose_syntax(name, None)
    return name


SyntaxOption = Annotated[
    str | None,
    typer.Option(
        "--syntax",
        metavar="SYNTAX",
        callback=known_syntax,
        help="functional, owlxml, rdfxml, turtle, ntriples or obo, or an ending; "
        "else as OUT ends: .ofn .owx .owl (RDF/XML) .ttl .nt .obo.",
    ),
]


def convert(
    file: File,
    out: Annotated[
        Path | None, typer.Argument(metavar="[OUT]", help="The file to write; - or none is the output.")
    ] = None,
    *,
    output: Output = None,
    syntax: SyntaxOption = None,
    merge_imports: Annotated[
        bool, typer.Option("--merge-imports", help="Write what is imported into OUT, instead of the imports.")
    ] = False,
    json: Json = False,
    imports: Imports,
) -> None:
    """Write an ontology in another syntax, with all its annotations. Sorted, so that versions can be compared.

    Imports stay imports, and need not be found, unless --merge-imports asks for what they import.
    """
    if out is not None and output is not None:
        raise MooseError("expected one file to write, but got both OUT and -o; leave one of them out")
    target = out or output
    start = perf_counter()
    with stages("reading") as stage:
        ontology = imports.read(file) if merge_imports else read_alone(file, imports.imports_from, imports.catalogue)
        stage.enter("writing")
        save(ontology, target, syntax, sources=[file], json=json, start=start)


def merge(
    files: Annotated[list[Path], typer.Argument(metavar="FILE...", help="Ontologies in any OWL syntax.")],
    *,
    output: Output = None,
    syntax: SyntaxOption = None,
    iri: Annotated[
        str | None, typer.Option(metavar="IRI", help="The IRI of the result, else that of the first.")
    ] = None,
    keep_imports: Annotated[
        bool,
        typer.Option("--keep-imports", help="Let imports stay imports, unless one of the files is what is imported."),
    ] = False,
    json: Json = False,
    imports: Imports,
) -> None:
    """Put ontologies into one, with what they import.

    Each axiom and annotation is there once.

    The header is that of the first ontology.
    """
    start = perf_counter()
    with stages("reading") as stage:
        from moose.owl.load import merge as merge_ontologies

        read = [
            read_alone(file, imports.imports_from, imports.catalogue) if keep_imports else imports.read(file)
            for file in files
        ]
        stage.enter("merging")
        merged = merge_ontologies(read, iri=iri)
        stage.enter("writing")
        save(merged, output, syntax, sources=files, json=json, start=start)


def read_alone(file: Path, imports_from: ImportsFrom, catalogue: CatalogueFile) -> Ontology:
    """Read one document, whose imports stay imports."""
    from moose.owl.load import load_document

    return load_document(source_of(file), imports_from=imports_from, catalogue=catalogue)


def save(
    ontology: Ontology,
    output: Path | None,
    syntax: str | None,
    *,
    sources: Sequence[Path],
    json: bool,
    start: float,
) -> None:
    """Write an ontology, and say what its syntax cannot; with `json` a summary takes the place of the text."""
    written, name = put(ontology, output, syntax, sources=sources, is_quiet=json)
    if json:
        print_json(summary(ontology, written, name, output) | {"seconds": round(perf_counter() - start, 3)})


def put(
    ontology: Ontology,
    output: Path | None,
    syntax: str | None,
    *,
    sources: Sequence[Path],
    is_quiet: bool,
) -> tuple[Written, str]:
    """Write an ontology to a file or, unless that is to be quiet, to the output; return what was written in which."""
    from moose.owl.write import choose_syntax, write_file, written_in

    is_file = output is not None and str(output) != "-"
    if syntax is None and not is_file:
        raise MooseError(
            "expected a file to write or a syntax for the output, but got neither; name a file with -o, such as "
            "-o out.ofn, or a syntax with --syntax, such as --syntax functional"
        )
    chosen = choose_syntax(syntax, output if is_file else None)
    for source in sources:
        if output is not None and is_file and output.exists() and source.exists() and output.samefile(source):
            raise MooseError(f"{output}: is the ontology itself and would be overwritten; choose another name with -o")
    written = written_in(ontology, chosen)
    if output is not None and is_file:
        write_file(output, written.text)
    elif not is_quiet:
        with writing(None) as stream:
            stream.write(written.text)
    for one in written.unwritten[:MOST_SAID]:
        say(f"{output if is_file else 'the output'}: a statement is only a comment, as {one.reason}")
    if len(written.unwritten) > MOST_SAID:
        say(f"and {len(written.unwritten) - MOST_SAID:,} more; --json lists them")
    return written, chosen.name


MOST_SAID = 3


def summary(ontology: Ontology, written: Written, syntax: str, output: Path | None) -> dict[str, object]:
    """Return what was written, for programs."""
    from moose.owl.syntax.functional.write_functional import render

    notes = ontology.annotations
    return {
        "iri": ontology.iri,
        "version_iri": ontology.version_iri,
        "output": None if output is None else str(output),
        "syntax": syntax,
        "axioms": len(ontology.axioms),
        "annotation_assertions": len(notes.assertions),
        "declarations": len(notes.declarations),
        "imports": list(ontology.ignored_imports),
        "merged_imports": [imported.iri for imported in ontology.imports],
        "bytes": len(written.text.encode()),
        "unwritten": [{"statement": render(one.axiom), "reason": one.reason} for one in written.unwritten],
    }
