"""Comparing the proofs that two runs have put out by their length, and saying how many of them were verified."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from operator import eq, lt
from pathlib import Path
from typing import Any


def compare_proofs(first: Path, second: Path) -> bool:
    """Print a line for each goal whose proofs are longer or shorter, then tables; tell whether no proof is longer."""
    old, new = read_lengths(first), read_lengths(second)
    for goal in sorted(old.keys() & new.keys()):
        if old[goal] != new[goal]:
            print(f"{goal}: {old[goal]} steps, then {new[goal]}")
    print("what\tin both\tequal\tshorter\tlonger\tsteps or elements in all")
    print(row("proofs of `moose explain`", old, new))
    for kind in ("entailment", "taxonomy", "non-entailment"):
        print(row(f"certificates: {kind}", read_sizes(first, kind), read_sizes(second, kind)))
    for folder in (first, second):
        accepted, refused = count_verdicts(folder)
        print(f"`moose verify` of {folder.name}: {accepted} accepted, {refused} refused")
    return old.keys() == new.keys() and all(new[goal] <= length for goal, length in old.items())


def row(name: str, old: Mapping[str, int], new: Mapping[str, int]) -> str:
    """Write how many sizes are equal, smaller and larger, and their sums."""
    both = old.keys() & new.keys()
    equal, shorter = (sum(is_so(new[one], old[one]) for one in both) for is_so in (eq, lt))
    counts = (len(both), equal, shorter, len(both) - equal - shorter)
    sums = " → ".join(str(sum(sizes[one] for one in both)) for sizes in (old, new))
    return "\t".join([name, *map(str, counts), sums])


def read_lengths(folder: Path) -> dict[str, int]:
    """Count the steps of the proofs in each answer of `moose explain --json` that has some."""
    lengths = dict[str, int]()
    for path in sorted((folder / "cases").glob("*/*-explain.out")):
        answer = read_answer(path)
        steps = [len(proof["steps"]) for proof in answer.get("proofs") or ()]
        if steps:
            lengths[f"{path.parent.name}/{path.name}"] = sum(steps)
    return lengths


def read_answer(path: Path) -> Mapping[str, Any]:
    """Read an output if it is a JSON object, else return an empty one."""
    text = path.read_text("utf-8")
    answer: Mapping[str, Any] = {}
    if text.startswith("{\n"):  # a proof that is drawn may begin with a nominal: {a} ⊑ A
        answer = json.loads(text)
    return answer


def read_sizes(folder: Path, kind: str) -> dict[str, int]:
    """Count the steps of each certificate of a kind, or the elements where that is all it has."""
    sizes = dict[str, int]()
    for path in sorted((folder / "cases").glob("*/files/*.json")):
        certificate = read_answer(path)
        if certificate.get("kind") == kind:
            parts = [proof["steps"] for proof in certificate.get("proofs", ())]
            parts = parts or [model["elements"] for model in certificate.get("models", ())]
            sizes[f"{path.parent.parent.name}/{path.name}"] = sum(map(len, parts))
    return sizes


def count_verdicts(folder: Path) -> tuple[int, int]:
    """Count the certificates that `moose verify` accepted and those it refused, one that was read twice twice."""
    accepted, refused = 0, 0
    for path in (folder / "cases").glob("*/*-verify.out"):
        text = path.read_text("utf-8")
        accepted += len(re.findall(r'"accepted": true|^\S+: accepted: ', text, re.MULTILINE))
        refused += len(re.findall(r'"accepted": false|^\S+: (?!accepted: )', text, re.MULTILINE))
    return accepted, refused
