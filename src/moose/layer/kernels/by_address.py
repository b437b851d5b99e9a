"""Entries that take addresses instead of arrays.

numba looks at every array of a call, and the seventeen of `count` cost 20 μs of the 130 that a step of a small circuit
takes. Those of a circuit and its tile stay where they are, so that `arrays.list_addresses` lists them once. This module
is imported where kernels are compiled, and only there: it needs numba.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numba.core import types
from numba.extending import intrinsic
from numba.np.arrayobj import populate_array

from moose.layer.kernels.arrays import (
    ATOMS,
    DECISIONS,
    ELEMENTS,
    GIVEN_AT,
    NOTES_AT,
    PADDED,
    POWERS_AT,
    PRIMES_AT,
    ROOT,
    SLOPES_AT,
    SLOTS,
    STARTS_AT,
    SUBS_AT,
    VALUES_AT,
    WIDTH,
    Floats,
    Integers,
)
from moose.layer.kernels.linear import count, scale_rows


def type_array_at(context: object, kind: Any, address: object, shape: Any) -> tuple[object, Callable[..., object]]:
    """Say what type `array_at` has, and how its code is written."""
    del context
    made: Callable[..., object] = types.Array(kind.dtype, len(shape), "C")
    return made(kind, address, shape), write_array_at


def write_array_at(context: Any, builder: Any, signature: Any, arguments: Any) -> object:
    """Write the code of `array_at`."""
    kind, (_, address, shape) = signature.return_type, arguments
    array = context.make_array(kind)(context, builder)
    sizes = [builder.extract_value(shape, axis) for axis in range(kind.ndim)]
    step = context.get_constant(types.intp, kind.dtype.bitwidth // 8)
    strides = [step]
    for size in reversed(sizes[1:]):
        strides.insert(0, builder.mul(strides[0], size))
    pointer = builder.inttoptr(address, array.data.type)
    populate: Callable[..., object] = populate_array
    populate(array, data=pointer, shape=sizes, strides=strides, itemsize=step, meminfo=None)
    written: object = array._getvalue()
    return written


array_at: Callable[..., Any] = intrinsic(type_array_at)
"""`array_at(type, address, shape)` sees an array at an address; numba's `carray` would count references."""


def count_at(  # noqa: PLR0913, PLR0917
    table: Integers,
    noise: float,
    like: Floats,
    wants: int,
    batch: int,
    log_weights: int,
    observed: int,
    evidence: int,
    logs: int,
    states: int,
    results: int,
    columns: int,
) -> int:
    """Do what `count` does. `like` is any array of the weights' type; `observed` is the number of rows of evidence."""
    atoms, slots, padded, width = table[ATOMS], table[SLOTS], table[PADDED], table[WIDTH]
    return count(
        array_at(like.dtype, log_weights, (batch, 2 * atoms)),
        array_at(np.int8, evidence, (observed, atoms)),
        array_at(np.int8, table[GIVEN_AT], (atoms,)),
        array_at(np.int64, table[STARTS_AT], (table[DECISIONS] + 1,)),
        array_at(np.int32, table[PRIMES_AT], (table[ELEMENTS],)),
        array_at(np.int32, table[SUBS_AT], (table[ELEMENTS],)),
        table[ROOT],
        noise,
        array_at(np.float64, table[VALUES_AT], (slots, padded)),
        array_at(np.float64, table[SLOPES_AT], (slots, padded)),
        array_at(np.float64, table[NOTES_AT], (4, width)),
        array_at(np.int64, table[POWERS_AT], (width,)),
        array_at(np.float64, table[POWERS_AT], (width,)),
        wants,
        array_at(like.dtype, logs, (batch,)),
        array_at(np.int8, states, (batch,)),
        array_at(like.dtype, results, (batch, columns)),
    )


def scale_at(  # noqa: PLR0913, PLR0917
    like: Floats, batch: int, columns: int, rows: int, factors: int, result: int
) -> None:
    """Do what `scale_rows` does."""
    scale_rows(
        array_at(like.dtype, rows, (batch, columns)),
        array_at(like.dtype, factors, (batch,)),
        array_at(like.dtype, result, (batch, columns)),
    )
