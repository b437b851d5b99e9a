"""The two encodings of a task as clauses: the paper's shapes alone, or every ground clause that is entailed.

In: a `Task`, the components of the closure Φ, whether roles are pinned. Out: `Clauses`.
Start with `paper.py`, then `entailed.py` (the encoding `full`): it takes its clauses from `entailments.py`, or from
`lifted.py` where no axiom tells the individuals apart. `layout.py` numbers the atoms for both.
"""
