"""What is made of an ontology for others to use: a reasoned copy, a module of some terms, what changed between two;
and which names somebody who writes one may have misspelt.

In: ontologies. Out: ontologies, `Difference`, and `UndeclaredName`. Start with `reasoned.py`, then `extract.py` and
`diff.py`.
"""
