"""What the campaign `bench/diagnosis.py` reads: cases, annotations by date, and who shares a paper with whom."""

from __future__ import annotations

import gzip
import json
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from moose.owl.load import load
from moose.ranking.cases import Case, Observation
from moose.ranking.hypotheses import Coins
from moose.ranking.reading.hpoa import AnnotatedDiseases, Frequencies, annotated_diseases, class_numbers, read_hpoa

DATA = Path(__file__).parent.parent.parent / "shared" / "data" / "scale"
DATES = ("2025-01-16", "2024-03-06", "2023-06-17", "2021-10-10", "2021-02-08")


@dataclass(frozen=True)
class Report:
    """A published case: what was observed, the disease, and the papers that it is from."""

    key: str
    gold: str
    papers: frozenset[str]
    features: tuple[tuple[str, bool], ...]

    def case(self, names: dict[str, str], *, with_excluded: bool) -> Case:
        """Return the case with findings by their names in the ontology; those that it does not have are left out."""
        seen = [(names[term], is_present) for term, is_present in self.features if term in names]
        return Case(self.key, tuple(Observation(*one) for one in seen if one[1] or with_excluded), self.gold)


def read_reports(path: Path) -> list[Report]:
    """Read phenopackets, one a line."""
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        return [report_of(json.loads(line)) for line in lines]


def report_of(packet: dict[str, Any]) -> Report:
    """Return what the campaign needs of a phenopacket."""
    papers = frozenset(str(one["id"]) for one in packet["metaData"].get("externalReferences", []))
    gold = packet.get("gold") or packet["interpretations"][0]["diagnosis"]["disease"]["id"]
    listed = packet.get("phenotypicFeatures", [])
    features = tuple((str(one["type"]["id"]), not one.get("excluded", False)) for one in listed)
    return Report(str(packet.get("key") or packet["id"]), str(gold), papers, features)


def apart_from(reports: Iterable[Report], others: Collection[Report]) -> list[Report]:
    """Return the reports that share neither a paper nor a disease with others."""
    papers = frozenset[str]().union(*(one.papers for one in others))
    diseases = {one.gold for one in others}
    return [one for one in reports if not one.papers & papers and one.gold not in diseases]


@dataclass(frozen=True, eq=False)
class Dated:
    """The annotations of one date, put on the one hierarchy of findings."""

    date: str
    diseases: AnnotatedDiseases

    @cached_property
    def names(self) -> dict[str, str]:
        """The name in the ontology of each term, by its identifier of today or of before."""
        findings = self.diseases.findings
        return {
            term: findings.names[number] for term, number in class_numbers(self.diseases.ontology, findings).items()
        }

    def without_paper(self, report: Report, reading: Frequencies) -> Coins:
        """Return the coins of the diseases that the report's own papers annotate, without those papers."""
        return self.diseases.without(report.papers, reading)


def read_dated(date: str) -> Dated:
    """Read the annotations of a date."""
    ontology = load(DATA / "hpo" / "hp-2025-01-16.obo.gz")
    return Dated(date, annotated_diseases(ontology, read_hpoa(DATA / "hpo" / f"phenotype-{date}.hpoa.gz")))
