"""The rules at full speed: integers in arrays, compiled by numba where it pays, no instance kept.

In: a normal form. Out: facts C ⊑ D and C → r → D, in all models and where some concept has an element.
Start with `kernel.py`, one block a rule under its sequent; `global_rules.py` has the rules that look at everything at
once, `saturate.py` lets the two take turns.
"""
