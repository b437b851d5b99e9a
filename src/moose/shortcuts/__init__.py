"""Reasoning shortcuts: which maps from true to predicted concepts agree with all that a task shows.

In comes a `Task` and what is shown of it, out come the consistent maps: how many, which, and what they cost. Start
with `count/find_shortcuts.py`; `problem/` says what a map must satisfy, `count/` counts and lists maps, `advice/` says
what would remove shortcuts, and `model/` which map a trained model follows. Each room imports those before it only.
PySAT and matplotlib are imported inside functions, where they are first needed.
"""
