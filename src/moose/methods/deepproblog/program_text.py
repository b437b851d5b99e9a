"""A program as DeepProbLog reads it: `nn(…)` for what networks weigh, rules, links and constraints, and queries.

A query is `seen([yes(a,'Even'), no(a,'Prime')])`: the constraints are kept and the literals hold.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from itertools import product

from moose.grounding.atoms import Atom
from moose.methods.deepproblog.neural_program import NeuralProgram
from moose.methods.deepproblog.program_rules import Rule

QUERIES = (
    "holds_all([]).",
    "holds_all([yes(X,C)|Rest]) :- holds(X,C), holds_all(Rest).",
    "holds_all([no(X,C)|Rest]) :- \\+holds(X,C), holds_all(Rest).",
    "seen(Literals) :- theory, holds_all(Literals).",
)
PLAIN = re.compile(r"[a-z][A-Za-z0-9_]*")
RESERVED = frozenset({"is", "not", "mod", "rem", "div", "xor", "true", "false", "fail"})

Spell = Callable[[int], str]


def program_text(program: NeuralProgram) -> str:
    r"""Write a program.

    >>> from moose.grounding.task.regimes import regime
    >>> from moose.methods.deepproblog.neural_program import make_program
    >>> print(program_text(make_program(regime("pizzaC"))))
    nn(fact_1,[X]) :: holds(X,'JalapenoPepperTopping').
    nn(fact_2,[X]) :: holds(X,'PeperonataTopping').
    nn(fact_3,[X]) :: holds(X,'PeperoniSausageTopping').
    nn(fact_4,[X]) :: holds(X,'PrawnTopping').
    holds(X,'SpicyTopping') :- holds(X,'JalapenoPepperTopping').
    holds(X,'SpicyTopping') :- holds(X,'PeperonataTopping').
    holds(X,'SpicyTopping') :- holds(X,'PeperoniSausageTopping').
    holds(X,'SpicyTopping') :- holds(X,'PrawnTopping').
    holds(X,'SpicyTopping') :- holds(X,'SpicyPizza').
    holds(X,'SpicyPizza') :- holds(X,'SpicyTopping').
    theory.
    holds_all([]).
    holds_all([yes(X,C)|Rest]) :- holds(X,C), holds_all(Rest).
    holds_all([no(X,C)|Rest]) :- \+holds(X,C), holds_all(Rest).
    seen(Literals) :- theory, holds_all(Literals).
    """
    sections = (_drawn(program), _rules(program), _constraints(program), QUERIES)
    return "\n".join(line for section in sections for line in section)


def word(name: str) -> str:
    """Write a name as an atom of Prolog."""
    if PLAIN.fullmatch(name) and name not in RESERVED:
        return name
    escaped = name.replace("\\", "\\\\").replace("'", "\\'")
    return f"'{escaped}'"


def network_names(program: NeuralProgram) -> dict[str, tuple[str, ...]]:
    """Return the names of networks, each with the concepts that it weighs: a family, or one concept."""
    atoms = program.theory.atoms
    families = dict.fromkeys(tuple(atoms[member].predicate for member in group) for group in program.disjunctions)
    facts = dict.fromkeys((atoms[fact].predicate,) for fact in program.facts)
    return {
        f"{kind}_{number}": concepts
        for kind, group in (("family", families), ("fact", facts))
        for number, concepts in enumerate(group, start=1)
    }


def _drawn(program: NeuralProgram) -> Iterator[str]:
    """Write one `nn` for each network, and the coins."""
    for name, concepts in network_names(program).items():
        if name.startswith("family"):
            members = ",".join(map(word, concepts))
            yield f"nn({name},[X],C,[{members}]) :: holds(X,C)."
        else:
            yield f"nn({name},[X]) :: holds(X,{word(concepts[0])})."
    for coin in program.coins:
        yield f"0.5 :: {_ground(program)(coin)}."


def _rules(program: NeuralProgram) -> Iterator[str]:
    """Write rules, those that all individuals have alike only once."""
    atoms, everybody = program.theory.atoms, program.theory.individuals
    alike = defaultdict[tuple[str, tuple[tuple[bool, str], ...]], set[str]](set)
    keys = dict[Rule, tuple[str, tuple[tuple[bool, str], ...]]]()
    for rule in program.rules:
        arguments = {atoms[abs(literal) - 1].arguments for literal in (*rule.body, rule.head + 1)}
        if len(arguments) == 1 and len(only := next(iter(arguments))) == 1:
            body = tuple((literal > 0, atoms[abs(literal) - 1].predicate) for literal in rule.body)
            keys[rule] = (atoms[rule.head].predicate, body)
            alike[keys[rule]].add(only[0])
    for rule in program.rules:
        owners = alike.get(keys[rule]) if rule in keys else None
        if owners is None or owners != everybody:
            yield _rule_text(rule, _ground(program))
        elif atoms[rule.head].arguments[0] == min(owners):
            yield _rule_text(rule, lambda position: f"holds(X,{word(atoms[position].predicate)})")


def _constraints(program: NeuralProgram) -> Iterator[str]:
    """Write what every query keeps to: pairs of two families' members that go together, and what must not be."""
    spell, theory = _ground(program), program.theory
    owner = {member: number for number, group in enumerate(program.disjunctions) for member in group}
    between, others = defaultdict[tuple[int, ...], list[tuple[int, ...]]](list), list[tuple[int, ...]]()
    for index in program.constraints:
        clause = theory.clause(index)
        groups = tuple(sorted({owner.get(abs(literal) - 1, -1) for literal in clause}))
        (between[groups] if len(groups) == 2 and groups[0] >= 0 else others).append(clause)
    premises = list[str]()
    for (one, other), clauses in between.items():
        link = f"link_{len(premises) + 1}"
        premises.append(link)
        for pair in product(program.disjunctions[one], program.disjunctions[other]):
            if all(_is_kept(clause, pair) for clause in clauses):
                yield f"{link} :- {spell(pair[0])}, {spell(pair[1])}."
    for clause in others:
        body = [_literal(-literal, spell) for literal in clause if abs(literal) - 1 in program.possible]
        yield f"violated :- {', '.join(body)}." if body else "violated."
    premises += ["\\+violated"] * bool(others)
    yield f"theory :- {', '.join(premises)}." if premises else "theory."


def _is_kept(clause: Iterable[int], pair: tuple[int, int]) -> bool:
    return any((abs(literal) - 1 in pair) == (literal > 0) for literal in clause)


def _rule_text(rule: Rule, spell: Spell) -> str:
    body = ", ".join(_literal(literal, spell) for literal in rule.body)
    return f"{spell(rule.head)} :- {body}." if body else f"{spell(rule.head)}."


def _literal(literal: int, spell: Spell) -> str:
    return spell(literal - 1) if literal > 0 else f"\\+{spell(-literal - 1)}"


def _ground(program: NeuralProgram) -> Spell:
    def spell(position: int) -> str:
        atom: Atom = program.theory.atoms[position]
        arguments = ",".join(map(word, atom.arguments))
        return f"{'holds' if len(atom.arguments) == 1 else 'related'}({arguments},{word(atom.predicate)})"

    return spell
