"""What is made of an ontology for others to use: a reasoned copy, a module of some terms, what changed between two.

In: ontologies. Out: ontologies, and `Difference`. Start with `reasoned.py`, then `extract.py` and `diff.py`.
"""
