"""The syntaxes that ontologies are written in, a room for each.

In come the bytes of a document, out comes a `Document`. Beside the rooms stands a file for each with one value, its
`Syntax`; `moose.owl.load` has the list of these. A new syntax is a room, such a file and a line there. Start with
`common.syntax`.
"""
