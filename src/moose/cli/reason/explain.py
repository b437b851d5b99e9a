"""`moose explain`: why an axiom follows."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from moose.base.errors import MooseError
from moose.cli.common.completeness import OutsideEl, say_unused, unused_texts
from moose.cli.common.messages import DOES_NOT_FOLLOW, INCONSISTENT, NOT_FOUND, say
from moose.cli.common.naming import Naming
from moose.cli.common.ontology_notes import say_probabilities
from moose.cli.common.options import Certificate, File, Imports, Json, Output
from moose.cli.common.output import save_certificate, write_json, writing
from moose.cli.common.progress import stages
from moose.cli.reason.justify import Justifying, write_justified, write_unsatisfiable

if TYPE_CHECKING:
    from moose.owl.model.axioms import Axiom
    from moose.owl.names import Names
    from moose.owl.ontology import Ontology
    from moose.saturation.answers.entailment import Entailment
    from moose.saturation.proofs.explain import Explanation
    from moose.saturation.proofs.proof import Proof


class ProofFormat(StrEnum):
    """How a proof is written."""

    text = "text"
    json = "json"
    markdown = "markdown"
    dot = "dot"
    svg = "svg"


def explain(
    file: File,
    goal: Annotated[
        str | None,
        typer.Argument(metavar="AXIOM", help='"A SubClassOf r some B", "SubClassOf(A B)", "unsatisfiable C" ….'),
    ] = None,
    *,
    output: Output = None,
    format: Annotated[  # noqa: A002  # the option is called --format
        ProofFormat, typer.Option(help="A tree of text, JSON, Markdown, Graphviz text, or a picture.")
    ] = ProofFormat.text,
    inconsistency: Annotated[
        bool, typer.Option("--inconsistency", help="Explain why the ontology is inconsistent.")
    ] = False,
    certificate: Certificate = None,
    json: Json = False,
    justifying: Justifying,
    naming: Naming,
    outside_el: OutsideEl,
    imports: Imports,
) -> None:
    """Prove an axiom, step by step from what the ontology says. Exit 1 if it does not follow.

    With --justifications, list the smallest sets of axioms that it follows from instead; with --repairs, those without
    which it does not; with --unsatisfiable, the classes that can have no element, causes before consequences, and such
    sets for each that is a cause.

    Names may be short where only one entity bears them, CURIEs such as GO:0008150, 'labels' or full IRIs in <>.
    Exit 4 if no proof was found, but axioms that may matter are outside OWL 2 EL and were not used whole.
    """
    if (goal is not None) + inconsistency + justifying.unsatisfiable != 1:
        raise MooseError(
            'expected one thing to explain: an axiom such as "SubClassOf(A B)", or --inconsistency, or --unsatisfiable'
        )
    from moose.owl.modules.unused import unused, unused_anywhere
    from moose.saturation.proofs.explain import inclusions

    form = ProofFormat.json if json else format
    justifying.check(form.value)
    if certificate is not None and (justifying.is_asked or justifying.unsatisfiable):
        raise MooseError(
            "expected --certificate with a proof, but sets of axioms or classes are asked for; leave it out"
        )
    with stages("reading"):
        ontology = imports.read(file)
        names = naming.of(ontology)
        axiom = None if justifying.unsatisfiable else read_goal(goal, names)
    say_probabilities(ontology, file)
    if axiom is None:
        write_unsatisfiable(ontology, justifying, names=names, form=form.value, output=output, source=file)
        what = "an unsatisfiable class, or a reason for one, may be missing"
        return say_unused(unused_anywhere(ontology), names, file, what=what, is_listed=outside_el.unused)
    if justifying.is_asked and write_justified(
        ontology, axiom, justifying, names=names, form=form.value, output=output, source=file
    ):
        what = "justifications may be missing, and a repair may not be enough"
        left = unused(ontology, inclusions(axiom))
        return say_unused(left, names, file, what=what, is_listed=outside_el.unused)
    with stages("explaining"):
        found, is_inconsistent = answered(ontology, axiom, outside_el)
    if not justifying.is_asked and (found.explanation or form is ProofFormat.json):
        with writing(output, source=file) as stream:
            if form is ProofFormat.json:
                write_json(answer(found), stream)
            elif found.explanation:
                stream.write(draw(found.explanation.proofs, form, names))
    if certificate is not None:
        certify(ontology, found, output=certificate, source=file)
    if is_inconsistent:
        by = f", says {found.reasoner}" if found.reasoner else ""
        say(f"{file}: the ontology is inconsistent{by}, so everything follows")
        raise typer.Exit(INCONSISTENT)
    if code := say_answer(found, names, file, is_listed=outside_el.unused):
        raise typer.Exit(code)
    return None


def answered(ontology: Ontology, axiom: Axiom, outside_el: OutsideEl) -> tuple[Entailment, bool]:
    """Return whether an axiom follows, and whether everything does, which what follows directly would hide."""
    from moose.saturation.answers.entailment import entailment

    with outside_el.running() as reasoner:
        found = entailment(ontology, axiom, reasoner=reasoner)
        if not found.follows or (found.explanation and shows_contradiction(found.explanation)):
            return found, bool(found.follows)
        # A yes by EL stays one, whatever the other reasoner says of the rest.
        contradiction = read_goal(None, None)
        everything = entailment(ontology, contradiction, reasoner=None if found.explanation else reasoner)
        return (replace(everything, goal=axiom), True) if everything.follows else (found, False)


def say_answer(found: Entailment, names: Names, file: Path, *, is_listed: bool) -> int:
    """Say what was found beside a proof, and return the exit code for it."""
    from moose.owl.syntax.functional.write_functional import render

    goal = render(found.goal, names.show)
    by = f", says {found.reasoner}" if found.reasoner else ""
    if found.follows:
        if by:
            say(f"{file}: {goal} follows{by}; there is no proof of it in EL")
        return 0
    if found.follows is None:
        say_unused(found.unused, names, file, what=f"{goal} was not found with the EL part{by}", is_listed=is_listed)
        return NOT_FOUND
    say(f"{file}: {goal} does not follow{by}")
    return DOES_NOT_FOLLOW


def certify(ontology: Ontology, found: Entailment, *, output: Path, source: Path) -> None:
    """Write a certificate of what was answered; of what another reasoner said there is none."""
    if found.reasoner is not None:
        raise MooseError(
            f"{output}: cannot be written, as the answer is from {found.reasoner}, which gives no evidence; "
            "leave out --certificate or --reasoner"
        )
    from moose.certificates.make.certify_entailment import certify_axiom

    save_certificate(certify_axiom(ontology, found.goal, follows=bool(found.explanation)), output, source=source)


def read_goal(text: str | None, names: Names | None) -> Axiom:
    """Read the axiom to explain; without one, that nothing can exist."""
    from moose.owl.model.axioms import SubClassOf
    from moose.owl.model.expressions import NOTHING, THING
    from moose.owl.syntax.goal_text import parse_goal
    from moose.owl.syntax.manchester.manchester_tokens import meant_word
    from moose.owl.unquoted_labels import hinting_at_labels

    if text is None or names is None:
        return SubClassOf(THING, NOTHING)
    if text.strip().lower() == "consistent" or meant_word(text.strip(), ["consistent"]):
        raise MooseError(
            f"expected an axiom to explain, but got {text.strip()!r}; write --inconsistency to ask why it is not"
        )
    with hinting_at_labels(text, names):
        return parse_goal(text, "the axiom to explain", names.resolve)


def answer(found: Entailment) -> dict[str, object]:
    """Return what is said in JSON: the goal, whether it follows (null if not known), and a proof of each part of it."""
    from moose.owl.syntax.functional.write_functional import render
    from moose.saturation.proofs.picture import proof_json

    proofs = [proof_json(proof) for proof in found.explanation.proofs] if found.explanation else []
    return {
        "goal": render(found.goal),
        "follows": found.follows,
        "complete": found.follows is not None,
        "unused": unused_texts(found.unused),
        "reasoner": found.reasoner,
        "proofs": proofs,
    }


def draw(proofs: Sequence[Proof], form: ProofFormat, names: Names) -> str:
    """Write proofs as trees of text, Markdown, Graphviz text or one picture."""
    from moose.saturation.proofs import picture

    if form is ProofFormat.svg:
        return stack_pictures([picture.proof_svg(proof, names.show) for proof in proofs])
    if form is ProofFormat.markdown:
        from moose.saturation.proofs.markdown import links, proof_markdown

        return "\n".join(proof_markdown(proof, links(names)) for proof in proofs)
    write = picture.proof_dot if form is ProofFormat.dot else picture.proof_text
    return "\n\n".join(write(proof, names.show).rstrip("\n") for proof in proofs) + "\n"


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
