"""Commands that make one ontology of another: `moose reason`, `moose extract`, `moose diff`.

In: the arguments of a command. Out: a document, lines of text, an exit code. Start with `reason.py`.
"""
