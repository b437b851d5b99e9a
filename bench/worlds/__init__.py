"""Ontologies whose classes say different amounts, each learnt by five ways of learning: `python -m bench.worlds`.

A world is a task, a network and examples (`world.py`); `ways.py` learns it and measures, and a file for each world
makes it: `digit_rows.py` (roles and chains), `white_cells.py` (images and the Cell Ontology), `blood_table.py` (a
table).
"""
