"""The paper's encoding has exactly the paper's clauses."""

from __future__ import annotations

from itertools import combinations, permutations
from pathlib import Path

import pytest
from hypothesis import given

from moose.base.errors import InconsistentOntology, MooseError, UnknownName
from moose.grounding.atoms import Atom
from moose.grounding.clauses import AtomKind, Origin
from moose.grounding.encodings.shapes import (
    atomic_disjointness,
    atomic_subsumptions,
    link_triples,
    unsatisfiable_concepts,
)
from moose.grounding.ground import ground
from moose.grounding.task.components import Components
from moose.grounding.task.task import Task
from moose.owl.model.axioms import Axiom, DisjointClasses
from moose.owl.model.expressions import Class, Entity, ObjectProperty
from moose.owl.ontology import ontology_from_axioms
from moose.saturation.answers.closure import saturate
from moose.saturation.answers.taxonomy import classify
from tests.grounding.tasks import DIGITS, ontology_of, texts
from tests.saturation.random_ontologies import ALL_FEATURES, CLASSES, NAMESPACE, ROLES, ontologies
from tests.searching import examples


def test_derived_disjointness(tmp_path: Path) -> None:
    both = "ObjectIntersectionOf(:A :B)"
    ontology = ontology_of(tmp_path, f"SubClassOf({both} :C) SubClassOf({both} :D) DisjointClasses(:C :D)")
    clauses = ground(Task(ontology, ["x"], observed=["A", "B"], latent=[]), encoding="paper")
    assert texts(clauses) == ["A(x) ∧ B(x) → ⊥"]


@pytest.mark.parametrize("pin_roles", [True, False])
def test_loop_of_a_known_role_has_no_atom(tmp_path: Path, *, pin_roles: bool) -> None:
    ontology = ontology_of(tmp_path, "SubClassOf(:A ObjectSomeValuesFrom(:r :A))")
    task = Task(ontology, ["x"], observed=["A"], latent=[], roles={"r": [("x", "x")]})
    with pytest.raises(MooseError, match=r"no atom r\(x,x\)"):
        ground(task, encoding="paper", pin_roles=pin_roles)


def test_each_extractor_by_example(tmp_path: Path) -> None:
    ontology = ontology_of(
        tmp_path,
        """
        SubClassOf(:A :B) SubClassOf(:B :C) SubClassOf(:Hidden :C) SubClassOf(:A :Hidden)
        SubClassOf(ObjectIntersectionOf(:A ObjectIntersectionOf(:D :E)) owl:Nothing)
        DisjointClasses(:D :F :G) DisjointClasses(:D :Hidden)
        SubClassOf(:H ObjectSomeValuesFrom(:r :H)) SubClassOf(:G :H) SubObjectPropertyOf(:r :s)
        SubClassOf(:F :Empty) SubClassOf(:Empty owl:Nothing)
        """,
    )
    task = Task(ontology, ["x", "y"], observed=["s"], latent=["A", "B", "C", "D", "E", "F", "G", "H"])
    clauses = ground(task, encoding="paper")
    at_x = [text for text in texts(clauses) if "(y" not in text and "s(" not in text]
    assert at_x[:4] == ["A(x) → B(x)", "A(x) → C(x)", "B(x) → C(x)", "G(x) → H(x)"]
    assert [text for text in texts(clauses, Origin.DISJOINTNESS) if "y" not in text] == [
        "A(x) ∧ D(x) → ⊥",  # a part of the conjunction, empty because of what A is below
        "D(x) ∧ F(x) → ⊥",
        "D(x) ∧ G(x) → ⊥",
        "F(x) ∧ G(x) → ⊥",
        "A(x) ∧ D(x) ∧ E(x) → ⊥",
    ]
    assert texts(clauses, Origin.UNSATISFIABLE) == ["F(x) → ⊥", "F(y) → ⊥"]
    assert texts(clauses, Origin.LINK) == [
        "G(x) ∧ s(x,y) → H(y)",
        "G(y) ∧ s(y,x) → H(x)",
        "H(x) ∧ s(x,y) → H(y)",
        "H(y) ∧ s(y,x) → H(x)",
    ]
    assert texts(clauses, Origin.REVERSE_LINK)[0] == "s(x,y) ∧ H(y) → G(x)"


def test_the_reverse_clause_needs_a_single_link(tmp_path: Path) -> None:
    ontology = ontology_of(
        tmp_path,
        "SubClassOf(:A ObjectSomeValuesFrom(:r :B)) SubClassOf(:A ObjectSomeValuesFrom(:r :C))"
        "SubClassOf(:D ObjectSomeValuesFrom(:r :B)) SubClassOf(:D ObjectSomeValuesFrom(:r :Hidden))",
    )
    task = Task(ontology, ["x", "y"], observed=["r"], latent=["A", "B", "C", "D"])
    clauses = ground(task, encoding="paper")
    assert len(texts(clauses, Origin.LINK)) == 6
    assert texts(clauses, Origin.REVERSE_LINK) == ["r(x,y) ∧ B(y) → D(x)", "r(y,x) ∧ B(x) → D(y)"]


def test_a_range_does_not_hide_the_filler_of_a_link(tmp_path: Path) -> None:
    ontology = ontology_of(tmp_path, "SubClassOf(:A ObjectSomeValuesFrom(:r :B)) ObjectPropertyRange(:r :C)")
    task = Task(ontology, ["x", "y"], observed=["r"], latent=["A", "B", "C"])
    assert texts(ground(task, encoding="paper"), Origin.LINK)[0] == "A(x) ∧ r(x,y) → B(y)"


@pytest.fixture(scope="module")
def chain() -> Task:
    from moose.grounding.task.regimes import regime

    digits = regime("mnist2")
    return Task(
        digits.ontology, ["a", "b", "c"], digits.observed, digits.latent, [DIGITS], {"succ": [("a", "b"), ("b", "c")]}
    )


def test_known_roles_stay_variables_and_are_given(chain: Task) -> None:
    clauses = ground(chain, encoding="paper")
    assert len(clauses.atoms) == 3 * 14 + 6
    assert [clauses.literal_text(literal) for literal in clauses.given] == ["succ(a,b)", "succ(b,c)"]
    assert clauses.fixed == {}
    assert not any(one.name == "role pinning" for one in clauses.assumptions)
    assert set(clauses.kinds.tolist()) == {AtomKind.LATENT, AtomKind.OBSERVABLE}


def test_pinned_roles_are_no_variables(chain: Task) -> None:
    clauses = ground(chain, encoding="paper", pin_roles=True)
    assert len(clauses.atoms) == 3 * 14
    assert len(clauses) == 3 * 117 + 2 * 2 * 10
    assert clauses.given == ()
    assert clauses.fixed == {Atom("succ", ("a", "b")): True, Atom("succ", ("b", "c")): True}
    assert clauses.known_truth(Atom("succ", ("c", "a"))) is False
    assert clauses.known_truth(Atom("succ", ("c", "d"))) is None
    assert clauses.known_truth(Atom("Even", ("a",))) is None
    assert "D0(a) → D1(b)" in texts(clauses, Origin.LINK)
    assert "D1(b) → D0(a)" in texts(clauses, Origin.REVERSE_LINK)
    assert any(one.name == "role pinning" and "succ" in one.statement for one in clauses.assumptions)


def test_facts_are_given_and_role_facts_can_be_pinned(chain: Task) -> None:
    task = Task(
        chain.ontology,
        ["a", "b"],
        ["Even", "succ"],
        ["D0", "D1", "plus_two"],
        facts=["Even(a)", "not succ(b,a)", "plus_two(a,b)"],
    )
    clauses = ground(task, encoding="paper")
    assert [clauses.literal_text(literal) for literal in clauses.given] == ["Even(a)", "not succ(b,a)", "plus_two(a,b)"]
    pinned = ground(task, encoding="paper", pin_roles=True)
    assert [pinned.literal_text(literal) for literal in pinned.given] == ["Even(a)"]
    assert pinned.fixed == {Atom("succ", ("b", "a")): False, Atom("plus_two", ("a", "b")): True}
    assert [str(atom) for atom in pinned.atoms[6:]] == ["plus_two(b,a)", "succ(a,b)"]
    # D0 ⊑ ∃succ.D1: between b and a, where succ is known to be false, there is nothing to say
    assert texts(pinned, Origin.LINK) == ["D0(a) ∧ succ(a,b) → D1(b)"]


def test_a_loop_has_no_atom_in_the_papers_encoding(chain: Task) -> None:
    task = Task(chain.ontology, ["a"], [], ["D0"], roles={"succ": [("a", "a")]})
    with pytest.raises(MooseError, match=r"no atom succ\(a,a\)"):
        ground(task, encoding="paper")


def test_components_can_be_switched_one_by_one(chain: Task) -> None:
    whole = ground(chain, encoding="paper")
    origins = {
        "mutex": Origin.MUTEX,
        "cover": Origin.COVER,
        "profiles": Origin.PROFILE,
        "links": Origin.LINK,
        "reverse_links": Origin.REVERSE_LINK,
    }
    for name, origin in origins.items():
        less = ground(chain, encoding="paper", components=Components.without(name))
        assert texts(less) == [
            text for text, other in zip(texts(whole), whole.origins.tolist(), strict=True) if other != origin
        ]
    assert {one.name for one in whole.assumptions} >= {
        "links",
        "reverse links",
        "family",
        "profiles",
        "named individuals",
    }
    bare = ground(chain, encoding="paper", components=Components.just())
    assert [one.name for one in bare.assumptions] == [
        "EL fragment",
        "named individuals",
        "factorised perception",
        "the paper's encoding",
    ]


def test_families_are_listed_at_each_individual(chain: Task) -> None:
    clauses = ground(chain, encoding="paper")
    assert [str(clauses.atoms[first]) for first, *_ in clauses.families] == ["D0(a)", "D0(b)", "D0(c)"]
    assert all(len(family) == 10 for family in clauses.families)


def test_an_encoding_has_a_name(chain: Task) -> None:
    with pytest.raises(UnknownName, match="expected an encoding, but got 'papr'; did you mean paper"):
        ground(chain, encoding="papr")


def test_an_inconsistent_ontology_is_refused(tmp_path: Path) -> None:
    ontology = ontology_of(tmp_path, "SubClassOf(:A owl:Nothing) ClassAssertion(:A :x)")
    with pytest.raises(InconsistentOntology, match="the ontology is inconsistent"):
        ground(Task(ontology, ["x"], ["A"], []), encoding="paper")


def test_axioms_outside_el_are_counted_among_the_assumptions(tmp_path: Path) -> None:
    ontology = ontology_of(tmp_path, "SubClassOf(:A ObjectUnionOf(:B :C)) SubClassOf(:A :B)")
    clauses = ground(Task(ontology, ["x"], ["A"], ["B"]), encoding="paper")
    assert str(clauses.assumptions[0]).startswith(
        "EL fragment: 1 of 2 axioms are outside OWL 2 EL; of 1 that may matter"
    )


# ── On random ontologies, against slower readings of the same ─────────────────────────────────────────────────────

ENTITIES: list[Entity] = [*CLASSES, *ROLES]


def random_task(axioms: list[Axiom]) -> Task:
    ontology = ontology_from_axioms(axioms, declarations=ENTITIES)
    return Task(
        ontology,
        ["x", "y"],
        observed=[f"<{entity.iri}>" for entity in ENTITIES],
        latent=[],
    )


@given(ontologies(ALL_FEATURES, max_axioms=12))
@examples(60)
def test_subsumptions_are_those_of_the_taxonomy(axioms: list[Axiom]) -> None:
    task = random_task(axioms)
    taxonomy = classify(task.ontology)
    closure = saturate(task.ontology)
    if not taxonomy.is_consistent:
        return
    iris = [concept.iri for concept in task.concepts]
    empty = {position for position, iri in enumerate(iris) if iri in taxonomy.unsatisfiable}
    assert set(unsatisfiable_concepts(task, closure)) == empty
    found = {pair for pair in atomic_subsumptions(task, closure) if pair[0] not in empty}
    assert found == {
        (sub, sup)
        for sub, sup in permutations(range(len(iris)), 2)
        if sub not in empty and taxonomy.is_below(iris[sub], iris[sup])
    }


@given(ontologies(ALL_FEATURES - {"nominals", "range", "keys"}, max_axioms=12))
@examples(60)
def test_links_are_those_of_the_closure(axioms: list[Axiom]) -> None:
    task = random_task(axioms)
    closure = saturate(task.ontology)
    concepts = {Class(concept.iri): number for number, concept in enumerate(task.concepts)}
    roles = {ObjectProperty(role.iri): number for number, role in enumerate(task.role_predicates)}
    expected = {
        (concepts[link.source], roles[link.role], concepts[link.target])
        for link in closure.links()
        if link.source in concepts and link.target in concepts and link.role in roles
    }
    if closure.is_consistent and not closure.worlds:
        triples = link_triples(task, closure)
        assert {(link.source, link.role, link.target) for link in triples} == expected
        for link in triples:
            alike = [other for other in triples if (other.source, other.role) == (link.source, link.role)]
            assert link.is_single == (len(alike) == 1)


@given(ontologies(ALL_FEATURES, max_axioms=12))
@examples(40)
def test_every_clause_has_the_shape_of_its_origin(axioms: list[Axiom]) -> None:
    task = random_task(axioms)
    if not saturate(task.ontology).is_consistent:
        return
    clauses = ground(task, encoding="paper")
    shapes = {
        Origin.SUBSUMPTION: lambda body, head, arity: len(body) == len(head) == 1,
        Origin.DISJOINTNESS: lambda body, head, arity: len(body) >= 2 and not head,
        Origin.UNSATISFIABLE: lambda body, head, arity: len(body) == 1 and not head,
        Origin.LINK: lambda body, head, arity: len(head) == 1 and sorted(arity) == [1, 2],
        Origin.REVERSE_LINK: lambda body, head, arity: len(head) == 1 and sorted(arity) == [1, 2],
    }
    for clause, origin in zip(clauses, clauses.origins.tolist(), strict=True):
        body = [clauses.atoms[-literal - 1] for literal in clause if literal < 0]
        head = [clauses.atoms[literal - 1] for literal in clause if literal > 0]
        assert shapes[Origin(origin)](body, head, [len(atom.arguments) for atom in body])
    told = {
        frozenset(pair)
        for axiom in axioms
        if isinstance(axiom, DisjointClasses)
        for pair in combinations(axiom.operands, 2)
        if all(isinstance(operand, Class) and operand.iri.startswith(NAMESPACE) for operand in pair)
        and len({*pair}) == 2
    }
    found = {
        frozenset(Class(task.concepts[member].iri) for member in members)
        for members in atomic_disjointness(task, saturate(task.ontology))
    }
    assert told <= found
