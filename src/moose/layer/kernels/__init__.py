"""The loops that numba compiles for the fused executor; nothing in here calls torch, and nothing allocates.

In come log weights, evidence and a diagram's arrays (`arrays.py`), out come log WMC and its derivatives, written in
place. Start with `linear.py`: up and down the circuit for many examples side by side. `scaled.py` does the same for
one example whose numbers are too small for that, `curvature.py` has the second derivatives, `levels.py` the depth of
each decision.
"""
