"""Stage 7: from clauses to an exact circuit, and every question that one or two passes over it answer.

In come the `Clauses` of `grounding`, out comes a `Circuit`; the layer, shortcuts, queries and certificates read it.
Start with `circuit.py` (what can be asked) and `diagram.py` (the arrays that everything works on); then `compile/` and
`tables/` for how it is made and `inference/` for how it is asked. PySDD and PySAT are imported inside functions, where
they are first needed.
"""
