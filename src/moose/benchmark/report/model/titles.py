"""The titles of methods, rows and regimes."""

from __future__ import annotations

from moose.benchmark.plans.baselines import BASELINES

BASELINE_TITLES = {
    "absent": "All absent",
    "base-rate": "Base rates",
    "commonest": "Commonest combination",
    "theory": "Theory alone",
}
BASELINE_ROWS = BASELINES
"""Rows that are not trained: something to compare with, never the best."""

OURS = (
    "moose",
    "moose-cover",
    "moose-labels",
    "moose-siblings",
    "moose-honest",
    "ensemble",
    "bears",
    "nesydm-rloo",
    "nesydm-exact",
)
PAPER_ROWS = ("independent", "deepproblog", "ltn", "elembeddings", "moose", "bears", "nesydm-rloo", "nesydm-exact")
"""The rows of the paper's headline tables."""

TITLES = {
    "independent": "Independent",
    "semantic-loss": "Semantic loss",
    "deepproblog": "DeepProbLog",
    "ltn": "LTN",
    "elembeddings": "ELEmbeddings",
    "moose": "Moose",
    "moose-cover": "Moose with cover",
    "moose-labels": "Moose by labels",
    "moose-siblings": "Moose with siblings",
    "moose-siblings-together": "Moose with siblings, odds with the network",
    "moose-honest": "Moose (honest)",
    "moose-conditional": "Moose, given the theory",
    "moose-only": "Moose, given the theory and only",
    "ensemble": "Ensemble of five",
    "max-constraint": "Max-constraint",
    "max-propagation": "Max-propagation",
    "bears": "Moose + BEARS",
    "nesydm-rloo": "Moose + NeSyDM (RLOO)",
    "nesydm-exact": "Moose + NeSyDM (exact)",
    **BASELINE_TITLES,
}
PAPER_TABLES = {
    "tab:headline-acc": "table of headline accuracy",
    "tab:headline-ece": "table of headline calibration",
    "tab:headline-full": "table of all metrics",
    "tab:pizza-argmax": "table of kinds of pizza",
    "tab:closure-ablation": "table of the closure ablation",
    "tab:inductive": "table of inductive generalisation",
    "tab:lr-sensitivity": "table of learning rates",
    "tab:significance": "table of paired significance",
    "tab:repro": "table of compiled circuits",
}
"""What the paper's tables are about, by their labels."""
SUBJECTS = {"mnist": "MNIST", "pizza": "Pizzas"}


def title_of(method: str) -> str:
    """Return the title of a method; a row that has none is written as it is.

    >>> title_of("bears"), title_of("moose-open")
    ('Moose + BEARS', 'moose-open')
    """
    return TITLES.get(method, method)


def paper_table(label: str) -> str:
    """Return what a table of the paper is called here; one that is not known, as it is.

    >>> paper_table("tab:repro"), paper_table("tab:other")
    ('table of compiled circuits', 'tab:other')
    """
    return PAPER_TABLES.get(label, label)


def subject_of(regime: str) -> str:
    """Return what a regime is about.

    >>> subject_of("pizzaA")
    'Pizzas'
    """
    return next((title for word, title in SUBJECTS.items() if regime.startswith(word)), "")


def regime_title(regime: str) -> str:
    """Return the title of a regime; one of the user's own is written as it is.

    >>> regime_title("mnist1"), regime_title("pizzaA"), regime_title("mine")
    ('MNIST 1', 'Pizzas A', 'mine')
    """
    for word, title in SUBJECTS.items():
        if regime.startswith(word) and len(regime) > len(word):
            return f"{title} {regime.removeprefix(word)}"
    return regime
