"""Compile clauses by tables: eliminate variables one by one, and keep for each a table of the rows that are consistent.

In come clauses, out comes a `Diagram`: each row is a product of the eliminated variable's literal and of sums that the
bags below it made. Start with `compile_tables.py`; it makes a `theory` of many-valued variables, finds an elimination
`order`, builds the tables of bags in `bag_tables` (by `rows`, which joins and filters), and writes them by
`to_diagram`.
"""
