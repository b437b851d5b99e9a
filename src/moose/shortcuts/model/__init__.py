"""Shortcuts beside data and a trained model: arrays in the place of a task's possibilities.

In come evidence, truth and predicted probabilities of examples; out come the shortcuts that these examples leave
(`examples.py`), which map the model follows (`follow.py`, where to start), and a picture of that.
"""
