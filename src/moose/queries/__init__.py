"""How likely it is that an ontology entails something, when its axioms are uncertain (DISPONTE), and why."""
