"""No regular expression of the project takes more than linearly many steps, whatever the text."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest
from _pytest.mark import ParameterSet

from moose.owl.model.literals import TEXT_PATTERNS
from tests.hostile.backtracking import TooManySteps, steps_to_match, steps_to_search
from tests.hostile.patterns import Unknown, Use, all_uses, texts_for

USES = list(all_uses())
SHORT, LONG = 12, 24

# Calls whose pattern is looked up when they are made, with all that they may get.
LOOKED_UP = {"TEXT_PATTERNS[datatype]": list(TEXT_PATTERNS.values())}


def wearing_text(pattern: re.Pattern[Any], *, is_searched: bool) -> str | None:
    """Return a text on which twice the length takes far more than twice the steps, or None."""
    for short, long in zip(texts_for(pattern, SHORT), texts_for(pattern, LONG), strict=True):
        for ask in (steps_to_match, *([steps_to_search] if is_searched else [])):
            try:
                # Twice as long is twice as many steps; a square would be four times, or beyond any limit.
                few = ask(pattern, short, limit=20_000)
                ask(pattern, long, limit=int(2.6 * few) + 50)
            except TooManySteps:
                return short
    return None


LONG_PATTERN = 500
"""Letters of a pattern from which on counting takes a quarter of a minute."""


def uses_by_length() -> Iterator[ParameterSet]:
    """Yield the calls whose pattern is known, those with a long one as slow ones."""
    for use in USES:
        if isinstance(use, Use):
            is_long = len(use.pattern.pattern) >= LONG_PATTERN
            yield pytest.param(use, id=use.where, marks=pytest.mark.slow if is_long else ())


@pytest.mark.parametrize("use", list(uses_by_length()))
def test_steps_grow_with_the_text(use: Use) -> None:
    assert wearing_text(use.pattern, is_searched=use.is_searched) is None


@pytest.mark.parametrize("pattern", [pattern for patterns in LOOKED_UP.values() for pattern in patterns])
def test_steps_grow_with_the_text_for_patterns_looked_up(pattern: str) -> None:
    assert wearing_text(re.compile(pattern), is_searched=False) is None


def test_every_pattern_is_seen() -> None:
    unknown = {use.expression for use in USES if isinstance(use, Unknown)}
    assert unknown == set(LOOKED_UP)
    assert len(USES) > 60


@pytest.mark.parametrize(
    "pattern",
    [
        r"(?:a+)+b",
        r"(?:<!--.*?-->|[^\]])*\]",
        r"\s*[(:]?\s*:",
        r"x[0-9]+\.?[0-9]*y",
        r"<(?:[^\s<>!?]*[#/][^\s<>]*)?>",
    ],
)
def test_the_counter_tells_what_is_not_linear(pattern: str) -> None:
    assert wearing_text(re.compile(pattern), is_searched=False) is not None


@pytest.mark.parametrize("pattern", [r"(?:a+)++b", r"[a-z]+=\d+", r"(?:[^>\"']|\"[^\"]*\")*"])
def test_the_counter_tells_what_wearing_text(pattern: str) -> None:
    assert wearing_text(re.compile(pattern), is_searched=False) is None


@pytest.mark.parametrize(
    ("pattern", "text"),
    [(r"(a|ab)(c|bcd)(d*)", "abcd"), (r"(['\"])x*\1$", "'xxx'\n"), (r"(?<!\\)\s!.*", " !a"), (r"\ba+?\b", "aaa b")],
)
def test_the_counter_matches_as_python_does(pattern: str, text: str) -> None:
    from tests.hostile.backtracking import Counter

    expected = re.compile(pattern).match(text)
    assert Counter(re.compile(pattern), 10**6).run(text, 0) == (expected.end() if expected else None)
