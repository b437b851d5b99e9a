"""Write results: to the standard output, or to a file that appears only when it is whole."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from math import isfinite
from pathlib import Path
from typing import TextIO

from moose.base.errors import MooseError
from moose.cli.common.messages import BROKEN_PIPE
from moose.cli.common.terminal import as_harmless, set_utf8


@contextmanager
def writing(output: Path | None, *, source: Path | None = None) -> Iterator[TextIO]:
    """Give a stream to write to; `source` is the file that was read, which must not be overwritten."""
    if output is None or str(output) == "-":
        with _standard_output() as stream:
            yield stream
        return
    _keep_source(output, source)
    from moose.base.whole_files import whole_file  # here, as help should load nothing of this

    with whole_file(output) as draft, draft.open("w", encoding="utf-8", newline="\n") as stream:
        yield stream


def check_output(output: Path | None, *, source: Path | None = None) -> None:
    """Say before long work that its output could not be written."""
    if output is not None and str(output) != "-":
        from moose.base.whole_files import check_writable

        _keep_source(output, source)
        check_writable(output)


def _keep_source(output: Path, source: Path | None) -> None:
    if source is not None and output.exists() and source.exists() and output.samefile(source):
        raise MooseError(f"{output}: is the ontology itself and would be overwritten; choose another name with -o")


def save_certificate(certificate: Mapping[str, object], output: Path, *, source: Path | None = None) -> None:
    """Write a certificate for `moose verify`; `source` is the file that was read."""
    from moose.certificates.write import write_certificate

    with writing(output, source=source) as stream:
        write_certificate(certificate, stream)


def print_json(value: Mapping[str, object]) -> None:
    """Print one JSON object on the standard output."""
    with _standard_output() as stream:
        write_json(value, stream)


def write_json(value: Mapping[str, object], stream: TextIO) -> None:
    """Write one JSON object."""
    json.dump(value, stream, ensure_ascii=False, indent=2)
    stream.write("\n")


def finite(value: object) -> object:
    """Return a value for JSON, which has no infinite numbers: bits for or against what is impossible are null."""
    if isinstance(value, dict):
        return {key: finite(one) for key, one in value.items()}
    if isinstance(value, list):
        return [finite(one) for one in value]
    return None if isinstance(value, float) and not isfinite(value) else value


@contextmanager
def _standard_output() -> Iterator[TextIO]:
    """Give the standard output, in UTF-8 whatever the locale; who reads it may stop reading at any time."""
    stream: TextIO | None = sys.stdout
    if stream is None:
        raise MooseError("expected an open standard output, but it is closed; name a file with -o")
    set_utf8(stream)
    try:
        yield as_harmless(stream)
        stream.flush()
    except BrokenPipeError:
        # Python flushes the stream once more at the end; let that go nowhere.
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
        raise SystemExit(BROKEN_PIPE) from None
