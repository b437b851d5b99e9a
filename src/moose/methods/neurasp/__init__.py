"""The method NeurASP: stable models of a task's theory, whose choices networks weigh.

In: the grounded theory of a task. Out: how likely what is observed is, over stable models. Start with `neurasp`;
`answer_sets` makes the program, `clingo_text` writes it down for clingo.
"""
