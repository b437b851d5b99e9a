"""Ontologies, from a file to numbers.

In comes the path of a document in any OWL syntax (or axioms built in Python), out comes one frozen `Ontology`: its
axioms, what of them is in OWL 2 EL, its names, and the normal form that reasoning works on. Start with `load`, then
`ontology`; the rooms in the order of the way: `files`, `syntax`, `model`, `profile`, `normal`. `normal`, which needs
numpy, is imported when the normal form is first asked for.
"""
