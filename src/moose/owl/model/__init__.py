"""OWL 2 as values: expressions, axioms, literals, and the documents they stand in.

Nothing comes in; out come frozen dataclasses under the names of the specification, and what can be computed from one
alone (its signature, the value of a literal, a data range as a set). Start with `expressions` and `axioms`.
"""
