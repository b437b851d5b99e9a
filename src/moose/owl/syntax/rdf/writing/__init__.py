"""OWL 2 as RDF, written.

In comes a `Document`, out comes text. `mapping` makes a tree of triples of it, after OWL 2 Mapping to RDF, section 2;
`turtle` and `rdfxml` write the tree with blank nodes nested, so that a change in the ontology is a small change in the
file; N-Triples are written by pyoxigraph. Start with `mapping`.
"""
