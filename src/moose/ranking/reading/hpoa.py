"""Hypotheses from HPO annotations (`phenotype.hpoa`): a disease, a finding, how frequent it is, who says so."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path

import numpy as np

from moose.base.errors import MooseError
from moose.owl.files.fetch import fetch
from moose.owl.model.expressions import OBO
from moose.owl.names import Names
from moose.owl.ontology import Ontology
from moose.ranking.findings import Findings, Floats
from moose.ranking.hypotheses import Coin, Coins, Hypotheses, make_hypotheses
from moose.ranking.noise import Listing, Noise
from moose.ranking.reading.from_ontology import OntologyNames, findings_of, replacements_in
from moose.saturation.answers.taxonomy import classify

WORDS = {
    "HP:0040280": 1.0,  # obligate: always
    "HP:0040281": 0.895,  # very frequent: 80 to 99 %
    "HP:0040282": 0.545,  # frequent: 30 to 79 %
    "HP:0040283": 0.17,  # occasional: 5 to 29 %
    "HP:0040284": 0.025,  # very rare: 1 to 4 %
    "HP:0040285": 0.0,  # excluded
}
"""The middle of the range that the HPO gives for each word."""
COLUMNS = 12
RATIO = re.compile(r"(\d+)\s*/\s*(\d+)")
SHARE = re.compile(r"(\d+(?:\.\d+)?)\s*%")


@dataclass(frozen=True, slots=True)
class Frequencies:
    """How the column of frequencies is read.

    Counts n/m of all rows of a disease and a finding are added up and drawn towards `unstated` as if `strength` more
    patients had been seen; percentages and words count where there are no counts, as their mean; where a row says
    nothing, `unstated` stands.
    """

    unstated: float = 0.5
    strength: float = 2.0
    highest: float = 0.98
    """A frequency of 1 would rule a disease out by one missing finding."""


LISTED = Frequencies(strength=4.0)
"""How it is read where a listing says which findings are listed."""


@dataclass(frozen=True, slots=True)
class Background:
    """How likely a finding is there by chance: `scale` times its mean frequency over all diseases, and `floor`."""

    scale: float = 0.5
    floor: float = 1e-5


@dataclass(frozen=True, slots=True)
class Annotation:
    """A row: a disease has a finding, by a reference."""

    disease: str
    label: str
    finding: str
    reference: str
    frequency: str
    is_excluded: bool


@dataclass(frozen=True, slots=True)
class DiseaseNames:
    """Findings by the names of the ontology, diseases by their labels."""

    findings: OntologyNames
    labels: dict[str, str]

    def finding(self, text: str) -> str:
        """Return the IRI that a word stands for."""
        return self.findings.finding(text)

    def shown(self, name: str) -> str:
        """Return what people read for a disease or a finding."""
        return f"{name} {self.labels[name]}" if name in self.labels else self.findings.shown(name)


def read_hpoa(path: Path, *, database: str = "OMIM") -> list[Annotation]:
    """Return the rows on phenotypes (aspect P) of the diseases of one database."""
    return [row for row in all_rows(path) if row.disease.startswith(f"{database}:")]


def all_rows(path: Path) -> Iterator[Annotation]:
    """Yield the rows on phenotypes."""
    for number, line in enumerate(fetch(path).decode("utf-8", "replace").splitlines(), start=1):
        if line.startswith(("#", "database_id", "DatabaseID")) or not line.strip():
            continue
        cells = line.split("\t")
        if len(cells) < COLUMNS:
            raise MooseError(
                f"{path}, line {number}: expected {COLUMNS} columns of HPO annotations, but got {len(cells)}; "
                "check that it is a file phenotype.hpoa"
            )
        if cells[10] == "P":
            yield Annotation(cells[0], cells[1], cells[3], cells[4], cells[7], cells[2] == "NOT")


def frequency_of(rows: Sequence[Annotation], reading: Frequencies) -> float:
    """Return the frequency that the rows of one disease and one finding say together; 0 if they exclude it.

    >>> rows = [Annotation("OMIM:1", "", "HP:1", "PMID:1", text, False) for text in ("3/4", "1/4", "HP:0040281")]
    >>> frequency_of(rows, Frequencies(unstated=0.5, strength=2.0))
    0.5
    """
    counts = [pair for row in rows if (pair := counted(row)) is not None]
    affirmed = [row for row in rows if not row.is_excluded]
    if counts and (affirmed or sum(seen for seen, _ in counts)):
        seen, of = sum(pair[0] for pair in counts), sum(pair[1] for pair in counts)
        value = (seen + reading.strength * reading.unstated) / (of + reading.strength)
    elif affirmed:
        stated = [share for row in affirmed if (share := stated_share(row.frequency)) is not None]
        value = sum(stated) / len(stated) if stated else reading.unstated
    else:
        return 0.0
    return min(value, reading.highest)


def counted(row: Annotation) -> tuple[int, int] | None:
    """Return in how many patients of how many a row says that the finding is there."""
    pair = ratio(row.frequency)
    return (0, pair[1]) if pair and row.is_excluded else pair


@cache
def ratio(text: str) -> tuple[int, int] | None:
    """Return the numbers of n/m, if m is not 0."""
    found = RATIO.fullmatch(text)
    if found is None or int(found[2]) == 0:
        return None
    return min(int(found[1]), int(found[2])), int(found[2])


@cache
def stated_share(text: str) -> float | None:
    """Return the share that a percentage or a word states; None where nothing is stated."""
    if found := SHARE.fullmatch(text):
        return min(1.0, float(found[1]) / 100)
    return WORDS.get(text)


@dataclass(frozen=True, eq=False)
class AnnotatedDiseases:
    """Annotations put in order: the rows of each disease, and which class of the ontology each finding is."""

    ontology: Ontology
    findings: Findings
    diseases: tuple[str, ...]
    labels: dict[str, str]
    rows: dict[str, dict[int, list[Annotation]]]
    """By disease and number of the finding."""
    unknown: tuple[str, ...]
    """Findings that the ontology does not have, which are left out."""

    def coins(self, disease: str, reading: Frequencies, *, without: Collection[str] = ()) -> list[Coin]:
        """Return the coins of a disease; rows by the references in `without` are left out."""
        owner = self.numbers[disease]
        found = []
        for finding, rows in self.rows[disease].items():
            kept = [row for row in rows if row.reference not in without] if without else rows
            frequency = frequency_of(kept, reading)
            if frequency > 0:
                found.append(Coin(owner, finding, frequency, source_of(kept)))
        return found

    @cached_property
    def numbers(self) -> dict[str, int]:
        """The number of each disease."""
        return {disease: number for number, disease in enumerate(self.diseases)}

    @cached_property
    def diseases_of(self) -> dict[str, frozenset[str]]:
        """The diseases that each reference annotates."""
        found: dict[str, set[str]] = {}
        for disease, findings in self.rows.items():
            for row in (row for rows in findings.values() for row in rows):
                found.setdefault(row.reference, set()).add(disease)
        return {reference: frozenset(diseases) for reference, diseases in found.items()}

    def without(self, papers: Collection[str], reading: Frequencies) -> Coins:
        """Return the coins of the diseases that some papers annotate, without those papers."""
        touched = {disease for paper in papers for disease in self.diseases_of.get(paper, ())}
        return {self.numbers[one]: self.coins(one, reading, without=papers) for one in sorted(touched)}

    def hypotheses(
        self,
        reading: Frequencies | None = None,
        background: Background | None = None,
        noise: Noise | Listing | None = None,
    ) -> Hypotheses:
        """Return the diseases as hypotheses, all equally likely beforehand; a listing says itself what is by chance."""
        used = reading or (LISTED if isinstance(noise, Listing) else Frequencies())
        coins = [coin for disease in self.diseases for coin in self.coins(disease, used)]
        leak = (
            None
            if isinstance(noise, Listing)
            else leak_of(coins, self.findings, len(self.diseases), background or Background())
        )
        spelling = DiseaseNames(OntologyNames(Names(self.ontology), replacements_in(self.ontology)), self.labels)
        return make_hypotheses(self.findings, self.diseases, coins, leak=leak, noise=noise, spelling=spelling)


def annotated_diseases(ontology: Ontology, annotations: Iterable[Annotation]) -> AnnotatedDiseases:
    """Look the findings of annotations up in the ontology, and put the rows in order."""
    findings = findings_of(classify(ontology))
    number_of = class_numbers(ontology, findings)
    labels: dict[str, str] = {}
    rows: dict[str, dict[int, list[Annotation]]] = {}
    unknown: dict[str, None] = {}
    for row in annotations:
        number = number_of.get(row.finding)
        if number is None:
            unknown[row.finding] = None
            continue
        labels.setdefault(row.disease, row.label)
        rows.setdefault(row.disease, defaultdict(list))[number].append(row)
    diseases = tuple(sorted(rows))
    return AnnotatedDiseases(ontology, findings, diseases, labels, rows, tuple(unknown))


def class_numbers(ontology: Ontology, findings: Findings) -> dict[str, int]:
    """Return the number of each finding by its CURIE, and by the CURIEs that it had before."""
    newer = replacements_in(ontology)
    names = {iri: newer.get(iri, iri) for iri in (*findings.names, *newer) if iri.startswith(OBO)}
    return {
        iri[len(OBO) :].replace("_", ":", 1): findings.numbers[name]
        for iri, name in names.items()
        if name in findings.numbers
    }


def leak_of(coins: Iterable[Coin], findings: Findings, diseases: int, background: Background) -> Floats:
    """Return how likely each finding is there by chance; only findings that some disease has are."""
    total = np.zeros(findings.count)
    for coin in coins:
        total[coin.finding] += coin.frequency
    leak = np.where(total > 0, background.floor + background.scale * total / max(1, diseases), 0.0)
    return np.asarray(np.minimum(leak, 0.5), dtype=np.float64)


def source_of(rows: Sequence[Annotation]) -> str:
    """Say which rows an axiom is from."""
    said = dict.fromkeys(f"{row.reference} {row.frequency or 'no frequency'}" for row in rows)
    return "; ".join(said)
