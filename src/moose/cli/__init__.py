"""The command `moose`: arguments in, text out. Exit 0 yes, 1 it does not follow, 2 bad input, 3 inconsistent."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from moose.errors import MooseError

DOES_NOT_FOLLOW = 1
BAD_INPUT = 2
INCONSISTENT = 3
INTERRUPTED = 130


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command and return its exit code; what a user can mend is said in one line, without a traceback."""
    try:
        from moose.cli.app import app

        app(args=None if arguments is None else list(arguments), prog_name="moose")
    except SystemExit as end:
        return end.code if isinstance(end.code, int) else int(end.code is not None)
    except MooseError as error:
        say(str(error))
    except KeyboardInterrupt:
        return INTERRUPTED
    except MemoryError:
        say("the machine has too little memory for this ontology; use a larger one, or a module of the ontology")
    except RecursionError:
        say("an expression is nested too deeply; name its inner parts by classes of their own")
    except OSError as error:
        where = f"{error.filename}: " if error.filename else ""
        say(f"{where}{(error.strerror or type(error).__name__).lower()}; check the path, its permissions and the disk")
    return BAD_INPUT


def say(message: str) -> None:
    """Print one line for people on the standard error."""
    print(f"moose: {' '.join(message.split())}", file=sys.stderr)  # noqa: T201  # this is where lines for people go
