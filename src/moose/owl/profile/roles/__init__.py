"""What follows in EL from property axioms outside it, taken together with the rest of the ontology.

In come axioms with their positions, out come EL axioms, each with the positions of the axioms it rests on. Start with
`role_box`, which closes the property axioms under inversion; `successors` says what holds of fillers.
"""
