"""Train a network on prepared examples.

In: a `Work`, that is a network, examples, an objective and settings. Out: the trained weights, and the epochs, with a
checkpoint after each. Start with `training_loop.run`; `watchers` are told how it goes, and load rich and TensorBoard
late.
"""
