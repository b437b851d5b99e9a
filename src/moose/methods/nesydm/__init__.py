"""The methods NeSyDM: masked diffusion over the latent variables.

In: examples. Out: marginals over vectors that are drawn given theory and evidence. Start with `nesydm`; `diffusion`
masks and fills vectors, `unmasking` is the network, and the estimators are `nesydm_rloo` (samples) and `nesydm_exact`
(circuit).
"""
