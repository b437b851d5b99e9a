"""`moose rank`: which hypothesis explains what was observed, why, and what to look for next."""

from __future__ import annotations

import csv
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Annotated, Any

import typer

from moose.base.errors import MooseError
from moose.cli.common.messages import say
from moose.cli.common.options import File, Imports, Json, Output, Processes
from moose.cli.common.output import finite, write_json, writing
from moose.cli.common.progress import stages

if TYPE_CHECKING:
    from moose.base.processes.parallel import Workers
    from moose.owl.ontology import Ontology
    from moose.ranking.cases import Case
    from moose.ranking.hypotheses import Hypotheses
    from moose.ranking.noise import Listing, Noise
    from moose.ranking.reading.hpoa import AnnotatedDiseases
    from moose.ranking.report import Detail, Row

PAGE_ENDINGS = (".html", ".htm")
SHOWN_REASONS = 5


@dataclass(frozen=True, slots=True)
class Family:
    """What is ranked, and how observations err."""

    family: Annotated[str, typer.Option(metavar="CLASS", help="Rank the lowest classes below this one.")] = "Disease"
    property: Annotated[str, typer.Option(metavar="ROLE", help="By which a hypothesis has findings.")] = "hasFinding"
    annotations: Annotated[
        Path | None, typer.Option(metavar="HPOA", help="Diseases and frequencies from HPO annotations instead.")
    ] = None
    database: Annotated[str, typer.Option(help="With --annotations: the diseases of this one.")] = "OMIM"
    priors: Annotated[Path | None, typer.Option(metavar="TSV", help="Lines `hypothesis<TAB>weight`.")] = None
    missed: Annotated[
        float | None, typer.Option(metavar="P", help="How often a finding that is there is missed, 0.05 unless said.")
    ] = None
    reported: Annotated[
        float | None, typer.Option(metavar="P", help="How often one that is not there is reported, 0.01 unless said.")
    ] = None
    listing: Annotated[
        Path | None, typer.Option(metavar="JSON", help="How findings are listed, as `moose fit-listing` learnt it.")
    ] = None

    def noise(self) -> Noise | Listing:
        """Return how observations come about."""
        from moose.ranking.listing.listing_files import read_listing
        from moose.ranking.noise import Noise

        given = [name for name in ("missed", "reported") if getattr(self, name) is not None]
        if self.listing is None:
            return Noise(**{name: getattr(self, name) for name in given})
        if given:
            raise MooseError(
                f"--listing: expected it alone, as it says how observations come about, but got --{given[0]} too; "
                "leave out one of them"
            )
        return read_listing(self.listing)

    def of(self, ontology: Ontology, noise: Noise | Listing) -> Hypotheses:
        """Return the hypotheses."""
        from moose.ranking.reading.from_ontology import hypotheses_of

        if self.annotations is None:
            priors = None if self.priors is None else read_weights(self.priors)
            return hypotheses_of(ontology, family=self.family, role=self.property, priors=priors, noise=noise)
        return self.diseases(ontology).hypotheses(noise=noise)

    def diseases(self, ontology: Ontology) -> AnnotatedDiseases:
        """Return the diseases of the annotations, and say what the ontology does not have."""
        from moose.ranking.reading.hpoa import annotated_diseases, read_hpoa

        if self.annotations is None or self.priors is not None:
            raise MooseError(
                "--priors: expected hypotheses of an ontology, but got --annotations; leave out one of them"
            )
        found = annotated_diseases(ontology, read_hpoa(self.annotations, database=self.database))
        if found.unknown:
            many = f"{len(found.unknown):,} findings that the ontology does not have"
            say(f"{self.annotations}: left out {many}, such as {found.unknown[0]}")
        return found


@dataclass(frozen=True, slots=True)
class Shown:
    """How much is shown of each case."""

    most: Annotated[int, typer.Option(min=1, metavar="N", help="How many hypotheses to show.")] = 10
    explained: Annotated[int, typer.Option(min=0, metavar="N", help="For how many of them to say why.")] = 1
    questions: Annotated[int, typer.Option(min=0, metavar="N", help="How many findings to look for next.")] = 3
    costs: Annotated[Path | None, typer.Option(metavar="TSV", help="Lines `finding<TAB>cost`; else each costs 1.")] = (
        None
    )

    def detail(self) -> Detail:
        """Return it as reports take it."""
        from moose.ranking.report import Detail

        costs = {} if self.costs is None else read_weights(self.costs)
        return Detail(self.most, self.explained, self.questions, costs)


def rank(
    file: File,
    cases: Annotated[Path, typer.Argument(metavar="CASES", help="A table (CSV), JSON or Phenopackets.")],
    *,
    output: Output = None,
    family: Family,
    shown: Shown,
    skip_unknown: Annotated[
        bool, typer.Option("--skip-unknown", help="Leave out findings that the ontology does not have.")
    ] = False,
    json: Json = False,
    processes: Processes,
    imports: Imports,
) -> None:
    """Rank hypotheses by what was observed, exactly. Says why, and what to look for next. No medical device.

    Axioms `SubClassOf(Flu ObjectSomeValuesFrom(hasFinding Fever))` with a probability say how frequent a finding is;
    those of the family itself are the background. An output that ends in .html is a page for people.
    """
    start = perf_counter()
    with stages("reading") as stage:
        from moose.ranking.reading.case_files import read_cases

        noise, told = family.noise(), read_cases(cases)
        hypotheses = family.of(imports.read(file), noise)
        stage.enter("ranking, cases done")
        make = partial(report_cases, detail=shown.detail(), skip_unknown=skip_unknown)
        reports = report_all(hypotheses, told, make, processes.workers(), stage.count)
    is_page = output is not None and output.suffix.lower() in PAGE_ENDINGS
    with writing(output, source=file) as stream:
        if json:
            write_json({**summary(hypotheses, reports), "seconds": round(perf_counter() - start, 3)}, stream)
        elif is_page:
            from moose.ranking.page import page_of

            settings = settings_of(hypotheses, file, family)
            stream.write(page_of(reports, title=f"{file.name}: hypotheses ranked", settings=settings))
        else:
            stream.write("\n".join("".join(f"{line}\n" for line in lines_of(report)) for report in reports))
    if left_out := sum(len(str_list(report["left_out"])) for report in reports):
        say(f"{cases}: left out {left_out:,} findings that the ontology does not have")


def report_all(
    hypotheses: Hypotheses,
    cases: Sequence[Case],
    make: Callable[[Hypotheses, Sequence[Case]], list[Row]],
    workers: Workers,
    count: Callable[[int], None],
) -> list[Row]:
    """Return what is said of all cases, and count them meanwhile."""
    if not workers.is_alone:
        from moose.ranking.rank import map_cases

        return map_cases(make, hypotheses, cases, workers, progress=count)
    reports = []
    for number, case in enumerate(cases, start=1):
        reports += make(hypotheses, [case])
        count(number)
    return reports


def report_cases(hypotheses: Hypotheses, cases: Sequence[Case], *, detail: Detail, skip_unknown: bool) -> list[Row]:
    """Return what is said of each case."""
    from moose.ranking.rank import rankings
    from moose.ranking.report import report_of

    return [report_of(ranking, detail) for ranking in rankings(hypotheses, cases, skip_unknown=skip_unknown)]


def summary(hypotheses: Hypotheses, reports: Sequence[Row]) -> Row:
    """Return what stands around the cases in JSON."""
    from moose.ranking.page import WARNING

    noise = {"warning": WARNING, "hypotheses": hypotheses.count, "noise": asdict(hypotheses.noise)}
    return {**noise, "cases": [finite(report) for report in reports]}


def settings_of(hypotheses: Hypotheses, file: Path, family: Family) -> list[tuple[str, str]]:
    """Return what the page says it was made from."""
    from moose.ranking.noise import Listing

    source, noise = family.annotations or file, hypotheses.noise
    if isinstance(noise, Listing):
        observed = [
            ("What is listed of a finding", f"as learnt in {family.listing.name if family.listing else 'a file'}")
        ]
    else:
        observed = [
            ("A finding that is there is missed with", f"{noise.missed:g}"),
            ("One that is not there is reported with", f"{noise.reported:g}"),
        ]
    return [
        ("Knowledge base", source.name),
        ("Hypotheses, and statements on them", f"{hypotheses.count:,}, {len(hypotheses.coins):,}"),
        *observed,
        ("Beforehand", "weights from a file" if family.priors else "all hypotheses equally likely"),
    ]


def lines_of(report: Any) -> Iterator[str]:
    """Spell a case for people."""
    seen = [*report["present"], *(f"not {one}" for one in report["absent"])]
    yield f"{report['case']}: {', '.join(seen) or 'nothing observed'}"
    for one in report["hypotheses"]:
        yield f"  {one['rank']:>3}  {one['probability']:.4f}  {one['shown']}"
    if report["none"]:
        yield f"    –  {report['none']:.4f}  none of these"
    for one in report["hypotheses"]:
        if one.get("observations"):
            yield f"  for and against {one['shown']}"
            for row in one["observations"][:SHOWN_REASONS]:
                sign = " and ".join("present" if each else "excluded" for each in row["present"])
                yield f"    {row['bits']:+6.2f} bits  {row['finding']} ({sign})"
            for row in one["axioms"][:SHOWN_REASONS]:
                yield f"    {row['bits']:+6.2f} bits  by {row['source'] or row['finding']}  [{row['frequency']:g}]"
    if report["questions"]:
        yield "  look next for"
        for row in report["questions"]:
            cost = "" if row["cost"] == 1 else f", cost {row['cost']:g}"
            yield f"    {row['gain_bits']:6.3f} bits  {row['shown']} (yes with {row['probability']:.2f}{cost})"


def str_list(value: object) -> list[str]:
    """Return a list of texts."""
    return value if isinstance(value, list) else []


def read_weights(path: Path) -> dict[str, float]:
    """Return names and numbers above 0 from lines `name<TAB>number`; a first line of words is passed over."""
    from moose.owl.files.fetch import fetch

    found: dict[str, float] = {}
    rows = csv.reader(fetch(path).decode("utf-8").splitlines(), delimiter="\t")
    for number, cells in enumerate(rows, start=1):
        if not any(cells):
            continue
        try:
            name, value = cells[0].strip(), float(cells[1])
        except (IndexError, ValueError):
            if number == 1:
                continue
            raise MooseError(
                f"{path}, line {number}: expected a name, a TAB and a number, but got {'<TAB>'.join(cells)!r}; mend it"
            ) from None
        if name in found:
            raise MooseError(f"{path}, line {number}: expected {name} once, but it stands there twice; leave out one")
        found[name] = value
    return found
