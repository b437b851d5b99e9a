"""Why a goal follows, in axioms: the minimal sets that entail it, and those without which it does not follow.

In: an ontology and a goal. Out: `Justification`s and repairs, one after another, the smallest first.
Start with `justifications.py`; `entailment_condition.py` says of which sets the goal follows, `hitting_sets.py` finds
the smallest of them, `laconic.py` cuts axioms into parts first, `unsatisfiable.py` tells causes from consequences.
"""
