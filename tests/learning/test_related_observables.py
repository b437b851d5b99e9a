"""What other individuals decide by known roles gets no weight of its own."""

from __future__ import annotations

from dataclasses import replace

import pytest

import moose
from moose.grounding.task.task import Task
from moose.learning.loss.theory_alone import theory_alone

ONTOLOGY = """Prefix(:=<urn:r#>)
Ontology(<urn:r>
  Declaration(Class(:Small)) SubClassOf(:Two :Prime) SubClassOf(:Four :Square) DisjointClasses(:Prime :Square)
  SubObjectPropertyOf(:next :before) SubObjectPropertyOf(ObjectPropertyChain(:next :before) :before)
  EquivalentClasses(:BeforePrime ObjectSomeValuesFrom(:before :Prime))
)
"""
OBSERVED = ["Prime", "Square", "Small", "BeforePrime"]


@pytest.fixture(scope="module")
def task(tmp_path_factory: pytest.TempPathFactory) -> Task:
    """Two numbers in a row; `Small` is open for both members, and `BeforePrime` hangs on what follows."""
    path = tmp_path_factory.mktemp("row") / "row.ofn"
    path.write_text(ONTOLOGY, "utf-8")
    members = ["Two", "Four"]
    return Task(moose.load(path), ["a", "b"], OBSERVED, members, [members], {"next": [("a", "b")]})


def learnt(task: Task) -> set[tuple[str, str]]:
    """Return the pairs of member and observable that get a weight."""
    names = [concept.name for concept in task.concepts]
    pairs = theory_alone(task, "softmax", with_pairs=True).pairs_of(task)
    return {(names[pair.member], names[pair.observable]) for pair in pairs}


OWN = {("Two", "Small"), ("Four", "Small")}


def test_an_observable_that_hangs_on_what_follows_has_no_weight(task: Task) -> None:
    assert learnt(task) == OWN


def test_where_nothing_follows_it_is_open_like_others(task: Task) -> None:
    alone = replace(task, individuals=["a"], roles={"next": []})
    assert learnt(alone) == OWN | {("Two", "BeforePrime"), ("Four", "BeforePrime")}


def test_roles_that_examples_bring_are_thought_of(task: Task) -> None:
    assert learnt(replace(task, roles={"next": []})) == OWN


def test_a_chain_is_followed(task: Task) -> None:
    far = replace(task, individuals=["a", "b", "c"], roles={"next": [("a", "b"), ("b", "c")]})
    assert learnt(far) == OWN


def test_closing_the_domain_changes_nothing_of_that(task: Task) -> None:
    assert learnt(replace(task, closure=(*task.closure, "closed_domain"))) <= OWN
