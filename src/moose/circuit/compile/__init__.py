"""Compile clauses: divided along their individuals into bags, each different bag once, and joined.

In come `Clauses`, out comes a `Circuit`. Start with `compile_circuit.py`; the way from there is `scopes` (who speaks
of whom), `elimination` and `decomposition` (the tree of bags), `templates` (one bag), `division` (how far to divide)
and `join` (the bags put together). Only `sdd/` speaks to PySDD.
"""
