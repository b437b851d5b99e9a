"""What people ask of a closure: the class hierarchy, what individuals are, the hierarchy of properties.

In: an ontology. Out: `Closure`, `Taxonomy`, `Realisation`. Start with `closure.py`, then `taxonomy.py`.
"""
