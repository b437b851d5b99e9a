"""Every rule of the table is realised where it says, and nobody uses a rule that the table does not have."""

from __future__ import annotations

import ast
import inspect
import re
from importlib import import_module
from pathlib import Path

import pytest

import moose
from moose.certificates.check_proof import RefusedProof, check_proof
from moose.certificates.checker.rules import RULES as CHECKED
from moose.certificates.make import from_proof
from moose.saturation.proofs import rule_writers
from moose.saturation.proofs.explain import explain
from moose.saturation.rules import RULES, Rule
from tests.owl.short_syntax import read
from tests.saturation.answers import make

ROOT = Path(__file__).parents[2]
SOURCE = Path(moose.__file__).parent / "saturation"
COQ = (ROOT / "proofs" / "Cert.v").read_text("utf-8")
EVERY_RULE = pytest.mark.parametrize("rule", RULES.values(), ids=lambda rule: rule.name)


def realiser(place: str) -> object:
    """Return what `module:name.name` stands for."""
    module, _, path = place.partition(":")
    value: object = import_module(module)
    for name in path.split("."):
        value = getattr(value, name)
    return value


def coq_rules() -> set[str]:
    """Return the constructors of the type of rules."""
    text = re.search(r"Inductive rule := (.*?)\.\n", COQ, re.DOTALL)
    assert text is not None
    return set(re.findall(r"R\w+", text[1]))


def named_rules(path: Path) -> set[str]:
    """Return the rules that a file names: first arguments of `conclude`, `step` and their like, and of `Instance`."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if (
            isinstance(node, ast.Constant)
            and isinstance(node.value, str)
            and re.fullmatch(r"R[^\s.,:]{1,20}", node.value)
        ):
            found.add(node.value)
    return found


@EVERY_RULE
def test_the_kernel_or_the_normal_form_realises_a_rule(rule: Rule) -> None:
    assert callable(realiser(rule.kernel))


@EVERY_RULE
def test_a_rule_is_recorded_or_written(rule: Rule) -> None:
    assert callable(realiser(rule.recorded))


@EVERY_RULE
def test_the_checker_has_a_rule(rule: Rule) -> None:
    assert rule.checker and set(rule.checker) <= CHECKED.keys()


@EVERY_RULE
def test_coq_has_a_rule(rule: Rule) -> None:
    assert set(rule.coq) <= coq_rules()
    assert "Lemma instance_sound" in COQ


@EVERY_RULE
def test_a_rule_has_a_sequent(rule: Rule) -> None:
    assert rule.sequent.count("⊢") >= 1


@EVERY_RULE
def test_a_rule_that_proofs_can_name_can_be_written_in_certificates(rule: Rule) -> None:
    """By an entry of its own or by its row; a rule of several steps without an entry is spelt out in others."""
    if rule.name not in from_proof.RULES:
        spell_out = rule_writers.SPELT_OUT[rule.name]
        assert f'"{rule.name}"' not in inspect.getsource(spell_out)


def test_a_rule_without_an_entry_is_written_by_its_row() -> None:
    assert from_proof.OWN.keys() <= RULES.keys()
    for name in from_proof.RULES.keys() - from_proof.OWN.keys():
        assert from_proof.RULES[name].sequent == RULES[name].sequent
        assert from_proof.RULES[name].axioms == (RULES[name].axioms,)


def test_how_many_axioms_a_rule_cites_is_in_its_sequent() -> None:
    for name, rule in from_proof.OWN.items():
        if name not in (
            "Rkey",
            "Rrole",
        ):  # a key is no premise; a role below a top role, or above an empty one, is none
            assert rule.axioms == (RULES[name].axioms,), name


ONE, OTHER = '"1"^^xsd:integer', '"01"^^xsd:integer'


@pytest.mark.parametrize(
    "told",
    [
        f"SubClassOf(DataHasValue(d {OTHER}) DataHasValue(e {OTHER}))",
        f"EquivalentClasses(DataHasValue(e {ONE}) DataHasValue(d {OTHER}))",
        f"EquivalentClasses(B DataHasValue(d {OTHER}) C DataHasValue(e {OTHER}))",
        f"SubClassOf(DataHasValue(d {ONE}) DataHasValue(e {OTHER}))",
    ],
)
def test_a_rule_without_writer_and_entry_is_written_as_its_axiom_spells_it(
    told: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """R⊑ by the table alone: spelt in proofs as the axiom does, in certificates by the row that fits."""
    monkeypatch.delitem(rule_writers.SPELT_OUT, "R⊑")
    by_row = from_proof.Rule(RULES["R⊑"].sequent, from_proof.step_by_row(*RULES["R⊑"].checker), (RULES["R⊑"].axioms,))
    monkeypatch.setitem(from_proof.RULES, "R⊑", by_row)
    axioms = [read(told), read(f"SubClassOf(A DataHasValue(d {ONE}))"), read(f"SubClassOf(DataHasValue(e {ONE}) E)")]
    explanation = explain(make(axioms), read("SubClassOf(A E)"))
    assert explanation is not None
    (proof,) = explanation.proofs
    assert [step.rule for step in proof.steps].count("R⊑") >= 3
    check_proof(proof, axioms)
    with pytest.raises(RefusedProof):
        check_proof(proof, axioms[1:])


@pytest.mark.parametrize("folder", ["recorded", "proofs"])
def test_no_rule_is_used_that_the_table_does_not_have(folder: str) -> None:
    used = {name for path in (SOURCE / folder).glob("*.py") for name in named_rules(path)}
    assert used and used <= RULES.keys()


def test_every_rule_that_the_table_has_is_named_in_what_records_or_writes_it() -> None:
    for rule in RULES.values():
        module = import_module(rule.recorded.partition(":")[0])
        names = named_rules(Path(inspect.getsourcefile(module) or ""))
        written = named_rules(Path(inspect.getsourcefile(rule_writers) or ""))
        assert rule.name in names | written | named_rules(SOURCE / "proofs" / "writer.py"), rule.name


def test_every_rule_of_the_checker_and_of_coq_belongs_to_one_of_the_table() -> None:
    assert {name for rule in RULES.values() for name in rule.checker} == CHECKED.keys()
    assert {name for rule in RULES.values() for name in rule.coq} == coq_rules()


def test_the_extracted_checker_reads_every_rule_by_its_name() -> None:
    """Its list of names is made from Coq's constructors: RSelfLink is "self-link", without exception."""
    names = {re.sub("[A-Z]", lambda letter: f"-{letter[0].lower()}", one[1:])[1:] for one in coq_rules()}
    assert names == CHECKED.keys()
    assert not re.search(r'"[a-z-]+", R[A-Z]', (ROOT / "proofs" / "checker" / "main.ml").read_text("utf-8"))


def test_a_missing_realiser_would_be_seen() -> None:
    lost = Rule("Rlost", "⊢ C ⊑ D", "moose.saturation.engine.kernel:lost", "moose:lost", ("lost",), ("RLost",))
    with pytest.raises(AttributeError):
        test_the_kernel_or_the_normal_form_realises_a_rule(lost)
    with pytest.raises(AssertionError):
        test_the_checker_has_a_rule(lost)
    with pytest.raises(AssertionError):
        test_coq_has_a_rule(lost)
