"""Probabilities of axioms learnt from cases: what was seen to follow, and what not, of individuals or classes.

In: an ontology, where its probabilities begin, and cases. Out: the probabilities under which the cases are likeliest,
or likeliest with a prior, and how sure that is.
Start with `learn.py`; `cases.py` has the observations and their files, `parameters.py` what is learnt, `likelihood.py`
the diagrams.
"""
