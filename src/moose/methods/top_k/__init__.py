"""The method of the k likeliest proofs.

In: the neural program of a task. Out: a lower bound of how likely what is observed is. Start with `top_k`; `all_proofs`
lists the proofs of a query, and `union` has the probability of some of them.
"""
