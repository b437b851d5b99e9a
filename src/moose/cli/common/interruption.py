"""Ctrl-C ends the command, whoever catches it on the way.

Python turns the signal into an exception at whatever point it stands. In the middle of an import, or in a function
that another library calls, that exception can be taken for another failure, or be printed and forgotten.
"""

from __future__ import annotations

import os
import signal
import sys
from types import FrameType
from typing import TYPE_CHECKING

from moose.cli.common.messages import INTERRUPTED

if TYPE_CHECKING:
    from sys import UnraisableHookArgs


class Interruption:
    """Remembers that an interruption came; a second one ends the process on the spot."""

    def __init__(self) -> None:
        self.came = False

    def watch(self) -> None:
        """Take the signal, unless whoever started the process wants it ignored, as for jobs in the background."""
        if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
            signal.signal(signal.SIGINT, self._interrupted)
            sys.unraisablehook = self._lost

    def _interrupted(self, number: int, frame: FrameType | None) -> None:
        if self.came:
            os._exit(INTERRUPTED)
        self.came = True
        signal.default_int_handler(number, frame)

    def _lost(self, lost: UnraisableHookArgs) -> None:
        """End at once where the exception came up in a place that nothing can be raised from."""
        if issubclass(lost.exc_type, KeyboardInterrupt):
            os._exit(INTERRUPTED)
        sys.__unraisablehook__(lost)


INTERRUPTION = Interruption()
"""Of this process."""
