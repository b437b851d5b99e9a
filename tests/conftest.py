"""How Hypothesis looks for counterexamples: the same ones on every run, unless a search is asked for."""

from __future__ import annotations

from hypothesis import HealthCheck, settings

# A shared machine may take any time for one example, and to draw a whole ontology is slow by design.
QUIET = [HealthCheck.too_slow, HealthCheck.data_too_large]

settings.register_profile("fixed", deadline=None, derandomize=True, suppress_health_check=QUIET)
# pytest --hypothesis-profile=search: new examples on each run, and more of them
settings.register_profile("search", deadline=None, max_examples=2000, suppress_health_check=QUIET)
settings.load_profile("fixed")
