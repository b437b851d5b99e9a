"""Bring documents from outside docs/ into the site and make links fit it: a hook of MkDocs, named in mkdocs.yml.

The Markdown files are written to be read in the repository. Their links lead to files by paths; on the site a document
may stand elsewhere, and sources have no page. So each link is resolved in the repository first.
"""

from __future__ import annotations

import logging
import posixpath
import re
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from mkdocs.config.defaults import MkDocsConfig
    from mkdocs.structure.files import Files
    from mkdocs.structure.pages import Page

ROOT = Path(__file__).parent.parent

BROUGHT = {
    "README.md": "start.md",  # MkDocs takes a README for the index of its folder
    "CONTRIBUTING.md": "contributing.md",
    "CHANGELOG.md": "changelog.md",
    "SECURITY.md": "security.md",
    "CODE_OF_CONDUCT.md": "conduct.md",
    "bench/README.md": "measuring.md",
    "proofs/README.md": "proofs.md",
}
"""Documents of the repository that stand outside docs/, and their places on the site."""

PICTURES = "bench/results/*.svg"

LINK = re.compile(
    r"^```.*?^```$|(?P<label>!?\[[^\]]*\])\((?P<target>[^)\s#]+)(?P<anchor>#[^)\s]*)?\)", re.MULTILINE | re.DOTALL
)
LOADED = re.compile(r"""<(?:script|img|iframe|source|link)\b[^>]*\b(?:src|href)=["']?(?:https?:)?//""")

log = logging.getLogger("mkdocs.hooks.site_pages")  # below mkdocs: with --strict a warning is an error


# ── Where a file of the repository stands on the site ─────────────────────────────────────────────────────────────


def site_path(path: str) -> str | None:
    """Return the place on the site of a file of the repository, or None if it has none.

    >>> site_path("docs/cli.md"), site_path("README.md"), site_path("LICENSE")
    ('cli.md', 'start.md', None)
    """
    if path.startswith("docs/"):
        return path.removeprefix("docs/")
    return path if Path(path).match(PICTURES) else BROUGHT.get(path)


def source_path(page: str) -> str:
    """Return the file of the repository that a page of the site is made from."""
    return next((source for source, place in BROUGHT.items() if place == page), f"docs/{page}")


def mend_links(text: str, source: str) -> str:
    """Make the links of a document lead to pages of the site; of a link to a file without one, keep the words.

    >>> mend_links("[start](../README.md#install), [the licence](../LICENSE)", "docs/cli.md")
    '[start](start.md#install), the licence'
    """
    here = posixpath.dirname(site_path(source) or "")

    def mended(link: re.Match[str]) -> str:
        if not link["target"] or "://" in link["target"]:
            return link[0]
        path = posixpath.normpath(posixpath.join(posixpath.dirname(source), link["target"]))
        if not (ROOT / path).exists():
            return link[0]  # MkDocs says that it is broken
        place = site_path(path)
        if place is None:
            return link["label"].strip("![]")
        return f"{link['label']}({posixpath.relpath(place, here or '.')}{link['anchor'] or ''})"

    return LINK.sub(mended, text)


# ── What MkDocs calls ─────────────────────────────────────────────────────────────────────────────────────────────


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the documents and pictures from outside docs/."""
    from mkdocs.structure.files import File

    pictures = [path.relative_to(ROOT).as_posix() for path in sorted(ROOT.glob(PICTURES))]
    for source, place in {**BROUGHT, **{picture: picture for picture in pictures}}.items():
        files.append(File.generated(config, place, abs_src_path=str(ROOT / source)))
    return files


def on_page_markdown(markdown: str, page: Page, config: MkDocsConfig, files: Files) -> str:  # noqa: ARG001  # MkDocs names them
    """Mend the links of a page before it is rendered."""
    return mend_links(markdown, source_path(page.file.src_uri))


def on_post_page(output: str, page: Page, config: MkDocsConfig) -> str:  # noqa: ARG001  # see above
    """Warn of anything that a page would load from another host."""
    for found in LOADED.finditer(output):
        log.warning("%s loads something from another host: %s…", page.file.src_uri, found[0])
    return output
