"""Plain functions of arrays as machine code, which is kept on disk between runs.

In come modules whose functions allocate nothing; out come functions that do the same, faster. Start with
`numba_compilation`, whose functions are called through numba, often and with few arguments; those of `machine_code` are
run without loading numba. `kept_code` is the folder where the code is.
"""
