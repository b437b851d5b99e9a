"""`moose classify`: the taxonomy of the named classes."""

from __future__ import annotations

from enum import StrEnum
from time import perf_counter
from typing import TYPE_CHECKING, Annotated

import typer

from moose.base.errors import MooseError
from moose.base.memory import paused_collection
from moose.cli.common.completeness import OutsideEl, say_unused
from moose.cli.common.naming import Naming
from moose.cli.common.ontology_notes import (
    exit_if_inconsistent,
    outside_rows,
    say_outside,
    say_probabilities,
    say_unsatisfiable,
)
from moose.cli.common.options import Certificate, File, Imports, Json, Output
from moose.cli.common.output import print_json, save_certificate, writing
from moose.cli.common.progress import stages
from moose.cli.reason.hermit_answers import Source, by_hermit, hermit_taxonomy

if TYPE_CHECKING:
    from moose.saturation.answers.taxonomy import Taxonomy


class TaxonomyFormat(StrEnum):
    """How the taxonomy is written."""

    tsv = "tsv"
    ofn = "ofn"


@paused_collection()
def classify(
    file: File,
    *,
    output: Output = None,
    closure: Annotated[bool, typer.Option("--closure", help="All superclasses, not only the direct ones.")] = False,
    format: Annotated[  # noqa: A002  # the option is called --format
        TaxonomyFormat, typer.Option(help="sub<TAB>super lines, or an ontology in functional syntax.")
    ] = TaxonomyFormat.tsv,
    certificate: Certificate = None,
    json: Json = False,
    naming: Naming,
    outside_el: OutsideEl,
    imports: Imports,
) -> None:
    """Write which named class stands below which. Sorted lines `sub<TAB>super` of full IRIs (on a terminal, of names).

    With --closure all superclasses, without the class itself, owl:Thing and unsatisfiable classes.
    With --json a summary takes the place of the lines, which then only go to a file given by -o.
    """
    start = perf_counter()
    with stages("reading") as stage:
        ontology = imports.read(file)
        stage.enter("classifying")
        from moose.saturation.answers.taxonomy import classify as classify_ontology

        with outside_el.running() as hermit:
            taxonomy = classify_ontology(ontology, progress=stage.count)
            found = Source(taxonomy.unused)
            if hermit is not None and found.unused and taxonomy.is_consistent:
                if format is TaxonomyFormat.ofn or certificate is not None:
                    raise MooseError(
                        f"{file}: expected lines of text as the answer is from {hermit.name}, but got --format ofn or "
                        "--certificate; leave it out"
                    )
                stage.enter(f"asking {hermit.name}")
                rows, found = by_hermit("classes", ontology, hermit, found.unused, file)
                taxonomy = hermit_taxonomy(taxonomy, rows)
    if taxonomy.is_consistent and (output is not None or not json):
        with writing(output, source=file) as stream:
            if format is TaxonomyFormat.ofn:
                stream.write(inferred_ontology(taxonomy))
            else:
                taxonomy.write_tsv(stream, closure=closure, name=naming.in_lines(ontology, output))
    if json:
        print_json(
            {
                "classes": len(taxonomy.classes),
                "consistent": taxonomy.is_consistent,
                "unsatisfiable": list(taxonomy.unsatisfiable),
                **found.facts(),
                "outside_el": outside_rows(ontology),
                "seconds": round(perf_counter() - start, 3),
            }
        )
    else:
        say_outside(ontology, file)
        say_unsatisfiable(taxonomy, file, naming.of(ontology))
    if taxonomy.is_consistent:
        what = "a subsumption, or that there is no model, may be missing"
        say_unused(found.unused, naming.of(ontology), file, what=what, is_listed=outside_el.unused)
    say_probabilities(ontology, file)
    if certificate is not None:
        from moose.certificates.make.certify_taxonomy import certify_taxonomy

        save_certificate(certify_taxonomy(taxonomy), certificate, source=file)
    exit_if_inconsistent(taxonomy.is_consistent, file)


def inferred_ontology(taxonomy: Taxonomy) -> str:
    """Return the hierarchy as an ontology in functional syntax."""
    from moose.owl.model.axioms import Declaration, Document
    from moose.owl.model.expressions import Class
    from moose.owl.syntax.functional.write_functional import write_functional

    return write_functional(
        Document(
            declarations=tuple(Declaration(Class(iri)) for iri in taxonomy.classes),
            axioms=tuple(taxonomy.inferred_axioms()),
        )
    )
