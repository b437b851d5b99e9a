"""Differences that are known and meant: each has a name, a reason, and what of a file must be equal all the same."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fnmatch import fnmatch
from pathlib import Path
from typing import Any

Json = Any  # what a file of some shape holds is known to the function that reads it


@dataclass(frozen=True, slots=True)
class Named:
    """A kind of difference; two files of it have the same essence."""

    name: str
    reason: str
    files: Sequence[str]
    essence: Callable[[str], object]

    def covers(self, name: str, one: bytes, other: bytes) -> bool:
        """Tell whether all that differs in two files is of this kind."""
        if not any(fnmatch(name, pattern) for pattern in self.files):
            return False
        left, right = (content.decode("utf-8", "surrogateescape") for content in (one, other))
        try:
            return self.essence(left) == self.essence(right)
        except (ValueError, KeyError, TypeError, IndexError):  # of another shape than this kind has
            return False


# ── Training ──────────────────────────────────────────────────────────────────────────────────────────────────────────


def without_method(text: str) -> str:
    """Leave a method's name and its options out of a record, in JSON or as a table."""
    text = re.sub(r'\n *"method": "[^"]*",', "", text)
    text = re.sub(r'\n *"options": \{[^{}]*\},', "", text)
    text = re.sub(r"\Amoose(-\w+)*\t", "", text)
    return re.sub(r"(?m)^options\t.*\n", "", text)


def tensors(text: str) -> str:
    """Return the numbers of a model, whatever its header says; `normalise` has put the header on the first line."""
    return text.partition("\n")[2]


# ── Certificates ──────────────────────────────────────────────────────────────────────────────────────────────────────


def claim(text: str) -> object:
    """Return what a certificate claims: an axiom that follows or not, or every class and all that it is below."""
    certificate = json.loads(text)
    if certificate["kind"] == "taxonomy":
        return {concept(certificate, row[0]): below(certificate, row) for row in certificate["taxonomy"]}
    return certificate["kind"], certificate["claim"]


def claim_and_axioms(text: str) -> object:
    """Return what a certificate claims and the axioms it quotes."""
    return claim(text), sorted(json.loads(text)["sources"])


def below(certificate: Mapping[str, Json], row: Sequence[Json]) -> list[str] | None:
    """Return the classes that a class of a taxonomy is below, None if it can have no instance."""
    return None if row[1] is None else sorted(concept(certificate, number) for number in row[1])


def concept(certificate: Mapping[str, Json], number: int) -> str:
    """Write a class of a certificate."""
    return " ".join(map(str, certificate["concepts"][number]))


def verdicts(text: str) -> object:
    """Return what `moose verify` says of each certificate, apart from its size and what it starts from."""
    if text.startswith("{\n"):
        kept = ("file", "accepted", "kind", "claim")
        return [{key: one.get(key) for key in kept} for one in json.loads(text)["certificates"]]
    lines = [line for line in text.splitlines() if not line.startswith(("  from ", "  takes for granted: "))]
    return [re.sub(r" \(\d+ (steps?|elements?)(, \d+ elements?)?\)$", "", line) for line in lines]


# ── Proofs ────────────────────────────────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class Proof:
    """What the answer of `moose explain` shows, in whatever format it is."""

    goal: object
    steps: Sequence[str]  # sorted
    axioms: Sequence[str]  # sorted, each once


def read_proof(text: str) -> Proof:
    """Read an answer of `moose explain`."""
    if text.startswith("{\n"):
        return read_json_proof(json.loads(text))
    if text.startswith("<svg"):
        bold = re.findall(r'font-weight="bold">([^<]*)<', text)
        return Proof(bold[-1], sorted(bold), axioms_of(re.findall(r'fill="#555">([^<]*)<', text)))
    if text.startswith("digraph "):
        labels = re.findall(r'label="(.*)"\];', text)
        return Proof(labels[-1].split(r"\n")[0], sorted(labels), axioms_of(r"\n".join(labels).split(r"\n")))
    lines = [re.sub(r"^[\s│├└─]+", "", line) for line in text.splitlines()]
    goals = [line.partition("   [")[0] for line in text.splitlines() if line[:1] not in " │├└"]
    return Proof(goals, sorted(lines), axioms_of(lines))


def read_json_proof(answer: Mapping[str, Json]) -> Proof:
    """Read an answer of `moose explain --json`."""
    steps = [step for proof in answer["proofs"] for step in proof["steps"]]
    shown = [json.dumps([step["rule"], step["conclusion"], sorted(step["axioms"])]) for step in steps]
    goals = [proof["goal"] for proof in answer["proofs"]]
    rest = {key: value for key, value in answer.items() if key != "proofs"}
    return Proof((rest, goals), sorted(shown), axioms_of([axiom for step in steps for axiom in step["axioms"]]))


def axioms_of(lines: Sequence[str]) -> list[str]:
    """Return those lines that are axioms, each once."""
    return sorted({line for line in lines if re.match(r"[A-Z]\w+\(.*\)$", line)})


EXPLAINED = ("*-explain.out", "*/why.svg")
CERTIFICATES = ("cases/*/files/*.json",)
NAMED = (
    Named(
        "a record names its method and its options",
        "`method` is the method asked for; what used to be part of its name stands in `options`",
        ("*-train.out", "*-evaluate.out", "*/run.json"),
        without_method,
    ),
    Named(
        "a model has another header",
        "one format for the models of all methods; the numbers are equal bit for bit",
        ("*.safetensors",),
        tensors,
    ),
    Named(
        "a message says what else may be given",
        "a command that takes a regime takes a task's file too",
        ("*.err",),
        lambda text: text.replace("expected a regime or a task's file, but", "expected a regime, but"),
    ),
    Named(
        "a proof has its steps in another order",
        "the same steps, told in another order",
        EXPLAINED,
        lambda text: (read_proof(text).goal, read_proof(text).steps, read_proof(text).axioms),
    ),
    Named(
        "a proof has other steps from the same axioms",
        "of several derivations of a fact another one is taken",
        EXPLAINED,
        lambda text: (read_proof(text).goal, read_proof(text).axioms),
    ),
    Named(
        "a proof starts from other axioms",
        "of several derivations of a fact another one is taken, from other axioms",
        EXPLAINED,
        lambda text: read_proof(text).goal,
    ),
    Named(
        "a certificate has another shape",
        "the same claim from the same axioms; its concepts are numbered, and its steps chosen and listed, otherwise",
        CERTIFICATES,
        claim_and_axioms,
    ),
    Named(
        "a certificate starts from other axioms",
        "the same claim; it follows the proof that starts from other axioms",
        CERTIFICATES,
        claim,
    ),
    Named(
        "`moose verify` tells another size",
        "the verdicts and claims are equal; the numbers of steps and elements, and the axioms, are the certificate's",
        ("*-verify.out",),
        verdicts,
    ),
)


def name_difference(name: str, one: bytes, other: bytes) -> Named | None:
    """Return the first kind that covers how two files differ."""
    return next((kind for kind in NAMED if kind.covers(name, one, other)), None)


# ── What could not be certified, and now can ──────────────────────────────────────────────────────────────────────────

WIDER_COVER = "a goal can be certified that could not"
UNCERTIFIED = "cannot be certified, as certificates do not cover"


def is_of_wider_cover(name: str, first: Mapping[str, Path], second: Mapping[str, Path]) -> bool:
    """Tell whether a file is there, or differs, because the second run certifies what the first could not."""
    case, _, rest = name.rpartition("/files/") if "/files/" in name else name.rpartition("/")
    labels = certified_later(case, first, second)
    if not labels:
        return False
    old, new = (files[name].read_text("utf-8") if name in files else "" for files in (first, second))
    if rest == "exits.txt":
        pairs = [pair for pair in zip(old.splitlines(), new.splitlines(), strict=True) if pair[0] != pair[1]]
        return all(re.fullmatch(r"(\S+)\t2 (\1\t[03])", " ".join(pair)) for pair in pairs)
    if rest.endswith("-verify.out"):
        return '"accepted": false' not in new and new.count('"accepted": true') > old.count('"accepted": true')
    if rest.endswith("-verify.err"):
        return not new
    return rest in labels or ("/files/" in name and not old)


def certified_later(case: str, first: Mapping[str, Path], second: Mapping[str, Path]) -> set[str]:
    """List the messages of a case's first run, but not of its second, that something cannot be certified."""
    refusals = [
        {name for name in files if name.startswith(f"{case}/") and says(files[name], UNCERTIFIED)}
        for files in (first, second)
    ]
    return {name.rpartition("/")[2] for name in refusals[0] - refusals[1]}


def says(path: Path, words: str) -> bool:
    """Tell whether some words stand in a message."""
    return path.suffix == ".err" and words in path.read_text("utf-8")
