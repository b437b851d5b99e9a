"""Every method of the comparison, one file or folder each: `fit(task, examples)` gives a predictor.

In: a task and its examples. Out: a predictor. Start with `base.method`, then `moose`; `registry` is the table of all,
`load_predictor` the way back from disk, and `concept_learner` the learner of `import moose`.
"""

from importlib.util import find_spec

from moose.base.errors import needs_torch

if find_spec("torch") is None:
    raise needs_torch("learning")
