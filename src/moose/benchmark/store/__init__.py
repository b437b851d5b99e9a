"""Results on disk: a folder with a file a cell while a sweep runs, one packed file for each plan when it is done.

In: records of cells. Out: the same, by plan and scale, whole or not at all. Start with `store.py`, whose docstring has
the layout and the keys of a record; `records.py` checks them, `record_files.py` reads and writes them,
`packed_files.py` is the compact form that is committed.
"""
