"""How the number of maps is spelled."""

from __future__ import annotations

import math

LONGEST = 60
"""Digits of a count that anybody would read."""


def count_text(count: int) -> str:
    """Spell a count, and of a very long one only about how large it is.

    >>> count_text(18225), count_text(4096**4096)
    ('18,225', 'about 1.7e14796')
    """
    if count < 10**LONGEST:
        return f"{count:,}"
    mantissa, exponent = math.modf(math.log10(count))
    return f"about {10**mantissa:.1f}e{exponent:.0f}"
