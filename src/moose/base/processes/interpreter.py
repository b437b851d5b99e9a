"""Another interpreter: it finds modules where this one does, runs no `__main__` of the user, ends with its parent."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys

from moose.base.errors import MooseError

PR_SET_PDEATHSIG = 1  # of prctl(2): a signal to get when the parent ends

# -P: modules are found where this process finds them, not first in the folder that happens to be the current one.
START = "import sys, json; path, parent = json.loads(sys.argv[1]); sys.path[:] = path; "


def start_interpreter(statement: str, purpose: str) -> subprocess.Popen[bytes]:
    """Start an interpreter that runs a statement, in which `parent` is the number of this process.

    Its input and output are pipes; what it says on the standard error is dropped. This is how processes start where
    they cannot be forked; unlike `multiprocessing` it needs no guard in the user's script.
    """
    settings = json.dumps([[*map(str, sys.path)], os.getpid()])
    try:
        return subprocess.Popen(  # noqa: S603 - our own interpreter and our own code
            [sys.executable, "-P", "-c", START + statement, settings],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            start_new_session=True,  # Ctrl-C in a terminal is for the parent alone; Windows has none of this
        )
    except OSError as error:
        raise MooseError(f"cannot start {sys.executable!r} to {purpose} in a process of its own: {error}") from error


def end_with_parent(parent: int) -> None:
    """See to it that this process does not outlive its parent, which alone decides what an interruption ends.

    On Linux the kernel kills it. Elsewhere it must itself look whether somebody still listens.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if sys.platform == "linux":
        import ctypes

        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, ctypes.c_ulong(signal.SIGKILL))
        if os.getppid() != parent:  # it ended before the kernel was told
            os._exit(1)
