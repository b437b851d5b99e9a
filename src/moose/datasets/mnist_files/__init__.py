"""MNIST on disk: in comes a folder, out come checked arrays; what is missing there is fetched when asked for.

Start with `published.py`; `fetching.py` gets the files, and is imported only then.
"""
