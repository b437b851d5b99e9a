"""Learn latent concepts from partial evidence: encoders, losses, training, checkpoints, metrics."""

from importlib.util import find_spec

from moose.base.errors import MooseError

if find_spec("torch") is None:
    raise MooseError("moose.learning needs PyTorch, which is not installed; run `pip install 'moose-el[learn]'`")
