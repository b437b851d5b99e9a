"""The OBO flat file format.

In comes text, out comes a `Document`: lines become clauses (`clauses`), identifiers IRIs (`identifiers`), and each
clause axioms or annotations (`term_clauses`, `relation_clauses`, `annotation_clauses`). Start with `read_obo`; it is
imported when first used, so that the list of syntaxes does not load it.
"""
