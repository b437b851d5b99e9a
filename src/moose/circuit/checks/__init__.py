"""Whether a diagram is what inference takes it for: in order, decomposable, deterministic, and whether it is smooth.

In comes a `Diagram`, out comes a `Report`. Start with `check_diagram.py`. PySAT is imported only where it is needed.
"""
