"""How long Hypothesis looks for counterexamples.

By default each test tries the same few examples on every run. `MOOSE_SEARCH=20 pytest tests/saturation` tries twenty
times as many, new ones on each run.
"""

from __future__ import annotations

import os

from hypothesis import HealthCheck, settings

SEARCH = int(os.environ.get("MOOSE_SEARCH", "1"))


def examples(count: int) -> settings:
    """Try so many examples, or as many times more as was asked for."""
    return settings(max_examples=count * SEARCH)


def load_profile() -> None:
    """Set no deadline: a shared machine may take any time for one example, and to draw a whole ontology is slow."""
    slow = [HealthCheck.too_slow, HealthCheck.data_too_large]
    settings.register_profile("fixed", deadline=None, derandomize=True, suppress_health_check=slow)
    settings.register_profile("search", deadline=None, print_blob=True, suppress_health_check=slow)
    settings.load_profile("fixed" if SEARCH == 1 else "search")
