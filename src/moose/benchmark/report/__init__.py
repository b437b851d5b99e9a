"""The report: from the records of runs to tables, figures and claims beside the paper's, on one page.

In comes a `Store` of records, out comes a `Report` (`model/model.py`), which `render/` writes as HTML, Markdown or
LaTeX. Start with `assemble.py`, which puts it together; it imports figures and the shortcut counts only when it draws
them.
"""
