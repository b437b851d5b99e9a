"""How likely it is that an ontology entails something, when its axioms are uncertain (DISPONTE), and why.

In: an ontology, probabilities of its axioms, a goal. Out: an `Answer` with the exact probability or bounds, and
justifications; or the same question as a file for another solver.
Start with `query.py`, then `answer.py`. The rooms from below: probabilities, program, export. PySDD is imported inside
a function, when the first diagram is built, because reading probabilities and exporting need none.
"""
