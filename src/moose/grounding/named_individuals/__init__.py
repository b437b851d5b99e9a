"""Axioms of OWL 2 over named individuals, as propositional clauses.

In: axioms, a `Task`, the numbers of its atoms. Out: clauses over these, and over auxiliary atoms for what is nested.
Start with `ground_axioms.py`; `axiom_formulas.py` says what each construct means, `formulas.py` turns it into clauses.
"""
