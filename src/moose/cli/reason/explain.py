"""`moose explain`: why an axiom follows."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from moose.base.errors import MooseError
from moose.cli.common.messages import DOES_NOT_FOLLOW, INCONSISTENT, say
from moose.cli.common.ontology_notes import say_probabilities
from moose.cli.common.options import Certificate, File, Imports, Json, Output
from moose.cli.common.output import save_certificate, write_json, writing
from moose.cli.common.progress import stages

if TYPE_CHECKING:
    from moose.owl.model.axioms import Axiom
    from moose.owl.names import Names
    from moose.owl.ontology import Ontology
    from moose.saturation.proofs.explain import Explanation
    from moose.saturation.proofs.proof import Proof


class ProofFormat(StrEnum):
    """How a proof is written."""

    text = "text"
    json = "json"
    dot = "dot"
    svg = "svg"


def explain(
    file: File,
    goal: Annotated[
        str | None, typer.Argument(metavar="AXIOM", help='In functional syntax, e.g. "SubClassOf(A B)".')
    ] = None,
    *,
    output: Output = None,
    format: Annotated[  # noqa: A002  # the option is called --format
        ProofFormat, typer.Option(help="A tree of text, JSON, Graphviz text, or a picture.")
    ] = ProofFormat.text,
    inconsistency: Annotated[
        bool, typer.Option("--inconsistency", help="Explain why the ontology is inconsistent.")
    ] = False,
    certificate: Certificate = None,
    json: Json = False,
    imports: Imports,
) -> None:
    """Prove an axiom, step by step from what the ontology says. Exit 1 if it does not follow.

    Names may be short where only one entity bears them, CURIEs such as GO:0008150, 'labels' or full IRIs in <>.
    """
    if (goal is None) != inconsistency:
        raise MooseError('expected one thing to explain: an axiom such as "SubClassOf(A B)", or --inconsistency')
    from moose.owl.names import Names
    from moose.owl.syntax.functional.write_functional import render

    with stages("reading") as stage:
        ontology = imports.read(file)
        names = Names(ontology)
        axiom = read_goal(goal, names)
        stage.enter("explaining")
        from moose.saturation.proofs.explain import explain as explain_axiom

        explanation = explain_axiom(ontology, axiom)
        if explanation and not shows_contradiction(explanation):
            # What follows directly hides that everything does.
            explanation = explain_axiom(ontology, read_goal(None, names)) or explanation
    say_probabilities(ontology, file)
    proofs = explanation.proofs if explanation else ()
    form = ProofFormat.json if json else format
    if explanation or form is ProofFormat.json:
        with writing(output, source=file) as stream:
            if form is ProofFormat.json:
                write_json(answer(axiom, explanation), stream)
            else:
                stream.write(draw(proofs, form, names.display))
    if certificate is not None:
        certify(ontology, axiom, follows=explanation is not None, output=certificate, source=file)
    if explanation is None:
        say(f"{file}: {render(axiom, names.display)} does not follow")
        raise typer.Exit(DOES_NOT_FOLLOW)
    if shows_contradiction(explanation):
        say(f"{file}: the ontology is inconsistent, so everything follows")
        raise typer.Exit(INCONSISTENT)


def certify(ontology: Ontology, axiom: Axiom, *, follows: bool, output: Path, source: Path) -> None:
    """Write a certificate of what was answered."""
    from moose.certificates.make.certify_entailment import certify_axiom

    save_certificate(certify_axiom(ontology, axiom, follows=follows), output, source=source)


def read_goal(text: str | None, names: Names) -> Axiom:
    """Read the axiom to explain; without one, that nothing can exist."""
    from moose.owl.model.axioms import SubClassOf
    from moose.owl.model.expressions import NOTHING, THING
    from moose.owl.syntax.functional.read_functional import parse_axiom

    return SubClassOf(THING, NOTHING) if text is None else parse_axiom(text, "the axiom to explain", names.resolve)


def answer(axiom: Axiom, explanation: Explanation | None) -> dict[str, object]:
    """Return what is said in JSON: the goal, whether it follows, and a proof of each part of it."""
    from moose.owl.syntax.functional.write_functional import render
    from moose.saturation.proofs.picture import proof_json

    proofs = [proof_json(proof) for proof in explanation.proofs] if explanation else []
    return {"goal": render(axiom), "follows": explanation is not None, "proofs": proofs}


def draw(proofs: Sequence[Proof], form: ProofFormat, display: Callable[[str], str]) -> str:
    """Write proofs as trees of text, Graphviz text or one picture."""
    from moose.saturation.proofs import picture

    if form is ProofFormat.svg:
        return stack_pictures([picture.proof_svg(proof, display) for proof in proofs])
    write = picture.proof_dot if form is ProofFormat.dot else picture.proof_text
    return "\n\n".join(write(proof, display).rstrip("\n") for proof in proofs) + "\n"


def stack_pictures(pictures: Sequence[str]) -> str:
    """Put SVG pictures one below the other into one."""
    if len(pictures) == 1:
        return pictures[0]
    placed, widest, top = [], 0, 0
    for drawn in pictures:
        width, height = (int(float(number)) for number in re.findall(r'\b(?:width|height)="([\d.]+)"', drawn)[:2])
        placed.append(drawn.replace("<svg ", f'<svg y="{top}" ', 1))
        widest, top = max(widest, width), top + height
    head = f'<svg xmlns="http://www.w3.org/2000/svg" width="{widest}" height="{top}">'
    return "\n".join([head, *(drawn.rstrip("\n") for drawn in placed), "</svg>"]) + "\n"


def shows_contradiction(explanation: Explanation) -> bool:
    """Return whether an explanation rests on the ontology being inconsistent."""
    return any(shows_inconsistency(proof) for proof in explanation.proofs)


def shows_inconsistency(proof: Proof) -> bool:
    """Return whether a proof finds, without assuming anything, that something that has an element cannot have one."""
    from moose.owl.model.expressions import NOTHING, THING
    from moose.saturation.proofs.proof import NonEmpty, Subsumption

    conclusions = {step.conclusion for step in proof.steps}
    filled = [THING, *(fact.concept for fact in conclusions if isinstance(fact, NonEmpty))]
    return proof.assumption is None and any(Subsumption(concept, NOTHING) in conclusions for concept in filled)
