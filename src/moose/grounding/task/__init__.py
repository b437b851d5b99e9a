"""The task: what is seen, what is hidden, and of whom; checked when it is made.

In: an ontology and names as people write them, in Python or in a task file (TOML), or the name of one of the paper's
regimes. Out: a `Task` over resolved concepts, roles and individuals, with families, profiles and known facts.
Start with `task.py`; `declarations.py` and `vocabulary.py` check its parts, `task_file.py` reads and writes files.
"""
