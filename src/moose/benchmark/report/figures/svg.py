"""Small SVG drawings as trees of elements, so that every text is escaped; colours come from the page's style sheet."""

from __future__ import annotations

from collections.abc import Mapping
from xml.etree.ElementTree import Element, SubElement, tostring

Attributes = Mapping[str, str | float]
NOTHING: Attributes = {}


def drawing(width: float, height: float, label: str) -> Element:
    """Begin a drawing that is as wide as its place; the label says what it is to those who do not see it.

    >>> write_svg(drawing(400, 300, "a < b"))
    '<svg class="drawing" viewBox="0 0 400 300" role="img" aria-label="a &lt; b" />'
    """
    box = f"0 0 {write_number(width)} {write_number(height)}"
    return Element("svg", {"class": "drawing", "viewBox": box, "role": "img", "aria-label": label})


def add(parent: Element, tag: str, attributes: Attributes = NOTHING, *, text: str = "", tip: str = "") -> Element:
    """Add an element; a tip is shown where the pointer rests on it."""
    written = {key: value if isinstance(value, str) else write_number(value) for key, value in attributes.items()}
    element = SubElement(parent, tag, written)
    if text:
        element.text = text
    if tip:
        SubElement(element, "title").text = tip
    return element


def write(parent: Element, text: str, point: tuple[float, float], kind: str = "") -> Element:
    """Add a text at a point; kinds are classes of the style sheet, such as "end" or "middle"."""
    attributes: dict[str, str | float] = {"x": point[0], "y": point[1]}
    if kind:
        attributes["class"] = kind
    return add(parent, "text", attributes, text=text)


def group(parent: Element, origin: tuple[float, float], kind: str = "") -> Element:
    """Add a group whose origin is at a point."""
    attributes = {"transform": f"translate({write_number(origin[0])} {write_number(origin[1])})"}
    return add(parent, "g", {**attributes, "class": kind} if kind else attributes)


def write_number(value: float) -> str:
    """Write a length to a tenth, as short as can be.

    >>> write_number(3.04), write_number(-0.02), write_number(12.5)
    ('3', '0', '12.5')
    """
    rounded = round(float(value), 1) + 0.0  # no minus before a zero
    return f"{rounded:g}" if abs(rounded) < 1e5 else f"{rounded:.0f}"


def write_svg(root: Element) -> str:
    """Return the drawing as text."""
    return tostring(root, encoding="unicode")
