"""Make the picture of the README from what comes with the package: `python docs/make_pictures.py`."""

from __future__ import annotations

from pathlib import Path

import moose

PICTURES = Path(__file__).parent / "pictures"


def pictures() -> dict[str, str]:
    """Return each picture by the name of its file."""
    salami = moose.explain(moose.load(moose.PIZZERIA), "SubClassOf(VeganSalami owl:Nothing)")
    assert salami is not None
    return {"why.svg": salami.svg()[0]}


def main() -> None:
    """Write all pictures."""
    for name, text in pictures().items():
        (PICTURES / name).write_text(text, encoding="utf-8", newline="\n")


if __name__ == "__main__":
    main()
