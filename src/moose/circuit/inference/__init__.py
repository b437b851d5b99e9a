"""Questions to a diagram: counts, marginals, the most probable world, samples, models, entailment.

In come a `Diagram`, weights of its literals and evidence by position; out come numbers and worlds by position. Start
with `evaluate.py`, where the WMC recursion stands in a dozen lines; `kernels.py` has it and the other loops in floats
that do not underflow, and `executor.py` compiles those with numba, which it imports only for a large diagram.
"""
