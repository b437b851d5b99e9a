"""Sort the statements of an ontology document, as they come one after another, into the parts of a `Document`."""

from __future__ import annotations

from typing import get_args

from moose.owl.model.axioms import Annotation, AnnotationAssertion, Axiom, Declaration, Document
from moose.owl.syntax.common.arguments import IllFormed, describe
from moose.owl.syntax.common.parts import Import

_AXIOMS = frozenset(get_args(Axiom))


def gather(statements: list[object], prefixes: dict[str, str], iri: str | None, version_iri: str | None) -> Document:
    """Return the document that consists of these statements, or raise `IllFormed` at the first that is none."""
    axioms: list[Axiom] = []
    declarations: list[Declaration] = []
    assertions: list[AnnotationAssertion] = []
    imports: list[str] = []
    annotations: list[Annotation] = []
    for statement in statements:
        if statement.__class__ in _AXIOMS:
            axioms.append(statement)  # type: ignore[arg-type]  # as the line above says, and faster than isinstance
        elif isinstance(statement, Declaration):
            declarations.append(statement)
        elif isinstance(statement, AnnotationAssertion):
            assertions.append(statement)
        elif isinstance(statement, Import):
            imports.append(statement.iri)
        elif isinstance(statement, Annotation):
            annotations.append(statement)
        else:
            raise IllFormed(f"expected an axiom, but got {describe(statement)}; remove it or complete it", statement)
    return Document(
        iri=iri,
        version_iri=version_iri,
        imports=tuple(imports),
        annotations=tuple(annotations),
        declarations=tuple(declarations),
        axioms=tuple(axioms),
        annotation_assertions=tuple(assertions),
        prefixes=prefixes,
    )
