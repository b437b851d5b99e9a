"""Stage 1: what follows from an ontology, and why.

In: an `Ontology`. Out: its `Closure`, `Taxonomy`, `Realisation`, and the proofs of what follows.
Start with `rules.py`, the table of all rules; then `engine/kernel.py` (fast) and `recorded/calculus.py` (every instance
kept), which realise the same rules; then what is read off them, `proofs/explain.py` and `answers/taxonomy.py`.
The rooms from below: engine, recorded, proofs, dl, answers.
"""
