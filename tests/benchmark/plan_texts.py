"""Plans that take seconds."""

from __future__ import annotations

from pathlib import Path

from moose.benchmark.plans.plans import Plan, read_plan

TINY = """
title = "Few digits"
reference = "moose"
regimes = ["mnist1"]

[seeds]
tiny = 1

[scales.tiny.digits]
data = "digits"
count = 48
test_count = 16
size = 8
epochs = 2
batch_size = 32

[[rows]]
name = "moose"
[[rows]]
name = "moose-open"
method = "moose"
closure = false
"""
CIRCUITS = """
title = "Two circuits"
kind = "circuit"
regimes = ["mnist1", "pizzaC"]
[seeds]
smoke = 1
[[rows]]
name = "paper"
encoding = "paper"
vtree = "balanced"
repetitions = 1
"""


def write_plan(folder: Path, text: str = TINY, name: str = "few") -> Path:
    path = folder / f"{name}.toml"
    path.write_text(text, encoding="utf-8")
    return path


def plan(folder: Path, text: str = TINY, name: str = "few") -> Plan:
    return read_plan(write_plan(folder, text, name))
