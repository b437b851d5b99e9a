"""Which wrong readings of the latent concepts explain all the evidence: count them, list them, say what they cost."""
