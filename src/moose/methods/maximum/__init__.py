"""The methods that make a class as likely as the likeliest of its subclasses.

In: examples with labels. Out: probabilities that never contradict the hierarchy. Start with `max_constraint`, which
learns through the maximum; `max_propagation` takes it afterwards. `descendants` finds the maximum by the loop in
`maximum_loops`.
"""
