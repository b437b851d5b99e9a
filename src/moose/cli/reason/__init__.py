"""Commands on an ontology: a FILE in; a taxonomy, proofs, types or verdicts on certificates out, as text or JSON.

Start with `classify`: each file is one command, a function whose parameters are its arguments and options, and then
how the answer is written. What reasons is imported inside the functions, so that `moose --help` loads none of it.
"""
