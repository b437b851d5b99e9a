"""The asserted hierarchy of a reasoned and reduced ontology is ELK's direct hierarchy, edge by edge."""

from __future__ import annotations

import pytest

import moose
from moose.owl.model.axioms import SubClassOf
from moose.owl.model.expressions import NOTHING, THING, Class
from moose.saturation.answers.taxonomy import rows_of_pairs
from tests.saturation.test_oracle import find, read_lines

NAMES = ("pato", *(pytest.param(name, marks=pytest.mark.slow) for name in ("envo", "uberon", "galen", "go")))


def elk_edges(name: str, unsatisfiable: set[str]) -> tuple[set[tuple[str, str]], set[tuple[str, str]]]:
    """Return the direct edges of ELK's closure, and the pairs of equivalent classes."""
    closure = [tuple(line.split("\t")) for line in read_lines(find("oracle", f"{name}.subs.tsv.gz"))]
    pairs = [(sub, sup) for sub, sup in closure if not {sub, sup} & unsatisfiable and THING.iri != sup]
    rows = rows_of_pairs(
        sorted({one for pair in pairs for one in pair}), [pair for pair in pairs if pair[0] != pair[1]]
    )
    known = set(pairs)
    direct = {
        (name_of, rows.names[above])
        for number, name_of in enumerate(rows.names)
        for above in rows.above[rows.row(number)][rows.is_direct[rows.row(number)]].tolist()
    }
    return direct, {(sub, sup) for sub, sup in pairs if (sup, sub) in known}


@pytest.mark.parametrize("name", NAMES)
def test_the_direct_hierarchy_is_elks(name: str) -> None:
    unsatisfiable = set(read_lines(find("oracle", f"{name}.unsat.txt")))
    expected, equivalent = elk_edges(name, unsatisfiable)
    reasoned = moose.reason(moose.load(find("ontologies", f"{name}.ofn.gz")), reduce=True)
    special = {THING.iri, NOTHING.iri, *unsatisfiable}
    told = {
        (axiom.sub.iri, axiom.sup.iri)
        for axiom in reasoned.ontology.axioms
        if isinstance(axiom, SubClassOf)
        and isinstance(axiom.sub, Class)
        and isinstance(axiom.sup, Class)
        and not {axiom.sub.iri, axiom.sup.iri} & special
    }
    missing, extra = expected - told, told - expected - equivalent
    assert (sorted(missing)[:5], sorted(extra)[:5]) == ([], [])
