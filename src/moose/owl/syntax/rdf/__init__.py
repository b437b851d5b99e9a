"""OWL 2 in RDF: RDF/XML, Turtle and N-Triples.

In come bytes, out comes a `Document`. pyoxigraph gives the triples (`read_graph`); declarations say what names are
(`entity_kinds`), nodes become expressions (`expression_nodes`, `node_shapes`), triples axioms (`axiom_triples`,
`type_triples`). Start with `read_rdf`; it is imported when first used, so that other syntaxes do without pyoxigraph.
"""
