"""A run on a hierarchy of labels as the settings have it, for benches that change a part of it."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from moose.methods.settings import Settings, find_settings
from moose.training.run import Run

METHODS = {"moose-siblings-together": "moose-siblings"}
"""The methods of rows of the plans that are not called as their method is."""


def settings_run(settings: Settings, regime: str, data: str, **changes: Any) -> Run:
    """Return a run of settings: the method with its options, network, batches and start, and what is given besides."""
    return Run(
        regime=regime,
        data=data,
        by=settings.method.name,
        options=asdict(settings.method),
        batch_size=settings.training.batch_size,
        learning_rate=settings.training.learning_rate,
        hidden=settings.hidden,
        dropout=settings.dropout,
        base_rates=settings.training.base_rates,
        **changes,
    )


def hmc_settings(row: str, name: str) -> Settings:
    """Return the settings of a row of the plan on a set with all labels."""
    return find_settings(METHODS.get(row, row), name, data="hmc", group=row if row in METHODS else "")


def hmc_run(row: str, name: str, *, regime: str = "", **changes: Any) -> Run:
    """Return a run with the settings of a set with all labels, on it or on another regime of it."""
    return settings_run(hmc_settings(row, name), regime or name, "hmc", **changes)
