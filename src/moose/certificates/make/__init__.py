"""Make certificates: from proofs that something follows, from closures that something does not, from circuits.

In come what `explain`, `classify` or `compile_circuit` return; out come JSON objects. Start with `certify_entailment`;
`vocabulary` numbers what a certificate speaks of, `from_proof` writes proofs as steps, `countermodel` writes closures
as models.
"""
