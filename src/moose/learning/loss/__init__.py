"""What is minimised.

In: a network, and examples with a task's circuit. Out: the loss of a batch. Start with `objective`; `likelihood` has
how likely evidence is, `theory_alone` what that is divided by, `cover` the term against collapse.
"""
