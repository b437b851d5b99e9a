"""The axioms that can matter for a goal, and those of them that reasoning in EL does not use whole.

In: axioms of OWL 2, inside EL or not, and the names of a goal. Out: positions of axioms. Start with
`module_extraction.py`; `locality.py` says when an axiom says nothing, `unused.py` what an answer therefore leaves open.
"""
