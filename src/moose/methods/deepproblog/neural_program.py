"""From a task to a neural-probabilistic program: choices that networks weigh, rules, and what a query must keep to.

A program has worlds where a theory has models. Its choices are drawn: one member of each latent family (an annotated
disjunction), and whether each other latent concept holds (a fact). All else is what rules prove, and what they do not
prove is false. How a task becomes one:

- A clause `B₁ ∧ … ∧ Bₖ → H` is a rule for H, if H is not drawn. That reads the ontology's ⊑ as a definition, which is
  more than it says: who is spicy has a spicy topping, because nothing else would prove it.
- A latent concept of which every member of a latent family says whether it holds is not drawn but follows by rules:
  with a fact of its own besides, it would be a noisy-or of two opinions.
- An observed concept that nothing proves, but that says which latent concepts hold, is defined by them: a recipe.
- An observed concept that has neither is a fair coin.
- Whatever else the theory says is a constraint, part of every query. Known roles come in here, as links between the
  members of families; a clause with a drawn head too, since as a rule it would again be a noisy-or.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import chain, combinations

import numpy as np

from moose.grounding.atoms import Atom
from moose.grounding.clauses import AtomKind, Clauses, Origin, pack
from moose.grounding.ground import ground
from moose.grounding.task.task import Task
from moose.learning.binding import latent_families
from moose.methods.deepproblog.program_rules import Rule, definite_rules, proofs, provable

Clause = tuple[int, ...]


@dataclass(frozen=True, eq=False)
class NeuralProgram:
    """A program over the atoms of a theory, which are known by their positions.

    >>> from moose.grounding.task.regimes import regime
    >>> program = make_program(regime("mnist2"))
    >>> len(program.disjunctions), len(program.facts), len(program.rules), len(program.constraints)
    (2, 0, 36, 20)
    """

    theory: Clauses
    disjunctions: tuple[tuple[int, ...], ...]
    """The members of each latent family at each individual; one of them is drawn."""
    facts: tuple[int, ...]
    """Latent concepts that are drawn each for itself."""
    coins: tuple[int, ...]
    """Observed concepts of which the theory says nothing that would decide them: true with probability ½."""
    rules: tuple[Rule, ...]

    @cached_property
    def drawn(self) -> frozenset[int]:
        """All atoms that no rule decides."""
        return frozenset(chain(*self.disjunctions, self.facts, self.coins))

    @cached_property
    def possible(self) -> frozenset[int]:
        """All atoms that hold in some world before the constraints."""
        return self.drawn.union(rule.head for rule in self.rules)

    @cached_property
    def definition(self) -> Clauses:
        """The program without constraints, as clauses: each model is a world, and each world a model."""
        extra, clauses = _completed(self)
        exclusive = [(-one - 1, -other - 1) for group in self.disjunctions for one, other in combinations(group, 2)]
        covering = [tuple(member + 1 for member in group) for group in self.disjunctions]
        groups: dict[Origin, Sequence[Clause]] = {
            Origin.MUTEX: exclusive,
            Origin.COVER: covering,
            Origin.CLOSED_WORLD: clauses,
        }
        literals, starts = pack([*chain(*groups.values())])
        return replace(
            self.theory,
            atoms=(*self.theory.atoms, *extra),
            kinds=np.concatenate([self.theory.kinds, np.full(len(extra), AtomKind.AUXILIARY, np.int8)]),
            literals=literals,
            starts=starts,
            origins=np.array([origin for origin, group in groups.items() for _ in group], dtype=np.int8),
        )

    @cached_property
    def constraints(self) -> tuple[int, ...]:
        """The indices of the theory's clauses that do not hold in every world by themselves."""
        from pysat.solvers import Solver

        with Solver("glucose4", bootstrap_with=[list(clause) for clause in self.definition]) as solver:
            return tuple(
                index
                for index, clause in enumerate(self.theory)
                if solver.solve(assumptions=[-literal for literal in clause])
            )

    @cached_property
    def clauses(self) -> Clauses:
        """The worlds that keep to the constraints."""
        chosen = list(self.constraints)
        literals, starts = pack([*self.definition, *(self.theory.clause(index) for index in chosen)])
        origins = np.concatenate([self.definition.origins, self.theory.origins[chosen]])
        return replace(self.definition, literals=literals, starts=starts, origins=origins)


def make_program(task: Task) -> NeuralProgram:
    """Make the program of a task."""
    latent_families(task)  # refuses families that share a member
    theory = ground(task)
    latent = {position for position, kind in enumerate(theory.kinds) if kind == AtomKind.LATENT}
    disjunctions = tuple(family for family in theory.families if latent.issuperset(family))
    told = list(theory)
    loose = sorted(latent.difference(*disjunctions))
    facts = tuple(atom for atom in loose if not _is_decided(atom, disjunctions, set(told)))
    choices = {*chain(*disjunctions), *facts}
    rules = [rule for rule in definite_rules(told) if rule.head not in choices]
    observed = [position for position, kind in enumerate(theory.kinds) if kind == AtomKind.OBSERVABLE]
    concepts = [position for position in observed if len(theory.atoms[position].arguments) == 1]
    known = provable(rules, choices)
    rules += _recipes([atom for atom in concepts if atom not in known], choices, told)
    known = provable(rules, choices)
    coins = tuple(atom for atom in concepts if atom not in known)
    rules = [rule for rule in rules if rule.head not in coins]
    known = provable(rules, choices.union(coins))
    living = [rule for rule in rules if all(literal < 0 or literal - 1 in known for literal in rule.body)]
    return NeuralProgram(theory, disjunctions, facts, coins, tuple(sorted(living)))


def _is_decided(atom: int, disjunctions: Sequence[Sequence[int]], told: set[Clause]) -> bool:
    """Return whether each member of some family says that the atom holds, or that it does not."""
    signs = (atom + 1, -atom - 1)

    def is_told(member: int, sign: int) -> bool:
        return (-member - 1, sign) in told or (sign, -member - 1) in told

    return any(all(any(is_told(member, sign) for sign in signs) for member in group) for group in disjunctions)


def _recipes(undefined: Sequence[int], choices: set[int], told: Sequence[Clause]) -> Iterator[Rule]:
    """Define atoms by all that they say of choices."""
    bodies: dict[int, set[int]] = {atom: set() for atom in undefined}
    for clause in told:
        if len(clause) != 2:
            continue
        for literal, other in (clause, clause[::-1]):
            if literal < 0 and -literal - 1 in bodies and abs(other) - 1 in choices:
                bodies[-literal - 1].add(other)
    for atom, body in bodies.items():
        if body:
            yield Rule(atom, tuple(sorted(body, key=abs)))


def _completed(program: NeuralProgram) -> tuple[list[Atom], list[Clause]]:
    """Say of each atom that is not drawn that it holds if and only if something proves it (Clark's completion).

    A proof of several literals, where there are several proofs, is an atom of its own.
    """
    proofs_of = proofs(program.rules)
    atoms, extra, clauses = program.theory.atoms, list[Atom](), list[Clause]()
    for head, atom in enumerate(atoms):
        if head in program.drawn:
            continue
        reasons = list[int]()
        ways = proofs_of.get(head, [])
        for number, proof in enumerate(ways):
            body = sorted(proof, key=abs)
            clauses.append((*(-literal for literal in body), head + 1))
            if len(ways) == 1:
                clauses += [(-head - 1, literal) for literal in body]
            elif len(body) == 1:
                reasons += body
            else:
                extra.append(Atom(f"proof {number + 1} of {atom.predicate}", atom.arguments))
                reason = len(atoms) + len(extra)
                reasons.append(reason)
                clauses += [(-reason, literal) for literal in body]
                clauses.append((*(-literal for literal in body), reason))
        if len(ways) != 1:
            clauses.append((-head - 1, *reasons))
    return extra, clauses
