"""Questions written for other solvers: weighted DIMACS for model counters, and ProbLog programs.

In: an ontology with probabilities and a goal, or the clauses of a grounding. Out: text.
Start with `encode.py`, which runs the paper's stages: rule instances, then `clark.py`, `unroll.py` and `tseitin.py`;
`weighted_cnf.py` and `problog.py` write the result. `constraints.py` writes a grounded theory for ProbLog.
"""
