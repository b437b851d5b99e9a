"""What was run, on what, and with what: the facts at the head of a report."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from hashlib import blake2b

from moose.benchmark.plans.plans import PLANS, SMOKE
from moose.benchmark.report.model.quantities import Results, seeds_text
from moose.benchmark.store.records import Record
from moose.benchmark.store.versions import version_text

Fact = tuple[str, str]
WARNING = (
    "These are short runs on few and small images, to show that everything runs; their figures say nothing about which "
    "method is better, nor about the paper's."
)
TRAINED = (("epochs", "epochs"), ("batch_size", "batch size"), ("learning_rate", "learning rate"), ("size", "pixels"))


def find_facts(plans: Sequence[Results], scale: str) -> tuple[Fact, ...]:
    """Return what was run, plan by plan, and what ran it."""
    facts = [("scale", f"{scale}. {WARNING}" if scale == SMOKE else scale)]
    facts += [(results.listing.plan, plan_text(results)) for results in plans]
    done = {results.listing.plan for results in plans if results.records}
    absent = [name for name in PLANS if name not in done]
    if absent:
        facts.append(("not run", ", ".join(absent)))
    records = [record for results in plans for record in results.records]
    if not records:
        return tuple(facts)
    facts += [
        ("version", _listed(f"Moose {one['version']}" for one in records)),
        ("commit", _listed(map(commit_text, records))),
        ("software", _listed(software_text(one) for one in records)),
        ("machine", _listed(machine_text(one) for one in records)),
    ]
    if text := version_text(records):
        facts.append(("versions of rows", text))
    learnt = [one for one in records if "data_hash" in one]
    return (*facts, ("data", data_text(learnt))) if learnt else tuple(facts)


def plan_text(results: Results) -> str:
    """Say how much of a plan was run, and how large its runs are."""
    listing, failed = results.listing, len(results.failures)
    parts = [f"{len(results.records)} of {len(listing.cells)} runs" + (f", {failed} failed" if failed else "")]
    if listing.kind == "learning":
        parts.append(f"hyperparameters: {listing.settings}")
        by_data = {data: results.of(data=data) for data in dict.fromkeys(results.data.values())}
        parts += [f"{data}: {size_text(records)}" for data, records in by_data.items() if records]
    return "; ".join(parts)


def size_text(records: Sequence[Record]) -> str:
    """Say which seeds were run, and how large runs are: instances of each split, and what training was told."""
    splits = dict.fromkeys(split for one in records for split in one["instances"])
    parts = [f"{_range(one['instances'].get(split) for one in records)} {split}" for split in splits]
    trained = [one for one in records if one.get("kind") != "baseline"] or records
    instances = ", ".join(part.replace("_", " ") for part in parts) or "not recorded"
    parts = [f"seeds {seeds_text({one['seed'] for one in trained})}", f"instances {instances}"]
    for key, title in TRAINED:
        values = _range(one["configuration"].get(key) for one in records)
        if values:
            parts.append(f"{title} {values}")
    return ", ".join(parts)


def commit_text(record: Record) -> str:
    """Write the commit of a run, or why there is none."""
    if "origin" in record:
        return f"not recorded: made by {record['origin'].get('runner')}"
    return str(record.get("commit") or "none: not run from a checkout")


def software_text(record: Record) -> str:
    """Write the versions of what Moose stands on."""
    return ", ".join(f"{name} {version}" for name, version in record["software"].items()) or "not recorded"


def machine_text(record: Record) -> str:
    """Write what a run ran on, without how busy it was."""
    machine = record["machine"]
    return f"{machine['processor']}, {machine['cores']} cores, {machine['system']}"


def data_text(records: Sequence[Record]) -> str:
    """Say whether all rows of a regime and seed saw the same examples, and give one hash for each data set."""
    seen = dict[tuple[str, ...], set[str]]()
    for one in records:
        shape = str(sorted(one["instances"].items())), str(one["configuration"].get("size"))
        seen.setdefault((one["data"], one["regime"], str(one["seed"]), *shape), set()).add(one["data_hash"])
    differing = sorted({f"{key[1]} seed {key[2]}" for key, hashes in seen.items() if len(hashes) > 1})
    same = (
        f"not the same examples for all rows in {', '.join(differing)}"
        if differing
        else "the same examples for all rows of a regime, seed and size"
    )
    texts = []
    for data in sorted({key[0] for key in seen}):
        lines = sorted(f"{key} {sorted(hashes)}" for key, hashes in seen.items() if key[0] == data)
        texts.append(f"{data} {blake2b(chr(10).join(lines).encode(), digest_size=8).hexdigest()}")
    return f"{same}; hash of all that was seen: {', '.join(texts)}"


def _range(values: Iterable[float | None]) -> str:
    """Write the smallest and the largest of numbers; nothing if there are none."""
    distinct = sorted({value for value in values if value is not None})
    if not distinct:
        return ""
    return f"{distinct[0]:,}" if len(distinct) == 1 else f"{distinct[0]:,} to {distinct[-1]:,}"


def _listed(texts: Iterable[str]) -> str:
    return "; ".join(sorted(set(texts)))
