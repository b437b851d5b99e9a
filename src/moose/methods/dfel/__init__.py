"""The method DF-EL: the normal forms of EL in a fuzzy logic of products.

In: the normal forms of a task, and degrees from a network. Out: how false each axiom is. Start with `dfel`; `goguen`
has the degrees of falsity.
"""
