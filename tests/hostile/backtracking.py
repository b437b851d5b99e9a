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

Code = list[tuple]


class TooManySteps(Exception):
    """The matcher was stopped at its limit."""


def parsed(pattern: re.Pattern) -> _parser.SubPattern:
    """Return the syntax tree of a pattern; bytes become the characters of Latin-1."""
    text = pattern.pattern.decode("latin-1") if isinstance(pattern.pattern, bytes) else pattern.pattern
    return _parser.parse(text, pattern.flags & ~re.UNICODE)


@dataclass
class Counter:
    """The program of a pattern, and how many steps it may take."""

    pattern: re.Pattern
    limit: int
    steps: int = 0
    program: Code = field(default_factory=list)

    def __post_init__(self) -> None:
        self.program = self._sequence(parsed(self.pattern), self.pattern.flags)

    # ── From the tree to the program ─────────────────────────────────────────────────────────────────────────────

    def _sequence(self, items: object, flags: int) -> Code:
        code: Code = []
        for op, argument in items:
            code += self._item(op, argument, flags)
        return code

    def _item(self, op: object, argument: object, flags: int) -> Code:
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
            if not code:
                code = body
            else:
                code = [("split", 1, len(body) + 2), *body, ("jump", len(code) + 1), *code]
        return code

    @staticmethod
    def _repeat(body: Code, least: int, most: object, *, greedy: bool) -> Code:
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

    def _run(self, code: Code, text: str, start: int, groups: dict, *, whole: bool = False) -> int | None:
        stack = [(0, start, groups, ())]
        while stack:
            at, position, groups, marks = stack.pop()
            while True:
                self.steps += 1
                if self.steps > self.limit:
                    raise TooManySteps
                if at == len(code):
                    if whole and position < len(text):
                        break
                    return position
                word, *rest = code[at]
                if word == "one":
                    if position >= len(text) or not rest[0](text[position]):
                        break
                    position += 1
                elif word == "split":
                    stack.append((at + rest[1], position, groups, marks))
                    at += rest[0]
                    continue
                elif word == "jump":
                    at += rest[0]
                    continue
                elif word == "mark":
                    marks = (*marks, position)
                elif word == "loop":
                    began, marks = marks[-1], marks[:-1]
                    if position > began:
                        at += rest[0]
                        continue
                elif word == "open":
                    groups = {**groups, ("open", rest[0]): position}
                elif word == "close":
                    groups = {**groups, rest[0]: text[groups["open", rest[0]] : position]}
                elif word == "atomic":
                    end = self._run(rest[0], text, position, groups)
                    if end is None:
                        break
                    position = end
                elif word == "look":
                    inner, width, wanted = rest
                    found = position >= width and self._run(inner, text, position - width, groups) is not None
                    if found != wanted:
                        break
                elif word == "again":
                    piece = groups.get(rest[0])
                    if piece is None or not text.startswith(piece, position):
                        break
                    position += len(piece)
                elif word == "at" and not self._is_at(rest[0], text, position):
                    break
                at += 1
        return None

    def _is_at(self, where: object, text: str, position: int) -> bool:
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


def matcher(op: object, argument: object, flags: int) -> Callable[[str], bool]:
    """Return the judge of one character, which remembers what it has seen."""
    memo: dict[str, bool] = {}

    def test(character: str) -> bool:
        known = memo.get(character)
        if known is None:
            known = memo[character] = _fits(op, argument, character, flags)
        return known

    return test


def _fits(op: object, argument: object, character: str, flags: int) -> bool:
    """Return whether one character is matched by a node of the tree."""
    if op is sre.ANY:
        return bool(flags & re.DOTALL) or character != "\n"
    if op is sre.IN:
        is_negated = argument[0][0] is sre.NEGATE
        return any(_fits(*item, character, flags) for item in argument[is_negated:]) != is_negated
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


def steps_to_match(pattern: re.Pattern, text: str, *, limit: int) -> int:
    """Return how many steps it takes to match the whole of a text; to match its beginning takes no more."""
    counter = Counter(pattern, limit)
    counter.run(text, 0, whole=True)
    return counter.steps


def steps_to_search(pattern: re.Pattern, text: str, *, limit: int) -> int:
    """Return how many steps it takes to go through a text, from match to match, as `finditer` and `sub` do."""
    counter = Counter(pattern, limit)
    position = 0
    while position <= len(text):
        end = counter.run(text, position)
        position = end if end is not None and end > position else position + 1
    return counter.steps
