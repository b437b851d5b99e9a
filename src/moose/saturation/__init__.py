"""Stage 1: the completion rules, the closure, the hierarchy, and why."""

from moose.saturation.answers.closure import Closure, saturate
from moose.saturation.answers.realise import Realisation, realise
from moose.saturation.answers.taxonomy import Taxonomy, classify
from moose.saturation.proofs.explain import Explanation, explain
from moose.saturation.proofs.proof import Proof

__all__ = [
    "Closure",
    "Explanation",
    "Proof",
    "Realisation",
    "Taxonomy",
    "classify",
    "explain",
    "realise",
    "saturate",
]
