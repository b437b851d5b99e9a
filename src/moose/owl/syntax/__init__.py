"""The syntaxes that ontologies are written in, a room for each.

In come the bytes of a document, out comes a `Document`. `moose.owl.load` has the list of them all: whoever
looks for a reader is given it, and a new syntax is a room and a line there. Start with `common.syntax`.
"""
