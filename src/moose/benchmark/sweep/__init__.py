"""Run the cells of a plan that are not finished, in processes of this machine or on a Ray cluster.

In: a plan and a store. Out: a record in the store for each cell. Start with `run.py`; `worker.py` does one cell,
`compute.py` says what a cell computes. Imports inside functions keep torch unloaded until a cell is computed.
"""
