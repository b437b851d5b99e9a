"""Stage 6: from an ontology and named individuals to clauses over ground atoms.

In: a `Task` (an ontology, individuals, which concepts and roles are observed or latent). Out: `Clauses`, which the
circuit compiler takes, with the assumptions they rest on; `evidence.py` reads what is observed of their atoms.
Start with `ground.py`, then `clauses.py`. The rooms from below: task, encodings. `ground.py` imports an encoding only
when it is asked for: the reasoner need not be loaded to read a task.
"""
