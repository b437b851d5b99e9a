"""The method OWL2Vec*: words for classes from walks over the ontology, and a classifier on top of them.

In: an ontology. Out: a vector for each concept of a task, then a network that scores inputs by them. Start with
`owl2vec`; `walks` makes sentences, `skip_gram` vectors.
"""
