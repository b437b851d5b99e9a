"""Moose and what is built on it.

In: examples with evidence. Out: exact posteriors that never contradict the theory. Start with `moose`, whose model the
others share: `moose_cover` adds a term against collapse, `moose_labels` counts every label by itself,
`moose_siblings` learns how many siblings hold together, and `moose_honest` averages over the readings that the
evidence allows.
"""
