"""Read ontologies in OBO flat file format (1.0 to 1.4) as OWL.

The clauses are read here. py-horned-owl 2.0.0 drops `transitive_over`, `holds_over_chain`, `owl-axioms` and, between
relations, `disjoint_from` and `equivalent_to`, and reads `{maxCardinality="2"}`, `{cardinality="0"}` and
`{all_only="true"}` as if they said "some", all without a word: what followed from such an ontology would be wrong.
"""

from __future__ import annotations

from moose.base.errors import ParseError
from moose.owl.model.axioms import AnnotationAssertion, Declaration
from moose.owl.model.document import Document
from moose.owl.model.vocabulary import OBO
from moose.owl.syntax.common.gathering import paused_collection
from moose.owl.syntax.obo.annotation_clauses import free_text
from moose.owl.syntax.obo.clauses import split_stanzas
from moose.owl.syntax.obo.header_clauses import header_annotations, header_statements, identity, imports
from moose.owl.syntax.obo.identifiers import OBO_IN_OWL, Identifiers
from moose.owl.syntax.obo.stanzas import Statement, read_stanzas


def read_obo(text: str, where: str) -> Document:
    r"""Return what an OBO file says; `where` is its name for error messages.

    >>> read_obo("format-version: 1.4\n\n[Term]\nid: EX:1\nis_a: EX:2 ! two", "ex.obo").axioms[0].sup
    Class(iri='http://purl.obolibrary.org/obo/EX_2')
    """
    with paused_collection():
        return _read(text, where)


def _read(text: str, where: str) -> Document:
    header, *stanzas = split_stanzas(text, where)
    tags = {clause.tag: clause for clause in header.clauses}
    if not stanzas and not tags.keys() & {"format-version", "ontology"}:
        raise ParseError(f"{where}: expected a header such as 'format-version: 1.4' or a stanza such as '[Term]'")
    names = Identifiers(header, stanzas, where)
    namespace = free_text(tags["default-namespace"]) if "default-namespace" in tags else ""
    statements: list[Statement] = [*header_statements(header, names, where)]
    statements += read_stanzas(stanzas, names, where, namespace)
    iri, version_iri = identity(header)
    return Document(
        iri,
        version_iri,
        tuple(imports(header)),
        tuple(header_annotations(header, names)),
        tuple(item for item in statements if isinstance(item, Declaration)),
        tuple(item for item in statements if not isinstance(item, Declaration | AnnotationAssertion)),
        tuple(item for item in statements if isinstance(item, AnnotationAssertion)),
        {"obo": OBO, "oboInOwl": OBO_IN_OWL},
    )
