"""The syntaxes that ontologies are written in, a room for each.

In come the bytes of a document, out comes a `Document`. `syntaxes` is the list of them all: whoever looks for a
reader goes through it, and a new syntax is a room and a line there. Start with `syntaxes`, then `common.syntax`.
"""
