"""What is seen of individuals: vectors, images, sequences, or tensors of any other shape.

In: tensors, arrays, lists of sequences, or what other libraries keep them in. Out: one tensor, with a mask for
sequences, and what an encoder is called with. Start with `read_inputs`; then `padded` (sequences) and `standardise`
(features).
"""
