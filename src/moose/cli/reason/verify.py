"""`moose verify`: check certificates with a checker that shares no code with the engine."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from moose.base.errors import MooseError
from moose.cli.common.messages import DOES_NOT_FOLLOW, say
from moose.cli.common.options import Imports, Json
from moose.cli.common.output import print_json, writing

if TYPE_CHECKING:
    from moose.certificates.checker.verdict import Verdict


def verify(
    files: Annotated[list[Path], typer.Argument(metavar="CERTIFICATE...", help="Certificates, as JSON.")],
    ontology: Annotated[
        Path | None,
        typer.Option(
            "--ontology", metavar="FILE", help="Also check that the certificates rest on this ontology's axioms."
        ),
    ] = None,
    json: Json = False,
) -> None:
    """Check certificates; say what each shows and what it rests on. Exit 1 if one is refused.

    Certificates are made by `moose explain`, `moose classify` and `moose compile` with --certificate.
    """
    from moose.certificates.checker.reading import Refused
    from moose.certificates.checker.verify import verify_file

    compare = None if ontology is None else comparison(ontology)
    answers: list[dict[str, object]] = []
    for path in files:
        try:
            verdict = verify_file(path)
            if compare is not None:
                compare(verdict)
            answers.append({"file": str(path), "accepted": True} | spelt(verdict))
        except Refused as reason:
            answers.append({"file": str(path), "accepted": False, "reason": str(reason)})
        except IsADirectoryError:
            raise MooseError(f"{path}: is a folder; name the certificates in it") from None
    if json:
        print_json({"certificates": answers})
    else:
        report(answers)
    if not all(answer["accepted"] for answer in answers):
        raise typer.Exit(DOES_NOT_FOLLOW)


def spelt(verdict: Verdict) -> dict[str, object]:
    """Return what a verdict says, for programs."""
    return {
        "kind": verdict.kind,
        "claim": verdict.claim,
        "size": verdict.size,
        "axioms": verdict.sources,
        "taken for granted": verdict.granted,
        "complete": not verdict.unused,
        "unused": verdict.unused,
    }


def report(answers: list[dict[str, object]]) -> None:
    """Write what was shown to the standard output, what was refused to the standard error."""
    with writing(None) as stream:
        for answer in answers:
            if answer["accepted"]:
                stream.write(f"{answer['file']}: accepted: {answer['claim']} ({answer['size']})\n")
                axioms, granted = answer["axioms"], answer["taken for granted"]
                assert isinstance(axioms, list) and isinstance(granted, list)
                if axioms:
                    stream.write(f"  from {len(axioms)} {'axiom' if len(axioms) == 1 else 'axioms'} that it quotes\n")
                stream.writelines(f"  takes for granted: {one}\n" for one in granted)
                unused = answer["unused"]
                assert isinstance(unused, list)
                stream.writelines(f"  does not use whole an axiom that may matter: {one}\n" for one in unused)
    for answer in answers:
        if not answer["accepted"]:
            say(f"{answer['file']}: refused: {answer['reason']}")


def comparison(path: Path) -> Callable[[Verdict], None]:
    """Return a check that a certificate rests on the axioms of an ontology."""
    from moose.certificates.compare_with_ontology import Axioms

    return Axioms.of(Imports().read(path)).check
