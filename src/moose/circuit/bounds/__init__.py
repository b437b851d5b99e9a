"""Bounds where an exact circuit would be too large: one circuit below the theory, one above.

In come clauses, out comes `Bounds`. Start with `compile_bounds.py`; it relaxes the theory by mini-buckets
(`relaxation`), fixes what these forget (`restriction`, guided by `beliefs`), follows the weight down the elimination
tree and keeps the states that most of it is in (`search`), and writes the two circuits (`write_bounds`); `bounds` asks
them, widened by what rounding can do (`rounding`).
"""
