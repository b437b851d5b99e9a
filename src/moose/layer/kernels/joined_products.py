"""Sums of products of up to three slots, made of a diagram's: plain lists for small circuits, numba for large ones."""

from __future__ import annotations

from collections.abc import MutableSequence, Sequence

KEPT, JOINED, GONE = 0, 1, 2
"""What becomes of a decision: it stays as it is, it takes in another's product, its product stands in its reader."""


# The arrays stand apart, since plain lists and arrays are both taken.
def join_products(  # noqa: PLR0913, PLR0917
    starts: Sequence[int],
    primes: Sequence[int],
    subs: Sequence[int],
    first: int,
    root: int,
    uses: Sequence[int],
    firsts: MutableSequence[int],
    seconds: MutableSequence[int],
    thirds: MutableSequence[int],
    fates: MutableSequence[int],
) -> None:
    """Write each element's factors; a product that is read once, and by a product, stands in its reader's place."""
    for decision in range(len(fates)):
        is_product = starts[decision + 1] - starts[decision] == 1
        for element in range(starts[decision], starts[decision + 1]):
            prime, sub = primes[element], subs[element]
            firsts[element], seconds[element] = prime, sub
            for child, other in ((prime, sub), (sub, prime)):
                lower = child - first
                if lower < 0 or child == root or uses[lower] > 1 or fates[lower] != KEPT:
                    continue
                if starts[lower + 1] - starts[lower] > 1:
                    continue
                inner = starts[lower]
                firsts[element], seconds[element], thirds[element] = other, firsts[inner], seconds[inner]
                fates[lower] = GONE
                if is_product:
                    fates[decision] = JOINED
                break
