"""Axioms and proofs as Markdown: sentences in Manchester syntax, every name a link to its IRI."""

from __future__ import annotations

import re
from collections.abc import Iterator

from moose.owl.model import axioms as ax
from moose.owl.model import expressions as owl
from moose.owl.names import Names
from moose.owl.syntax.functional.write_functional import render
from moose.saturation.proofs.notation import Display, write_fact
from moose.saturation.proofs.picture import DEEPEST_TREE, OBVIOUS, depth_of, numbered_lines
from moose.saturation.proofs.proof import Fact, Proof

SPECIAL = re.compile(r"([\\`*_{}\[\]()#+.!|<>~&-])")
"""What Markdown may take for a mark."""
UNSAFE_IN_LINK = re.compile(r"[\s<>()\\\[\]`\"]")


def escaped(text: str) -> str:
    r"""Write text so that Markdown shows it as it is, on one line.

    >>> escaped("CD4+ [T] cell")
    'CD4\\+ \\[T\\] cell'
    """
    return SPECIAL.sub(r"\\\1", " ".join(text.split()))


def links(names: Names) -> Display:
    """Return how an IRI is shown: its label, or else what `Names.show` has for it, as a link."""

    def linked(iri: str) -> str:
        text = escaped(names.label(iri) or names.show(iri))
        address = UNSAFE_IN_LINK.sub(lambda found: "".join(f"%{byte:02X}" for byte in found[0].encode()), iri)
        return f"[{text}]({address})"

    return linked


def sentence(axiom: ax.Axiom, display: Display) -> str:  # noqa: C901  # a row for each type of axiom
    """Write an axiom as people read it, in Manchester syntax; one that this has no short form for in functional."""

    def text(concept: owl.ClassExpression) -> str:
        return expression(concept, display)

    def name(role: owl.ObjectPropertyExpression) -> str:
        return property_name(role, display)

    match axiom:
        case ax.SubClassOf(sub, sup):
            return f"{text(sub)} SubClassOf {text(sup)}"
        case ax.EquivalentClasses(operands):
            return " EquivalentTo ".join(map(text, operands))
        case ax.DisjointClasses((one, two)):
            return f"{text(one)} DisjointWith {text(two)}"
        case ax.DisjointClasses(operands):
            return f"DisjointClasses: {', '.join(map(text, operands))}"
        case ax.ObjectPropertyDomain(role, domain):
            return f"{name(role)} Domain {text(domain)}"
        case ax.ObjectPropertyRange(role, range_):
            return f"{name(role)} Range {text(range_)}"
        case ax.SubObjectPropertyOf(chain, sup):
            return f"{' o '.join(map(name, chain))} SubPropertyOf {name(sup)}"
        case ax.ObjectPropertyCharacteristic(characteristic, role):
            return f"{name(role)} Characteristic {characteristic}"
        case ax.ClassAssertion(concept, individual):
            return f"{render(individual, display)} Type {text(concept)}"
        case ax.ObjectPropertyAssertion(role, source, target, negative=False):
            return f"{render(source, display)} {name(role)} {render(target, display)}"
    return render(ax.without_annotations(axiom), display)


def expression(concept: owl.ClassExpression, display: Display, *, inside: bool = False) -> str:
    """Write a class expression of OWL 2 EL in Manchester syntax; anything else in functional syntax."""
    match concept:
        case owl.ObjectIntersectionOf(operands):
            text = " **and** ".join(expression(operand, display, inside=True) for operand in operands)
        case owl.ObjectSomeValuesFrom(role, filler):
            text = f"{property_name(role, display)} **some** {expression(filler, display, inside=True)}"
        case owl.ObjectHasValue(role, individual):
            text = f"{property_name(role, display)} **value** {render(individual, display)}"
        case owl.ObjectHasSelf(role):
            text = f"{property_name(role, display)} **Self**"
        case owl.ObjectOneOf(individuals):
            return f"{{{', '.join(render(one, display) for one in individuals)}}}"
        case owl.THING | owl.NOTHING:
            return concept.iri.rpartition("#")[2]
        case _:
            return render(concept, display)
    return f"({text})" if inside else text


def property_name(role: owl.ObjectPropertyExpression, display: Display) -> str:
    """Write an object property, or an inverse."""
    return f"inverse {display(role.property.iri)}" if isinstance(role, owl.ObjectInverseOf) else display(role.iri)


def proof_markdown(proof: Proof, display: Display) -> str:
    """Write a proof as a list of lists: a fact, the rule that gives it, below it the axioms and facts that it uses.

    A proof too deep for that is a numbered list, the goal last.
    """
    if depth_of(proof) > DEEPEST_TREE:
        return "".join(
            f"{number}. {line.partition('. ')[2]}\n" for number, line in enumerate(numbered_lines(proof, display), 1)
        )
    steps = {step.conclusion: step for step in proof.steps}
    spelt: set[Fact] = set()

    def lines(fact: Fact, depth: int) -> Iterator[str]:
        step = steps[fact]
        indent = "  " * depth
        again = fact in spelt and bool(step.premises or step.axioms)
        yield f"{indent}- {write_fact(fact, display)} *({escaped(step.rule)}{', as above' if again else ''})*"
        if again:
            return
        spelt.add(fact)
        yield from (f"{indent}  - {sentence(axiom, display)}" for axiom in step.axioms)
        for premise in dict.fromkeys(step.premises):
            if steps[premise].rule not in OBVIOUS:
                yield from lines(premise, depth + 1)

    return "\n".join(lines(proof.goal, 0)) + "\n"
