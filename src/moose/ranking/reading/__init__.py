"""In: ontologies, annotations, files of cases. Out: Hypotheses, Case. Start with `from_ontology.py`."""
