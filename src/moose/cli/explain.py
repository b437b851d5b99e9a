"""`moose explain`: why an axiom follows."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, Annotated

import typer

from moose.cli import DOES_NOT_FOLLOW, INCONSISTENT, say
from moose.cli.options import CatalogueFile, File, IgnoreMissing, ImportsFrom, Json, Output, Source
from moose.cli.output import write_json, writing
from moose.cli.progress import stages
from moose.errors import MooseError

if TYPE_CHECKING:
    from moose.owl.axioms import Axiom
    from moose.owl.names import Names
    from moose.saturation.proof import Proof


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
    output: Output = None,
    format: Annotated[  # noqa: A002  # the option is called --format
        ProofFormat, typer.Option(help="A tree of text, JSON, Graphviz text, or a picture.")
    ] = ProofFormat.text,
    inconsistency: Annotated[
        bool, typer.Option("--inconsistency", help="Explain why the ontology is inconsistent.")
    ] = False,
    json: Json = False,
    imports_from: ImportsFrom = None,
    catalogue: CatalogueFile = None,
    ignore_missing_imports: IgnoreMissing = False,
) -> None:
    """Prove an axiom, step by step from what the ontology says. Exit 1 if it does not follow.

    Names may be short where only one entity bears them, CURIEs such as GO:0008150, 'labels' or full IRIs in <>.
    """
    if (goal is None) != inconsistency:
        raise MooseError('expected one thing to explain: an axiom such as "SubClassOf(A B)", or --inconsistency')
    from moose.owl.names import Names
    from moose.owl.render import render

    with stages("reading") as stage:
        ontology = Source(file, imports_from, catalogue, ignore_missing_imports).read()
        names = Names(ontology)
        axiom = read_goal(goal, names)
        stage.enter("explaining")
        from moose.saturation import explain as explain_axiom

        proof = explain_axiom(ontology, axiom)
    form = ProofFormat.json if json else format
    if proof is not None or form is ProofFormat.json:
        with writing(output, source=file) as stream:
            if form is ProofFormat.json:
                write_json(answer(axiom, proof), stream)
            elif proof is not None:
                stream.write(draw(proof, names, form).rstrip("\n") + "\n")
    if proof is None:
        say(f"{file}: {render(axiom, names.display)} does not follow")
        raise typer.Exit(DOES_NOT_FOLLOW)
    if shows_inconsistency(proof):
        say(f"{file}: the ontology is inconsistent, so everything follows")
        raise typer.Exit(INCONSISTENT)


def read_goal(text: str | None, names: Names) -> Axiom:
    """Read the axiom to explain; without one, that nothing can exist."""
    from moose.owl.axioms import SubClassOf
    from moose.owl.functional import parse_axiom
    from moose.owl.model import NOTHING, THING

    return SubClassOf(THING, NOTHING) if text is None else parse_axiom(text, "the axiom to explain", names.resolve)


def answer(axiom: Axiom, proof: Proof | None) -> dict[str, object]:
    """Return what is said in JSON: the goal, whether it follows, and the proof."""
    from moose.owl.render import render
    from moose.saturation.picture import proof_json

    return {"goal": render(axiom), "follows": proof is not None, "proof": None if proof is None else proof_json(proof)}


def draw(proof: Proof, names: Names, form: ProofFormat) -> str:
    """Write a proof as text, Graphviz text or a picture."""
    from moose.saturation import picture

    if form is ProofFormat.dot:
        return picture.proof_dot(proof, names)
    return picture.proof_svg(proof, names) if form is ProofFormat.svg else picture.proof_text(proof, names)


def shows_inconsistency(proof: Proof) -> bool:
    """Say whether a proof goes through ⊤ ⊑ ⊥ without assuming anything."""
    from moose.owl.model import NOTHING, THING
    from moose.saturation.proof import Subsumption

    falsum = Subsumption(THING, NOTHING)
    return proof.assumption is None and any(step.conclusion == falsum for step in proof.steps)
