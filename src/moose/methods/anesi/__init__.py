"""The method A-NeSI: a network in place of the circuit, trained on worlds that the circuit draws.

In: a network's beliefs and some evidence. Out: posteriors, and how likely the evidence is, approximately. Start with
`anesi`; `surrogate` is the network, `exact_worlds` what it is trained on.
"""
