"""What of an ontology is in OWL 2 EL, and what is used of the rest.

In come axioms, out comes a `Profile`: the EL axioms to reason with, and each axiom outside with the reason and the EL
axioms that follow from it. Start with `check_profile`; `el` says what is inside, `weaken` what is used in place.
"""
