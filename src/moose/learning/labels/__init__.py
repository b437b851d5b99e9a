"""Labels of concepts, as a theory completes or refuses them.

In: a task, labels of examples. Out: all labels that follow, and which rows contradict the theory. Start with
`complete_labels`; its loop is in `label_loops`. `sibling_counts` adds to a theory how many siblings hold together.
"""
