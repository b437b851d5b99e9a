"""The probabilities of axioms, read exactly.

In: annotations in the ontology, a TSV or JSON file beside it, or a mapping in Python. Out: `Probabilities`, a fraction
by the position of each axiom.
Start with `probabilities.py`; `matching.py` finds the axiom that is meant, `numbers.py` reads numbers.
"""
