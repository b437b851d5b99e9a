"""Tables of learning runs, made from `results/learning`: runs of the plans of `bench/plans`."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from statistics import mean, stdev

from bench.graph_tables import GRAPH_TABLES
from bench.hierarchy_memory import memory_table
from bench.hierarchy_tables import HIERARCHY_TABLES
from bench.hierarchy_verdicts import met_table
from bench.objective_tables import free_concepts_table, regimes_table
from moose.benchmark.report.model.paper import read_paper
from moose.benchmark.store.records import Record
from moose.benchmark.store.store import Store
from moose.benchmark.store.versions import version_text

RESULTS = Path(__file__).parent.parent / "results"
STORE = Store(RESULTS / "learning")
TRIVIAL = ("absent", "theory")

MNIST = ("mnist1", "mnist2", "mnist3")
PIZZA = ("pizzaA", "pizzaB", "pizzaC")
METHODS = {
    "independent": "independent",
    "semantic-loss": "semantic loss",
    "deepproblog": "DeepProbLog",
    "ltn": "LTN",
    "elembeddings": "ELEmbeddings",
    "moose": "Moose",
    "moose-cover": "Moose with cover",
    "moose-honest": "Moose, honest",
    "moose-labels": "Moose by labels",
    "moose-siblings": "Moose with siblings",
    "spl": "SPL",
    "ensemble": "ensemble of five",
    "bears": "BEARS",
    "nesydm-rloo": "NeSyDM, RLOO",
    "nesydm-exact": "NeSyDM, exact",
    "max-constraint": "max-constraint",
    "max-propagation": "max-propagation",
    "neurasp": "NeurASP",
    "top-k": "top-k proofs, k = 3",
    "a-nesi": "A-NeSI",
    "embed2sym": "Embed2Sym",
    "df-el": "DF-EL",
    "deepgozero": "DeepGOZero",
    "owl2vec": "OWL2Vec*",
    "ilr": "ILR, Gödel",
    "ilr-lukasiewicz": "ILR, Łukasiewicz",
}


def stated(regime: str, metric: str) -> str:
    """Return what the paper's headline has for Moose, in per cent."""
    found = read_paper().headline(regime, "moose", metric)
    return "" if found is None else f"{100 * found.mean:.1f}"


def chosen(runs: Iterable[Record], **wanted: object) -> list[Record]:
    """Return the runs of a regime, a data set, a method."""
    return [run for run in runs if all(run[key] == value for key, value in wanted.items())]


def spread(values: Sequence[float | None], *, digits: int = 1) -> str:
    """Write fractions as mean ± standard deviation, in per cent."""
    known = [100 * value for value in values if value is not None]
    if not known:
        return "–"
    deviation = f" ± {stdev(known):.{digits}f}" if len(known) > 1 else ""
    return f"{mean(known):.{digits}f}{deviation}"


def principal(regime: str) -> str:
    """Return the metric of accuracy that the paper shows for a regime."""
    return "acc_f" if regime in MNIST else "acc_c"


def methods_table(data: str, regimes: Sequence[str], only: Sequence[str] = tuple(METHODS)) -> str:
    """Return accuracy, calibration and time of every method, a line each, given the evidence."""
    runs = chosen(STORE.results("methods", "embedded"), data=data)
    columns = [(regime, split) for regime in regimes for split in _splits(runs, regime)]
    heads = [f"{regime}{'' if split == 'test' else ', ' + split.replace('_', ' ')}" for regime, split in columns]
    lines = [
        "| method | " + " | ".join(f"{head}: accuracy | ECE" for head in heads) + " | CPU s |",
        "| --- |" + " ---: | ---: |" * len(heads) + " ---: |",
    ]
    for method in only:
        cells = [METHODS[method]]
        for regime, split in columns:
            some = [_view(run, "metrics", split) for run in chosen(runs, regime=regime, method=method)]
            cells += [spread([one[principal(regime)] for one in some]), spread([one["ece"] for one in some])]
        whole = [run for run in chosen(runs, method=method) if run["regime"] in regimes and not run.get("is_resumed")]
        mine = [run["cpu_seconds"] for run in whole]
        cells.append(f"{min(mine):.0f}–{max(mine):.0f}" if mine else "–")
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join([*lines, "", _what_was_run([run for run in runs if run["method"] in only], regimes)])


def _splits(runs: Iterable[Record], regime: str) -> list[str]:
    has_more = any("held_out_split" in run for run in chosen(runs, regime=regime))
    return ["test", "held_out"] if has_more else ["test"]


def _view(run: Record, view: str, split: str) -> Mapping[str, float | None]:
    found: Mapping[str, float | None] = (run if split == "test" else run[f"{split}_split"])[view]
    return found


def _what_was_run(runs: Sequence[Record], regimes: Sequence[str]) -> str:
    mine = [run for run in runs if run["regime"] in regimes and run["method"] in METHODS]
    if not mine:
        return "Nothing has been run yet."
    methods = dict.fromkeys(run["method"] for run in mine)
    seeds = {len(chosen(mine, regime=regime, method=method)) for regime in regimes for method in methods}
    facts = {key: {str(run["configuration"][key]) for run in mine} for key in ("count", "epochs", "batch_size", "size")}
    words = [
        f"{_of(seeds)} seeds",
        f"{_of(facts['count'])} instances",
        f"{_of(facts['epochs'])} epochs",
        f"batch size {_of(facts['batch_size'])}",
    ]
    if facts["size"] != {"None"}:
        words.append(f"{_of(facts['size'])} pixels")
    versions = version_text(mine)
    return "In per cent, mean ± standard deviation; " + ", ".join(words) + (f". {versions}." if versions else ".")


def _of(values: Iterable[object]) -> str:
    return " or ".join(sorted({"all" if str(value) == "None" else str(value) for value in values}))


def learning_mnist() -> str:
    """Return Moose on MNIST, a line for each regime and way, beside the paper."""
    runs = STORE.results("learning-digits", "mnist")
    lines = [
        (
            "| regime | method | seeds | network alone: Acc_F | worst | ECE | given the evidence: Acc_F | ECE "
            "| of atoms | seconds | paper: Acc_F | ECE |"
        ),
        "| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |",
    ]
    for regime in MNIST:
        for method in ("moose", "moose-softmax", "moose-cover", "moose-open", "moose-open-softmax"):
            some = chosen(runs, regime=regime, method=method)
            if not some:
                continue
            alone, given = ([run[view] for run in some] for view in ("metrics_network", "metrics"))
            paper = [stated(regime, what) for what in ("accuracy", "ece")] if method == "moose" else ["", ""]
            cells = [
                regime,
                method,
                str(len(some)),
                spread([one["acc_f"] for one in alone]),
                f"{100 * min(one['acc_f'] for one in alone):.1f}",
                spread([one["ece"] for one in alone], digits=2),
                spread([one["acc_f"] for one in given]),
                spread([one["ece"] for one in given], digits=2),
                spread([one["ece_atom"] for one in given], digits=2),
                f"{min(run['seconds'] for run in some):.0f}–{max(run['seconds'] for run in some):.0f}",
                *paper,
            ]
            lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines)


def learning_pizza() -> str:
    """Return Moose on pizzas, a line for each regime, data set, split and way, beside what needs no learning."""
    lines = [
        (
            "| regime | data | split | method | seeds | Acc_C | ECE of atoms | Acc_F | seconds | all absent: Acc_C "
            "| theory alone | paper |"
        ),
        "| --- | --- | --- | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |",
    ]
    for regime in PIZZA:
        for data in ("pizzaiolo", "pizzas"):
            plan = "learning-pizzas-b" if regime == "pizzaB" else "learning-pizzas"
            mine = chosen(STORE.results(plan, data), regime=regime)
            trivial = chosen(STORE.results("baselines", data), regime=regime)
            for split in _splits(mine, regime):
                for method in sorted({run["method"] for run in mine}):
                    some = chosen(mine, method=method)
                    views = [_view(run, "metrics", split) for run in some]
                    is_paper = data == "pizzaiolo" and method == "moose" and (regime, split) != ("pizzaA", "test")
                    cells = [
                        regime,
                        data,
                        split.replace("_", " "),
                        method,
                        str(len(some)),
                        spread([one["acc_c"] for one in views]),
                        spread([one["ece_atom"] for one in views]),
                        spread([one["acc_f"] for one in views]),
                        f"{min(run['seconds'] for run in some):.0f}–{max(run['seconds'] for run in some):.0f}",
                        *(
                            spread([_view(one, "metrics", split)["acc_c"] for one in chosen(trivial, method=name)])
                            for name in TRIVIAL
                        ),
                        stated(regime, "accuracy") if is_paper else "",
                    ]
                    lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines)


TOLD = (
    "In per cent, mean ± standard deviation over seeds; one thread of one core, the plain rows on a busy machine "
    "(the cover costs a few per cent)."
)


def learning_readme() -> str:
    """Return the few lines that show what the cover does."""
    runs = STORE.results("learning-digits", "mnist")
    lines = [
        "| regime | method | network alone: right | ECE | given the evidence: right | seconds | paper: right |",
        "| --- | --- | ---: | ---: | ---: | ---: | ---: |",
    ]
    for regime in ("mnist2", "mnist3"):
        for method in ("moose", "moose-cover"):
            if some := chosen(runs, regime=regime, method=method):
                alone, given = ([run[view] for run in some] for view in ("metrics_network", "metrics"))
                cells = [
                    regime,
                    METHODS[method],
                    spread([one["acc_f"] for one in alone]),
                    spread([one["ece"] for one in alone], digits=2),
                    spread([one["acc_f"] for one in given]),
                    f"{mean(run['seconds'] for run in some):.0f}",
                    stated(regime, "accuracy") if method == "moose" else "",
                ]
                lines.append(f"| {' | '.join(cells)} |")
    return "\n".join([*lines, "", TOLD])


RUN_TABLES: dict[str, Callable[[], str]] = {
    "learning_mnist": learning_mnist,
    "learning_pizza": learning_pizza,
    "learning_readme": learning_readme,
    "regimes": regimes_table,
    "free_concepts": free_concepts_table,
    "methods_digits": lambda: methods_table("digits", MNIST),
    "deepproblog": lambda: methods_table("digits", MNIST, ("deepproblog", "moose", "moose-cover")),
    "methods_pizzas": lambda: methods_table("pizzas", PIZZA),
    **GRAPH_TABLES,
    **HIERARCHY_TABLES,
    "hierarchies_met": met_table,
    "hierarchies_memory": memory_table,
}
"""Name of a table to the function that writes it."""
