"""OWL 2 functional syntax, read and written.

In comes text (a document, an axiom, an expression), out comes a value of the model, and back. `functional_tokens`
are put together through the table `constructors`. Start with `read_functional` and `write_functional`. The reader
and the writer are imported when first used, so that the list of syntaxes loads neither.
"""
