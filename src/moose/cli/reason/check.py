"""`moose check`: what an ontology holds, and what of it is outside OWL 2 EL."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Annotated

import typer

from moose.base.suggestions import did_you_mean
from moose.cli.common.completeness import shown_reason, unused_texts
from moose.cli.common.naming import Naming
from moose.cli.common.ontology_notes import outside_rows, summarise_outside
from moose.cli.common.options import File, Imports, Json, Output
from moose.cli.common.output import write_json, writing
from moose.cli.common.progress import stages

if TYPE_CHECKING:
    from moose.authoring.undeclared import UndeclaredName
    from moose.owl.ontology import Ontology

OUTSIDE = 1
MOST_UNDECLARED = 5
MOST_USED = 5
"""How many of the axioms used in an axiom's place are listed: of related individuals there may be one for each pair."""


def check(
    file: File,
    *,
    output: Output = None,
    strict: Annotated[bool, typer.Option("--strict", help="Exit 1 if any axiom is outside OWL 2 EL.")] = False,
    json: Json = False,
    naming: Naming,
    imports: Imports,
) -> None:
    """List what is outside OWL 2 EL, and what is used in its place. Each axiom comes with the reason.

    Names that are used but not declared are listed where most are declared: some may be misspelt.
    """
    with stages("reading"):
        ontology = imports.read(file)
    with writing(output, source=file) as stream:
        if json:
            write_json(facts(ontology), stream)
        else:
            stream.writelines(f"{line}\n" for line in lines(ontology, naming.of(ontology).show))
    if strict and ontology.profile.outside:
        raise typer.Exit(OUTSIDE)


def facts(ontology: Ontology) -> dict[str, object]:
    """Return all that the check found, for programs."""
    from moose.authoring.undeclared import undeclared_names
    from moose.owl.modules.unused import unused_anywhere

    undeclared = undeclared_names(ontology)
    return {
        "iri": ontology.iri,
        "version_iri": ontology.version_iri,
        "axioms": len(ontology.axioms),
        "annotation_assertions": ontology.annotation_assertion_count,
        "classes": len(ontology.classes),
        "object_properties": len(ontology.object_properties),
        "data_properties": len(ontology.data_properties),
        "individuals": len(ontology.individuals),
        "undeclared": len(undeclared),
        "undeclared_names": [undeclared_row(name) for name in undeclared],
        "imports": [{"iri": imported.iri, "path": imported.path} for imported in ontology.imports],
        "ignored_imports": list(ontology.ignored_imports),
        "import_cycles": [list(cycle) for cycle in ontology.import_cycles],
        "complete": not unused_anywhere(ontology),
        "unused": unused_texts(unused_anywhere(ontology)),
        "outside_el": outside_rows(ontology),
    }


def lines(ontology: Ontology, name: Callable[[str], str]) -> Iterator[str]:
    """Say all that the check found, for people."""
    from moose.authoring.undeclared import undeclared_names
    from moose.owl.model.axioms import without_annotations
    from moose.owl.modules.unused import unused_anywhere
    from moose.owl.syntax.functional.write_functional import render

    yield f"ontology     {ontology.iri or 'without IRI'}"
    if ontology.version_iri:
        yield f"version      {ontology.version_iri}"
    annotations = counted(ontology.annotation_assertion_count, "annotation", "annotations")
    yield f"axioms       {len(ontology.axioms):,} logical, {annotations}"
    yield (
        f"names        {counted(len(ontology.classes), 'class', 'classes')}, "
        f"{counted(len(ontology.object_properties), 'object property', 'object properties')}, "
        f"{counted(len(ontology.data_properties), 'data property', 'data properties')}, "
        f"{counted(len(ontology.individuals), 'individual', 'individuals')}"
    )
    undeclared = undeclared_names(ontology)
    yield from (f"undeclared   {undeclared_line(one, name)}" for one in undeclared[:MOST_UNDECLARED])
    if len(undeclared) > MOST_UNDECLARED:
        yield f"undeclared   and {len(undeclared) - MOST_UNDECLARED:,} more; --json lists them"
    for imported in ontology.imports:
        yield f"imports      <{imported.iri}> from {imported.path}"
    for iri in ontology.ignored_imports:
        yield f"not found    <{iri}>"
    for cycle in ontology.import_cycles:
        yield f"circle       {' → '.join(cycle)}"
    yield f"profile      {summarise_outside(ontology)}"
    if left := len(unused_anywhere(ontology)):
        noun = "1 axiom that may matter is" if left == 1 else f"{left:,} axioms that may matter are"
        yield f"complete     no: {noun} not used whole, so what is not found may follow"
    elif ontology.profile.outside:
        yield "complete     yes: nothing of these is lost"
    for outside in ontology.profile.outside:
        yield f"\n{render(outside.axiom, name)}\n  {shown_reason(outside.reason, name)}"
        for axiom in outside.used[:MOST_USED]:
            yield f"  {'the same as' if outside.is_exact else 'used'}: {render(without_annotations(axiom), name)}"
        if len(outside.used) > MOST_USED:
            yield f"  and {len(outside.used) - MOST_USED:,} more; --json lists them"


def undeclared_row(undeclared: UndeclaredName) -> dict[str, object]:
    """Return a name that is used but not declared, for JSON."""
    return {
        "iri": undeclared.entity.iri,
        "used_as": undeclared.kind,
        "declared_as": undeclared.other_kind,
        "did_you_mean": list(undeclared.close),
    }


def undeclared_line(undeclared: UndeclaredName, name: Callable[[str], str]) -> str:
    """Say that a name is used but not declared, and what may have been meant."""
    used = f"{name(undeclared.entity.iri)} is used as {undeclared.kind} but "
    if undeclared.other_kind:
        return f"{used}declared as {undeclared.other_kind}"
    hint = did_you_mean(undeclared.close, otherwise="")
    return f"{used}not declared{'; ' if hint else ''}{hint}"


def counted(count: int, one: str, many: str) -> str:
    """Write a number with its noun."""
    return f"{count:,} {one if count == 1 else many}"
