"""Show that two checkouts of Moose give the same outputs: run the same commands against each, then compare.

    python -m tools.same_outputs run CHECKOUT FOLDER [--data DIR] [--only PATTERNS] [--fresh]
    python -m tools.same_outputs compare FOLDER_A FOLDER_B [--except PATTERN]
    python -m tools.same_outputs proofs FOLDER_A FOLDER_B
    python -m tools.same_outputs time FOLDER CHECKOUT... [--data DIR] [--runs 5]

`run` keeps the standard output, the standard error, the exit code and the files of every command. `compare` compares
them byte for byte, apart from what `comparing.PASSED_OVER` lists, prints a line for each difference and exits 1 if
there is one. `proofs` counts the steps of every proof on both sides. `time` prints what some commands cost. Nothing of
Moose is imported here: one copy serves both checkouts. `differences.md` says what was found.

FOLDER has `inputs/` (what the commands read), `home/` (caches, so that nobody's own are used) and `cases/NAME/`:
`NN-COMMAND.out`, `.err`, `exits.txt`, in `files/` what was written, and in `commands.txt` the words of each command.
"""


class Mistake(Exception):
    """What was given cannot be worked with; the message says why."""
