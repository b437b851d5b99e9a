from __future__ import annotations

import os
import signal

from tests.searching import load_profile

load_profile()

if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    # A shell without job control ignores interrupts for what it starts in the background, and so would all that tests
    # start: those that interrupt a command would wait for ever.
    signal.signal(signal.SIGINT, signal.default_int_handler)

# Tests start hundreds of commands, each of which would compile all of the package where bytecode is not kept.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
