"""Diagnosis from HPO terms: all case reports against all OMIM diseases, exactly; resumable case by case.

    python -m bench.diagnosis                      # learns, runs, asks, and writes bench/results/diagnosis.json
    python -m bench.diagnosis --only-summary       # writes the file from what is done so far

Noise, background and reading of frequencies are learnt on phenopackets that share neither paper nor disease with the
cases. Every method is run with and without the rows that the case's own paper wrote (leave paper out). Needs the
folder ../shared/data/scale. What is done is kept in .diagnosis/ and not done again.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from functools import cache
from pathlib import Path
from time import process_time
from typing import Protocol

import numpy as np

from bench.diagnosis_data import DATA, DATES, Dated, Report, apart_from, read_dated, read_reports
from bench.diagnosis_dialogues import STRATEGIES, ask
from bench.diagnosis_methods import PLAIN, Bayes, Settings, Similarity, learnt
from bench.diagnosis_summary import isotonic, summarise
from moose.base.whole_files import write_whole
from moose.ranking.findings import Floats

RESULT = Path(__file__).parent / "results" / "diagnosis.json"
WORK = Path(".diagnosis")
GRID = {
    "excluded": (0.3, 0.7, 1.5, 3.0, 6.0, 12.0),
    "reported": (0.0003, 0.002, 0.01, 0.05),
    "prior_power": (-0.5, 0.0, 0.5),
    "scale": (0.3, 1.0, 3.0),
    "unstated": (0.35, 0.5, 0.65),
    "strength": (1.0, 4.0),
}
TEMPERATURES = (1.0, 1.25, 1.5, 1.75, 2.0, 2.5, 3.0, 4.0)
UNEXPLAINED = (0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6)
ROUNDS = 1
SEED = 0


class Method(Protocol):
    """Gives every disease a score."""

    def scores(self, report: Report, *, with_excluded: bool, leave_paper_out: bool) -> Floats:
        """Return the scores for one case."""


@dataclass(frozen=True)
class Run:
    """One method on the annotations of one date."""

    method: str
    date: str
    with_excluded: bool
    leave_paper_out: bool

    @property
    def key(self) -> str:
        """Its name in files."""
        excluded, papers = "with" if self.with_excluded else "without", "left" if self.leave_paper_out else "all"
        return f"{self.method}|{self.date}|{excluded}|{papers}"


def main() -> None:
    """Do what is not done yet, and write the summary."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cases", type=int, default=5212, help="how many, newest annotations, paper left out")
    parser.add_argument("--others", type=int, default=1000, help="how many in all other runs")
    parser.add_argument("--learn", type=int, default=200, help="how many phenopackets to learn on")
    parser.add_argument("--calibrate", type=int, default=1000, help="how many phenopackets to learn confidences on")
    parser.add_argument("--dialogues", type=int, default=100, help="how many cases to simulate dialogues for")
    parser.add_argument("--method", help="only the runs of this one, such as naive")
    parser.add_argument("--only-summary", action="store_true")
    options = parser.parse_args()
    WORK.mkdir(exist_ok=True)
    cases = read_reports(DATA / "phenopackets" / "cases5212.jsonl.gz")
    order = np.random.default_rng(SEED).permutation(len(cases)).tolist()
    if not options.only_summary:
        for run in (one for one in runs() if options.method in (None, one.method)):
            settings = settings_of(run, cases, options.learn)
            is_whole = run.date == DATES[0] and run.leave_paper_out and run.method not in SIMILARITIES
            run_all(run, [cases[one] for one in order[: options.cases if is_whole else options.others]], settings)
            if run.method in ("exact", "naive"):
                learn_map(run.method, settings, cases, options.calibrate)
            if run == BEFORE_DIALOGUES:
                dialogues([cases[one] for one in order], options.dialogues, settings_of(FIRST, cases, options.learn))
    write_whole(RESULT, [json.dumps(summarise(WORK, cases), indent=1) + "\n"])
    print(RESULT.read_text(encoding="utf-8"))


SIMILARITIES = ("phrank", "resnik")
FIRST = Run("exact", DATES[0], with_excluded=True, leave_paper_out=True)
BEFORE_DIALOGUES = Run("resnik", DATES[0], with_excluded=False, leave_paper_out=True)


def runs() -> Iterator[Run]:
    """Yield all runs, the most telling first."""
    both = (True, False)
    for date in DATES:
        for left in both:
            yield from (Run(method, date, one, left) for method in ("exact", "naive plain") for one in both)
            if date == DATES[0]:
                yield from (Run(method, date, with_excluded=False, leave_paper_out=left) for method in SIMILARITIES)
    yield from (Run("naive", DATES[0], one, left) for left in both for one in both)


def settings_of(run: Run, cases: list[Report], most: int) -> Settings:
    """Return the settings of a run: learnt, where its method learns."""
    return learn(run.method, cases, most) if run.method in ("exact", "naive") else PLAIN


@cache
def dated(date: str) -> Dated:
    """Return the annotations of a date, read once."""
    return read_dated(date)


def make_method(run: Run, settings: Settings) -> Method:
    """Return the method of a run."""
    if run.method in SIMILARITIES:
        return Similarity(dated(run.date), run.method)
    return Bayes(dated(run.date), settings, is_naive=run.method != "exact")


def run_all(run: Run, cases: list[Report], settings: Settings) -> None:
    """Run a method on the cases that are not done yet, and keep a line for each."""
    path = WORK / "cases.jsonl"
    done = {(row["run"], row["case"]) for row in read_lines(path)}
    waiting = [one for one in cases if (run.key, one.key) not in done]
    if not waiting:
        return
    method = make_method(run, settings)
    numbers = dated(run.date).diseases.numbers
    with path.open("a", encoding="utf-8") as stream:
        for report in waiting:
            start = process_time()
            scores = method.scores(report, with_excluded=run.with_excluded, leave_paper_out=run.leave_paper_out)
            row = measured(scores, numbers.get(report.gold), settings.unexplained)
            seconds = round(process_time() - start, 5)
            stream.write(json.dumps({"run": run.key, "case": report.key, **row, "seconds": seconds}) + "\n")
    print(run.key, len(waiting), "cases", flush=True)


def measured(scores: Floats, gold: int | None, unexplained: float) -> dict[str, float | int | None]:
    """Return the place of the right disease, ties counted against it, and how sure the method is."""
    posterior = np.exp(scores - scores.max())
    posterior = (1 - unexplained) * posterior / posterior.sum() + unexplained / len(posterior)
    share = float(posterior[gold]) if gold is not None else 0.0
    squares = float(posterior @ posterior)
    return {
        "rank": int(np.count_nonzero(scores >= scores[gold])) if gold is not None else None,
        "gold": share,
        "top": float(posterior.max()),
        "brier": squares - 2 * share + 1,
    }


def read_lines(path: Path) -> list[dict[str, object]]:
    """Return what is done; a last line that was cut is passed over."""
    if not path.exists():
        return []
    found = []
    for line in path.read_text(encoding="utf-8").splitlines():
        try:
            found.append(json.loads(line))
        except json.JSONDecodeError:
            continue
    return found


# ── Learning, on other papers and other diseases ──────────────────────────────────────────────────────────────────


def learn(name: str, cases: list[Report], most: int) -> Settings:
    """Return the settings under which the right diseases of other phenopackets are likeliest; kept once found."""
    path = WORK / f"settings-{name}.json"
    if path.exists():
        return Settings(**json.loads(path.read_text(encoding="utf-8"))["settings"])
    count, others = apart(cases)
    reports = others[:most]
    settings, loss = climb(lambda one: loss_of(name, one, reports))
    found = calibrated(name, settings, reports)
    row = {"settings": asdict(found), "loss": loss, "phenopackets": len(reports), "to choose from": count}
    write_whole(path, [json.dumps(row, indent=1) + "\n"])
    return found


def learn_map(name: str, settings: Settings, cases: list[Report], most: int) -> None:
    """Learn how sure the method may be of its first disease, on further phenopackets apart from the cases."""
    path = WORK / f"calibration-{name}.json"
    if path.exists():
        return
    _, reports = apart(cases)
    method = Bayes(dated(DATES[0]), settings, is_naive=name == "naive")
    numbers = dated(DATES[0]).diseases.numbers
    rows = []
    for one in reports[-most:]:
        scores = method.scores(one, with_excluded=True, leave_paper_out=True)
        rows.append(measured(scores, numbers[one.gold], settings.unexplained))
    steps = isotonic([float(row["top"] or 0) for row in rows], [row["rank"] == 1 for row in rows])
    write_whole(path, [json.dumps({"steps": steps, "phenopackets": len(rows)}) + "\n"])


def apart(cases: list[Report]) -> tuple[int, list[Report]]:
    """Return the phenopackets that share neither paper nor disease with the cases, shuffled, and how many there are."""
    known = dated(DATES[0]).diseases.numbers
    others = apart_from(read_reports(DATA / "phenopackets" / "store-b694d17.jsonl.gz"), cases)
    others = [one for one in others if one.gold in known]
    order = np.random.default_rng(SEED).permutation(len(others)).tolist()
    return len(others), [others[one] for one in order]


def climb(loss: Callable[[Settings], float]) -> tuple[Settings, float]:
    """Change one setting after the other to the best value of its grid."""
    settings = Settings()
    best = loss(settings)
    for _ in range(ROUNDS):
        before = settings
        for name, values in GRID.items():
            for value in values:
                if value != getattr(settings, name) and (tried := loss(learnt(settings, **{name: value}))) < best:
                    settings, best = learnt(settings, **{name: value}), tried
            print(name, getattr(settings, name), round(best, 4), flush=True)
        if settings == before:
            break
    return settings, best


def loss_of(name: str, settings: Settings, reports: list[Report]) -> float:
    """Return the mean of -ln P(right disease | case), leave paper out, at the best temperature."""
    rows = scored(name, settings, reports)
    return min(
        float(np.mean([log_sum(score) - score[gold] for score, gold in at_temperature(rows, one)]))
        for one in TEMPERATURES
    )


Scored = list[tuple[tuple[Floats, Floats], int]]


def scored(name: str, settings: Settings, reports: list[Report]) -> Scored:
    """Return prior and likelihood of all diseases, and the number of the right one, for each report."""
    method = Bayes(dated(DATES[0]), settings, is_naive=name == "naive")
    numbers = dated(DATES[0]).diseases.numbers
    return [(method.parts(one, with_excluded=True, leave_paper_out=True), numbers[one.gold]) for one in reports]


def at_temperature(rows: Scored, temperature: float) -> Iterator[tuple[Floats, int]]:
    """Yield scores with the likelihood at a temperature."""
    return ((prior + value / temperature, gold) for (prior, value), gold in rows)


def calibrated(name: str, settings: Settings, reports: list[Report]) -> Settings:
    """Return the settings with the calibration under which the first disease's probability errs least (Brier)."""
    rows = scored(name, settings, reports)
    best, found = np.inf, settings
    for temperature in TEMPERATURES:
        pairs = [
            (float(np.exp(score.max() - log_sum(score))), score[gold] >= score.max())
            for score, gold in at_temperature(rows, temperature)
        ]
        for unexplained in UNEXPLAINED:
            error = float(np.mean([((1 - unexplained) * share - is_right) ** 2 for share, is_right in pairs]))
            if error < best:
                best, found = error, learnt(settings, temperature=temperature, unexplained=unexplained)
    return found


def log_sum(scores: Floats) -> float:
    """Return the logarithm of the sum of exponentials."""
    return float(scores.max() + np.log(np.exp(scores - scores.max()).sum()))


def dialogues(cases: list[Report], most: int, settings: Settings) -> None:
    """Simulate dialogues on the first cases that have enough to ask about, and keep a line for each."""
    path = WORK / "dialogues.jsonl"
    done = {(row["strategy"], row["case"]) for row in read_lines(path)}
    source = dated(DATES[0])
    chosen = [one for one in cases if len(one.features) >= 6 and one.gold in source.diseases.numbers][:most]
    method = Bayes(source, settings)
    with path.open("a", encoding="utf-8") as stream:
        for report in chosen:
            for strategy in STRATEGIES:
                if (strategy, report.key) not in done:
                    row = ask(method, report, strategy)
                    stream.write(json.dumps({"strategy": strategy, "case": report.key, **row}) + "\n")
                    stream.flush()


if __name__ == "__main__":
    main()
