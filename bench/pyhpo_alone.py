"""PyHPO's similarity of sets of terms, asked for in a process of its own: `python bench/pyhpo_alone.py FOLDER`.

The package hpo3 is PyHPO with its computations in Rust, by the same author. It reads a folder with hp.obo and
phenotype.hpoa; then each line that comes in is a JSON object with the sets of all diseases, once, or with a case, and
each case is answered by a line with its similarity to each disease: GraphIC by the information of OMIM's diseases, the
mean of both directions, which are PyHPO's defaults. This file imports nothing of Moose where it is run so.
"""

from __future__ import annotations

import gzip
import json
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

if TYPE_CHECKING:
    from bench.diagnosis_data import Dated, Report
    from moose.ranking.findings import Floats

GENES = "ncbi_gene_id\tgene_symbol\thpo_id\thpo_name\tfrequency\tdisease_id\n1\tNONE\tHP:0000118\tNone\t-\tOMIM:0\n"
GENES_OF_TERMS = "hpo_id\thpo_name\tncbi_gene_id\tgene_symbol\tdisease_id\nHP:0000118\tNone\t1\tNONE\tOMIM:0\n"
"""Genes are not asked for, but hpo3 wants their files."""


def serve(folder: str) -> None:
    """Answer cases until no more come."""
    from pyhpo import HPOSet, Ontology, helper  # type: ignore[import-not-found, unused-ignore]  # in its own environment

    Ontology(folder, from_obo_file=True)
    known = {term.id for term in Ontology}

    def as_set(terms: list[str]) -> Any:
        return HPOSet.from_queries([one for one in terms if one in known])

    sets = [as_set(terms) for terms in json.loads(sys.stdin.readline())]
    for line in sys.stdin:
        case = json.loads(line)
        own = as_set(case["terms"])
        rows = list(sets)
        for number, terms in case["replaced"].items():
            rows[int(number)] = as_set(terms)
        found = helper.batch_set_similarity([(own, one) for one in rows], "omim", "graphic", "funSimAvg")
        print(json.dumps(found), flush=True)


class SimilarityProcess:
    """Asks such a process for the similarity of cases and diseases."""

    def __init__(self, dated: Dated, python: str) -> None:
        from bench.diagnosis_data import DATA

        self._dated = dated
        self._folder = tempfile.TemporaryDirectory()
        place = Path(self._folder.name)
        sources = {"hp.obo": "hp-2025-01-16.obo.gz", "phenotype.hpoa": f"phenotype-{dated.date}.hpoa.gz"}
        for name, source in sources.items():
            (place / name).write_bytes(gzip.decompress((DATA / "hpo" / source).read_bytes()))
        (place / "genes_to_phenotype.txt").write_text(GENES, encoding="utf-8")
        (place / "phenotype_to_genes.txt").write_text(GENES_OF_TERMS, encoding="utf-8")
        command = [python, __file__, str(place)]
        self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        rows = dated.diseases.rows
        self._write([[self._term(finding) for finding in rows[one]] for one in dated.diseases.diseases])

    def scores(self, report: Report, *, with_excluded: bool, leave_paper_out: bool) -> Floats:  # noqa: ARG002  # it does not know excluded findings
        """Return how like the case every disease is."""
        import numpy as np

        from moose.ranking.reading.hpoa import Frequencies

        replaced = self._dated.without_paper(report, Frequencies()) if leave_paper_out else {}
        others = {number: [self._term(coin.finding) for coin in coins] for number, coins in replaced.items()}
        names = self._dated.names
        terms = [iri_term(names[term]) for term, is_present in report.features if is_present and term in names]
        self._write({"terms": terms, "replaced": others})
        assert self._process.stdout is not None
        return np.array(json.loads(self._process.stdout.readline()), dtype=np.float64)

    def _term(self, finding: int) -> str:
        return iri_term(self._dated.diseases.findings.names[finding])

    def _write(self, value: object) -> None:
        stream: IO[str] | None = self._process.stdin
        assert stream is not None
        stream.write(json.dumps(value) + "\n")
        stream.flush()


def iri_term(iri: str) -> str:
    """Return the identifier of a term: HP:0001250 for …/HP_0001250."""
    return iri.rpartition("/")[2].replace("_", ":", 1)


if __name__ == "__main__":
    serve(sys.argv[1])
