"""Work for a cluster that kills the process that is at it, the first time; `MARK` names the file that it leaves."""

from __future__ import annotations

import os
import signal
from collections.abc import Sequence
from pathlib import Path

from moose.benchmark.sweep.worker import Job, Outcome, attend
from moose.owl.model import axioms as ax
from moose.queries.answer import Answer
from moose.queries.probabilities.probabilities import Probabilities
from moose.queries.query import AnswerOptions, answer_apart
from moose.ranking.cases import Case
from moose.ranking.hypotheses import Hypotheses
from moose.ranking.posterior import Posterior
from moose.ranking.rank import posteriors

MARK = "MOOSE_TEST_MARK"


def die_once() -> None:
    mark = Path(os.environ[MARK])
    if not mark.exists():
        mark.touch()
        os.kill(os.getpid(), signal.SIGKILL)


def answers_once_killed(
    probabilities: Probabilities, options: AnswerOptions, goals: Sequence[str | ax.Axiom]
) -> list[Answer]:
    die_once()
    return answer_apart(probabilities, options, goals)


def posteriors_once_killed(hypotheses: Hypotheses, cases: Sequence[Case], *, skip_unknown: bool) -> list[Posterior]:
    die_once()
    return posteriors(hypotheses, cases, skip_unknown=skip_unknown)


def attend_once_killed(job: Job) -> Outcome:
    die_once()
    return attend(job)
