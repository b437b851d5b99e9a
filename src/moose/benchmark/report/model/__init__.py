"""What a report is made of: plain values, the paper's numbers, and how numbers and names are written.

In come records and `paper.toml`, out come `Quantity`, `Table`, `Figure`, `Claim` and the facts of what was run. Start
with `model.py`; `quantities.py` leads from records to the entries of tables, `paper.py` reads the paper's numbers.
"""
