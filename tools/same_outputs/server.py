"""A process that has Moose loaded and forks off another one for each command: `python server.py SECONDS`.

It is started as a file, not as a module, and imports nothing from beside it: its path is that of the checkout.
The first line of its standard input lists the commands that load Moose; each further line is a request.
"""

from __future__ import annotations

import json
import os
import runpy
import signal
import sys
from collections.abc import Sequence
from contextlib import suppress
from unittest.mock import patch


def serve(limit: int) -> None:
    """Load Moose by using it, then fork for each request on the standard input, and answer with the exit code."""
    answers = os.fdopen(os.dup(1), "w")
    redirect((os.devnull,), first=1)
    for words in json.loads(sys.stdin.readline()):
        with suppress(SystemExit), patch.object(os, "_exit", sys.exit):  # `moose` ends its process at once
            run_here(words)
    for line in sys.stdin:
        request = json.loads(line)
        child = os.fork()
        if child == 0:
            answers.detach()
            redirect((os.devnull, *request["outputs"]), first=0)
            os.chdir(request["cwd"])
            signal.alarm(limit)
            run_here(request["words"])
            return
        answers.write(f"{os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])}\n")
        answers.flush()


def redirect(paths: Sequence[str], *, first: int) -> None:
    """Let the standard streams from this number on be files: the input is 0, the output 1, the error 2."""
    for number, path in enumerate(paths, first):
        opened = os.open(path, os.O_RDONLY if number == 0 else os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
        os.dup2(opened, number)
        os.close(opened)


def run_here(words: Sequence[str]) -> None:
    """Do in this process what `python -m moose` does."""
    sys.argv = ["moose", *words]
    runpy.run_module("moose", run_name="__main__", alter_sys=True)


if __name__ == "__main__":
    serve(int(sys.argv[1]))
