"""Manchester syntax.

In comes text, out comes a `Document`: tokens under a cursor (`manchester_tokens`, `cursor`), expressions read by
descent (`class_expressions`, `data_ranges`), frames as tables (`frames`). Start with `read_manchester`; it is
imported when first used, so that the list of syntaxes does not load it.
"""
