"""What a map must satisfy.

In come tasks and `options` (the evidence that is shown, the kind of encoder), out comes a `Problem`, and of it the
`Clauses` whose models are the consistent maps. Start with `problem.py`; `worlds` finds what can be shown, `states` has
the latent variables, `observations` what is shown and how it is read, `constraints` writes the clauses.
"""
