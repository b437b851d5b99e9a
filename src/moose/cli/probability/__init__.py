"""Commands on uncertain axioms: a FILE and goals in; probabilities with their reasons, or clauses for others, out.

Start with `query`; `query_options` has what it shares with `encode`. What counts is imported inside the functions, so
that `moose --help` loads none of it.
"""
