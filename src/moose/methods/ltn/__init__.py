"""The method LTN: axioms as formulas of a fuzzy logic.

In: the axioms of a task, and truth values from a network. Out: how far all formulas are satisfied. Start with `ltn`;
`fuzzy` has the connectives, `fuzzy_theory` the formulas, `fuzzy_columns` and `fuzzy_outputs` where their values
stand.
"""
