"""Show that moving modules changed no code: `python tools/same_trees.py OLD NEW [MOVES]`.

OLD and NEW are commits, MOVES (default `tools/moves.txt`) has lines `old new` of modules below `moose`. For each new
module the syntax trees of the old ones, one after another, must equal its own. Not compared is what a move must change:
imports, the docstring of a module, and the dotted names of modules in strings. A line is printed for each module that
differs, with its first new statement; the exit code is 1 if any does.

The rooms were moved between 48cf8fc and 89d8514: 359 modules became 343, and 7 differ, five of which name a folder
from where they stand, and two had a name that stood in both modules that were joined.
"""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

ROOT = Path(__file__).parent.parent


def main(arguments: Sequence[str]) -> int:
    """Compare all modules of the list."""
    if len(arguments) not in (2, 3):
        print("usage: python tools/same_trees.py OLD NEW [MOVES]", file=sys.stderr)
        return 2
    old, new, *rest = arguments
    moves = read_moves(Path(rest[0]) if rest else ROOT / "tools" / "moves.txt")
    renamed = {f"moose.{before}": f"moose.{after}" for before, after in moves}
    groups: dict[str, list[str]] = {}
    for before, after in moves:
        groups.setdefault(after, []).append(before)
    differing = 0
    for after, befores in groups.items():
        was = [line for before in befores for line in statements(source(old, before), renamed)]
        now = statements(source(new, after), {})
        if was != now:
            differing += 1
            first = next((one for one in now if one not in was), next((one for one in was if one not in now), "order"))
            print(f"{after}: {first.splitlines()[0][:110]}")
    print(f"{len(moves)} modules moved, {len(groups)} now, {differing} differ")
    return int(differing > 0)


def read_moves(path: Path) -> list[tuple[str, str]]:
    """Read the list of moves."""
    rows = [line.split("#")[0].split() for line in path.read_text("utf-8").splitlines()]
    return [(row[0], row[1]) for row in rows if row]


def source(commit: str, module: str) -> str:
    """Return the text of a module at a commit."""
    name = f"{commit}:src/moose/{module.replace('.', '/')}.py"
    return subprocess.run(["git", "show", name], cwd=ROOT, capture_output=True, text=True, check=True).stdout


def statements(text: str, renamed: dict[str, str]) -> list[str]:
    """Return the statements of a module in one spelling, without what a move must change."""
    return [spelling(node, renamed) for node in without_imports(ast.parse(text))]


def without_imports(tree: ast.Module) -> Iterator[ast.stmt]:
    """Yield the statements of a module but imports and its docstring; those inside functions lose imports too."""
    for position, node in enumerate(tree.body):
        is_docstring = position == 0 and isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
        is_typing = isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING"
        if not is_docstring and not is_typing and not isinstance(node, ast.Import | ast.ImportFrom):
            for inner in ast.walk(node):
                body = getattr(inner, "body", None)
                if isinstance(body, list):
                    kept = [one for one in body if not isinstance(one, ast.Import | ast.ImportFrom)]
                    inner.body = kept or [ast.Pass()]  # type: ignore[attr-defined]
            yield node


def spelling(node: ast.stmt, renamed: dict[str, str]) -> str:
    """Write a statement, with new names for moved modules."""
    text = ast.unparse(node)
    if not renamed:
        return text
    names = "|".join(re.escape(name) for name in sorted(renamed, key=len, reverse=True))
    return re.sub(rf"(?<![\w.])(?:{names})(?!\w)", lambda found: renamed[found[0]], text)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
