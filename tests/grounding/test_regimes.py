"""The bundled regimes have the sizes that the paper prints."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

import moose
from moose.base.errors import UnknownName
from moose.grounding.clauses import Clauses, Origin
from moose.grounding.ground import ground
from moose.grounding.task.components import Components
from moose.grounding.task.regimes import REGIMES, regime
from moose.owl.load import load

# Atoms and clauses as printed (paper, tab:repro); size of the diagram with a balanced vtree in the order of the atoms.
# Of experiments 2 and 3 the paper prints 1080 and 1153, over an order of the atoms that it does not tell.
COUNTS = {
    "mnist1": (14, 117, 155),
    "mnist2": (30, 274, 659),
    "mnist3": (32, 314, 775),
    "pizzaA": (26, 103, 245),
    "pizzaB": (26, 107, 245),
    "pizzaC": (6, 10, 16),
}


def balanced_size(clauses: Clauses) -> int:
    """Conjoin the clauses one by one over a balanced vtree, and count the elements."""
    from pysdd.sdd import SddManager, Vtree

    count = len(clauses.atoms)
    vtree = Vtree(var_count=count, var_order=list(range(1, count + 1)), vtree_type="balanced")
    manager = SddManager.from_vtree(vtree)
    whole = manager.true()
    for clause in clauses:
        disjunction = manager.false()
        for literal in clause:
            disjunction = manager.disjoin(disjunction, manager.literal(literal))
        whole = manager.conjoin(whole, disjunction)
    size: int = whole.size()
    return size


@pytest.mark.parametrize("name", REGIMES)
def test_the_papers_counts(name: str) -> None:
    clauses = ground(regime(name), encoding="paper")
    assert (len(clauses.atoms), len(clauses), balanced_size(clauses)) == COUNTS[name]


def test_where_the_clauses_of_the_first_experiment_come_from() -> None:
    clauses = ground(regime("mnist1"), encoding="paper")
    assert Counter(clauses.origins.tolist()) == {
        Origin.SUBSUMPTION: 18,
        Origin.DISJOINTNESS: 47,
        Origin.MUTEX: 45,
        Origin.COVER: 1,
        Origin.PROFILE: 6,
    }


def test_the_digit_ontology_is_the_papers() -> None:
    ontology = regime("mnist1").ontology
    assert (len(ontology.classes), len(ontology.object_properties), len(ontology.axioms)) == (14, 2, 76)
    assert not ontology.profile.outside
    kinds = Counter(type(axiom).__name__ for axiom in ontology.axioms)
    assert kinds == {"SubClassOf": 28, "DisjointClasses": 47, "SubObjectPropertyOf": 1}


def test_pizzas_with_and_without_their_cover() -> None:
    task = regime("pizzaA")
    with_cover = ground(task, encoding="paper")
    el_only = ground(task, encoding="paper", components=Components.without("mutex", "cover", "profiles"))
    assert len(with_cover) - len(el_only) == 6 + 1
    assert [one.name for one in el_only.assumptions if one.name == "family"] == []


def test_a_regime_has_a_name() -> None:
    with pytest.raises(UnknownName, match="expected a regime, but got 'minst1'; did you mean mnist1"):
        regime("minst1")


def test_every_bundled_file_is_in_the_package_and_is_read() -> None:
    folder = Path(moose.__file__).parent
    assert sorted(path.stem for path in (folder / "regimes").iterdir()) == sorted(REGIMES)
    for path in (folder / "ontologies").glob("*.ofn"):
        assert load(path).axioms
