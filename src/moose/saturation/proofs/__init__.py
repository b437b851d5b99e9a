"""Why something follows: small proofs over expressions, as text, JSON and pictures.

In: an ontology and a goal. Out: an `Explanation`, whose proofs `moose.check_proof` judges.
Start with `explain.py`; `search.py` chooses among the recorded instances, `rule_writers.py` cuts each into small steps.
"""
