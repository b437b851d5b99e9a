"""What is wrong is refused, in one sentence, whatever it is."""

from __future__ import annotations

import ast
import json
import sys
from pathlib import Path

import pytest

import moose
from moose.certificates.checker import verify as checker_module
from moose.certificates.checker.reading import Refused
from moose.certificates.checker.verify import verify, verify_text
from moose.certificates.make.certify_taxonomy import certify_taxonomy
from tests.certificates.long import long_derivation
from tests.certificates.making import random_certificates, random_entailments, refusal, text_of
from tests.certificates.mutations import mutants

HEAD = {"format": "moose-certificate", "version": 2}
WRONG: tuple[object, ...] = (None, True, -1, "text", {"a": 1}, [[[]]], [["top", 1]], [{}])
CHECKER = Path(checker_module.__file__).parent


@pytest.mark.parametrize("block", range(4))
def test_wrong_certificates_are_refused(block: int) -> None:
    count = 0
    for seed in range(10 * block, 10 * block + 10):
        for made in random_certificates(seed, 1):
            for kind, changed in mutants(made.certificate, seed):
                count += 1
                assert refusal(changed), f"{kind} was accepted"
    assert count > 60


def test_wrong_entailments_with_all_features_are_refused() -> None:
    count = 0
    for seed in range(25):
        for made in random_entailments(seed):
            for kind, changed in mutants(made.certificate, seed):
                count += 1
                assert refusal(changed), f"{kind} was accepted"
    assert count > 200


def test_wrong_taxonomies_are_refused() -> None:
    certificate = certify_taxonomy(moose.classify(moose.load(moose.PIZZERIA)))
    for seed in range(5):
        for kind, changed in mutants(certificate, seed):
            assert refusal(changed), f"{kind} was accepted"


NOT_CERTIFICATES = {
    "nothing": ("", "expected JSON"),
    "no JSON": ("{'format': 1}", "expected JSON"),
    "two values": ("{} {}", "expected JSON"),
    "a list": ("[]", "expected an object"),
    "another format": ('{"format": "other"}', "expected an object"),
    "another version": ('{"format": "moose-certificate", "version": 3}', "expected version 1 or 2"),
    "a version that is true": ('{"format": "moose-certificate", "version": true}', "expected version 1 or 2"),
    "no kind": (json.dumps(HEAD), 'lacks "kind"'),
    "another kind": (json.dumps(HEAD | {"kind": "proof"}), "expected a kind among"),
    "a kind that is a list": (json.dumps(HEAD | {"kind": []}), "to be a text"),
    "a key twice": ('{"format": "moose-certificate", "format": "x"}', "stands twice"),
    "a fraction": ('{"format": 1.5}', "no whole number"),
    "no number": ('{"format": NaN}', "no number"),
    "deep lists": ("[" * 100_000, "nested too deeply"),
    "many digits": ('{"version": ' + "9" * 5000 + "}", "too many digits"),
}


@pytest.mark.parametrize("name", NOT_CERTIFICATES)
def test_what_is_no_certificate_is_refused(name: str) -> None:
    text, reason = NOT_CERTIFICATES[name]
    with pytest.raises(Refused, match=reason) as caught:
        verify_text(text)
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 250


def test_every_part_that_is_missing_or_of_another_type_is_refused() -> None:
    samples = [one.certificate for seed in range(6) for one in random_certificates(seed, 2)]
    samples.append(certify_taxonomy(moose.classify(moose.load(moose.PIZZERIA))))
    for sample in samples:
        for key in sample.keys() - {"claim"}:
            assert refusal({other: value for other, value in sample.items() if other != key}), key
            for wrong in WRONG:
                assert refusal({**sample, key: wrong}), f"{key} {wrong} was accepted"


@pytest.mark.parametrize("row", [["key", 0, [], 0], ["universal", 0, 0]])
def test_rows_that_an_older_format_wrote_otherwise_are_refused_with_what_to_do(row: list[object]) -> None:
    certificate = long_derivation(20)
    assert refusal({**certificate, "version": 1}) is None
    certificate["axioms"] = [*certificate["axioms"], row]  # type: ignore[misc]
    with pytest.raises(Refused, match="which version 1 wrote otherwise; make the certificate anew"):
        verify({**certificate, "version": 1})


def test_deep_expressions_are_refused_or_read() -> None:
    depth = 100_000
    deep = "ObjectSomeValuesFrom(<r> " * depth + "<A>" + ")" * depth
    certificate = long_derivation(20)
    certificate["claim"] = f"SubClassOf({deep} <B>)"
    with pytest.raises(Refused):
        verify(certificate)


def test_a_long_derivation_is_accepted_and_its_last_step_matters() -> None:
    certificate = long_derivation(5_000)
    assert verify_text(text_of(certificate)).size == "5000 steps"
    steps = certificate["proofs"][0]["steps"]  # type: ignore[index]
    steps[4_000][2] = [4_100]
    with pytest.raises(Refused, match="step 4000: its premises must be earlier steps"):
        verify(certificate)


def test_the_checker_shares_no_code_with_the_engine() -> None:
    files = sorted(CHECKER.glob("*.py"))
    assert len(files) > 5
    for path in files:
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            names = []
            if isinstance(node, ast.Import):
                names = [alias.name for alias in node.names]
            elif isinstance(node, ast.ImportFrom):
                assert node.level == 0
                names = [node.module or ""]
            for name in names:
                own = name.startswith("moose.certificates.checker")
                assert own or name.split(".")[0] in sys.stdlib_module_names, f"{path.name} imports {name}"


def test_the_checker_runs_nothing_that_a_certificate_says() -> None:
    for path in CHECKER.glob("*.py"):
        called = {node.id for node in ast.walk(ast.parse(path.read_text("utf-8"))) if isinstance(node, ast.Name)}
        assert not called & {"eval", "exec", "compile", "getattr", "__import__", "open"}, path.name
