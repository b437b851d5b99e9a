"""What probabilities predict: which atoms hold, and which member of a family; nothing where rounding would decide."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

Reals = npt.NDArray[np.floating]
Flags = npt.NDArray[np.bool_]

ROUNDING = 1e-5
"""Probabilities that differ by no more may be the same: posteriors come in single precision, through sums and products
of many weights, and a half comes out as 0.5000002. Of what is the likeliest it is a share, as rounding errors are."""


def predicted_atoms(probabilities: Reals) -> Flags:
    """Return which atoms are predicted to hold: those that are likelier than not by more than rounding.

    >>> predicted_atoms(np.array([0.9, 0.5000002, 0.5, 0.2])).tolist()
    [True, False, False, False]
    """
    return np.asarray(probabilities > 0.5 + ROUNDING)


def undecided_atoms(probabilities: Reals) -> Flags:
    """Return which atoms are as likely as not, but for rounding.

    >>> undecided_atoms(np.array([0.9, 0.5000002, 0.5, 0.2])).tolist()
    [False, True, True, False]
    """
    return np.asarray(np.abs(probabilities - 0.5) <= ROUNDING)


def likeliest_members(probabilities: Reals) -> Flags:
    """Return which members of a family (the last axis) are the likeliest: several where they are equally likely.

    >>> likeliest_members(np.array([[0.6, 0.4, 0.0], [0.4999999, 0.5000001, 0.0]])).tolist()
    [[True, False, False], [True, True, False]]
    """
    return np.asarray(probabilities >= probabilities.max(-1, keepdims=True) * (1.0 - ROUNDING))


def predicted_members(probabilities: Reals) -> Flags:
    """Return which member of a family (the last axis) is predicted: the likeliest, and none where several are.

    >>> predicted_members(np.array([[0.6, 0.4, 0.0], [0.4999999, 0.5000001, 0.0]])).tolist()
    [[True, False, False], [False, False, False]]
    """
    likeliest = likeliest_members(probabilities)
    return np.asarray(likeliest & (likeliest.sum(-1, keepdims=True) == 1))
