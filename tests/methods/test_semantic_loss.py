"""The semantic loss counts what is said outright in concepts, and no more."""

from __future__ import annotations

import re
from collections.abc import Sequence
from importlib.resources import files
from itertools import combinations, permutations
from math import exp
from pathlib import Path

import pytest
import torch
from torch import nn

import moose
from moose.base.errors import ContradictoryEvidence, MooseError
from moose.circuit.compile.compile_circuit import compile_circuit
from moose.grounding.ground import ground
from moose.grounding.task.task import Task
from moose.learning.examples import Examples
from moose.methods.base.perception import Perception
from moose.methods.ours.moose import Moose
from moose.methods.semantic_loss import SemanticLoss
from moose.methods.theory.propositional_part import propositional, stated_task
from moose.owl.model.axioms import DisjointClasses, SubClassOf
from moose.owl.model.expressions import Class
from moose.owl.names import short_name
from tests.learning.toys import task_of, toy_encoder, toy_examples

Clause = tuple[int, ...]


def toy_network(outputs: int, seed: int) -> nn.Module:
    return toy_encoder(outputs, seed=seed)


PERCEPTION = Perception((1, 1, 10), make=toy_network)

# --------------------------------------------------------------------------- the oracle: clauses read from the text

FILES = {
    "mnist1": ["mnist"],
    "mnist2": ["mnist"],
    "pizzaA": ["pizzaiolo"],
    "pizzaB": ["pizzaiolo", "pizzaiolo_kinds"],
    "pizzaC": ["pizzaiolo_spicy"],
}


def told_clauses(regime: str, names: Sequence[str]) -> list[Clause]:
    """Read the axioms of one line each that have no role in them, as clauses over the named concepts."""
    number = {name: place + 1 for place, name in enumerate(names)}
    found = list[Clause]()
    for file in FILES[regime]:
        text = files("moose").joinpath("ontologies", f"{file}.ofn").read_text("utf-8")
        for kind, inside in re.findall(r"^(SubClassOf|EquivalentClasses|DisjointClasses)\((.*)\)$", text, re.MULTILINE):
            words = [number[word] for word in re.findall(r":(\w+)", inside) if word in number]
            if "SomeValuesFrom" in inside:
                continue
            if kind == "SubClassOf":
                found += [(-words[0], word) for word in words[1:]]
            elif kind == "EquivalentClasses":
                found += [(-one, other) for one, other in permutations(words, 2)]
            else:
                found += [(-one, -other) for one, other in combinations(words, 2)]
    return found


def count_models(clauses: Sequence[Clause], atoms: frozenset[int]) -> int:
    """Count by trying both values of an atom of a clause, and 2 for each atom that is in none."""
    if any(not clause for clause in clauses):
        return 0
    if not clauses:
        return 1 << len(atoms)
    atom = abs(min(clauses, key=len)[0])
    total = 0
    for literal in (atom, -atom):
        left = [tuple(other for other in clause if other != -literal) for clause in clauses if literal not in clause]
        total += count_models(left, atoms - {atom})
    return total


@pytest.mark.parametrize("regime", FILES)
def test_the_circuit_is_that_of_the_told_clauses(regime: str) -> None:
    task = task_of(regime)
    circuit = compile_circuit(ground(stated_task(task, closure=False)))
    names = [concept.name for concept in task.concepts]
    told = told_clauses(regime, names)
    assert len(told) >= 6
    for clause in told:  # no model breaks a told clause …
        for individual in task.individuals:
            broken = {f"{names[abs(literal) - 1]}({individual})": literal < 0 for literal in clause}
            assert circuit.model_count(broken) == 0
    wanted = count_models(told, frozenset(range(1, len(names) + 1)))
    free = [atom for atom in circuit.atoms if len(atom.arguments) == 2]
    # … and every world that breaks none is a model
    assert circuit.model_count() == wanted ** len(task.individuals) << len(free)


def test_counting_by_hand() -> None:
    assert count_models([(-1, 2)], frozenset({1, 2, 3})) == 6
    assert count_models([(1,), (-1,)], frozenset({1})) == 0


# ---------------------------------------------------------------------------------------------- what is left out


def test_what_goes_through_roles_is_lost() -> None:
    task = task_of("mnist2")
    whole, told = (compile_circuit(ground(each)) for each in (task, stated_task(task, closure=False)))
    assert whole.entails("D2(b)", {"D1(a)": True})
    assert not told.entails("D2(b)", {"D1(a)": True})
    assert told.entails("not D2(a)", {"D1(a)": True}) and told.entails("Odd(a)", {"D1(a)": True})


def test_the_closure_can_be_asked_for() -> None:
    task = task_of("mnist1")
    counts = [compile_circuit(ground(each)).model_count() for each in (task, stated_task(task, closure=True))]
    assert counts == [10, 10]


def kept(tmp_path: Path, *axioms: str) -> list[str]:
    """Return what is kept of axioms, in short."""
    path = tmp_path / "some.ofn"
    path.write_text("Prefix(:=<http://example.org/#>)\nOntology(\n" + "\n".join(axioms) + "\n)\n", encoding="utf-8")
    found = list[str]()
    for axiom in moose.load(path).profile.el_axioms:
        for part in propositional(axiom):
            assert isinstance(part, SubClassOf | DisjointClasses)
            sides = (part.sub, part.sup) if isinstance(part, SubClassOf) else part.operands
            words = [short_name(each.iri) for each in sides if isinstance(each, Class)]
            found.append((" < " if isinstance(part, SubClassOf) else " | ").join(words))
    return found


@pytest.mark.parametrize(
    ("axiom", "wanted"),
    [
        ("SubClassOf(:A ObjectIntersectionOf(:B ObjectSomeValuesFrom(:r :C) :D))", ["A < B", "A < D"]),
        ("SubClassOf(ObjectSomeValuesFrom(:r :A) :B)", []),
        ("SubClassOf(ObjectIntersectionOf(:A ObjectSomeValuesFrom(:r :A)) :B)", []),
        ("EquivalentClasses(:A ObjectIntersectionOf(:B ObjectSomeValuesFrom(:r :C)))", ["A < B"]),
        ("EquivalentClasses(:A ObjectSomeValuesFrom(:r :A) :B)", ["A < B", "B < A"]),
        ("DisjointClasses(:A ObjectSomeValuesFrom(:r :A) :B)", ["A | B"]),
        ("DisjointClasses(:A ObjectSomeValuesFrom(:r :A))", []),
        ("ObjectPropertyDomain(:r :A)", []),
        ("ClassAssertion(:A :someone)", []),
        ("SubClassOf(:A ObjectHasValue(:r :someone))", []),
    ],
)
def test_what_is_kept_of_an_axiom(axiom: str, wanted: list[str], tmp_path: Path) -> None:
    assert kept(tmp_path, axiom) == wanted


def test_conjunctions_on_the_left_are_kept(tmp_path: Path) -> None:
    text = "SubClassOf(ObjectIntersectionOf(:A :B) :C) SubClassOf(ObjectIntersectionOf(:A :D) owl:Nothing)"
    path = tmp_path / "some.ofn"
    prefixes = "Prefix(:=<http://example.org/#>) Prefix(owl:=<http://www.w3.org/2002/07/owl#>)"
    path.write_text(f"{prefixes} Ontology({text})", encoding="utf-8")
    task = Task(moose.load(path), individuals=["a"], observed=["A", "B"], latent=["C", "D"])
    circuit = compile_circuit(ground(stated_task(task, closure=False)))
    assert circuit.model_count() == count_models([(-1, -2, 3), (-1, -4)], frozenset({1, 2, 3, 4}))
    assert circuit.entails("C(a)", {"A(a)": True, "B(a)": True}) and circuit.entails("not D(a)", {"A(a)": True})


# ----------------------------------------------------------------------------------------------------- the method


def test_loss_by_hand() -> None:
    """Given Even(a), ten digits at ½: none of them, or one of the five even ones, with the properties it has."""
    task = task_of("mnist1")
    evidence = torch.zeros(1, 1, 14, dtype=torch.int8)
    evidence[0, 0, 10] = 1
    examples = Examples(task, torch.zeros(1, 1, 1, 1, 10), evidence, torch.zeros_like(evidence))
    model = SemanticLoss().model(task, PERCEPTION, seed=0)
    prepared = model.prepare(examples)
    layer = model.weight_map(task).binding.layer
    for parameter in model.network.parameters():
        parameter.data.zero_()
    stage = model.stages()[0]
    # Odd is false. No digit: 3 ways for Prime and Composite; D0: 3 as well; D2: Prime; D4, D6, D8: Composite.
    wanted = (3 + 3 + 1 + 3) * 0.5**10 * 0.5**3
    found = stage.objective(stage.network, prepared, slice(0, 1), 0.0).total.item()
    assert exp(-found) == pytest.approx(wanted)
    assert layer.atom_count == 14


def test_evidence_that_only_roles_contradict_is_taken() -> None:
    examples = toy_examples("mnist2", 2, share=0.0)
    evidence = examples.evidence.clone()
    evidence[:, :, 10] = 1  # two even digits, one of which follows the other
    strange = Examples(examples.task, examples.inputs, evidence, examples.truth)
    model = SemanticLoss().model(examples.task, PERCEPTION, seed=0)
    said = model.answer(model.prepare(strange), slice(0, 2), use_evidence=True)
    assert bool((said.posteriors[..., 11] == 0).all())
    with pytest.raises(ContradictoryEvidence):
        Moose().model(examples.task, PERCEPTION, seed=0).prepare(strange)


def test_bad_options_are_refused() -> None:
    with pytest.raises(MooseError, match="closure of semantic-loss"):
        SemanticLoss(closure=1)  # type: ignore[arg-type]
    with pytest.raises(MooseError, match="head of semantic-loss"):
        SemanticLoss(head="tanh")  # type: ignore[arg-type]
