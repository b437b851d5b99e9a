"""What every other package may stand on, and what knows none of them.

In come plain values: words, paths, graphs, functions. Out come errors that a user can act on (`errors`), files that are
whole or not there (`whole_files`), what was perhaps meant (`suggestions`), components (`graphs`), boxes in rows
(`drawing`), functions as machine code (`compiled`), work in other processes (`processes`). Start with `errors`, which
every other package raises. numba is imported inside a function: it takes a second to load, and few commands need it.
"""
