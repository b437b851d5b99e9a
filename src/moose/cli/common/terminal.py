"""Text from files on the way to a terminal: characters that would steer it are shown, not obeyed.

A name in an ontology or a path may hold escape sequences that colour, move or retype what the terminal shows. Written
by their numbers, as JSON does, they are harmless, and inside a JSON string they still mean the same.
"""

from __future__ import annotations

import sys
import warnings
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any, TextIO, cast

from moose.base.errors import MooseWarning
from moose.cli.common.messages import harmless, say


class HarmlessStream:
    """A text stream that writes nothing that steers a terminal; all else is as the stream within has it."""

    def __init__(self, within: TextIO) -> None:
        self.within = within

    def write(self, text: str) -> int:
        """Write text."""
        self.within.write(harmless(text))
        return len(text)

    def writelines(self, lines: Iterable[str]) -> None:
        """Write several texts."""
        self.within.writelines(map(harmless, lines))

    def __getattr__(self, name: str) -> Any:  # whatever the stream within has
        return getattr(self.within, name)


def as_harmless(stream: TextIO) -> TextIO:
    """Return a stream that writes nothing that steers a terminal."""
    return stream if isinstance(stream, HarmlessStream) else cast(TextIO, HarmlessStream(stream))


def steered(stream: TextIO) -> TextIO:
    """Return the stream within, for a progress bar that moves about."""
    return stream.within if isinstance(stream, HarmlessStream) else stream


def set_utf8(stream: TextIO | None) -> None:
    """Let a stream write UTF-8 and plain line ends, whatever the locale or the system."""
    if stream is not None and hasattr(stream, "reconfigure"):
        stream.reconfigure(encoding="utf-8", newline="\n")


@contextmanager
def speaking_to_people() -> Iterator[None]:
    """Make the standard error harmless, and say warnings of Moose there in one line each; all output is UTF-8."""
    set_utf8(sys.stdout)
    before = sys.stderr
    sys.stderr = as_harmless(before)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("always", MooseWarning)
            shown = warnings.showwarning

            def show(message: Warning | str, category: type[Warning], *rest: Any, **named: Any) -> None:
                if issubclass(category, MooseWarning):
                    say(str(message))
                else:
                    shown(message, category, *rest, **named)

            warnings.showwarning = show
            yield
    finally:
        sys.stderr = before
