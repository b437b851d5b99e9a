"""Every method of the comparison, one file each: `fit(task, examples)` gives a predictor."""

from importlib.util import find_spec

from moose.base.errors import MooseError

if find_spec("torch") is None:
    raise MooseError("moose.methods needs PyTorch, which is not installed; run `pip install 'moose-el[learn]'`")
