"""Why a model reads what it reads: the loss at the truth, at every other reading, and at the model.

In: a trained predictor and the examples that it learnt from, with their truth. Out: a `Diagnosis`. Start with
`diagnose`; `states_shown` lays the examples out by true state, `ideal_network` has the loss of a network that answers a
reading, `readings` says which readings are compared.
"""
