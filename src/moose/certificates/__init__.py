"""Certificates: what a checker that shares no code with the engine needs to see that an answer is right.

In come an ontology and an axiom, a taxonomy, a circuit or a proof; out comes a JSON object that `moose verify` and the
checker extracted from Coq accept. Start with `make/certify_entailment.py` and `checker/verify.py`; `check_proof.py`
judges a proof by making a certificate of it.
"""
