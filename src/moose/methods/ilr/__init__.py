"""The method ILR: truth values that are corrected until the clauses hold.

In: clauses over the atoms of a task, and truth values from a network. Out: truth values close to these that satisfy the
clauses, as far as they come. Start with `refinement`; `ilr` is the method.
"""
