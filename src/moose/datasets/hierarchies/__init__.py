"""Features with labels from a hierarchy of classes.

In: files (ARFF in an archive, tables of genes) and the name of a regime. Out: rows with features and truth, a task of
one individual, and evidence of which some is hidden and the rest completed by the theory. Start with `regime_names.py`,
which reads a name such as `imclef07a-hidden90`; `hierarchy.py` has the theory, `hiding.py` what is shown, `labelled.py`
the rest.
"""
