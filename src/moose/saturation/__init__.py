"""Stage 1: the completion rules, the closure, the hierarchy, and why."""

from moose.saturation.explain import Explanation, explain
from moose.saturation.proof import Proof
from moose.saturation.realise import Realisation, realise
from moose.saturation.saturate import Closure, saturate
from moose.saturation.taxonomy import Taxonomy, classify

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
