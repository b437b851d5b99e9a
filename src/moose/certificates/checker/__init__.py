"""A small checker of certificates: plain Python, nothing of the engine, nothing but the standard library.

In comes a JSON object, out comes a `Verdict`, or `Refused` says in one sentence why not. Start with `verify` (what is
checked for which claim); then `reading` (what a certificate looks like), `theory` (concepts and axioms), `rules` and
`individual_rules` (that something follows), `model` and `closure` (that something does not), `sources` (that the axioms
are what the ontology says), `circuit` (that a circuit is its clauses).
"""
