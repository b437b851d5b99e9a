"""The titles of methods, rows and regimes."""

from __future__ import annotations

BASELINES = {
    "absent": "All absent",
    "base-rate": "Base rates",
    "commonest": "Commonest combination",
    "theory": "Theory alone",
}
BASELINE_ROWS = tuple(BASELINES)
"""Rows that are not trained: something to compare with, never the best."""

OURS = ("moose", "moose-cover", "moose-honest", "ensemble", "bears", "nesydm-rloo", "nesydm-exact")
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
    "moose-honest": "Moose (honest)",
    "ensemble": "Ensemble of five",
    "bears": "Moose + BEARS",
    "nesydm-rloo": "Moose + NeSyDM (RLOO)",
    "nesydm-exact": "Moose + NeSyDM (exact)",
    **BASELINES,
}
SUBJECTS = {"mnist": "MNIST", "pizza": "Pizzas"}


def title_of(method: str) -> str:
    """Return the title of a method; a row that has none is written as it is.

    >>> title_of("bears"), title_of("moose-open")
    ('Moose + BEARS', 'moose-open')
    """
    return TITLES.get(method, method)


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
