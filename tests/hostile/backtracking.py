"""A plain backtracking matcher that counts its steps, for the patterns of `re` as Python's own parser reads them.

`re` tries the alternatives of a pattern in the same order, but says nothing of how many. Here each is a step of a small
machine with an explicit stack, so that the growth of the number of steps with the length of a text can be compared.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from re import _constants as sre  # type: ignore[attr-defined]  # the parser of `re`, which has no public name
from re import _parser  # type: ignore[attr-defined]  # as above
from typing import Any

Code = list[tuple[Any, ...]]


class TooManySteps(Exception):
    """The matcher was stopped at its limit."""


def parsed(pattern: re.Pattern[Any]) -> _parser.SubPattern:
    """Return the syntax tree of a pattern; bytes become the characters of Latin-1."""
    text = pattern.pattern.decode("latin-1") if isinstance(pattern.pattern, bytes) else pattern.pattern
    return _parser.parse(text, pattern.flags & ~re.UNICODE)


@dataclass
class Counter:
    """The program of a pattern, and how many steps it may take."""

    pattern: re.Pattern[Any]
    limit: int
    steps: int = 0
    program: Code = field(default_factory=list)

    def __post_init__(self) -> None:
        self.program = self._sequence(parsed(self.pattern), self.pattern.flags)

    # ── From the tree to the program ─────────────────────────────────────────────────────────────────────────────

    def _sequence(self, items: Any, flags: int) -> Code:
        code: Code = []
        for op, argument in items:
            code += self._item(op, argument, flags)
        return code

    def _item(self, op: Any, argument: Any, flags: int) -> Code:
        if op in (sre.LITERAL, sre.NOT_LITERAL, sre.IN, sre.ANY, sre.CATEGORY):
            return [("one", matcher(op, argument, flags))]
        if op is sre.AT:
            return [("at", argument)]
        if op is sre.SUBPATTERN:
            group, added, removed, body = argument
            inner = self._sequence(body, (flags | added) & ~removed)
            return [("open", group), *inner, ("close", group)] if group is not None else inner
        if op is sre.BRANCH:
            return self._branch([self._sequence(body, flags) for body in argument[1]])
        if op in (sre.MAX_REPEAT, sre.MIN_REPEAT, sre.POSSESSIVE_REPEAT):
            least, most, body = argument
            code = self._repeat(self._sequence(body, flags), least, most, greedy=op is not sre.MIN_REPEAT)
            return [("atomic", code)] if op is sre.POSSESSIVE_REPEAT else code
        if op is sre.ATOMIC_GROUP:
            return [("atomic", self._sequence(argument, flags))]
        if op in (sre.ASSERT, sre.ASSERT_NOT):
            direction, body = argument
            width = body.getwidth()[0] if direction < 0 else 0
            return [("look", self._sequence(body, flags), width, op is sre.ASSERT)]
        if op is sre.GROUPREF:
            return [("again", argument)]
        raise NotImplementedError(op)

    @staticmethod
    def _branch(bodies: list[Code]) -> Code:
        code: Code = []
        for body in reversed(bodies):
            code = [("split", 1, len(body) + 2), *body, ("jump", len(code) + 1), *code] if code else body
        return code

    @staticmethod
    def _repeat(body: Code, least: int, most: Any, *, greedy: bool) -> Code:
        if most is sre.MAXREPEAT:
            after = len(body) + 3
            split = ("split", 1, after) if greedy else ("split", after, 1)
            # `mark` and `moved` end a loop whose body matched nothing, as `re` does.
            return [*body * least, split, ("mark",), *body, ("loop", -len(body) - 2)]
        code: Code = []
        for _ in range(min(int(most), 200) - least):  # counted repeats are short here; longer ones add nothing new
            after = len(body) + len(code) + 1
            code = [("split", 1, after) if greedy else ("split", after, 1), *body, *code]
        return [*body * least, *code]

    # ── Running it ───────────────────────────────────────────────────────────────────────────────────────────────

    def run(self, text: str, start: int, *, whole: bool = False) -> int | None:
        """Return where a match from `start` ends, or None; `whole` asks for the end of the text."""
        return self._run(self.program, text, start, {}, whole=whole)

    def _run(self, code: Code, text: str, start: int, groups: dict[Any, Any], *, whole: bool = False) -> int | None:
        nowhere: tuple[int, ...] = ()
        stack = [(0, start, groups, nowhere)]
        while stack:
            at, position, groups, marks = stack.pop()
            while at < len(code):
                self.steps += 1
                if self.steps > self.limit:
                    raise TooManySteps
                word, *rest = code[at]
                if word == "split":
                    stack.append((at + rest[1], position, groups, marks))
                    at += rest[0]
                    continue
                if word == "jump" or (word == "loop" and position > marks[-1]):
                    marks = marks[:-1] if word == "loop" else marks
                    at += rest[0]
                    continue
                if word in ("mark", "loop"):
                    marks = (*marks, position) if word == "mark" else marks[:-1]
                elif word in ("open", "close"):
                    groups = self._group(word, rest[0], text, position, groups)
                else:
                    reached = self._test(word, rest, text, position, groups)
                    if reached is None:
                        break
                    position = reached
                at += 1
            else:
                if not whole or position == len(text):
                    return position
        return None

    @staticmethod
    def _group(word: str, group: int, text: str, position: int, groups: dict[Any, Any]) -> dict[Any, Any]:
        if word == "open":
            return {**groups, ("open", group): position}
        return {**groups, group: text[groups["open", group] : position]}

    def _test(self, word: str, rest: list[Any], text: str, position: int, groups: dict[Any, Any]) -> int | None:
        """Return the position behind what an instruction asks for, or None where it is not there."""
        if word == "one":
            return position + 1 if position < len(text) and rest[0](text[position]) else None
        if word == "atomic":
            return self._run(rest[0], text, position, groups)
        if word == "look":
            inner, width, wanted = rest
            found = position >= width and self._run(inner, text, position - width, groups) is not None
            return position if found == wanted else None
        if word == "again":
            piece = groups.get(rest[0])
            return position + len(piece) if piece is not None and text.startswith(piece, position) else None
        return position if self._is_at(rest[0], text, position) else None

    def _is_at(self, where: Any, text: str, position: int) -> bool:
        is_line = bool(self.pattern.flags & re.MULTILINE)
        if where in (sre.AT_BEGINNING, sre.AT_BEGINNING_STRING):
            return position == 0 or (is_line and where is sre.AT_BEGINNING and text[position - 1] == "\n")
        if where is sre.AT_END_STRING:
            return position == len(text)
        if where is sre.AT_END:
            return position == len(text) or text[position:] == "\n" or (is_line and text[position] == "\n")
        before = position > 0 and re.match(r"\w", text[position - 1]) is not None
        after = position < len(text) and re.match(r"\w", text[position]) is not None
        return (before != after) == (where is sre.AT_BOUNDARY)


def matcher(op: Any, argument: Any, flags: int) -> Callable[[str], bool]:
    """Return the judge of one character, which remembers what it has seen."""
    memo: dict[str, bool] = {}

    def test(character: str) -> bool:
        known = memo.get(character)
        if known is None:
            known = memo[character] = _fits(op, argument, character, flags)
        return known

    return test


def _fits(op: Any, argument: Any, character: str, flags: int) -> bool:
    """Return whether one character is matched by a node of the tree."""
    if op is sre.ANY:
        return bool(flags & re.DOTALL) or character != "\n"
    if op is sre.IN:
        is_negated = argument[0][0] is sre.NEGATE
        return any(_fits(kind, given, character, flags) for kind, given in argument[is_negated:]) != is_negated
    if op is sre.CATEGORY:
        return re.match(_CATEGORIES[argument], character) is not None
    forms = {character, character.lower(), character.upper()} if flags & re.IGNORECASE else {character}
    if op is sre.RANGE:
        return any(argument[0] <= ord(form) <= argument[1] for form in forms if len(form) == 1)
    is_same = any(form == chr(argument) for form in forms)
    return is_same != (op is sre.NOT_LITERAL)


_CATEGORIES = {
    sre.CATEGORY_DIGIT: r"\d",
    sre.CATEGORY_NOT_DIGIT: r"\D",
    sre.CATEGORY_SPACE: r"\s",
    sre.CATEGORY_NOT_SPACE: r"\S",
    sre.CATEGORY_WORD: r"\w",
    sre.CATEGORY_NOT_WORD: r"\W",
}


def steps_to_match(pattern: re.Pattern[Any], text: str, *, limit: int) -> int:
    """Return how many steps it takes to match the whole of a text; to match its beginning takes no more."""
    counter = Counter(pattern, limit)
    counter.run(text, 0, whole=True)
    return counter.steps


def steps_to_search(pattern: re.Pattern[Any], text: str, *, limit: int) -> int:
    """Return how many steps it takes to go through a text, from match to match, as `finditer` and `sub` do."""
    counter = Counter(pattern, limit)
    position = 0
    while position <= len(text):
        end = counter.run(text, position)
        position = end if end is not None and end > position else position + 1
    return counter.steps
