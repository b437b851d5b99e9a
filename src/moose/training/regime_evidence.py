"""The evidence that the data of a regime hold: what is drawn of each instance, without drawing any."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from moose.datasets.base.regimes import Regime
    from moose.shortcuts.problem.options import Showing


def showing_of(regime: Regime) -> Showing:
    """Return what the training examples of a regime show: as much evidence as an instance may have, and what occurs."""
    from moose.datasets.base.subjects import meanings
    from moose.shortcuts.problem.options import Showing

    latent = {concept.name for concept in regime.task.concepts if concept.is_latent}
    meant = meanings(regime.subject, regime.task)
    states = [sorted(meant[label] & latent) for label in regime.subject.labels]
    literals = "positive" if regime.only_positive else "both"
    return Showing(regime.pool, literals, most=regime.most, states=states)


def shown_text(regime: Regime) -> str:
    """Say what evidence an instance has."""
    pool = ", ".join(regime.pool)
    if regime.only_positive:
        return f"one that holds of {pool}" if regime.most == 1 else f"up to {regime.most} that hold of {pool}"
    return f"one literal over {pool}" if regime.most == 1 else f"one to {regime.most} literals over {pool}"
