"""Where names, gaps, quotations and statements of functional syntax end, in bytes; compiled with `plain_statements`."""

from __future__ import annotations

from collections.abc import MutableSequence

Array = MutableSequence[int]
"""An array of numpy, of bytes or of whole numbers; or where nothing is compiled, bytes or a list."""

QUOTE, HASH, OPEN, CLOSE, LESS, GREATER, BACKSLASH = 34, 35, 40, 41, 60, 62, 92
LINE_FEED, RETURN = 10, 13


def is_space(byte: int) -> bool:
    """Return whether a byte is white space, as regular expressions have it."""
    return byte == 32 or 9 <= byte <= 13 or 28 <= byte <= 31


def is_letter(byte: int) -> bool:
    """Return whether a byte is a letter of ASCII."""
    return 65 <= byte <= 90 or 97 <= byte <= 122


def end_of_gap(data: Array, position: int) -> int:
    """Return where white space and comments end."""
    size = len(data)
    while position < size:
        byte = data[position]
        if is_space(byte):
            position += 1
        elif byte == HASH:
            while position < size and data[position] != LINE_FEED and data[position] != RETURN:
                position += 1
        else:
            break
    return position


def end_of_iri(data: Array, position: int) -> int:
    """Return where an IRI in angle brackets ends; -1 where it does not."""
    for place in range(position + 1, len(data)):
        byte = data[place]
        if byte == GREATER:
            return place + 1
        if is_space(byte) or byte == LESS:
            return -1
    return -1


def end_of_name(data: Array, position: int) -> int:
    """Return where a name or an IRI ends; -1 where there is none."""
    if data[position] == LESS:
        return end_of_iri(data, position)
    size = len(data)
    end = position
    while end < size and not is_space(data[end]) and data[end] not in (QUOTE, HASH, OPEN, CLOSE, LESS, GREATER):
        end += 1
    return end if end > position else -1


def end_of_quotation(data: Array, position: int) -> int:
    """Return where a text in quotation marks ends; -1 where it does not."""
    place = position + 1
    while place < len(data):
        if data[place] == BACKSLASH:
            place += 1
        elif data[place] == QUOTE:
            return place + 1
        place += 1
    return -1


def opening_of(data: Array, position: int) -> int:
    """Return where the parenthesis of a construct opens, directly or after white space behind its word; -1 if not."""
    size = len(data)
    while position < size and is_letter(data[position]):
        position += 1
    while position < size and is_space(data[position]):
        position += 1
    return position if position < size and data[position] == OPEN else -1


def end_of_statement(data: Array, position: int) -> int:
    """Return where any statement ends, by its parentheses; -1 where it is not clear."""
    position = opening_of(data, position)
    depth = 0
    while 0 <= position < len(data):
        byte = data[position]
        if byte == QUOTE:
            position = end_of_quotation(data, position)
        elif byte == LESS:
            position = end_of_iri(data, position)
        elif byte == HASH:
            position = end_of_gap(data, position)
        else:
            depth += (byte == OPEN) - (byte == CLOSE)
            position += 1
            if depth == 0 and byte == CLOSE:
                return position
    return -1
