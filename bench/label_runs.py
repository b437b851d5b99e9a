"""A run on a hierarchy of labels as the settings have it, for benches that change a part of it."""

from __future__ import annotations

from typing import Any

from moose.methods.settings import Settings, find_settings
from moose.training.run import Run


def settings_run(settings: Settings, regime: str, data: str, **changes: Any) -> Run:
    """Return a run of settings: the method with its options, network, batches and start, and what is given besides."""
    return Run(
        regime=regime,
        data=data,
        by=settings.method.name,
        options=settings.method.options,
        batch_size=settings.training.batch_size,
        learning_rate=settings.training.learning_rate,
        hidden=settings.hidden,
        dropout=settings.dropout,
        base_rates=settings.training.base_rates,
        **changes,
    )


def hmc_run(method: str, name: str, *, regime: str = "", **changes: Any) -> Run:
    """Return a run with the settings of a set with all labels, on it or on another regime of it."""
    return settings_run(find_settings(method, name, data="hmc"), regime or name, "hmc", **changes)
