"""What the command says to people, and the exit codes that it says to programs.

It loads nothing: the command needs it even where loading the rest was interrupted.
"""

from __future__ import annotations

import re
import sys

DOES_NOT_FOLLOW = 1
"""No: an axiom does not follow, evidence contradicts the theory, a certificate is refused."""
BAD_INPUT = 2
INCONSISTENT = 3
NOT_FOUND = 4
"""Neither yes nor no: an axiom was not found to follow, but axioms that may matter for it were not used."""
INTERNAL_ERROR = 70
"""A mistake of Moose itself, as sysexits.h numbers it."""
INTERRUPTED = 130
BROKEN_PIPE = 141
"""What a shell reports for a process that a closed pipe ended."""


# Control characters but tab and newline, and those that turn the direction of writing.
STEERING = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")


def harmless(text: str) -> str:
    """Write the characters that steer a terminal by their numbers, as JSON does."""
    return STEERING.sub(lambda found: f"\\u{ord(found[0]):04x}", text)


def say(message: str) -> None:
    """Print one line for people on the standard error."""
    print(f"moose: {harmless(' '.join(message.split()))}", file=sys.stderr)  # noqa: T201  # this is where lines for people go
