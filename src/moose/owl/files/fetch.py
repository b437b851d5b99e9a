"""Bring the bytes of a document from disk: unpack gzip, refuse what is not UTF-8 text, and say what it is instead."""

from __future__ import annotations

import gzip
import io
import re
import zlib
from pathlib import Path
from typing import IO

from moose.base.errors import MooseError, ParseError
from moose.base.suggestions import no_such_file

# Larger than any ontology in use (NCBITaxon, the largest in OBO, is about 2 GB of text), small enough to stop a bomb.
LARGEST_DOCUMENT = 4 << 30
CHUNK_BYTES = 1 << 20
# Ontologies shrink to a tenth or a thirtieth, in the most repetitive syntax to a sixtieth; zeros to a thousandth. Past
# the first bytes, which do no harm, a stream that grows faster than this is made to fill the memory.
LARGEST_GROWTH = 200
HARMLESS_BYTES = 1 << 26

GZIP_MAGIC = b"\x1f\x8b"
NOT_TEXT = (
    (GZIP_MAGIC, "packed by gzip twice", "unpack it once"),
    (b"PK\x03\x04", "a zip archive", "unpack it first"),
    (b"BZh", "compressed by bzip2", "unpack it first (gzip is read as it is)"),
    (b"\xfd7zXZ\x00", "compressed by xz", "unpack it first (gzip is read as it is)"),
    (b"(\xb5/\xfd", "compressed by zstd", "unpack it first (gzip is read as it is)"),
    (b"%PDF", "a PDF document", "give the ontology file itself"),
    (b"\xff\xfe\x00\x00", "in UTF-32", "convert it to UTF-8: iconv -f UTF-32 -t UTF-8"),
    (b"\x00\x00\xfe\xff", "in UTF-32", "convert it to UTF-8: iconv -f UTF-32 -t UTF-8"),
    (b"\xff\xfe", "in UTF-16", "convert it to UTF-8: iconv -f UTF-16 -t UTF-8"),
    (b"\xfe\xff", "in UTF-16", "convert it to UTF-8: iconv -f UTF-16 -t UTF-8"),
)
XML_ENCODING = re.compile(rb"\s*<\?xml[^>]*?\bencoding\s*=\s*([\"'])([A-Za-z][\w.-]*)\1")

# Encodings that XML files in the wild declare; Python knows others, such as punycode, that no document is written in.
ONE_OR_TWO_BYTES = re.compile(
    r"iso-?8859-\d+|latin-?1|(?:windows-|cp)125\d|koi8-[ru]|big5|gb(?:k|2312|18030)|euc-\w+|shift_jis"
)


def fetch(path: Path, *, largest: int = LARGEST_DOCUMENT) -> bytes:
    """Return the text of a document as UTF-8 bytes without a byte order mark."""
    packed = _read(path, largest)
    data = unpack(packed, str(path), largest=largest) if packed.startswith(GZIP_MAGIC) else packed
    return as_utf8(data, str(path))


def fetch_stream(stream: IO[bytes], name: str, *, largest: int = LARGEST_DOCUMENT) -> bytes:
    """Return the text of a document that comes by a stream, as `fetch` does for a file."""
    packed = _read_stream(stream, name, largest)
    data = unpack(packed, name, largest=largest) if packed.startswith(GZIP_MAGIC) else packed
    return as_utf8(data, name)


def is_file(path: Path) -> bool:
    """Return whether there is a file of this name, however strange the name."""
    try:
        return path.is_file()
    except (OSError, ValueError):  # too long, or with a null character
        return False


def is_folder(path: Path) -> bool:
    """Return whether there is a folder of this name, however strange the name."""
    try:
        return path.is_dir()
    except (OSError, ValueError):  # too long, or with a null character
        return False


def shown(path: Path | str) -> str:
    """Spell a path that somebody else wrote: in a few words, on one line."""
    text = str(path)
    text = text if text.isprintable() else repr(text)
    return text if len(text) <= 300 else f"{text[:300]}…"


def _read(path: Path, largest: int) -> bytes:
    try:
        if path.is_dir():
            raise MooseError(f"{path}: expected an ontology file, but this is a folder; give a file inside it")
        size = path.stat().st_size
        if size > largest:
            raise _too_large(str(path), largest)
        with path.open("rb") as stream:
            return _read_stream(stream, str(path), largest, expected=size)
    except FileNotFoundError:
        raise no_such_file(path, "an ontology file") from None
    except OSError as error:
        reason = (error.strerror or type(error).__name__).lower()
        raise MooseError(f"{path}: the file cannot be read ({reason}); check its path and permissions") from None
    except ValueError as error:  # a path with a null character
        if isinstance(error, MooseError):
            raise
        raise MooseError(f"{str(path)!r}: expected the path of a file, but {error}") from None


def _read_stream(stream: IO[bytes], name: str, largest: int, *, expected: int = 0) -> bytes:
    """Return all that a stream holds, taking memory only as it comes: a pipe or a device has no size beforehand."""
    chunks = [stream.read(CHUNK_BYTES)]
    if not chunks[0].startswith((GZIP_MAGIC, *(magic for magic, *_ in NOT_TEXT))):
        _refuse_zero(chunks[0], name)  # a device of zeros has no end
    if expected > CHUNK_BYTES:  # of a file: at once, as to put chunks together is to copy them
        stream.seek(0)
        chunks = [stream.read(expected)]
    total = len(chunks[0])
    while total <= largest and chunks[-1]:
        chunks.append(stream.read(CHUNK_BYTES))
        total += len(chunks[-1])
    if total > largest:
        raise _too_large(name, largest)
    return chunks[0] if len(chunks[0]) == total else b"".join(chunks)


def unpack(packed: bytes, name: str, *, largest: int = LARGEST_DOCUMENT) -> bytes:
    """Return what a gzip stream holds, stopping at `largest` bytes."""
    chunks = []
    total = 0
    try:
        with gzip.GzipFile(fileobj=io.BytesIO(packed)) as stream:
            while chunk := stream.read(CHUNK_BYTES):
                total += len(chunk)
                if total > largest:
                    raise _too_large(name, largest)
                if total > max(HARMLESS_BYTES, LARGEST_GROWTH * len(packed)):
                    raise _too_packed(name, len(packed), total)
                chunks.append(chunk)
    except EOFError:
        raise ParseError(
            f"{name}: expected a whole gzip file, but it is cut short after {len(packed):,} bytes; fetch it again"
        ) from None
    except (OSError, zlib.error) as error:
        raise ParseError(f"{name}: expected a gzip file, but it is damaged ({error}); fetch it again") from None
    return b"".join(chunks)


def as_utf8(data: bytes, name: str) -> bytes:
    """Check that the bytes are UTF-8 and drop the byte order mark; XML may declare another encoding."""
    for magic, what, remedy in NOT_TEXT:
        if data.startswith(magic):
            raise ParseError(f"{name}: expected an ontology as UTF-8 text, but the file is {what}; {remedy}")
    data = data.removeprefix(b"\xef\xbb\xbf")
    declared = XML_ENCODING.match(data)
    if declared and declared[2].lower() not in (b"utf-8", b"utf8", b"us-ascii", b"ascii"):
        return _transcode(data, declared, name)
    _refuse_zero(data, name)
    if data.isascii():  # which is seen at once, without a copy
        return data
    try:
        data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise ParseError(
            f"{name}:{data.count(10, 0, error.start) + 1}: expected UTF-8 text, but byte {error.start:,} is "
            f"0x{data[error.start]:02x}; convert the file, e.g. iconv -f ISO-8859-1 -t UTF-8"
        ) from None
    return data


def _refuse_zero(data: bytes, name: str) -> None:
    zero = data.find(b"\0", 0, CHUNK_BYTES)
    if zero >= 0:
        raise ParseError(
            f"{name}: expected an ontology as UTF-8 text, but byte {zero:,} is zero: the file is binary or in UTF-16; "
            "check that it is the file you meant"
        )


def _transcode(data: bytes, declared: re.Match[bytes], name: str) -> bytes:
    """Rewrite an XML document as UTF-8, its declaration included."""
    encoding = declared[2].decode("ascii").lower()
    # A declaration that can be read byte by byte is not in UTF-16: the file was converted and the declaration left.
    codec = "utf-8" if encoding.startswith(("utf-16", "utf-32", "ucs-2", "ucs-4")) else encoding
    if codec != "utf-8" and not ONE_OR_TWO_BYTES.fullmatch(codec):
        raise ParseError(f"{name}:1: the XML declares the unknown encoding {encoding!r}; save it as UTF-8")
    try:
        text = data.decode(codec)
    except (LookupError, UnicodeError) as error:
        raise ParseError(
            f"{name}: the XML is not in the encoding that it declares ({error}); save it as UTF-8"
        ) from None
    first, last = declared.span(2)
    return (text[:first] + "UTF-8" + text[last:]).encode("utf-8")


def _too_large(name: str, largest: int) -> MooseError:
    return MooseError(
        f"{name}: expected at most {largest:,} bytes of text, but the document holds more; split it, or fetch it again "
        "if it should be small"
    )


def _too_packed(name: str, packed: int, unpacked: int) -> MooseError:
    return MooseError(
        f"{name}: expected a gzip file that unpacks to at most {LARGEST_GROWTH} times its {packed:,} bytes, but "
        f"{unpacked:,} bytes came and there are more; unpack it yourself if you trust it"
    )
