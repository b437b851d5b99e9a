"""Make the pictures of the README and the gallery from what comes with the package: `python docs/make_pictures.py`.

Those that are drawn as SVG are the same every time, and a test says so. The others are made by the commands that the
gallery shows; the page of a ranking is photographed by Chromium, if there is one.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import moose

PICTURES = Path(__file__).parent / "pictures"
MOOSE = (sys.executable, "-m", "moose")
COMMANDS = {
    "shortcuts.png": "shortcuts mnist1 --picture",
    "pizzas.png": "data show flagged_pizzas pizzaA --count 6 -o",
}
"""Pictures of some pixels, by the command that makes them: the file comes last."""
WARD = ("ward.ofn", "ward_cases.csv", "ward_priors.tsv", "ward_costs.tsv")
RANKING = "rank ward.ofn jon.csv --priors ward_priors.tsv --costs ward_costs.tsv -o"
PHOTOGRAPH = ("chromium", "--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--window-size=860,900")


def drawings() -> dict[str, str]:
    """Return each picture that is drawn as SVG by the name of its file."""
    salami = moose.explain(moose.load(moose.PIZZERIA), "SubClassOf(VeganSalami owl:Nothing)")
    assert salami is not None
    spicy = moose.compile_circuit(moose.ground(moose.regime("pizzaC")))
    return {"why.svg": salami.svg()[0], "circuit.svg": spicy.svg()}


def main() -> None:
    """Write all pictures."""
    for name, text in drawings().items():
        (PICTURES / name).write_text(text, encoding="utf-8", newline="\n")
    for name, command in COMMANDS.items():
        subprocess.run([*MOOSE, *command.split(), str(PICTURES / name)], check=True, stdout=subprocess.DEVNULL)  # noqa: S603
    if shutil.which(PHOTOGRAPH[0]) is not None:
        photograph_ranking()


def photograph_ranking() -> None:
    """Make the page of one case of the tutorial on diagnosis, and photograph it."""
    with tempfile.TemporaryDirectory() as folder:
        for name in WARD:
            shutil.copy(moose.PIZZERIA.with_name(name), folder)
        lines = (Path(folder) / "ward_cases.csv").read_text(encoding="utf-8").splitlines(keepends=True)
        jon = [line for line in lines if line.startswith(("case", "Jon"))]
        (Path(folder) / "jon.csv").write_text("".join(jon), encoding="utf-8", newline="\n")
        subprocess.run([*MOOSE, *RANKING.split(), "ward.html"], check=True, cwd=folder)  # noqa: S603
        picture = f"--screenshot={PICTURES / 'ranked.png'}"
        subprocess.run([*PHOTOGRAPH, picture, "ward.html"], check=True, cwd=folder, stderr=subprocess.DEVNULL)  # noqa: S603


if __name__ == "__main__":
    main()
