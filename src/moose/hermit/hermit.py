"""A HermiT process that answers until it is closed."""

from __future__ import annotations

import base64
import contextlib
import subprocess
import threading
from collections.abc import Iterable, Sequence
from types import TracebackType
from typing import Self

from moose.base.errors import LimitReached, MooseError
from moose.hermit.java import HermitAbsent, hermit_version, server_command
from moose.hermit.renaming import PREFIX, Renaming
from moose.owl.model import axioms as ax
from moose.owl.model import expressions as owl
from moose.owl.model.axioms import Document
from moose.owl.model.signature import collect_signature
from moose.owl.syntax.functional.write_functional import write_functional

SECONDS = 300.0
"""How long one question may take: all of OWL 2 has no other bound that anybody could wait for."""
ELEMENT = owl.AnonymousIndividual("element")
"""An element without a name, as keys speak of named ones; the plain names of others do not look like this."""
Row = tuple[str, ...]


class HermitRefused(MooseError):
    """HermiT cannot read an ontology (it is not in OWL 2 DL, or uses a datatype that HermiT lacks) or gave up."""


class Hermit:
    """HermiT in one process of its own, started when it is first asked; a question that takes too long ends it.

    with moose.Hermit() as hermit:
        print(moose.entailment(ontology, goal, reasoner=hermit).follows)
    """

    def __init__(self, *, seconds: float = SECONDS) -> None:
        self._command = server_command()
        self._seconds = seconds
        self._process: subprocess.Popen[str] | None = None
        self.name = f"HermiT {hermit_version()}"
        """What to call it: its name and version."""
        self.asked = 0
        """How many questions it was asked."""

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """End the process, if there is one."""
        if self._process is not None:
            self._process.kill()
            with contextlib.suppress(BrokenPipeError):
                self._process.communicate()
            self._process = None

    def entails(self, axioms: Sequence[ax.Axiom], sub: owl.ClassExpression, sup: owl.ClassExpression) -> bool:
        """Return whether C ⊑ D follows: whether nothing can be a C and no D."""
        renaming = Renaming()
        plain = [*map(renaming.renamed, axioms)]
        sides = (renaming.renamed(sub), owl.ObjectComplementOf(renaming.renamed(sup)))
        counter = [ax.ClassAssertion(side, ELEMENT) for side in sides]
        return ("consistent", "false") in self._ask("consistent", [*plain, *counter])

    def is_consistent(self, axioms: Iterable[ax.Axiom]) -> bool:
        """Return whether axioms have a model."""
        return ("consistent", "true") in self._ask("consistent", map(Renaming().renamed, axioms))

    def rows(self, kind: str, axioms: Iterable[ax.Axiom]) -> list[Row] | None:
        """Return what follows about `classes`, or the `types` or `roles` of individuals, sorted; None where all does.

        Each row is what it says (unsatisfiable, sub, type, role) and full IRIs.
        """
        renaming = Renaming()
        rows = self._ask(kind, map(renaming.renamed, axioms))
        if ("consistent", "false") in rows:
            return None
        return sorted((row[0], *map(renaming.original, row[1:])) for row in rows if row[0] != "consistent")

    def _ask(self, question: str, axioms: Iterable[ax.Axiom]) -> list[Row]:
        """Ask about axioms whose names are plain."""
        self.asked += 1
        text = base64.b64encode(written(axioms).encode("utf-8")).decode("ascii")
        rows = self._answer(f"{question} {text}\n")
        for row in rows:
            if row[0] == "error":
                raise HermitRefused(f"{self.name} cannot answer this: {row[1]}; ask without it")
        return rows

    def _answer(self, question: str) -> list[Row]:
        process = self._process = self._process or self._started()
        assert process.stdin is not None
        assert process.stdout is not None
        limit = threading.Timer(self._seconds, process.kill)
        limit.start()
        rows: list[Row] = []
        try:
            process.stdin.write(question)
            process.stdin.flush()
            for line in process.stdout:
                if line == "end\n":
                    return rows
                rows.append(tuple(line.rstrip("\n").split("\t")))
        except BrokenPipeError:
            pass
        finally:
            limit.cancel()
        raise self._ended(process)

    def _ended(self, process: subprocess.Popen[str]) -> MooseError:
        """Return why a process ended before it had answered."""
        was_killed = process.wait() < 0
        self.close()
        if was_killed:
            return LimitReached(f"{self.name} gave no answer within {self._seconds:.0f} s; ask for less, or without it")
        return HermitAbsent(
            f"{self.name} could not be started; it needs a Java development kit, version 11 or later, "
            f"and {self._command[0]} is none"
        )

    def _started(self) -> subprocess.Popen[str]:
        return subprocess.Popen(  # noqa: S603  # Java as the user has it, with a file of ours
            self._command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            encoding="utf-8",
        )


def written(axioms: Iterable[ax.Axiom]) -> str:
    """Write an ontology in functional syntax, every entity declared."""
    plain = tuple(axioms)
    names = collect_signature(plain)
    entities: list[owl.Entity] = [owl.Class(iri) for iri in names.classes]
    entities += [owl.ObjectProperty(iri) for iri in names.object_properties]
    entities += [owl.DataProperty(iri) for iri in names.data_properties]
    entities += [owl.NamedIndividual(iri) for iri in names.individuals]
    entities += [owl.Datatype(iri) for iri in names.datatypes if iri.startswith(PREFIX)]
    return write_functional(Document(declarations=tuple(map(ax.Declaration, entities)), axioms=plain))
