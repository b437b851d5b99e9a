"""The method BEARS: members of an ensemble that are made to differ.

In: examples. Out: the mean of the members' posteriors. Start with `bears`; `diversity` measures how a member differs.
"""
