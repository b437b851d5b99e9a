"""What data sets have in common: the regimes, what images show, and how examples are drawn from a pool of images.

In come a `Pool` of labelled images and a `Request`, out come `Examples`. Start with `request.py` (what is asked of a
data set) and `regimes.py` (the table of them), then `instances.py`, which draws.
"""
