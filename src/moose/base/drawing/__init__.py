"""Boxes of text in rows, and the lines between them.

In: `Box`es, each with the numbers of those above it. Out: where they stand, in pixels; who draws writes the SVG.
Start with `boxes.py`; `layers.py` orders the rows and leads lines past boxes.
"""
