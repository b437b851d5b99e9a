"""The figures of the report: in come records, out come `Figure` values with one SVG element each.

Start with `trade_off.py`; `reliability`, `confusion` and `concepts` are the other figures, and they share `panels`,
`axes`, `marks`, `labels` and `svg`. Nothing is drawn by matplotlib: the SVG is written as a tree, and is the same on
every machine.
"""
