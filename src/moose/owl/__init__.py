"""Read every OWL syntax, check the OWL 2 EL profile, intern names, normalise: `load` gives an `Ontology`."""
