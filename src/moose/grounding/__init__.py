"""Stage 6: from an ontology and named individuals to clauses over ground atoms."""
