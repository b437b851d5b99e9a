"""Diagnosis from HPO terms: all case reports against all OMIM diseases, exactly; resumable case by case.

    python -m bench.diagnosis                      # learns, runs, asks, and writes bench/results/diagnosis.json
    python -m bench.diagnosis --only-summary       # writes the file from what is done so far

How case reports list findings is learnt on phenopackets that share neither paper nor disease with the cases. Every
method is run with and without the rows that the case's own paper wrote (leave paper out); a disease of which nothing is
left is then no hypothesis, as it would not be in the file. Needs the folder ../shared/data/scale; PyHPO's similarities
need an environment with the package hpo3, whose Python is named in MOOSE_HPO_PYTHON. What is done is kept in
.diagnosis/ and not done again.
"""

from __future__ import annotations

import argparse
import json
import os
from collections.abc import Iterator
from dataclasses import asdict, dataclass, replace
from functools import cache, lru_cache
from itertools import islice
from pathlib import Path
from time import process_time
from typing import Protocol

import numpy as np

from bench.diagnosis_data import DATA, DATES, Dated, Report, apart_from, read_dated, read_reports
from bench.diagnosis_dialogues import STRATEGIES, ask
from bench.diagnosis_methods import PLAIN, Bayes, Listed, Similarity
from bench.diagnosis_summary import lines, summarise
from bench.pyhpo_alone import SimilarityProcess
from moose.base.whole_files import write_whole
from moose.ranking.cases import Case
from moose.ranking.findings import Floats
from moose.ranking.hypotheses import Coins, Hypotheses
from moose.ranking.listing.learn_listing import ListingOptions, learn_listing, learn_sharpness
from moose.ranking.noise import Listing
from moose.ranking.reading.hpoa import LISTED

RESULT = Path(__file__).parent / "results" / "diagnosis.json"
WORK = Path(".diagnosis")
SEED = 0
FEWEST_FINDINGS = 6
"""Of a case, to simulate a dialogue."""


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
    parser.add_argument("--others", type=int, default=500, help="how many in all other runs")
    parser.add_argument("--learn", type=int, default=2304, help="how many phenopackets to learn on")
    parser.add_argument("--calibrate", type=int, default=800, help="on how many to learn how sure to be, for each run")
    parser.add_argument("--dialogues", type=int, default=100, help="how many cases to simulate dialogues for")
    parser.add_argument("--method", help="only the runs of this one, such as naive")
    parser.add_argument("--only-summary", action="store_true")
    options = parser.parse_args()
    WORK.mkdir(exist_ok=True)
    cases = read_reports(DATA / "phenopackets" / "cases5212.jsonl.gz")
    order = np.random.default_rng(SEED).permutation(len(cases)).tolist()
    if not options.only_summary:
        for run in (one for one in runs() if options.method in (None, one.method)):
            is_whole = run.date == DATES[0] and run.leave_paper_out and run.method not in SIMILARITIES
            chosen = [cases[one] for one in order[: options.cases if is_whole else options.others]]
            if waiting := not_done(run, chosen):
                listing = listing_of(run, cases, options) if run.method in LEARNING else Listing()
                run_all(run, waiting, listing)
        if options.method is None:
            dialogues([cases[one] for one in order], options.dialogues, learn(cases, options.learn))
    write_whole(RESULT, [json.dumps(summarise(WORK, cases), indent=1) + "\n"])
    print(RESULT.read_text(encoding="utf-8"))


LEARNING = ("exact", "naive")
SIMILARITIES = ("phrank", "resnik", "pyhpo")


def runs() -> Iterator[Run]:
    """Yield all runs, the most telling first."""
    both = (True, False)
    for date in DATES:
        for left in both:
            yield from (Run(method, date, one, left) for method in ("exact", "naive plain") for one in both)
            if date == DATES[0]:
                yield from (Run("naive", date, one, left) for one in both)
                yield from (Run(method, date, with_excluded=False, leave_paper_out=left) for method in SIMILARITIES)


@cache
def dated(date: str) -> Dated:
    """Return the annotations of a date, read once."""
    return read_dated(date)


@lru_cache(maxsize=1)
def diseases(date: str) -> Hypotheses:
    """Return the diseases of a date; how their findings are related is large, so only the last ones are kept."""
    return dated(date).diseases.hypotheses(noise=Listing())


def make_method(run: Run, listing: Listing) -> Method:
    """Return the method of a run."""
    if run.method == "pyhpo":
        return SimilarityProcess(dated(run.date), os.environ["MOOSE_HPO_PYTHON"])
    if run.method in SIMILARITIES:
        return Similarity(dated(run.date), run.method)
    if run.method == "naive plain":
        return Bayes(dated(run.date), PLAIN, is_naive=True)
    return Listed(dated(run.date), diseases(run.date).with_noise(listing), is_naive=run.method == "naive")


def not_done(run: Run, cases: list[Report]) -> list[Report]:
    """Return the cases of a run that are not done yet."""
    if run.method == "pyhpo" and "MOOSE_HPO_PYTHON" not in os.environ:
        return []
    done = {(row["run"], row["case"]) for row in lines(WORK / "cases.jsonl")}
    return [one for one in cases if (run.key, one.key) not in done]


def run_all(run: Run, waiting: list[Report], listing: Listing) -> None:
    """Run a method on cases, and keep a line for each."""
    method = make_method(run, listing)
    numbers = dated(run.date).diseases.numbers
    with (WORK / "cases.jsonl").open("a", encoding="utf-8") as stream:
        for report in waiting:
            start = process_time()
            scores = method.scores(report, with_excluded=run.with_excluded, leave_paper_out=run.leave_paper_out)
            row = measured(scores, numbers.get(report.gold), len(numbers))
            seconds = round(process_time() - start, 5)
            stream.write(json.dumps({"run": run.key, "case": report.key, **row, "seconds": seconds}) + "\n")
    print(run.key, len(waiting), "cases", flush=True)


def measured(scores: Floats, gold: int | None, count: int) -> dict[str, float | int | None]:
    """Return the place of the right disease, ties counted against it, and how sure the method is.

    A score after those of so many diseases is that of none of them, which is right if the right one is not annotated.
    """
    posterior = np.exp(scores - scores.max())
    posterior /= posterior.sum()
    none = float(posterior[count:].sum())
    is_there = gold is not None and posterior[gold] > 0
    share = float(posterior[gold]) if is_there else none
    return {
        "rank": int(np.count_nonzero(scores[:count] >= scores[gold])) if is_there else None,
        "gold": share,
        "top": float(posterior[:count].max()),
        "none": none,
        "brier": float(posterior @ posterior) - 2 * share + 1,
    }


# ── Learning, on other papers and other diseases ──────────────────────────────────────────────────────────────────


def learn(cases: list[Report], most: int) -> Listing:
    """Return how findings are listed, by the newest annotations without own papers; kept once it is learnt."""
    path = WORK / "listing.json"
    if not path.exists():
        _, reports = apart(cases)
        by_name = {one.key: one for one in reports[:most]}
        known = dated(DATES[0])

        def without_paper(case: Case) -> Coins:
            return known.without_paper(by_name[case.name], LISTED)

        told = [one.case(known.names, with_excluded=True) for one in by_name.values()]
        learnt = learn_listing(diseases(DATES[0]), told, options=ListingOptions(replaced=without_paper))
        row = {"settings": asdict(learnt.listing), "before": learnt.before, "after": learnt.after}
        write_whole(path, [json.dumps({**row, "phenopackets": learnt.cases}, indent=1) + "\n"])
    return Listing(**json.loads(path.read_text(encoding="utf-8"))["settings"])


def listing_of(run: Run, cases: list[Report], options: argparse.Namespace) -> Listing:
    """Return what was learnt, as sure as the annotations of a run's date allow; kept once it is learnt."""
    listing = learn(cases, options.learn)
    path = WORK / f"sharpness-{run.key.replace('|', '-').replace(' ', '-')}.json"
    if not path.exists():
        _, reports = apart(cases)
        method = Listed(dated(run.date), diseases(run.date).with_noise(listing), is_naive=run.method == "naive")
        rows = [
            method.judged(one, with_excluded=run.with_excluded, leave_paper_out=run.leave_paper_out)
            for one in reports[: options.calibrate]
        ]
        found = learn_sharpness(listing, rows)
        kept = {name: getattr(found, name) for name in ("temperature", "redundancy", "unexplained")}
        write_whole(path, [json.dumps(kept, indent=1) + "\n"])
    return replace(listing, **json.loads(path.read_text(encoding="utf-8")))


def apart(cases: list[Report]) -> tuple[int, list[Report]]:
    """Return the phenopackets that share neither paper nor disease with the cases, shuffled, and how many there are."""
    known = dated(DATES[0]).diseases.numbers
    others = apart_from(read_reports(DATA / "phenopackets" / "store-b694d17.jsonl.gz"), cases)
    others = [one for one in others if one.gold in known]
    order = np.random.default_rng(SEED).permutation(len(others)).tolist()
    return len(others), [others[one] for one in order]


def dialogues(cases: list[Report], most: int, listing: Listing) -> None:
    """Simulate dialogues on the first cases that have enough to ask about, and keep a line for each."""
    path = WORK / "dialogues.jsonl"
    done = {(row["strategy"], row["case"]) for row in lines(path)}
    numbers = dated(DATES[0]).diseases.numbers
    method = Listed(dated(DATES[0]), diseases(DATES[0]).with_noise(listing))
    able = (one for one in cases if len(one.features) >= FEWEST_FINDINGS and one.gold in numbers)
    chosen = islice((one for one in able if is_solved(method, one)), most)
    with path.open("a", encoding="utf-8") as stream:
        for report in chosen:
            for strategy in STRATEGIES:
                if (strategy, report.key) not in done:
                    row = ask(method, report, strategy)
                    stream.write(json.dumps({"strategy": strategy, "case": report.key, **row}) + "\n")
                    stream.flush()


def is_solved(method: Listed, report: Report) -> bool:
    """Return whether all that a case lists puts its disease first, so that a dialogue can; some finding is present."""
    found = method.posterior(report, with_excluded=True, leave_paper_out=True)
    right = found.probabilities[method.hypotheses.numbers[report.gold]]
    is_first = right > 0 and np.count_nonzero(found.probabilities >= right) == 1
    return bool(is_first and any(row[0].is_present for row in found.observed.observations))


if __name__ == "__main__":
    main()
