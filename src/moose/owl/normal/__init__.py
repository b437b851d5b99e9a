"""EL axioms as integers.

In come the EL axioms and the names of an ontology, out comes a `NormalForm`: tables of numbers in which each distinct
concept is one number, and what holds by the semantics alone is written down. Start with `normal_form`, then
`normalise`.
"""
