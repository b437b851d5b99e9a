"""Exact probabilities of observations. In: Hypotheses, Evidence. Out: Likelihoods. Start with `elimination.py`."""
