"""The method Embed2Sym: clusters of a network's embedding, which a MaxSAT solver names.

In: examples with evidence. Out: what the latent concepts of each cluster are. Start with `embed2sym`; `naming` has the
problem that is given to the solver.
"""
