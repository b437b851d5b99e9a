"""The method EL embeddings: concepts as balls, roles as translations.

In: the normal forms of a task, and points from a network. Out: distances that are losses and probabilities. Start
with `elembeddings`; `balls` has the geometry.
"""
