"""The circuit as a differentiable torch module."""

from importlib.util import find_spec

from moose.base.errors import MooseError

if find_spec("torch") is None:
    raise MooseError("moose.layer needs PyTorch, which is not installed; run `pip install 'moose-el[learn]'`")
