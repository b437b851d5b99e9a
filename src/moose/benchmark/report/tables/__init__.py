"""The tables of the report: in come `Results` and the `Paper`, out comes a `Table` from each function.

Start with `headline.py`; every other file is one more table, or a few that belong together.
"""
