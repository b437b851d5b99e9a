"""Count and list the consistent maps of a problem.

In comes a `Problem`, out come `Shortcuts`: the maps as the models of a circuit. Start with `find_shortcuts.py`, which
makes the circuit (by `search_compiler`, or by the compiler of `circuit/`), then `shortcuts.py` for what can be asked
of it. The rest reads `Shortcuts`: `ceiling` and `verdict` sum them up, `symmetry` counts them up to renaming,
`approximate` bounds their number where it cannot be counted.
"""
