"""Cases from files: a table (CSV), JSON, or Phenopackets, one or many, plain or gzip."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Mapping
from pathlib import Path

from moose.base.errors import MooseError
from moose.base.suggestions import unknown_word
from moose.base.user_files import is_missing, kind_of, parse_json
from moose.owl.files.fetch import fetch
from moose.owl.files.phenopackets import is_phenopacket, read_phenopacket
from moose.ranking.cases import Case, Observation, as_cases
from moose.ranking.noise import Noise

TRUE, FALSE = ("yes", "true", "1", "present"), ("no", "false", "0", "absent", "excluded")
COLUMNS = ("case", "finding", "present", "missed", "reported", "truth")
KEYS = ("name", "present", "absent", "truth")


def read_cases(path: Path | str) -> list[Case]:
    """Return the cases of a file.

    CSV has the columns `case`, `finding` and, if wanted, `present` (yes or no), `missed`, `reported` and `truth`. JSON
    is an object {"name", "present": […], "absent": […], "truth"} or a Phenopacket, a list of these, or one a line.
    """
    text = fetch(Path(path)).decode("utf-8")
    start = text.lstrip()[:1]
    cases = from_json(text, str(path)) if start in ("{", "[") else from_table(text, str(path))
    if not cases:
        raise MooseError(f"{path}: expected at least one case, but there is none; add one")
    return as_cases(cases)


# ── CSV ───────────────────────────────────────────────────────────────────────────────────────────────────────────


def from_table(text: str, where: str) -> list[Case]:
    """Return the cases of a table: rows with the same case stand for its observations."""
    reader = csv.DictReader(io.StringIO(text), strict=True)
    names = [name.strip() for name in reader.fieldnames or ()]
    if missing := [name for name in COLUMNS[:2] if name not in names]:
        raise MooseError(
            f"{where}: expected the columns case and finding, but there is no {missing[0]}; name it in the first line"
        )
    for name in names:
        if name not in COLUMNS:
            raise unknown_word(f"a column in {where}", name, COLUMNS)
        if names.count(name) > 1:
            raise MooseError(f"{where}: expected each column once, but {name} stands there twice; leave out one")
    reader.fieldnames = names
    rows: dict[str, list[Observation]] = {}
    truths: dict[str, str] = {}
    try:
        for row in reader:
            place = f"{where}, line {reader.line_num}"
            cells = {key: (value or "").strip() for key, value in row.items() if isinstance(key, str)}
            if None in row or not cells["case"]:
                raise MooseError(
                    f"{place}: expected a case and at most {len(names)} cells, but got {row}; mend the row"
                )
            seen = rows.setdefault(cells["case"], [])
            if cells["finding"]:
                seen.append(
                    Observation(cells["finding"], read_answer(cells.get("present", ""), place), noise_of(cells, place))
                )
            truth = "" if is_missing(cells.get("truth")) else cells["truth"]
            if truth and truths.setdefault(cells["case"], truth) != truth:
                several = f"{truths[cells['case']]} and {truth}"
                raise MooseError(
                    f"{place}: expected one truth for each case, but {cells['case']} has {several}; leave out one"
                )
    except csv.Error as error:
        raise MooseError(f"{where}, line {reader.line_num}: expected a table, but {error}; mend the line") from None
    return [Case(name, tuple(seen), truths.get(name, "")) for name, seen in rows.items()]


def read_answer(text: str, place: str) -> bool:
    """Return whether a finding is present; an empty cell means yes."""
    if text.lower() in (*TRUE, ""):
        return True
    if text.lower() in FALSE:
        return False
    raise MooseError(f"{place}: expected yes or no in the column present, but got {text!r}; write one of them")


def noise_of(cells: Mapping[str, str], place: str) -> Noise | None:
    """Return the noise of one observation, if both numbers are given."""
    given = [name for name in ("missed", "reported") if cells.get(name)]
    if not given:
        return None
    if len(given) == 1:
        raise MooseError(
            f"{place}: expected both missed and reported, or neither, but got {given[0]} alone; add the other"
        )
    try:
        return Noise(float(cells["missed"]), float(cells["reported"]))
    except ValueError as error:
        raise MooseError(f"{place}: {error}") from None


# ── JSON ──────────────────────────────────────────────────────────────────────────────────────────────────────────


def from_json(text: str, where: str) -> list[Case]:
    """Return the cases of JSON: an object, a list of objects, or an object a line."""
    expected = f"{where}: expected cases as JSON, but"
    lines = [line for line in text.splitlines() if line.strip()]
    if len(lines) > 1 and all(line.startswith("{") and line.rstrip().endswith("}") for line in lines):
        values = [parse_json(line, expected) for line in lines]
    else:
        whole = parse_json(text, expected)
        values = whole if isinstance(whole, list) else [whole]
    return [from_object(value, f"{where}, case {number}") for number, value in enumerate(values, start=1)]


def from_object(value: object, place: str) -> Case:
    """Return the case of a JSON object: a Phenopacket, or one with the keys of a case."""
    if not isinstance(value, dict):
        raise MooseError(f'{place}: expected an object, but got {kind_of(value)}; write {{"name": …, "present": […]}}')
    if is_phenopacket(value):
        packet = read_phenopacket(value, place)
        seen = tuple(Observation(*one) for one in packet.features)
        return Case(packet.name, seen, packet.disease, packet.references)
    for key in value:
        if key not in KEYS:
            raise unknown_word(f"a key in {place}", key, KEYS)
    name, truth = value.get("name", ""), value.get("truth", "")
    if not isinstance(name, str) or not name or not isinstance(truth, str):
        raise MooseError(f"{place}: expected a name, and perhaps a truth, as text, but got {json.dumps(name)}; add it")
    present, absent = (texts(value.get(key, []), f"{place}, {key}") for key in ("present", "absent"))
    listed = [*(Observation(one) for one in present), *(Observation(one, is_present=False) for one in absent)]
    return Case(name, tuple(listed), truth)


def texts(value: object, place: str) -> list[str]:
    """Return a list of texts."""
    if not isinstance(value, list) or not all(isinstance(one, str) for one in value):
        raise MooseError(f'{place}: expected a list of findings, but got {kind_of(value)}; write ["…", "…"]')
    return value
