"""Fix the variables that a relaxation forgets, so that what is left of the theory has few states.

The models in which these variables have their likeliest values are some of the theory's, and most of its weight where
the values are nearly certain.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from moose.circuit.bounds.beliefs import Beliefs
from moose.circuit.bounds.table_values import Logs

PORTIONS = 4
"""Variables are fixed in so many portions, the surest first, as what is fixed changes how likely the others are."""


def restricted(beliefs: Beliefs, variables: Sequence[int], values: Sequence[Logs]) -> list[Logs]:
    """Return the weights of values, with nothing for those that these variables are not to have."""
    result = list(values)
    waiting = list(variables)
    for portion in range(PORTIONS, 0, -1):
        shares = beliefs.shares(result)
        waiting.sort(key=lambda one: -shares[one].max())
        count = -(-len(waiting) // portion)
        for one in waiting[:count]:
            result[one] = np.where(np.arange(len(result[one])) == shares[one].argmax(), result[one], -np.inf)
        waiting = waiting[count:]
    return result
