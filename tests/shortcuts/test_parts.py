"""Parts of the individuals where auxiliary atoms speak of contexts, which have no name."""

from __future__ import annotations

import numpy as np

from moose.grounding.atoms import Atom
from moose.grounding.clauses import AtomKind, Clauses, Origin, pack
from moose.shortcuts.problem.worlds import split

KINDS = {"A": AtomKind.LATENT, "B": AtomKind.OBSERVABLE, "X": AtomKind.AUXILIARY}


def clauses_of(*implications: tuple[tuple[str, str], tuple[str, str]]) -> Clauses:
    """Make a theory of implications between atoms, each a predicate and who it is of."""
    atoms = tuple(dict.fromkeys(Atom(name, (who,)) for pair in implications for name, who in pair))
    number = {atom: position for position, atom in enumerate(atoms, start=1)}
    rows = [(-number[Atom(b[0], (b[1],))], number[Atom(h[0], (h[1],))]) for b, h in implications]
    literals, starts = pack(rows)
    return Clauses(
        atoms=atoms,
        kinds=np.array([KINDS[atom.predicate] for atom in atoms], dtype=np.int8),
        literals=literals,
        starts=starts,
        origins=np.full(len(rows), Origin.ENTAILED, dtype=np.int8),
        fixed={},
        given=(),
        families=(),
        assumptions=(),
    )


def own(who: str, context: str) -> list[tuple[tuple[str, str], tuple[str, str]]]:
    return [(("A", who), ("X", context)), (("X", context), ("B", who))]


def test_a_context_goes_with_the_individual_that_it_is_of() -> None:
    theory = clauses_of(*own("a", "{a}"), *own("b", "{b}"))
    parts = split(theory, theory, ["a", "b"])
    assert [part.individuals for part in parts] == [("a",), ("b",)]
    for part, who in zip(parts, "ab"):
        assert set(part.truth.atoms) == {Atom("A", (who,)), Atom("B", (who,)), Atom("X", (f"{{{who}}}",))}
        assert len(part.truth) == 2


def test_individuals_that_share_a_context_are_one_part() -> None:
    theory = clauses_of(*own("a", "C ⊓ D"), *own("b", "C ⊓ D"))
    (part,) = split(theory, theory, ["a", "b"])
    assert part.individuals == ("a", "b") and part.truth.atoms == theory.atoms and len(part.truth) == 4


def test_contexts_are_reached_by_others() -> None:
    theory = clauses_of((("A", "a"), ("X", "{a}")), (("X", "{a}"), ("X", "C")), (("X", "C"), ("B", "a")))
    (part,) = split(theory, theory, ["a"])
    assert len(part.truth) == 3
