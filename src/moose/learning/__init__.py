"""Learn latent concepts from partial evidence: what every method learns with.

In: `Examples` of a task. Out: predictions, and how good they are. Start with `examples`, `binding` (a task with its
circuit) and `loss` (what is minimised); `fit` trains, `evaluation` judges. Methods put them to work:
`moose.methods`.
"""

from importlib.util import find_spec

from moose.base.errors import needs_torch

if find_spec("torch") is None:
    raise needs_torch("learning")
