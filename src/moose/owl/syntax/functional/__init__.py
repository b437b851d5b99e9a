"""OWL 2 functional syntax, read and written.

In comes text (a document, an axiom, an expression), out comes a value of the model, and back. `functional_tokens`
are put together through the table `constructors`. Start with `read_functional` and `write_functional`; `read_plain`
reads large documents by machine code. Readers and writer are imported when first used, so that the list of syntaxes
loads none of them.
"""
