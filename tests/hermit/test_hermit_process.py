"""HermiT behind its pipe: names that are no names, keys, refusals, and modules that say what the whole says."""

from __future__ import annotations

import random
import subprocess
from contextlib import nullcontext
from itertools import pairwise
from pathlib import Path

import pytest

import moose
from moose.base.errors import LimitReached, MooseError
from moose.hermit import java
from moose.hermit.hermit import Hermit, HermitRefused
from moose.hermit.java import HermitAbsent
from moose.hermit.renaming import Renaming
from moose.owl.model import axioms as ax
from moose.owl.model import expressions as owl
from moose.owl.modules.module_extraction import Modules, goal_module
from tests.cli.running import Command
from tests.hermit.examples import COMMANDER
from tests.saturation.random_ontologies import CLASSES, INDIVIDUALS, ROLES

A, B, C, D = CLASSES[:4]


def test_names_cannot_reach_the_parser(hermit: Hermit) -> None:
    odd = [owl.Class(name) for name in ("a b>) SubClassOf(<x> <y>", "\n\t.", 'q"', "")]
    told = [ax.SubClassOf(low, high) for low, high in pairwise(odd)]
    assert hermit.entails(told, odd[0], odd[3])
    assert not hermit.entails(told, odd[3], odd[0])
    assert hermit.rows("classes", told[:1]) == [("sub", odd[0].iri, odd[1].iri)]


def test_renaming_keeps_what_owl_reserves_and_tells_kinds_apart() -> None:
    renaming = Renaming()
    both = ax.SubClassOf(owl.Class("x"), owl.ObjectSomeValuesFrom(owl.ObjectProperty("x"), owl.THING))
    plain = renaming.renamed(both)
    assert isinstance(plain.sup, owl.ObjectSomeValuesFrom)
    assert plain.sup.filler == owl.THING
    assert plain.sup.property.iri != plain.sub.iri  # type: ignore[union-attr]  # both are names


def test_keys_speak_of_named_individuals_only(hermit: Hermit) -> None:
    role, one, two = ROLES[0], *INDIVIDUALS[:2]
    value = owl.ObjectHasValue(role, two)
    told: list[ax.Axiom] = [
        ax.HasKey(A, (role,), ()),
        ax.ClassAssertion(A, one),
        ax.ObjectPropertyAssertion(role, one, two),
    ]
    assert not hermit.entails(told, owl.ObjectIntersectionOf((A, value)), owl.ObjectOneOf((one,)))


def test_an_ontology_that_hermit_cannot_take_is_an_error_and_the_next_is_answered(hermit: Hermit) -> None:
    date = owl.Datatype("http://www.w3.org/2001/XMLSchema#date")
    with pytest.raises(HermitRefused, match="ask without it"):
        hermit.is_consistent([ax.DataPropertyRange(owl.DataProperty("d"), date)])
    assert hermit.is_consistent([ax.SubClassOf(A, B)])


def test_a_question_without_end_is_ended(hermit: Hermit) -> None:
    assert hermit.name.startswith("HermiT ")
    with Hermit(seconds=0.01) as hasty, pytest.raises(LimitReached, match="no answer within"):
        hasty.is_consistent([ax.SubClassOf(A, B)])


def test_the_process_ends_with_whoever_asks(hermit: Hermit) -> None:
    assert hermit.name
    orphan = subprocess.Popen(java.server_command(), stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    orphan.communicate("consistent T250b2xvZ3koKQ==\n", timeout=120)  # an empty ontology, and then the pipe is closed
    assert orphan.returncode == 0


def test_it_is_said_what_is_missing(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, moose: Command) -> None:
    monkeypatch.setenv(java.JARS_VARIABLE, str(tmp_path))
    with pytest.raises(HermitAbsent, match="install the extra"):
        Hermit()
    path = tmp_path / "commander.ofn"
    path.write_text(COMMANDER.text, "utf-8")
    assert "install the extra" in moose("explain", path, COMMANDER.goal, "--reasoner", "hermit").one_complaint()
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.delenv("JAVA_HOME", raising=False)
    with pytest.raises(HermitAbsent, match="Java development kit"):
        Hermit()


def random_expression(source: random.Random, depth: int = 2) -> owl.ClassExpression:
    simple: list[owl.ClassExpression] = [*CLASSES[:4], owl.ObjectOneOf((source.choice(INDIVIDUALS),))]
    if not depth or source.random() < 0.4:
        return source.choice(simple)
    inner, other = random_expression(source, depth - 1), random_expression(source, depth - 1)
    roles: list[owl.ObjectPropertyExpression] = [*ROLES[:2], owl.ObjectInverseOf(ROLES[0])]
    role = source.choice(roles)
    larger: list[owl.ClassExpression] = [
        owl.ObjectIntersectionOf((inner, other)),
        owl.ObjectUnionOf((inner, other)),
        owl.ObjectComplementOf(inner),
        owl.ObjectSomeValuesFrom(role, inner),
        owl.ObjectAllValuesFrom(role, inner),
        owl.ObjectMaxCardinality(1, role, inner),
    ]
    return source.choice(larger)


def random_ontology(seed: int) -> list[ax.Axiom]:
    source = random.Random(seed)
    found: list[ax.Axiom] = []
    for _ in range(source.randint(3, 8)):
        role, other = source.sample(ROLES[:3], 2)
        first, second = source.sample(INDIVIDUALS, 2)
        choices: list[ax.Axiom] = [
            ax.SubClassOf(source.choice(CLASSES[:4]), random_expression(source)),
            ax.SubClassOf(random_expression(source), random_expression(source)),
            ax.EquivalentClasses((source.choice(CLASSES[:4]), random_expression(source))),
            ax.DisjointClasses((random_expression(source, 1), source.choice(CLASSES[:4]))),
            ax.ClassAssertion(random_expression(source), first),
            ax.ObjectPropertyAssertion(role, first, second),
            ax.InverseObjectProperties(role, other),
            ax.SubObjectPropertyOf((role,), other),
            ax.ObjectPropertyCharacteristic(source.choice(["Functional", "Symmetric"]), role),
        ]
        found.append(source.choice(choices))
    return found


def goals(seed: int) -> list[tuple[owl.ClassExpression, owl.ClassExpression]]:
    source = random.Random(seed)
    individual = owl.ObjectOneOf((source.choice(INDIVIDUALS),))
    return [tuple(source.sample(CLASSES[:4], 2)), (individual, source.choice(CLASSES[:4])), (A, owl.NOTHING)]  # type: ignore[list-item]


SEEDS = range(120)


def test_a_module_entails_what_the_whole_does(hermit: Hermit) -> None:
    smaller = 0
    for seed in SEEDS:
        told = random_ontology(seed)
        modules = Modules(told)
        for goal in goals(seed):
            module = [told[position] for position in goal_module(modules, goal)]
            smaller += len(module) < len(told)
            assert hermit.entails(module, *goal) == hermit.entails(told, *goal), (seed, goal)
    assert smaller > len(SEEDS) // 4


def test_no_answer_that_hermit_refutes(hermit: Hermit) -> None:
    answers: dict[bool | None, int] = {True: 0, False: 0, None: 0}
    for seed in SEEDS:
        told = random_ontology(seed)
        ontology = moose.ontology(told)
        for low, high in goals(seed):
            found = moose.entailment(ontology, ax.SubClassOf(low, high)).follows
            answers[found] += 1
            assert found is None or found == hermit.entails(told, low, high), (seed, low, high)
    assert all(answers.values()), answers


@pytest.fixture
def shared(hermit: Hermit, monkeypatch: pytest.MonkeyPatch) -> Hermit:
    """Let the commands ask the process that is there already."""
    monkeypatch.setattr("moose.hermit.hermit.Hermit", lambda: nullcontext(hermit))
    return hermit


def test_a_command_starts_hermit(hermit: Hermit, moose: Command, tmp_path: Path) -> None:
    path = tmp_path / "commander.ofn"
    path.write_text(COMMANDER.text, "utf-8")
    outcome = moose("explain", path, COMMANDER.goal, "--reasoner", "hermit")
    assert (outcome.code, outcome.out) == (0, "")
    assert f"follows, says {hermit.name}" in outcome.err


def test_the_commands_ask_hermit(shared: Hermit, moose: Command, tmp_path: Path) -> None:
    hermit = shared
    path = tmp_path / "commander.ofn"
    path.write_text(COMMANDER.text, "utf-8")
    hermit_too = ("--reasoner", "hermit")
    found = moose("explain", path, COMMANDER.goal, *hermit_too, "--json").json
    assert (found["follows"], found["complete"], found["reasoner"]) == (True, True, hermit.name)
    assert moose("explain", path, "ClassAssertion(Commander al)", *hermit_too).code == 1
    refused = moose("explain", path, COMMANDER.goal, *hermit_too, "--certificate", tmp_path / "no.json")
    assert "gives no evidence" in refused.err
    query = moose("query", path, COMMANDER.goal, *hermit_too, "--json").json
    assert (query["probability"], query["reasoner"]) == ("1/1", hermit.name)
    types = moose("realise", path, *hermit_too)
    assert ("http://example.org/trill#john", "http://example.org/trill#Commander") in types.rows
    assert hermit.name in types.err
    taxonomy = moose("classify", path, *hermit_too)
    assert taxonomy.rows == [("http://example.org/trill#Guard", "http://example.org/trill#Soldier")]
    assert "--format ofn" in moose("classify", path, *hermit_too, "--format", "ofn").one_complaint()


def test_what_hermit_finds_inconsistent(shared: Hermit, moose: Command, tmp_path: Path) -> None:
    path = tmp_path / "none.ofn"
    path.write_text(
        "Prefix(:=<http://e.org/>) Ontology(SubClassOf(:A ObjectMinCardinality(3 :r ObjectOneOf(:b :c))) "
        "ClassAssertion(:A :a) SubClassOf(:D :E))",
        "utf-8",
    )
    for command in (("explain", path, "SubClassOf(E D)"), ("realise", path), ("classify", path)):
        outcome = moose(*command, "--reasoner", "hermit")
        assert outcome.code == 3, outcome
        assert f"says {shared.name}" in outcome.err
    assert moose("explain", path, "SubClassOf(E D)").code == 4


def test_errors_are_of_one_kind() -> None:
    assert issubclass(HermitAbsent, MooseError)
    assert issubclass(HermitRefused, MooseError)
