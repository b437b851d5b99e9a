"""Comparing the proofs that two runs have put out by their length, and saying how many of them were verified."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Mapping
from pathlib import Path


def compare_proofs(first: Path, second: Path) -> bool:
    """Print a line for each goal whose proofs are longer or shorter, then a table; tell whether none is longer."""
    old, new = read_lengths(first), read_lengths(second)
    both = sorted(old.keys() & new.keys())
    verdicts = Counter(verdict(old[goal], new[goal]) for goal in both)
    for goal in both:
        if old[goal] != new[goal]:
            print(f"{goal}: {old[goal]} steps, then {new[goal]}")
    print(f"goals with proofs on both sides\t{len(both)}; on one alone\t{len(old.keys() ^ new.keys())}")
    for name in ("equal", "shorter", "longer"):
        print(f"{name}\t{verdicts[name]}")
    print(f"steps in all\t{sum(old[goal] for goal in both)}, then {sum(new[goal] for goal in both)}")
    for folder in (first, second):
        accepted, refused = count_verdicts(folder)
        print(f"certificates that `moose verify` accepted\t{accepted}; refused\t{refused}")
    return not verdicts["longer"] and old.keys() == new.keys()


def verdict(old: int, new: int) -> str:
    """Say in one word how a length has changed."""
    return "equal" if old == new else "shorter" if new < old else "longer"


def read_lengths(folder: Path) -> dict[str, int]:
    """Count the steps of the proofs in each answer of `moose explain --json` that has some."""
    lengths = dict[str, int]()
    for path in sorted((folder / "cases").glob("*/*-explain.out")):
        answer = read_answer(path)
        steps = [len(proof["steps"]) for proof in answer.get("proofs") or ()]
        if steps:
            lengths[f"{path.parent.name}/{path.name}"] = sum(steps)
    return lengths


def read_answer(path: Path) -> Mapping[str, list[Mapping[str, list[object]]]]:
    """Read an output if it is a JSON object, else return an empty one."""
    text = path.read_text("utf-8")
    answer: Mapping[str, list[Mapping[str, list[object]]]] = {}
    if text.startswith("{\n"):  # a proof that is drawn may begin with a nominal: {a} ⊑ A
        answer = json.loads(text)
    return answer


def count_verdicts(folder: Path) -> tuple[int, int]:
    """Count the certificates that `moose verify` accepted and those it refused, one that was read twice twice."""
    accepted, refused = 0, 0
    for path in (folder / "cases").glob("*/*-verify.out"):
        text = path.read_text("utf-8")
        accepted += len(re.findall(r'"accepted": true|^\S+: accepted: ', text, re.MULTILINE))
        refused += len(re.findall(r'"accepted": false|^\S+: (?!accepted: )', text, re.MULTILINE))
    return accepted, refused
