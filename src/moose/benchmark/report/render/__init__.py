"""How a report is written: in comes a `Report` or a `Table`, out comes text.

Start with `page.py` (HTML; it imports Jinja only then); `markdown.py` and `latex.py` write single tables.
"""
