"""Files on this machine: their bytes, their syntax, and the documents that they import.

In comes a path, out come UTF-8 bytes (`fetch`), the syntax they are in (`sniff`), and all documents that an import
leads to (`imports`, by way of `catalogue`). No address is ever fetched. Start with `sniff`.
"""
