"""A goal as a function of which uncertain axioms hold.

In: numbered axioms, which of them are uncertain, and a goal. Out: its `Condition`, made of Horn programs over axioms,
as a diagram (`fact_diagrams.py`), as justifications, or as bounds of its probability.
Start with `program.py`, then `goal_conditions.py`; `moose.owl.modules` leaves out axioms that cannot matter.
"""
