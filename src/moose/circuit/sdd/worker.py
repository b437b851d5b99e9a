"""The other process: takes jobs on its standard input, compiles them, answers on its standard output.

PySDD does its work in long calls that nothing inside the same process can interrupt. This process can be killed.
"""

from __future__ import annotations

import os
import struct
import sys
import time
import traceback
from typing import BinaryIO

from moose.base.processes.interpreter import end_with_parent

PROGRESS = struct.Struct(">dQ")
PAUSE = 0.1  # seconds between two reports at least


def serve(parent: int) -> None:
    """Answer jobs until the input ends."""
    end_with_parent(parent)  # where no kernel sees to it, it ends at its next report, which then finds no reader
    from moose.circuit.limits import Overgrown
    from moose.circuit.sdd import job_messages as messages
    from moose.circuit.sdd.compile_sdd import run_job

    # What C code prints must not come between the frames, so they go to a descriptor of their own.
    output = os.fdopen(os.dup(1), "wb")
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    while (frame := messages.read_frame(sys.stdin.buffer)) is not None:
        report = _Reporter(output)
        try:
            fragment = run_job(messages.unpack_job(frame[1]), report)
        except Overgrown as error:
            messages.write_frame(output, messages.TOO_LARGE, PROGRESS.pack(error.share, error.size))
        except BrokenPipeError:
            return
        except Exception:  # noqa: BLE001 - whatever went wrong here is raised again by the one who waits
            messages.write_frame(output, messages.FAILED, traceback.format_exc().encode())
        else:
            messages.write_frame(output, messages.FRAGMENT, messages.pack_fragment(fragment))


class _Reporter:
    """Tells the parent how far a job is, now and then."""

    def __init__(self, output: BinaryIO) -> None:
        self.output = output
        self.last = time.monotonic()

    def __call__(self, share: float, size: int) -> None:
        from moose.circuit.sdd import job_messages as messages

        if time.monotonic() - self.last > PAUSE:
            messages.write_frame(self.output, messages.PROGRESS, PROGRESS.pack(share, size))
            self.last = time.monotonic()
