"""OWL/XML.

In come bytes, out comes a `Document`: each element has the name of a construct of functional syntax, and is built by
the same table. Start with `read_owlxml`; it is imported when first used, so that the list of syntaxes does not load
it.
"""
