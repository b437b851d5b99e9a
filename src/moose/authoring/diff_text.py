"""A difference as text, Markdown, HTML and JSON: one line a change, with labels."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from html import escape

from moose.authoring.diff import Change, Difference
from moose.owl.model.axioms import AnnotationAssertion
from moose.owl.model.expressions import NOTHING, Entity, Literal
from moose.owl.model.signature import walk
from moose.owl.names import KIND_NAMES, Names
from moose.owl.syntax.functional.write_functional import render
from moose.saturation.proofs.markdown import escaped, links, sentence

Show = Callable[[str], str]
Describe = Callable[[object], str]
TITLES = {
    "entities": "Entities",
    "axioms": "Asserted axioms",
    "axiom annotations": "Annotations of axioms",
    "annotations": "Annotations of entities",
    "inferred": "Inferred",
}


def described(item: object, show: Show) -> str:
    """Write one entity, axiom, annotation or inferred pair."""
    if isinstance(item, tuple):
        sub, sup = item
        return f"{show(sub)} SubClassOf {'owl:Nothing' if sup == NOTHING.iri else show(sup)}"
    if isinstance(item, Entity):
        return f"{KIND_NAMES[type(item)].partition(' ')[2]} {show(item.iri)}"
    return render(item, show)


def in_markdown(item: object, names: Names) -> str:
    """Write the same as Markdown: names as links, and whatever bears a text of the ontology escaped as a whole."""
    if isinstance(item, tuple | Entity):
        return described(item, links(names))
    if isinstance(item, AnnotationAssertion) or bool(getattr(item, "annotations", None)) or has_literal(item):
        return escaped(described(item, names.show))
    return sentence(item, links(names))  # type: ignore[arg-type]  # an axiom, as nothing else is left


def has_literal(item: object) -> bool:
    """Return whether a literal is a part of an axiom."""
    return any(isinstance(part, Literal) for part in walk(item))


def lines(one: Change, old: Describe, new: Describe) -> Iterator[tuple[str, str]]:
    """Yield a sign and a text for each change: what was removed in the old ontology's names, the rest in the new's."""
    yield from (("-", old(item)) for item in one.removed)
    yield from (("+", new(item)) for item in one.added)


def plain(names: Names) -> Describe:
    """Return how changes are written in plain text."""
    return lambda item: described(item, names.show)


def counted(one: Change) -> str:
    """Say how much was added and removed."""
    return f"{len(one.added):,} added, {len(one.removed):,} removed"


def consistency(found: Difference) -> str | None:
    """Say where consistency changed, or nothing follows since one side has no model."""
    if found.was_consistent is None or (found.was_consistent and found.is_consistent):
        return None
    before, after = ("consistent" if one else "inconsistent" for one in (found.was_consistent, found.is_consistent))
    return f"The old ontology is {before}, the new one {after}; nothing more is said about what follows."


def as_text(found: Difference, old: Names, new: Names) -> str:
    """Write a difference as lines with + and -."""
    parts = []
    for name, one in found.changes().items():
        if one:
            rows = (f"{sign} {text}" for sign, text in lines(one, plain(old), plain(new)))
            parts.append("\n".join([f"{TITLES[name]}: {counted(one)}", *rows]))
    if (said := consistency(found)) is not None:
        parts.append(said)
    return "\n\n".join(parts or ["No difference."]) + "\n"


def as_markdown(found: Difference, old: Names, new: Names) -> str:
    """Write a difference as Markdown, for a pull request: a list under a heading for each kind of change."""
    parts = []
    for name, one in found.changes().items():
        if one:
            rows = lines(one, lambda item: in_markdown(item, old), lambda item: in_markdown(item, new))
            listed = [f"- {'➕' if sign == '+' else '➖'} {text}" for sign, text in rows]
            parts.append("\n".join([f"### {TITLES[name]} ({counted(one)})", "", *listed]))
    if (said := consistency(found)) is not None:
        parts.append(said)
    return "\n\n".join(parts or ["No difference."]) + "\n"


STYLE = """
:root { color-scheme: light dark; font: 15px/1.45 system-ui, sans-serif; }
body { max-width: 70rem; margin: 2rem auto; padding: 0 1rem; }
li { list-style: none; overflow-wrap: anywhere; padding: .1rem .5rem; border-left: .25rem solid; margin: .15rem 0; }
ul { padding: 0; }
.added { border-color: #2a8a3e; } .removed { border-color: #c2403a; }
.added::before { content: "+ "; } .removed::before { content: "− "; }
"""


KEYWORD = re.compile(r"\*\*(and|some|value|Self)\*\*")
MARKED = re.compile("\x00([0-9]+)\x00")


def in_html(item: object, names: Names) -> str:
    """Write the same as HTML: sentences in Manchester syntax, each name with its IRI as a tooltip.

    Names stand as marks until all the rest is escaped.
    """
    shown: dict[str, str] = {}

    def mark(iri: str) -> str:
        text = escape(names.label(iri) or names.show(iri))
        number = str(len(shown))
        shown[number] = f'<span title="{escape(iri)}">{text}</span>'
        return f"\x00{number}\x00"

    if isinstance(item, tuple | Entity):
        text = described(item, mark)
    elif isinstance(item, AnnotationAssertion) or bool(getattr(item, "annotations", None)) or has_literal(item):
        return escape(described(item, names.show))
    else:
        text = sentence(item, mark)  # type: ignore[arg-type]  # an axiom, as nothing else is left
    return MARKED.sub(lambda found: shown.get(found[1], ""), KEYWORD.sub(r"<b>\1</b>", escape(text)))


def as_html(found: Difference, old: Names, new: Names, *, files: tuple[str, str] = ("old", "new")) -> str:
    """Write a difference as one HTML page that loads nothing, titled by IRIs or, if these tell nothing, by files."""
    iris = found.old.iri or files[0], found.new.iri or files[1]
    title = escape(" → ".join(iris if iris[0] != iris[1] else files))
    body = []
    for name, one in found.changes().items():
        if one:
            rows = "\n".join(
                f'<li class="{"added" if sign == "+" else "removed"}">{text}</li>'
                for sign, text in lines(one, lambda item: in_html(item, old), lambda item: in_html(item, new))
            )
            body.append(f"<h2>{TITLES[name]} ({counted(one)})</h2>\n<ul>\n{rows}\n</ul>")
    if (said := consistency(found)) is not None:
        body.append(f"<p>{escape(said)}</p>")
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta name="viewport" content="width=device-width">\n<title>{title}</title>\n'
        f"<style>{STYLE}</style>\n</head>\n"
        f"<body>\n<h1>{title}</h1>\n" + "\n".join(body or ["<p>No difference.</p>"]) + "\n</body>\n</html>\n"
    )


def as_json(found: Difference) -> dict[str, object]:
    """Return a difference for JSON, in full IRIs and functional syntax."""

    def listed(items: tuple[object, ...]) -> list[object]:
        return [list(item) if isinstance(item, tuple) else described(item, lambda iri: f"<{iri}>") for item in items]

    changes = {
        name.replace(" ", "_"): {"added": listed(one.added), "removed": listed(one.removed)}
        for name, one in found.changes().items()
    }
    return {
        "differ": bool(found),
        **changes,
        "consistent": {"old": found.was_consistent, "new": found.is_consistent},
    }
