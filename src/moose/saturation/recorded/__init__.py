"""The same rules with every instance kept: the one place where rule instances come from.

In: a normal form, and what may hold that is not known yet (evidence, uncertain axioms). Out: facts and the rule
instances among them, as Horn clauses for groundings and queries (`horn.py`), as derivations for proofs
(`derivations.py`).
Start with `calculus.py`, then `role_rules.py` and `individual_rules.py`; `rule_instance.py` has the values,
`told_index.py` what was told by what a rule has in hand.
"""
