"""A task's theory in the forms that methods without the full circuit need.

In: a task. Out: its axioms as rows of numbers (`task_axioms`, start there), their normal forms, the part that is
propositional, and what is known of its individuals as tensors.
"""
