"""Write what HermiT says of each golden ontology beside it: `python -m bench.golden [NAME …]`.

`tests/golden/NAME.ofn` gets `NAME.expected.toml`, each pair in it decided by a consistency test of its own. A file
whose `oracle` is not HermiT was written by hand, from the specification, and says why: it is left alone, and how
HermiT differs from it is printed. Names are written without the namespace of the golden ontologies.
"""

from __future__ import annotations

import sys
import tomllib
from pathlib import Path

from bench.entailments import PARTS, Entailments
from bench.hermit import Hermit, HermitError
from bench.peers import PeersAbsentError, find_peers

FOLDER = Path(__file__).parent.parent / "tests" / "golden"
NAMESPACE = "http://example.org/golden#"


def read_expectation(path: Path) -> Entailments:
    """Read an expectation back into the value that is compared."""
    said = tomllib.loads(path.read_text(encoding="utf-8"))
    if not said["consistent"]:
        return Entailments(is_consistent=False)
    parts = {part: tuple(tuple(_full(name) for name in row.split()) for row in said[part]) for part in PARTS}
    return Entailments(is_consistent=True, **parts)


def render_expectation(expected: Entailments, oracle: str) -> str:
    """Write an expectation as TOML: one row of names to a line."""
    lines = [f'oracle = "{oracle}"', f"consistent = {str(expected.is_consistent).lower()}"]
    if expected.is_consistent:
        lines += [_render_rows(part, getattr(expected, part)) for part in PARTS]
    return "\n".join(lines) + "\n"


def is_by_hand(path: Path) -> bool:
    """Say whether an expectation comes from the specification rather than from HermiT."""
    return path.exists() and not tomllib.loads(path.read_text(encoding="utf-8"))["oracle"].startswith("HermiT")


def _render_rows(part: str, rows: tuple[tuple[str, ...], ...]) -> str:
    if not rows:
        return f"{part} = []"
    body = "".join(f'    "{" ".join(name.removeprefix(NAMESPACE) for name in row)}",\n' for row in rows)
    return f"{part} = [\n{body}]"


def _full(name: str) -> str:
    return name if "://" in name else NAMESPACE + name


def update(ontology: Path, hermit: Hermit, oracle: str) -> list[str]:
    """Write one expectation, or say how HermiT differs from one that was written by hand."""
    target = ontology.with_suffix(".expected.toml")
    try:
        said = hermit.ask(ontology, careful=True)
        remarks = [f"{ontology.stem}: its own algorithms say {row}" for row in hermit.ask(ontology).differences(said)]
    except HermitError as error:
        return [str(error)]
    if is_by_hand(target):
        differences = said.differences(read_expectation(target))
        return remarks + [f"{ontology.stem}: by hand (-), HermiT (+) {row}" for row in differences]
    target.write_text(render_expectation(said, oracle), encoding="utf-8", newline="\n")
    return remarks


def main() -> None:
    """Update the expectations named, or all of them."""
    try:
        peers = find_peers()
    except PeersAbsentError as absent:
        sys.exit(str(absent))
    ontologies = [FOLDER / f"{name}.ofn" for name in sys.argv[1:]] or sorted(FOLDER.glob("*.ofn"))
    with Hermit(peers) as hermit:
        for ontology in ontologies:
            for remark in update(ontology, hermit, f"HermiT {peers.versions['HermiT']}"):
                print(remark.replace(NAMESPACE, ""))
    print(f"{len(ontologies)} golden ontologies")


if __name__ == "__main__":
    main()
