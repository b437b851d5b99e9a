"""What the paper says of its results, and whether ours bear it out: in come records, out come `Claim` values.

Start with `judge.py`; the sentences stand in `headline_claims` and `appendix_claims`, a row each, made of the checks
in `checks` and `sweep_checks`, which read their figures through `evidence`.
"""
