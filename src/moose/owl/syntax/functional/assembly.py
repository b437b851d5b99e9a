"""Put tokens of functional syntax together, from the inside out, without recursion."""

from __future__ import annotations

from collections.abc import Mapping
from operator import length_hint

from moose.base.errors import MooseError
from moose.owl.syntax.common.arguments import MAX_NESTING, TOO_DEEP, Build, Group, IllFormed, Names, describe
from moose.owl.syntax.functional.constructors import CONSTRUCTS, unknown_construct

OPENERS: dict[str, Build] = {f"{name}(": build for name, build in CONSTRUCTS.items()}
OPENERS["("] = lambda arguments, _: Group(tuple(arguments))

_CLOSE = ")"
_STRAY = frozenset('"<>')


class Misplaced(MooseError):
    """What is wrong, at the token with this index; the index past the last token is the end of the text."""

    def __init__(self, message: str, index: int) -> None:
        super().__init__(message)
        self.index = index


def assemble(tokens: list[str], openers: Mapping[str, Build], names: Names, outermost: list[object]) -> None:
    """Append to `outermost` what stands in no parentheses, each construct built; or raise `Misplaced`."""
    build: Build = _surplus
    arguments = outermost
    enclosing: list[tuple[Build, list[object]]] = []
    remaining = iter(tokens)
    try:
        for token in remaining:
            if token == _CLOSE:
                value = build(arguments, names)
                build, arguments = enclosing.pop()
                arguments.append(value)
            elif token[-1] == "(":
                enclosing.append((build, arguments))
                build = openers.get(token) or _opener(token, openers)
                arguments = []
                if len(enclosing) > MAX_NESTING:
                    raise IllFormed(TOO_DEEP)
            else:
                arguments.append(token)
    except IllFormed as problem:
        here = len(tokens) - length_hint(remaining) - 1
        raise _placed(problem, tokens, here, arguments) from None
    if enclosing:
        here = _unclosed(tokens)
        message = f"expected a ')' that closes {tokens[here]} here, but the text ends; add it, or fetch the whole file"
        raise Misplaced(message, here)


def positions(tokens: list[str], start: int) -> list[int]:
    """Return where each argument begins, from `start` to the parenthesis that closes them."""
    starts = []
    depth = 0
    for index in range(start, len(tokens)):
        token = tokens[index]
        if token == _CLOSE:
            depth -= 1
            if depth < 0:
                break
            continue
        if depth == 0:
            starts.append(index)
        depth += token[-1] == "("
    return starts


def _surplus(_arguments: list[object], _names: Names) -> object:
    raise IllFormed("expected no ')' here, since none is open; remove it")


def _opener(token: str, openers: Mapping[str, Build]) -> Build:
    """Return the builder for a name and a parenthesis with white space between."""
    name = token[:-1].rstrip()
    build = openers.get(f"{name}(")
    if build is None:
        raise unknown_construct(name)
    return build


def _placed(problem: IllFormed, tokens: list[str], here: int, arguments: list[object]) -> Misplaced:
    """Point at the argument that is wrong, or else at the beginning of the construct."""
    for index in range(here):
        if tokens[index] in _STRAY:  # what led to the problem that showed here
            return Misplaced(f"expected an argument, but got {describe(tokens[index])}; correct it", index)
    opening = _opening(tokens, here)
    if tokens[here] != _CLOSE or opening < 0:
        return Misplaced(str(problem), here)
    construct = f"{tokens[opening][:-1].rstrip()}(…)"
    advice = "" if ";" in str(problem) else f"; correct this {construct}"
    message = f"in {construct}: {problem}{advice}"
    for argument, index in zip(arguments, positions(tokens, opening + 1), strict=False):
        if argument is problem.culprit:
            return Misplaced(message, index)
    return Misplaced(message, opening)


def _opening(tokens: list[str], closing: int) -> int:
    """Return the index of the token that the parenthesis at `closing` closes, -1 if there is none."""
    depth = 0
    for index in range(closing - 1, -1, -1):
        if tokens[index] == _CLOSE:
            depth += 1
        elif tokens[index][-1] == "(":
            if depth == 0:
                return index
            depth -= 1
    return -1


def _unclosed(tokens: list[str]) -> int:
    """Return the index of the innermost token that opens a parenthesis which is never closed."""
    opened: list[int] = []
    for index, token in enumerate(tokens):
        if token == _CLOSE:
            opened.pop()
        elif token[-1] == "(":
            opened.append(index)
    return opened[-1]
