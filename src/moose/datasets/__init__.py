"""Data sets: images of individuals, partial evidence on them, and the hidden truth, behind one interface.

In comes a name and a regime, out come `Examples` for each split. Start with `open.py`, which finds the module that is
named as the data set is; each has a `SOURCE` that says how it is opened, what may be missing and how to get it. What
is shared stands in `base/`. Pillow, scikit-learn, torch and the network are imported inside functions: to list data
sets needs none.
"""
