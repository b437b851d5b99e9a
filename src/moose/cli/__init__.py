"""The command `moose`: arguments in, text and an exit code out. Start with `app`, which has the table of commands.

Rooms: `reason`, `probability`, `learn` and `bench`, as `moose --help` groups the commands, and `common` for what they
share. Exit codes: 0 yes, 1 no (it does not follow, the evidence contradicts the theory), 2 bad input, 3 inconsistent,
4 not found, 70 a mistake of Moose. The commands themselves are imported inside `run`, so that an interrupt while they
load ends it without a traceback.
"""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import Sequence
from pathlib import Path

from moose.base.errors import ContradictoryEvidence, InconsistentOntology, MooseError
from moose.cli.common.interruption import INTERRUPTION
from moose.cli.common.messages import (
    BAD_INPUT,
    BROKEN_PIPE,
    DOES_NOT_FOLLOW,
    INCONSISTENT,
    INTERNAL_ERROR,
    INTERRUPTED,
    harmless,
    say,
)
from moose.cli.common.terminal import speaking_to_people

LONGEST_REPORT = 300
"""Characters of an unexpected error's message that are shown."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command and return its exit code; without arguments, those of the process, which then ends at once."""
    if arguments is not None:
        return run(arguments)
    if sys.stderr is None:  # closed by the caller: there is nobody to tell
        sys.stderr = Path(os.devnull).open("w", encoding="utf-8")  # noqa: SIM115  # open until the process ends
    # An ontology is a million values without cycles: looking for some, and freeing each at the end, frees nothing.
    gc.disable()
    INTERRUPTION.watch()
    code = run(sys.argv[1:])
    if INTERRUPTION.came:
        code = INTERRUPTED
    try:
        if sys.stdout is not None:
            sys.stdout.flush()
        sys.stderr.flush()
    except BrokenPipeError:
        code = BROKEN_PIPE
    os._exit(code)


def run(arguments: Sequence[str]) -> int:
    """Run the command; what a user can mend is said in one line, without a traceback."""
    try:
        from moose.cli.app import make_app, save_threads

        command = arguments[0] if arguments else ""
        save_threads(command)
        with speaking_to_people():
            make_app(command)(args=list(arguments), prog_name="moose")
    except SystemExit as end:
        return end.code if isinstance(end.code, int) else int(end.code is not None)
    except InconsistentOntology as error:
        say(str(error))
        return INCONSISTENT
    except ContradictoryEvidence as error:
        say(str(error))
        return DOES_NOT_FOLLOW
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
    except Exception as error:  # noqa: BLE001  # whatever it is, it must not look like an answer
        if INTERRUPTION.came:  # it was taken for another failure
            return INTERRUPTED
        report(error)
        return INTERNAL_ERROR
    return BAD_INPUT


def report(error: Exception) -> None:
    """Say that Moose itself made a mistake, and keep the traceback where the user can find it."""
    import tempfile
    import traceback

    what = f"{type(error).__name__}: {error}"[:LONGEST_REPORT]
    text = "".join(traceback.format_exception(error))
    try:
        with tempfile.NamedTemporaryFile(
            "w",
            prefix="moose-error-",
            suffix=".txt",
            encoding="utf-8",
            newline="\n",
            errors="backslashreplace",
            delete=False,
        ) as file:
            file.write(text)
        where = f"the traceback is in {file.name}"
    except OSError:
        sys.stderr.write(harmless(text))
        where = "the traceback is above"
    say(f"this is a mistake in Moose, not in what you gave it ({what}); {where}; please report it with the input")
