"""Every regular expression of the project, found in its syntax trees, with how it is used; and texts to wear it out."""

from __future__ import annotations

import ast
import importlib
import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice, product
from pathlib import Path
from re import _constants as sre  # type: ignore[attr-defined]  # the parser of `re`, which has no public name
from typing import Any

import moose
from tests.hostile.backtracking import matcher, parsed

SOURCES = Path(moose.__file__).parent
SEARCHES = ("search", "finditer", "findall", "sub", "subn", "split")
USED = re.compile(rf"\bre\.(?:compile|match|fullmatch|{'|'.join(SEARCHES)})\(")
"""What a file that calls `re` has somewhere; no other needs to be parsed."""


@dataclass(frozen=True)
class Use:
    """A pattern, where it stands, and whether it is looked for anywhere in a text or only where the text begins."""

    where: str
    pattern: re.Pattern[Any]
    is_searched: bool


@dataclass(frozen=True)
class Unknown:
    """A call of `re` whose pattern is not known before the call."""

    where: str
    expression: str


def all_uses() -> Iterator[Use | Unknown]:
    """Return every call of `re` with a pattern in the project's code."""
    texts = {path: path.read_text("utf-8") for path in sorted(SOURCES.rglob("*.py"))}
    for path, text in texts.items():
        if not USED.search(text):
            continue
        tree = ast.parse(text)
        names = {
            id(node.value): node.targets[0].id
            for node in ast.walk(tree)
            if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name)
        }
        for node in ast.walk(tree):
            if isinstance(node, ast.Call) and (verb := _verb_of_re(node)):
                where = f"{path.relative_to(SOURCES)}:{node.lineno}"
                evaluated = _evaluated(node, verb, path)
                if evaluated is None:
                    yield Unknown(where, ast.unparse(node.args[0]))
                    continue
                name = names.get(id(node))
                searching = name is None or _is_searched(name, _texts_that_know(path, texts))
                yield Use(where, re.compile(*evaluated), verb in SEARCHES or (verb == "compile" and searching))


def _texts_that_know(path: Path, texts: dict[Path, str]) -> str:
    """Return the text of a module and of all that import from it."""
    name = ".".join(path.relative_to(SOURCES.parent).with_suffix("").parts)
    return "\n".join(text for other, text in texts.items() if other == path or f"from {name} import" in text)


def _verb_of_re(node: ast.Call) -> str:
    """Return the function of `re` that is called with a pattern, or nothing."""
    match node.func:
        case ast.Attribute(ast.Name("re"), verb) if verb in ("compile", "match", "fullmatch", *SEARCHES):
            return verb
    return ""


def _evaluated(node: ast.Call, verb: str, path: Path) -> list[Any] | None:
    """Return the pattern and perhaps the flags of a call, or None where they are not known before it."""
    module = importlib.import_module(".".join(path.relative_to(SOURCES.parent).with_suffix("").parts))
    given = [keyword.value for keyword in node.keywords if keyword.arg == "flags"]
    given += node.args[{"compile": 1, "sub": 4, "split": 3}.get(verb, 2) :][:1]
    try:
        return [eval(ast.unparse(argument), vars(module)) for argument in (node.args[0], *given)]  # our own source
    except NameError:
        return None


def _is_searched(name: str, text: str) -> bool:
    """Return whether a pattern of this name is looked for anywhere in a text, and not only where one begins."""
    return re.search(rf"\b{name}\.(?:{'|'.join(SEARCHES)})\(", text) is not None


# ── Texts to wear a pattern out ───────────────────────────────────────────────────────────────────────────────────

MOST_PUMPS = 30
SUFFIXES = ("", "\0", '"')


def texts_for(pattern: re.Pattern[Any], count: int) -> Iterator[str]:
    """Return texts with something repeated: what each repeat in the pattern takes, behind what leads up to it."""
    seen = set()
    for prefix, pump in _repeats(list(parsed(pattern)), ""):
        for suffix in SUFFIXES:
            text = prefix + pump * count + suffix
            if text not in seen:
                seen.add(text)
                yield text


def _repeats(items: list[Any], prefix: str) -> Iterator[tuple[str, str]]:
    """Yield what leads up to each repeat and what it may repeat; and the whole so far, over and over."""
    for op, argument in items:
        if op in (sre.MAX_REPEAT, sre.MIN_REPEAT, sre.POSSESSIVE_REPEAT):
            body = list(argument[2])
            if argument[1] is sre.MAXREPEAT:
                pumps = list(dict.fromkeys(_samples(body)))[:MOST_PUMPS]
                yield from ((prefix, pump) for pump in pumps if pump)
            yield from _repeats(body, prefix)
        elif op is sre.SUBPATTERN:
            yield from _repeats(list(argument[3]), prefix)
        elif op is sre.ATOMIC_GROUP:
            yield from _repeats(list(argument), prefix)
        elif op is sre.BRANCH:
            for branch in argument[1]:
                yield from _repeats(list(branch), prefix)
        prefix += next(iter(_samples([(op, argument)])), "")
        if prefix:
            yield "", prefix


def _samples(items: list[Any]) -> Iterator[str]:
    """Yield some texts that a sequence matches: one of each alternative, one or two of each repeat."""
    most = MOST_PUMPS if len(items) == 1 else 3
    choices = [list(dict.fromkeys(_item_samples(op, argument)))[:most] for op, argument in items]
    for combination in islice(product(*choices), MOST_PUMPS):
        yield "".join(combination)


# Characters that mean something somewhere, each with those that a class takes beside them.
CHARACTERS = "a0 \\\"'<>{}[]()/#:=.,-!?&_\n\té"


def _item_samples(op: Any, argument: Any) -> Iterator[str]:
    if op is sre.LITERAL:
        yield chr(argument)
    elif op in (sre.IN, sre.NOT_LITERAL, sre.ANY, sre.CATEGORY):
        single = matcher(op, argument, 0)
        yield from (character for character in CHARACTERS if single(character))
        if op is sre.IN:
            yield from (chr(given) for kind, given in argument if kind is sre.LITERAL and single(chr(given)))
            yield from (chr(given[0]) for kind, given in argument if kind is sre.RANGE and single(chr(given[0])))
    elif op is sre.SUBPATTERN:
        yield from _samples(list(argument[3]))
    elif op is sre.ATOMIC_GROUP:
        yield from _samples(list(argument))
    elif op is sre.BRANCH:
        for branch in argument[1]:
            yield from list(_samples(list(branch)))[:4]
    elif op in (sre.MAX_REPEAT, sre.MIN_REPEAT, sre.POSSESSIVE_REPEAT):
        least = argument[0]
        bodies = list(_samples(list(argument[2])))[:4]
        if least <= 1:
            yield from bodies
        yield from (body * max(least, 2) for body in bodies if argument[1] is sre.MAXREPEAT or argument[1] > 1)
        if least == 0:
            yield ""
    else:
        yield ""
