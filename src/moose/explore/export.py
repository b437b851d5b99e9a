"""A small ontology as one page that needs no server: all answers stand in it, and nothing is loaded."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Callable, Mapping
from itertools import chain

from moose.base.errors import LimitReached, MooseError
from moose.explore.class_tree import ROOT
from moose.explore.explorer import Explorer, Parameters, Values
from moose.explore.label_index import folded
from moose.explore.server import harmless_json, page_file
from moose.owl.model.expressions import NOTHING
from moose.owl.names import short_name

MOST_CLASSES = 1_000
"""A page of more would take minutes to make, as it holds a proof of each inferred place."""
STYLE = '<link rel="stylesheet" href="explore.css">'
SCRIPT = '<script src="explore.js" defer></script>'

Answers = dict[str, Values]
"""By the values of the parameters, one a line, as the page asks for them."""


def exported_page(explorer: Explorer) -> str:
    """Return the page of an ontology that is small enough."""
    return page_of(answers(explorer))


def page_of(kept: Mapping[str, object]) -> str:
    """Return the page; its own policy lets only its own script and style run, which it knows by their hashes."""
    style, script = (page_file(name).decode() for name in ("explore.css", "explore.js"))
    policy = (
        f"default-src 'none'; script-src '{hash_of(script)}'; style-src '{hash_of(style)}'; img-src data:; "
        "base-uri 'none'; form-action 'none'; require-trusted-types-for 'script'; trusted-types 'none'"
    )
    values = f'<script type="application/json" id="kept">{harmless_json(kept)}</script>'
    page = page_file("page.html").decode()
    page = page.replace('<meta charset="utf-8">', f'<meta charset="utf-8">\n{policy_tag(policy)}', 1)
    page = page.replace(SCRIPT, "", 1).replace(STYLE, f"<style>{style}</style>", 1)
    return page.replace("</body>", f"{values}\n<script>{script}</script>\n</body>", 1)


def policy_tag(policy: str) -> str:
    """Return what tells the browser a policy."""
    return f'<meta http-equiv="Content-Security-Policy" content="{policy}">'


def hash_of(text: str) -> str:
    """Return the hash of a script or style, as a policy writes it."""
    return f"sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}"


def answers(explorer: Explorer) -> dict[str, object]:
    """Return all that the page can ask, by name, of an ontology that is small enough."""
    count = len(explorer.ontology.classes)
    if count > MOST_CLASSES:
        raise MooseError(
            f"expected an ontology of at most {MOST_CLASSES:,} classes to export, but this one has {count:,}; "
            "take a part of it by `moose extract`, or serve it without --export"
        )
    classes = (ROOT, NOTHING.iri, *explorer.ontology.classes)
    kept: dict[str, object] = {
        "about": {"": explorer.about({})},
        "index": [[explorer.shown.entity(iri), searched(explorer, iri)] for iri in explorer.ontology.classes],
        "children": dict(chain.from_iterable(pages_of(explorer, iri) for iri in classes)),
        "path": each(explorer.path, classes),
        "class": each(explorer.describe, classes),
        "annotations": each(explorer.annotations, classes),
        "unsatisfiable": {"": explorer.unsatisfiable({})},
    }
    empty = explorer.taxonomy.unsatisfiable if explorer.taxonomy.is_consistent else ()
    pairs = [(sub, sup) for sub in explorer.ontology.classes for sup in above(explorer, sub)]
    bottom = [(sub, NOTHING.iri) for sub in (empty or (() if explorer.taxonomy.is_consistent else (ROOT,)))]
    kept["why"] = {f"{sub}\n{sup}": why(explorer, sub, sup) for sub, sup in (*pairs, *bottom)}
    kept["sets"] = {
        f"{sub}\n{sup}": explorer.justifications_and_repairs({"sub": sub, "sup": sup}) for sub, sup in bottom
    }
    if explorer.problem is not None:
        kept["shortcuts"] = {"": explorer.shortcuts({})}
    return kept


def why(explorer: Explorer, sub: str, sup: str) -> Values:
    """Return proofs or, where they would take too long, a sentence in their place."""
    try:
        return explorer.why({"sub": sub, "sup": sup})
    except LimitReached as problem:
        head = {"sub": explorer.shown.entity(sub), "sup": explorer.shown.entity(sup)}
        return {**head, "proofs": None, "left_out": f"The proof is left out: {problem}"}


def left_out_count(kept: Mapping[str, object]) -> int:
    """Return how many proofs are left out of all that the page can ask."""
    proofs = kept["why"]
    assert isinstance(proofs, dict)
    return sum("left_out" in one for one in proofs.values())


def each(ask: Callable[[Parameters], Values], classes: tuple[str, ...]) -> Answers:
    """Ask the same of each class."""
    return {iri: ask({"iri": iri}) for iri in classes}


def pages_of(explorer: Explorer, iri: str) -> list[tuple[str, Values]]:
    """Return the children of a class, as many at a time as the page asks for."""
    pages: list[tuple[str, Values]] = []
    start, total = 0, 1
    while start < total:
        page = explorer.children({"iri": iri, "from": str(start)})
        pages.append((f"{iri}\n{start}", page))
        children, total = page["children"], int(str(page["total"]))
        assert isinstance(children, list)
        start += max(1, len(children))
    return pages


def above(explorer: Explorer, iri: str) -> list[str]:
    """Return the classes that a class's place is told by: those directly above, and its equivalents."""
    described = explorer.describe({"iri": iri})
    rows = [described["parents"], described["equivalents"]]
    return [one["iri"] for several in rows if isinstance(several, list) for one in several]


def searched(explorer: Explorer, iri: str) -> list[str]:
    """Return the names by which a class is found."""
    synonyms = explorer.synonyms_of(iri)
    names = (explorer.names.label(iri), short_name(iri), explorer.names.curie(iri), *synonyms)
    return [folded(name) for name in dict.fromkeys(names) if name]
