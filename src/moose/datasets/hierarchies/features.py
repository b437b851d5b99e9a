"""Missing values and scales, as C-HMCNN has them (Giunchiglia and Lukasiewicz, NeurIPS 2020).

A missing number becomes the mean of its column in its own file, as in the code of that paper; in a column that is empty
there, the mean over the files that are learnt from. Then each column has mean 0 and variance 1 over the latter.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from moose.datasets.hierarchies.arff import Values


def scale_features(files: Mapping[str, Values], learnt: Sequence[str]) -> dict[str, NDArray[np.float32]]:
    """Impute and standardise the features of all files, by those that are learnt from."""
    filled = {name: impute(values, column_means(values)) for name, values in files.items()}
    known = np.concatenate([filled[name] for name in learnt])
    means = np.nan_to_num(column_means(known))
    known = impute(known, means)
    mean, deviation = known.mean(axis=0), known.std(axis=0)
    # A column that never varies says nothing: it becomes 0 wherever it is as usual, as scikit-learn has it too.
    deviation[deviation <= 10 * np.finfo(np.float64).eps * np.abs(mean).clip(1.0)] = 1.0
    return {name: ((impute(values, means) - mean) / deviation).astype(np.float32) for name, values in filled.items()}


def column_means(values: Values) -> Values:
    """Return the mean of what is known in each column; NaN where nothing is."""
    is_known = ~np.isnan(values)
    counts = is_known.sum(axis=0)
    sums = np.where(is_known, values, 0.0).sum(axis=0)
    return np.where(counts > 0, sums / np.maximum(counts, 1), np.nan)


def impute(values: Values, means: Values) -> Values:
    """Put the mean of its column in place of what is missing."""
    return np.where(np.isnan(values), means, values)
