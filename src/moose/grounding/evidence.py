"""Evidence: literals that people write, checked against the atoms of a theory."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from numbers import Real

import numpy as np

from moose.base.errors import ContradictoryEvidence, MooseError, UnknownName
from moose.base.suggestions import close_matches, did_you_mean, shortened
from moose.grounding.atoms import Atom
from moose.grounding.clauses import AtomKind, Clauses

Evidence = Mapping[str | Atom, bool] | Mapping[str, bool] | Mapping[Atom, bool] | Iterable[str]
"""Truth values by atom, or literals such as "not Even(a)"."""

LATENT_KINDS = (AtomKind.LATENT, AtomKind.LATENT_ROLE)


def read_evidence(clauses: Clauses, evidence: Evidence | None, *, allow_latent: bool = True) -> dict[int, bool]:
    """Return the truth of each observed atom by its position in `clauses.atoms`."""
    seen: dict[Atom, bool] = {}
    observed: dict[int, bool] = {}
    for atom, is_true in evidence_literals(clauses, evidence):
        if seen.setdefault(atom, is_true) != is_true:
            both = (str(atom), f"not {atom}")
            raise ContradictoryEvidence(f"the evidence says both {atom} and not {atom}; keep one", literals=both)
        position = find_position(clauses, atom, is_true)
        if position is None:
            continue
        if clauses.kinds[position] in LATENT_KINDS and not allow_latent:
            raise MooseError(f"{atom} is latent, so it cannot be evidence; observe {listed_observables(clauses)}")
        observed[position] = is_true
    return observed


def evidence_literals(clauses: Clauses, evidence: Evidence | None) -> Iterable[tuple[Atom, bool]]:
    """Yield the literals of evidence in any of its forms."""
    if evidence is None:
        return
    if isinstance(evidence, str):
        yield from clauses.read_literals(evidence)
    elif isinstance(evidence, Mapping):
        for key, value in evidence.items():
            atom = key if isinstance(key, Atom) else clauses.read_atom(key)
            # numpy's booleans and 0/1 compare equal to Python's; a probability does not
            if not isinstance(value, np.bool_ | Real) or value not in (True, False):
                raise MooseError(f"expected true or false for {atom}, but got {value!r}; a probability is a weight")
            yield atom, bool(value)
    elif not isinstance(evidence, Iterable):
        raise MooseError(f"expected evidence such as {{'Even(a)': True}} or ['not Even(a)'], but got {evidence!r}")
    else:
        for text in evidence:
            yield from clauses.read_literals(text)


def find_position(clauses: Clauses, atom: Atom, is_true: bool) -> int | None:
    """Return where an observed atom stands, or None where its truth is known in advance and agrees."""
    known = clauses.known_truth(atom)
    if known is not None:
        if known == is_true:
            return None
        literal = str(atom) if is_true else f"not {atom}"
        raise ContradictoryEvidence(
            f"the evidence says {literal}, but {atom} is known to be {'true' if known else 'false'}; "
            "leave it out, or change what the task knows",
            literals=(literal,),
        )
    position = clauses.positions.get(atom)
    if position is None or clauses.kinds[position] == AtomKind.AUXILIARY:
        raise unknown_atom(clauses, atom)
    return position


def unknown_atom(clauses: Clauses, atom: Atom) -> UnknownName:
    """Say that an atom is not in the theory, and which of its atoms look like it."""
    named = [known for known, kind in zip(clauses.atoms, clauses.kinds, strict=True) if kind != AtomKind.AUXILIARY]
    predicates = list(dict.fromkeys(known.predicate for known in (*named, *clauses.fixed)))
    individuals = list(dict.fromkeys(name for known in (*named, *clauses.fixed) for name in known.arguments))
    if atom.predicate not in predicates:
        known_ones = f"its predicates, as the task writes them, are {shortened(predicates)}"
        hint = did_you_mean(close_matches(atom.predicate, predicates), otherwise=known_ones)
        return UnknownName(f"no atom {atom}: the task has no concept or role {atom.predicate!r}; {hint}")
    for name in atom.arguments:
        if name not in individuals:
            return UnknownName(
                f"no atom {atom}: the task has no individual {name!r}; its individuals are {shortened(individuals)}"
            )
    example = next(known for known in (*named, *clauses.fixed) if known.predicate == atom.predicate)
    return UnknownName(f"no atom {atom} in the task; the atoms of {atom.predicate} are such as {example}")


def listed_observables(clauses: Clauses) -> str:
    """Name what may be observed."""
    pairs = zip(clauses.atoms, clauses.kinds, strict=True)
    return shortened(dict.fromkeys(atom.predicate for atom, kind in pairs if kind == AtomKind.OBSERVABLE)) or "nothing"
