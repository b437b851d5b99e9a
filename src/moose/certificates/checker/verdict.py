"""What a certificate shows, and what was taken for granted."""

from __future__ import annotations

from dataclasses import dataclass, field

from moose.certificates.checker.reading import items, text_of
from moose.certificates.checker.theory import DATA, Theory


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a certificate shows: a sentence, its size, and what the checker takes for granted."""

    kind: str
    claim: str
    size: str
    sources: list[str] = field(default_factory=list)
    granted: list[str] = field(default_factory=list)
    unused: list[str] = field(default_factory=list)
    """Axioms that the maker left out, though they may matter: what is shown is of the others only."""
    goal: str = ""
    """The axiom that the claim is about, if it is about one."""


def granted(theory: Theory, *, wholly: bool = False) -> list[str]:
    """List what is taken for granted about data: inclusions between ranges and, if `wholly`, that there are no more.

    That all spellings of one data range mean the same is taken for granted too.
    """
    assumptions = []
    for axiom, origin in zip(theory.axioms, theory.origins, strict=True):
        if origin == DATA:
            sides = [" and ".join(map(str, spellings(theory, int(str(side))))) for side in axiom[1:3]]
            assumptions.append(f"every value of {sides[0]} is one of {sides[1]}")
    spelt = [node[1:] for node in theory.concepts if node[0] == "data" and len(node) > 2]
    assumptions += [f"{' and '.join(map(str, names))} are the same values" for names in spelt]
    if wholly and any(node[0] == "data" for node in theory.concepts):
        assumptions.append(
            "no other inclusions between the data ranges hold, and for each element that is a value there is one"
        )
    return assumptions


def left_open(certificate: dict[str, object]) -> list[str]:
    """Return the axioms that a certificate says it leaves out though they may matter; none if it says nothing."""
    listed = items(certificate.get("unused", []), "what is not used")
    return [text_of(one, "an axiom that is not used") for one in listed]


def spellings(theory: Theory, concept: int) -> list[object]:
    """Spell a data range."""
    node = theory.concepts[concept]
    match node:
        case ["and", int(first), int(second)]:
            return [*spellings(theory, first), *spellings(theory, second)]
        case ["data", *_]:
            return node[1:2]
    return ["nothing" if node[0] == "bottom" else f"concept {concept}"]
