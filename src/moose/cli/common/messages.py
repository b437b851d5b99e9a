"""What the command says to people, and the exit codes that it says to programs.

It loads nothing: the command needs it even where loading the rest was interrupted.
"""

from __future__ import annotations

import sys

DOES_NOT_FOLLOW = 1
"""No: an axiom does not follow, evidence contradicts the theory, a certificate is refused."""
BAD_INPUT = 2
INCONSISTENT = 3
NOT_FOUND = 4
"""Neither yes nor no: an axiom was not found to follow, but axioms that may matter for it were not used."""
INTERRUPTED = 130
BROKEN_PIPE = 141
"""What a shell reports for a process that a closed pipe ended."""


def say(message: str) -> None:
    """Print one line for people on the standard error."""
    print(f"moose: {' '.join(message.split())}", file=sys.stderr)  # noqa: T201  # this is where lines for people go
