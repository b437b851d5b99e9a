"""Latent roles: what is said of pairs of individuals.

In: encodings of individuals, evidence and truth of role atoms. Out: a logit for each latent role of each ordered pair,
beside those of latent concepts. Start with `role_tensors` (how atoms of roles are laid out), then `pair_network`.
"""
