"""The checker that is extracted from the Coq proofs, where it has been built (`make -C proofs checker`)."""

from __future__ import annotations

import copy
import random
import subprocess
from pathlib import Path
from typing import Any

import pytest

from moose.certificates.make.certify_circuit import certify_circuit
from moose.circuit.compile.compile_circuit import compile_circuit
from moose.grounding.atoms import Atom
from moose.grounding.clauses import clauses_from_lists
from tests.certificates.making import (
    Certificate,
    random_certificates,
    random_entailments,
    refusal,
    regime_circuit,
    text_of,
)
from tests.certificates.mutations import circuit_mutants, mutants
from tests.certificates.table_mutations import table_certificates, wrong_tables
from tests.certificates.test_circuits import ODD_CLAUSES
from tests.certificates.test_data_rules import MAKERS

CHECKER = Path(__file__).parent.parent.parent / "proofs" / "checker" / "check"
pytestmark = pytest.mark.skipif(not CHECKER.exists(), reason="proofs/checker/check is not built; run make proofs")


def verdicts(folder: Path, certificates: list[Certificate]) -> list[bool]:
    paths = []
    for place, certificate in enumerate(certificates):
        paths.append(folder / f"{place}.json")
        paths[-1].write_text(text_of(certificate), "utf-8")
    run = subprocess.run([CHECKER, *paths], capture_output=True, text=True, check=False)
    lines = run.stdout.splitlines()
    assert len(lines) == len(certificates), run.stderr
    assert run.returncode == int(any(": refused: " in line for line in lines))
    return [": accepted: " in line for line in lines]


def test_random_answers_and_a_circuit_are_accepted(tmp_path: Path) -> None:
    sound = [made.certificate for seed in range(30) for made in random_certificates(seed)]
    sound += [made.certificate for seed in range(30) for made in random_entailments(seed)]
    sound += [make() for make in MAKERS.values()]
    sound.append(certify_circuit(regime_circuit("mnist1")))
    assert all(verdicts(tmp_path, sound))


def test_wrong_ones_are_refused(tmp_path: Path) -> None:
    sound = [made.certificate for seed in range(15) for made in random_certificates(seed)]
    sound += [made.certificate for seed in range(30) for made in random_entailments(seed)]
    sound += [make() for make in MAKERS.values()]
    wrong = [changed for seed, one in enumerate(sound) for _, changed in mutants(one, seed)]
    circuit = regime_circuit("pizzaC")
    certificate = certify_circuit(circuit)
    wrong += [changed for _, changed in mutants(certificate, 0)]
    wrong += [changed for _, changed in circuit_mutants(certificate, circuit, 0, count=20)]
    assert not any(verdicts(tmp_path, wrong))


def test_circuits_by_tables_are_accepted_and_wrong_ones_refused(tmp_path: Path) -> None:
    sound = list(table_certificates(60))
    atoms = [Atom("A", ("x",)), Atom("B", ("x",))]
    sound += [certify_circuit(compile_circuit(clauses_from_lists(atoms, rows))) for rows in ODD_CLAUSES]
    assert all(verdicts(tmp_path, sound))
    wrong, _ = wrong_tables(sound[:60], 300, seed=1)
    assert not any(verdicts(tmp_path, [one for _, one in wrong]))


def test_what_the_python_checker_accepts_it_accepts_too(tmp_path: Path) -> None:
    source = random.Random(0)
    sound = [made.certificate for seed in range(40, 55) for made in random_certificates(seed)]
    sound += [made.certificate for seed in range(30, 50) for made in random_entailments(seed)]
    sound.append(certify_circuit(regime_circuit("pizzaC")))
    sound += table_certificates(5)
    changed = [scrambled(source.choice(sound), source) for _ in range(400)]
    ours = [refusal(certificate) is None for certificate in changed]
    theirs = verdicts(tmp_path, changed)
    assert 10 < sum(ours) < 390
    assert not [place for place, accepted in enumerate(ours) if accepted and not theirs[place]]


def scrambled(certificate: Certificate, source: random.Random) -> Certificate:
    """Change a number, leave an item out or repeat one; this may or may not leave a right certificate."""
    changed = copy.deepcopy(certificate)
    keys = [key for key in changed if key not in KEPT]
    place: Any = changed[source.choice(keys)]
    for _ in range(8):
        if not isinstance(place, list | dict) or not place:
            break
        key: Any = source.choice(list(place)) if isinstance(place, dict) else source.randrange(len(place))
        if isinstance(place[key], int) and not isinstance(place[key], bool):
            place[key] = source.choice([place[key] + 1, place[key] - 1, source.randrange(10)])
            break
        if isinstance(place, list) and source.randrange(4) == 0:
            place.insert(key, copy.deepcopy(place[key])) if source.randrange(2) else place.pop(key)
            break
        place = place[key]
    return changed


KEPT = ("format", "version", "kind", "claim", "sources", "atoms", "auxiliary", "assumptions")
"""What the extracted checker does not look at, or only shows."""


@pytest.mark.parametrize("text", ["", "{", "[]", "[" * 100_000, '{"format": 1.5}', "\x00", '{"a": 1, "a": 1}', "1e99"])
def test_what_is_no_certificate_is_refused(tmp_path: Path, text: str) -> None:
    path = tmp_path / "no.json"
    path.write_text(text, "utf-8")
    run = subprocess.run([CHECKER, path], capture_output=True, text=True, check=False)
    assert run.returncode == 1
    assert ": refused: " in run.stdout
