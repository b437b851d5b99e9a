"""Make the report of a store: everything that was run, in sections, at one scale or several."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from moose.base.errors import MooseError
from moose.benchmark.plans.plans import PLANS
from moose.benchmark.report.model.facts import find_facts
from moose.benchmark.report.model.introduction import GLOSSARY, INTRODUCTION
from moose.benchmark.report.model.model import Figure, Report, Section, Table
from moose.benchmark.report.model.quantities import Results
from moose.benchmark.report.tables.all_metrics import FAMILY_REGIME, family_table, full_table, view_table
from moose.benchmark.report.tables.circuits import circuit_table
from moose.benchmark.report.tables.headline import (
    accuracy_table,
    atom_calibration_table,
    contradiction_table,
    decision_calibration_table,
)
from moose.benchmark.report.tables.label_plans import is_label_plan, label_tables
from moose.benchmark.report.tables.own_plans import (
    CIRCUITS,
    COMPARED,
    failure_table,
    missing_table,
    own_keys,
    own_tables,
)
from moose.benchmark.report.tables.paper_columns import column_table
from moose.benchmark.report.tables.regimes import find_reach, shortcut_table
from moose.benchmark.report.tables.significance import can_compare, comparison_table, significance_table
from moose.benchmark.report.tables.varied_plans import (
    ablation_pairs,
    ablation_table,
    inductive_table,
    sensitivity_table,
)
from moose.benchmark.statistics.compare import PRINCIPAL
from moose.benchmark.store.records import Listing
from moose.benchmark.store.store import Store

if TYPE_CHECKING:
    from moose.benchmark.report.model.paper import Paper

RATES = "lr-sensitivity"


def make_report(store: Store, scale: str | Sequence[str] | None = None) -> Report:
    """Make the report of what a store has at a scale, or at several; of its only one if none is given."""
    from moose.benchmark.report.model.paper import read_paper

    if scale is not None and not isinstance(scale, str):
        scales = list(dict.fromkeys(scale))
        if len(scales) > 1:
            return joined({one: make_report(store, one) for one in scales})
        scale = scales[0] if scales else None
    chosen_scale = choose_scale(store, scale)
    plans = read_results(store, chosen_scale)
    if not any(results.records or results.failures for results in plans):
        raise MooseError(f"{store.folder}: expected finished runs at the scale {chosen_scale}, but there are none yet")
    known = {results.listing.plan: results for results in plans if results.records and is_known(results)}
    report = Report(
        title=f"Moose: the benchmark at the scale {chosen_scale}",
        facts=find_facts(plans, chosen_scale),
        claims=(),
        sections=tuple(find_sections(plans, known, read_paper())),
    )
    return with_paper(report, known, chosen_scale) if any(is_papers(results.listing) for results in plans) else report


def joined(reports: Mapping[str, Report]) -> Report:
    """Put the reports of several scales one after the other; claims are judged at the scale that decides most."""
    tested = {scale: sum(one.finding != "not tested" for one in report.claims) for scale, report in reports.items()}
    judging = max(reports, key=lambda scale: (bool(reports[scale].claims), tested[scale]))
    first = reports[judging]
    said = (f"Claims are judged at the scale {judging}.",) if first.claims else ()
    return replace(
        first,
        title=f"Moose: the benchmark at the scales {', '.join(reports)}",
        facts=tuple((f"{name}, {scale}", text) for scale, report in reports.items() for name, text in report.facts),
        sections=tuple(
            replace(
                section,
                key=f"{scale}-{section.key}",
                title=f"{section.title} ({scale})",
                parts=tuple(replace(part, key=f"{scale}-{part.key}") for part in section.parts),
            )
            for scale, report in reports.items()
            for section in report.sections
            if section.key != "paper" or scale == judging
        ),
        criteria=(*said, *first.criteria),
    )


def with_paper(report: Report, known: dict[str, Results], scale: str) -> Report:
    """Add what is about the paper: what it is, where its numbers disagree, and its claims."""
    from moose.benchmark.report.claims.judge import criteria, judge_claims
    from moose.benchmark.report.model.paper import read_paper

    return replace(
        report,
        claims=judge_claims({plan: results.records for plan, results in known.items()}, scale=scale),
        sections=(*report.sections, paper_section(read_paper())),
        introduction=INTRODUCTION,
        criteria=criteria(scale),
        glossary=GLOSSARY,
    )


def choose_scale(store: Store, scale: str | None) -> str:
    """Return the scale that was asked for, or the only one."""
    scales = list(dict.fromkeys(listing.scale for listing in store.listings()))
    if not scales:
        raise MooseError(
            f"{store.folder}: expected results of the benchmark, but it has none; give what bench run filled"
        )
    if scale is None and len(scales) > 1:
        raise MooseError(f"{store.folder}: has results at the scales {', '.join(scales)}; choose one with --scale")
    if scale is not None and scale not in scales:
        raise MooseError(
            f"{store.folder}: expected results at the scale {scale}, but there are those at {', '.join(scales)}"
        )
    return scale or scales[0]


def read_results(store: Store, scale: str) -> list[Results]:
    """Read all plans of a scale, the paper's first and in their order."""
    order = {name: index for index, name in enumerate(PLANS)}
    listings = [listing for listing in store.listings() if listing.scale == scale]
    listings.sort(key=lambda listing: (order.get(listing.plan, len(order)), listing.plan))
    return [read_plan_results(store, listing) for listing in listings]


def read_plan_results(store: Store, listing: Listing) -> Results:
    """Read what there is of a plan; what has since been finished is not a failure."""
    records = store.results(listing.plan, listing.scale)
    finished = {record["cell"] for record in records}
    failures = [one for one in store.failures(listing.plan, listing.scale) if one["cell"] not in finished]
    return Results(listing, tuple(records), tuple(failures))


def is_known(results: Results) -> bool:
    """Return whether a plan is one of the paper's and has enough for its table."""
    return is_papers(results.listing) and (results.listing.plan != "significance" or can_compare(results))


def is_papers(listing: Listing) -> bool:
    """Return whether a plan is one of the paper's, and no other one under the same name."""
    if listing.plan == "ablation" and not ablation_pairs(listing.rows):
        return False
    varied = ("learning_rate",) if listing.plan == RATES else ()
    kind = "circuit" if listing.plan == "circuits" else "learning"
    return listing.plan in PLANS and listing.varied == varied and listing.kind == kind


# ---------------------------------------------------------------------------------------------------------- sections


def find_sections(plans: Sequence[Results], known: dict[str, Results], paper: Paper) -> list[Section]:
    """Return the sections for which there is something."""
    headline = headline_sections(known["headline"], paper) if "headline" in known else []
    regimes = [one for one in PRINCIPAL if any(one in results.listing.regimes for results in plans)]
    lead = "Before anything is trained: what the evidence of each regime leaves open, and what that costs."
    readings = Section("readings", "Readings, and what to expect", lead, (shortcut_table(regimes),))
    others = [one for one in plans if one.records and one.listing.plan not in known]
    keys = own_keys([one.listing.plan for one in others])
    own = [own_section(results, paper, key) for results, key in zip(others, keys)]
    return [*headline, readings, *plan_sections(known, paper), *own, *state_sections(plans)]


def headline_sections(results: Results, paper: Paper) -> list[Section]:
    """Return the sections of the headline plan."""
    calibration = atom_calibration_table(results, paper), decision_calibration_table(results)
    family = (family_table(results, paper),) if results.of(regime=FAMILY_REGIME) else ()
    return [
        Section(
            "headline",
            "Headline",
            "Accuracy and calibration of every method in every regime, with the paper's numbers beside ours. The best "
            "of the methods in each column is marked, ours and the paper's each for itself.",
            (accuracy_table(results, paper), *calibration),
        ),
        Section(
            "against-the-best",
            "Column by column",
            "Whether a method of ours is at least as good as the paper's best; where not, what the evidence allows.",
            (column_table(results, paper),),
        ),
        Section(
            "all-metrics",
            "All metrics",
            "Six metrics as the paper has them, and two looks at accuracy that it does not have or has in part.",
            (full_table(results, paper), *family, view_table(results)),
        ),
        *figure_sections(results, paper),
    ]


def figure_sections(results: Results, paper: Paper) -> list[Section]:
    """Return the figures of the headline plan."""
    from moose.benchmark.report.figures.confusion import confusion_matrices
    from moose.benchmark.report.figures.reliability import reliability_diagrams
    from moose.benchmark.report.figures.trade_off import trade_offs

    records, regimes = results.records, results.listing.regimes
    reaches = [find_reach(regime) for regime in regimes]
    expected = {reach.regime: reach.of_accuracy.accuracy for reach in reaches if reach.is_shown}
    drawn: list[tuple[str, str, str, tuple[Figure, ...]]] = [
        (
            "trade-off",
            "Accuracy against calibration",
            "To be right and to know when one is not are two things: the best place is the upper left.",
            trade_offs(records, regimes, expected=expected, stated=paper.headline),
        ),
        (
            "reliability",
            "Reliability",
            "How often a method is right where it is so sure; on the diagonal, as often as it says.",
            reliability_diagrams(records, regimes),
        ),
        (
            "confusions",
            "Confusions",
            "What each method takes for what: a shortcut shows as a block that is not on the diagonal.",
            confusion_matrices(records, regimes),
        ),
    ]
    return [Section(key, title, lead, figures) for key, title, lead, figures in drawn if figures]


def plan_sections(known: dict[str, Results], paper: Paper) -> list[Section]:
    """Return a section for each further plan of the paper's that was run."""
    tables: dict[str, tuple[str, Callable[[Results, Paper], Table]]] = {
        "ablation": ("What the closure of the families is worth.", ablation_table),
        "inductive": ("Whether what is learnt holds for pairs of digits that never came together.", inductive_table),
        RATES: ("How much the learning rate matters.", sensitivity_table),
        "significance": ("Which differences are more than chance.", significance_table),
        "circuits": ("What is compiled before training, once.", circuit_table),
    }
    tested = next(
        (known[plan] for plan in ("significance", "headline") if plan in known and can_compare(known[plan])), None
    )
    sections = list[Section]()
    for plan, (lead, make) in tables.items():
        results = tested if plan == "significance" else known.get(plan)
        if results is not None:
            used = results.listing.plan
            rest = "" if used == plan else f" From the runs of the plan {used}, as there are none of {plan} to compare."
            table = make(results, paper)
            sections.append(Section(f"plan-{table.key}", table.title, lead + rest, (table,)))
    return sections


def own_section(results: Results, paper: Paper, key: str) -> Section:
    """Return the section of a plan of the user's own."""
    listing = results.listing
    lead = f"What the plan {listing.plan} came to."
    is_circuit = listing.kind == "circuit"
    if is_label_plan(results):
        from moose.benchmark.report.figures.curves import hidden_share_figures

        parts: tuple[Table | Figure, ...] = (*label_tables(results, key), *hidden_share_figures(results))
        return Section(key, listing.title or listing.plan, lead, parts)
    if is_circuit:
        return Section(key, listing.title or listing.plan, lead, (circuit_table(results, paper, f"{key}-{CIRCUITS}"),))
    compared = comparison_table(results, f"{key}-{COMPARED}")
    tables = (*own_tables(results, key), *([] if compared is None else [compared]))
    return Section(key, listing.title or listing.plan, lead, (*tables, *own_figures(results, key)))


def own_figures(results: Results, key: str) -> tuple[Figure, ...]:
    """Return curves over what a plan of the user's own varies; where it varies nothing, the figures of the headline."""
    from moose.benchmark.report.figures.curves import varied_figures
    from moose.benchmark.report.figures.reliability import reliability_diagrams
    from moose.benchmark.report.figures.trade_off import trade_offs

    if results.listing.varied:
        return varied_figures(results, key)
    records, regimes = results.records, results.listing.regimes
    drawn = (*trade_offs(records, regimes), *reliability_diagrams(records, regimes))
    return tuple(replace(figure, key=f"{key}--{figure.key}") for figure in drawn)


def state_sections(plans: Sequence[Results]) -> list[Section]:
    """Return what failed and what is missing, if anything."""
    tables = tuple(table for table in (failure_table(plans), missing_table(plans)) if table is not None)
    lead = "What is not in the tables above, or only in part."
    return [Section("state", "Failed and missing runs", lead, tables)] if tables else []


def paper_section(paper: Paper) -> Section:
    """Return where the paper does not agree with itself."""
    lead = "The paper's numbers stand in this report as printed. These do not fit each other."
    return Section("paper", "Where the paper's numbers disagree", lead, (contradiction_table(paper),))
