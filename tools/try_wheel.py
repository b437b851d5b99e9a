"""Install a wheel or an sdist into a clean environment of a Python, and run the README there, far from the checkout.

python tools/try_wheel.py dist/moose_el-0.2.0-py3-none-any.whl python3.13 [--learn]

The blocks of the README marked `sh` and `python` run in an empty folder and must print what the `text` block behind
them says. With --learn the extra `learn` is installed, with its pinned torch, and a network is trained for an epoch.
"""

from __future__ import annotations

import argparse
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

README = Path(__file__).parent.parent / "README.md"
FENCE = re.compile(r"^```(\w*)\n(.*?)^```$(?:\n^```text\n(.*?)^```$)?", re.MULTILINE | re.DOTALL)
TRAINING = "moose train mnist2 --data digits --epochs 1 -o model\nmoose evaluate model\n"


def main() -> int:
    """Try a distribution and return how many blocks went wrong."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", 1)[0])
    parser.add_argument("distribution", type=Path)
    parser.add_argument("python")
    parser.add_argument("--learn", action="store_true")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        return try_in(Path(folder), options.distribution.absolute(), options.python, is_learning=options.learn)


def try_in(folder: Path, distribution: Path, python: str, *, is_learning: bool) -> int:
    """Make the environment, run the blocks and report each."""
    environment = folder / "environment"
    subprocess.run([python, "-m", "venv", str(environment)], check=True)
    path = f"{environment / 'bin'}{os.pathsep}{os.environ['PATH']}"
    variables = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"} | {"PATH": path}
    work = folder / "work"
    work.mkdir()
    extra = "[learn]" if is_learning else ""
    install = ["python", "-m", "pip", "install", "--quiet", f"{distribution}{extra}"]
    subprocess.run(install, cwd=work, env=variables, check=True)
    version = run("sh", "python --version; moose --version", work, variables)
    print(" ".join(version.split()), "with learn" if is_learning else "without torch", distribution.name)
    wrong = 0
    for language, code, expected in blocks():
        printed = run(language, code, work, variables)
        is_right = not expected or printed == expected
        wrong += not is_right
        print("as shown" if is_right else f"not as shown:\n{printed}", "-", code.strip().splitlines()[-1])
    if is_learning:
        print(run("sh", TRAINING, work, variables))
    return wrong


def blocks() -> list[tuple[str, str, str]]:
    """Return the blocks that are to be run, with what they print."""
    found = FENCE.findall(README.read_text(encoding="utf-8"))
    return [one for one in found if one[0] in {"sh", "python"} and not one[1].startswith(("make ", "python -m pip"))]


def run(language: str, code: str, folder: Path, variables: dict[str, str]) -> str:
    """Return what a block prints, the standard error included."""
    command = ["sh", "-e", "-c", code] if language == "sh" else ["python", "-c", code]
    ended = subprocess.run(
        command, cwd=folder, env=variables, check=False, stdout=subprocess.PIPE, stderr=subprocess.STDOUT
    )
    printed = ended.stdout.decode("utf-8")
    return printed if ended.returncode == 0 else f"{printed}exit code {ended.returncode}\n"


if __name__ == "__main__":
    sys.exit(main())
