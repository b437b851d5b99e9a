"""Simulated dialogues: how many questions until the right disease is first, by who chooses the questions."""

from __future__ import annotations

from zlib import crc32

import numpy as np

from bench.diagnosis_data import Report
from bench.diagnosis_methods import Bayes
from moose.ranking.cases import Case, Observation
from moose.ranking.findings import Findings, Floats
from moose.ranking.rank import Ranking, rank

STRATEGIES = ("information gain", "most frequent finding", "random")


def ask(method: Bayes, report: Report, strategy: str) -> dict[str, object]:
    """Begin with one finding of a case and ask for its others, until the right disease is first or all are asked.

    A strategy sees which findings the case can answer, but no answer. The case's own paper is not left out here.
    """
    names = method.dated.names
    known = {names[term]: is_present for term, is_present in report.features if term in names}
    chance = np.random.default_rng(crc32(report.key.encode()))
    present = sorted(name for name, is_present in known.items() if is_present)
    first = present[int(chance.integers(len(present)))] if present else None
    case = Case(report.key, (Observation(first),) if first else (), report.gold)
    waiting = sorted(name for name in known if name != first)
    asked = 0
    while True:
        ranking = rank(method.hypotheses, case)
        is_first = ranking.rank_of(report.gold) == 1
        if is_first or not waiting:
            return {"questions": asked, "first": is_first, "findings": len(known)}
        chosen = choose(ranking, waiting, strategy, chance)
        waiting.remove(chosen)
        case = case.observing(chosen, is_present=known[chosen])
        asked += 1


def choose(ranking: Ranking, waiting: list[str], strategy: str, chance: np.random.Generator) -> str:
    """Return the finding to ask for next."""
    if strategy == "random":
        return waiting[int(chance.integers(len(waiting)))]
    if strategy == "most frequent finding":
        hypotheses = ranking.hypotheses
        leak = {name: expected_share(hypotheses.log_leak_off, hypotheses.findings, name) for name in waiting}
        return max(waiting, key=lambda name: (leak[name], name))
    questions = ranking.questions(1, candidates=waiting)
    return questions[0].finding if questions and questions[0].finding in waiting else waiting[0]


def expected_share(log_leak_off: Floats, findings: Findings, name: str) -> float:
    """Return how frequent a finding is over all diseases, up to a factor."""
    return -float(log_leak_off[findings.below(findings.numbers[name])].sum())
