"""What `moose predict` is made of: images and literals in, as examples; what is said of each instance out.

Start with `told`, which prints it and writes it to files.
"""
