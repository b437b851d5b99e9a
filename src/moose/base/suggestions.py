"""What somebody may have meant by a word that is not known."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from difflib import SequenceMatcher, get_close_matches
from itertools import islice
from pathlib import Path

from moose.base.errors import MooseError, UnknownName

MOST_SUGGESTIONS = 3
MOST_KNOWN = 40
"""So many known words are listed at most where none of them looks like what was written."""


ALIKE_FILES = 0.75
"""As files of a folder often share their ending, more of their names must be alike."""
ALIKE = 0.6
"""How alike words must be that are looked for, from 0 to 1: more than half of their letters, in the same order."""


def close_matches(
    word: str, known: Iterable[str], *, most: int = MOST_SUGGESTIONS, least_alike: float = ALIKE
) -> list[str]:
    """Return a few of the known words that look like a word, the most alike first.

    >>> close_matches("SubClasOf", ["SubClassOf", "SameIndividual"])
    ['SubClassOf']
    """
    return get_close_matches(word, known, n=most, cutoff=least_alike)


def similarity(text: str, other: str) -> float:
    """Return how alike two texts are, from 0 to 1."""
    return SequenceMatcher(None, text, other).ratio()


def did_you_mean(close: Sequence[str], *, otherwise: str) -> str:
    """Return the end of an error message: what may have been meant or, where nothing is close, other advice.

    >>> did_you_mean(["Margherita", "Marinara"], otherwise="check the spelling")
    'did you mean Margherita or Marinara?'
    """
    return f"did you mean {' or '.join(close)}?" if close else otherwise


MOST_FILES = 2_000
"""How many files of a folder are compared with a name."""


def close_files(path: Path, is_fitting: Callable[[Path], bool] = Path.is_file) -> list[str]:
    """Return a few paths of files beside one that is not there whose names look like its own, or else begin so."""
    try:
        files = sorted(file for file in islice(path.parent.iterdir(), MOST_FILES) if is_fitting(file))
    except (OSError, ValueError):  # no such folder, one that cannot be read, or no path at all
        return []
    names = {file: file.name if path.suffix else file.stem for file in files}
    close = close_matches(path.name, set(names.values()), least_alike=ALIKE_FILES)
    return [str(file) for one in close for file, name in names.items() if name == one][:MOST_SUGGESTIONS]


def no_such_file(path: Path, expected: str) -> MooseError:
    """Say that there is no such file, and which files beside it may have been meant."""
    hint = did_you_mean(close_files(path), otherwise="check the path")
    return MooseError(f"{path}: expected {expected}, but there is no such file; {hint}")


def no_such_folder(path: Path, expected: str) -> MooseError:
    """Say that there is no such folder, and which folders beside it may have been meant."""
    hint = did_you_mean(close_files(path, Path.is_dir), otherwise="check the path")
    return MooseError(f"{path}: expected {expected}, but there is no such folder; {hint}")


def unknown_word(expected: str, word: str, known: Collection[str]) -> UnknownName:
    """Say that a word is not among the known ones, and which of them look like it."""
    hint = did_you_mean(close_matches(word, known), otherwise=f"known: {shortened(known, MOST_KNOWN) or 'none'}")
    return UnknownName(f"expected {expected}, but got {word!r}; {hint}")


def shortened(words: Iterable[str], most: int = 8) -> str:
    """List the first few words."""
    every = list(words)
    return ", ".join(every[:most]) + (f" and {len(every) - most:,} more" if len(every) > most else "")
