"""Conditions of goals made smaller before diagrams are built, and what a smaller one says of the axioms.

In: conditions over uncertain axioms. Out: conditions over fewer *coins*, each of which stands for axioms in series or
in parallel, with their probabilities, derivatives and likeliest worlds.
Start with `reduce.py`; `coins.py` has the trees, `clause_graph.py` the clauses that are rewritten.
"""
