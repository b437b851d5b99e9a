"""How right and how well calibrated predictions are.

In: examples with their hidden truth, and what was predicted of them. Out: an `Evaluation` with every metric in three
views, and pictures of it. Start with `evaluate`; `metrics` has the formulas. Matplotlib is loaded when a picture is
drawn.
"""
