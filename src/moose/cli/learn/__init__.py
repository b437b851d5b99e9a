"""Commands on a task: a TASK in, a regime's name or a task's file; a circuit, shortcuts, a trained model, scores out.

Start with `compile` for what is made of a task, and with `train` for what is learnt; `evaluate`, `predict` and
`shortcuts --model` go on from the folder that `train -o` wrote, which `learning_output` writes and reads. NumPy, torch
and what needs them are imported inside the functions, so that `moose --help` loads none of it.
"""
