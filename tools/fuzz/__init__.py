"""Look for inputs that crash Moose, make it run away, or make it say two different things.

    python -m tools.fuzz --minutes 5 --seed 0 [--only TARGETS] [--workers 1] [--findings FOLDER] [--results JSON]
    python -m tools.fuzz --case FILE [--shrink]

A case is decided by a seed and a number: `cases` draws a target and a document, `byte_mutations`, `token_mutations`
and `random_axioms` spoil it, `targets` says what is done with it, and `oracles` what the answers must agree in.
`workers` runs cases in forked processes with limits on time and memory; `report` counts. A finding is a JSON file that
holds its files whole: it can be repeated, shrunk, and put into `tests/fuzz/corpus`, which `make test` runs.
"""
