"""Which runs an experiment is made of.

In: a plan's TOML file (`plan_files/`, or one of your own), a scale, a choice of regimes, methods and seeds.
Out: cells, one a run, each named by all that decides its result. Start with `plans.py`, then `cells.py`.
"""
