"""An ontology of axioms that are built in Python or written as text."""

from __future__ import annotations

from collections.abc import Iterable

from moose.owl.model.axioms import Axiom
from moose.owl.model.expressions import Entity
from moose.owl.ontology import Ontology, ontology_from_axioms
from moose.owl.syntax.goal_text import as_axiom, bare_names


def make_ontology(
    axioms: Iterable[Axiom | str], *, iri: str | None = None, declarations: Iterable[Entity] = ()
) -> Ontology:
    """Make an ontology of axioms, e.g. `[SubClassOf(Class("A"), Class("B"))]` or `["A SubClassOf r some B"]`.

    Text is Manchester or functional syntax, in which names are IRIs as they are written.

    >>> import moose
    >>> told = ["A SubClassOf r some B", "B SubClassOf C", "SubClassOf(ObjectSomeValuesFrom(r C) D)"]
    >>> moose.classify(moose.ontology(told)).parents("A")
    ('D',)
    """
    read = (as_axiom(axiom, "an axiom", bare_names) for axiom in axioms)
    return ontology_from_axioms(read, iri=iri, declarations=declarations)
