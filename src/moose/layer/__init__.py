"""The circuit as a differentiable torch module.

In comes a `Circuit`, out comes a `WMCLayer`, which maps log weights and evidence of a batch to log WMC. Start with
`layer.py`; it checks its `inputs`, makes `weights` of a network's output, and hands a `program` to one of two
executors: `fused_executor`, which runs `kernels/` on the CPU, and `torch_executor`, which follows a `schedule` of
torch operations.
"""

from importlib.util import find_spec

from moose.base.errors import needs_torch

if find_spec("torch") is None:
    raise needs_torch("the layer")
