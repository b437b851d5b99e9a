"""DL queries: class expressions beside the named classes of a closure, without saturating anything again.

In: a saturation, its hierarchy, an expression of OWL 2 EL. Out: `ClassMatches`. Start with `dl_queries.py`; then
`expressions_below.py`, which looks up, and `expressions_above.py`, which adds contexts and withdraws them.
"""
