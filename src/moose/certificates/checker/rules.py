"""The rules that a derivation may use: one function each, its sequent its docstring, all in one table.

Each is sound in every model in which what the derivation assumes, if anything, has an element.
"""

from __future__ import annotations

from collections.abc import Callable

from moose.certificates.checker.individual_rules import (
    functional,
    inconsistent,
    key,
    nominal_back,
    nonempty,
    nonempty_link,
    nonempty_super,
    single_told,
    universal_chain,
    universal_link,
    universal_role,
    universal_told,
)
from moose.certificates.checker.theory import BOTTOM, Step

Rule = Callable[[Step], bool]


# ── Concepts ──────────────────────────────────────────────────────────────────────────────────────────────────────


def reflexive(step: Step) -> bool:
    """⊢ C ⊑ C"""
    match step.fact, step.premises, step.axiom:
        case ["sub", sub, sup], [], []:
            return sub == sup
    return False


def top(step: Step) -> bool:
    """⊢ C ⊑ ⊤"""
    match step.fact, step.premises, step.axiom:
        case ["sub", _, sup], [], []:
            return step.node(sup) == ["top"]
    return False


def told(step: Step) -> bool:
    """C ⊑ D; D ⊑ E is told ⊢ C ⊑ E"""
    match step.fact, step.premises, step.axiom:
        case ["sub", sub, sup], [["sub", same, middle]], ["sub", below, above]:
            return sub == same and middle == below and above == sup
    return False


def transitive(step: Step) -> bool:
    """C ⊑ D, D ⊑ E ⊢ C ⊑ E"""
    match step.fact, step.premises, step.axiom:
        case ["sub", sub, sup], [["sub", same, middle], ["sub", below, above]], []:
            return sub == same and middle == below and above == sup
    return False


def conjunct(step: Step) -> bool:
    """C ⊑ D ⊓ E ⊢ C ⊑ D, or C ⊑ E"""
    match step.fact, step.premises, step.axiom:
        case ["sub", sub, sup], [["sub", same, whole]], []:
            node = step.node(whole)
            return sub == same and node[0] == "and" and sup in node[1:]
    return False


def conjunction(step: Step) -> bool:
    """C ⊑ D, C ⊑ E ⊢ C ⊑ D ⊓ E"""
    match step.fact, step.premises, step.axiom:
        case ["sub", sub, sup], [["sub", one, first], ["sub", two, second]], []:
            return sub == one == two and step.node(sup) == ["and", first, second]
    return False


def absurd(step: Step) -> bool:
    """C ⊑ ⊥ ⊢ C ⊑ D"""
    match step.fact, step.premises, step.axiom:
        case ["sub", sub, _], [["sub", same, bottom]], []:
            return sub == same and step.node(bottom) == BOTTOM
    return False


def cases(step: Step) -> bool:
    """C ⊑ D, C ⊓ D₁ ⊑ E, …, C ⊓ Dₙ ⊑ E; what is a D is told to be one of D₁, …, Dₙ ⊢ C ⊑ E"""
    match step.fact, step.premises, step.axiom:
        case ["sub", sub, sup], [["sub", same, whole], *rest], ["cases", told_of, [*members]]:
            parts = [step.node(fact[1]) for fact in rest if fact[0] == "sub" and fact[2] == sup]
            is_whole = sub == same and whole == told_of and len(parts) == len(rest)
            return is_whole and parts == [["and", sub, member] for member in members]
    return False


# ── Links and roles ───────────────────────────────────────────────────────────────────────────────────────────────


def link(step: Step) -> bool:
    """C ⊑ ∃r.D ⊢ C → r → D"""
    match step.fact, step.premises, step.axiom:
        case ["link", source, role, target], [["sub", sub, sup]], []:
            return source == sub and step.node(sup) == ["some", role, target]
    return False


def some(step: Step) -> bool:
    """C → r → D, D ⊑ E ⊢ C ⊑ ∃r.E"""
    match step.fact, step.premises, step.axiom:
        case ["sub", sub, sup], [["link", source, role, target], ["sub", below, above]], []:
            return sub == source and target == below and step.node(sup) == ["some", role, above]
    return False


def widen(step: Step) -> bool:
    """C → r → D, D ⊑ E ⊢ C → r → E"""
    match step.fact, step.premises, step.axiom:
        case ["link", source, role, wider], [["link", same, by, target], ["sub", below, above]], []:
            return source == same and role == by and target == below and wider == above
    return False


def bottom_back(step: Step) -> bool:
    """C → r → D, D ⊑ ⊥ ⊢ C ⊑ ⊥"""
    match step.fact, step.premises, step.axiom:
        case ["sub", sub, sup], [["link", source, _, target], ["sub", below, above]], []:
            return sub == source and target == below and step.node(above) == step.node(sup) == BOTTOM
    return False


def role_reflexive(step: Step) -> bool:
    """⊢ r ⊑ r"""
    match step.fact, step.premises, step.axiom:
        case ["role", sub, sup], [], []:
            return sub == sup
    return False


def role_told(step: Step) -> bool:
    """r ⊑ s; s ⊑ t is told ⊢ r ⊑ t"""
    match step.fact, step.premises, step.axiom:
        case ["role", sub, sup], [["role", same, middle]], ["role", below, above]:
            return sub == same and middle == below and above == sup
    return False


def role_universal(step: Step) -> bool:
    """s relates all of C, ∃r.⊤ ⊑ C; C is told a range of r ⊢ r ⊑ s"""
    match step.fact, step.premises, step.axiom:
        case ["role", sub, sup], [["universal", role, concept], ["sub", some, same]], ["range", by, told_range]:
            node = step.node(some)
            starts_there = node[:2] == ["some", sub] and step.node(node[2]) == ["top"]
            return sup == role and sub == by and concept == same == told_range and starts_there
    return False


def link_role(step: Step) -> bool:
    """C → r → D, r ⊑ s ⊢ C → s → D"""
    match step.fact, step.premises, step.axiom:
        case ["link", source, role, target], [["link", same, by, end], ["role", sub, sup]], []:
            return source == same and target == end and by == sub and role == sup
    return False


def chain(step: Step) -> bool:
    """C → r → D, D → s → E; r ∘ s ⊑ t is told ⊢ C → t → E"""
    match step.fact, step.premises, step.axiom:
        case (
            ["link", source, role, target],
            [["link", start, first, middle], ["link", same, second, end]],
            ["chain", left, right, result],
        ):
            return (
                source == start and middle == same and target == end and [left, right, result] == [first, second, role]
            )
    return False


def narrow(step: Step) -> bool:
    """C → r → D, r ⊑ s; E is told a range of s ⊢ C → r → D ⊓ E"""
    match step.fact, step.premises, step.axiom:
        case (
            ["link", source, role, target],
            [["link", same, by, end], ["role", sub, sup]],
            ["range", told_role, concept],
        ):
            return (
                source == same and role == by == sub and sup == told_role and step.node(target) == ["and", end, concept]
            )
    return False


# ── Self ──────────────────────────────────────────────────────────────────────────────────────────────────────────


def self_link(step: Step) -> bool:
    """C ⊑ ∃r.Self ⊢ C → r → C"""
    match step.fact, step.premises, step.axiom:
        case ["link", source, role, target], [["sub", sub, sup]], []:
            return source == target == sub and step.node(sup) == ["self", role]
    return False


def self_role(step: Step) -> bool:
    """C ⊑ ∃r.Self, r ⊑ s ⊢ C ⊑ ∃s.Self"""
    match step.fact, step.premises, step.axiom:
        case ["sub", sub, sup], [["sub", same, loop], ["role", below, above]], []:
            return sub == same and step.node(loop) == ["self", below] and step.node(sup) == ["self", above]
    return False


def self_chain(step: Step) -> bool:
    """C ⊑ ∃r.Self, C ⊑ ∃s.Self; r ∘ s ⊑ t is told ⊢ C ⊑ ∃t.Self"""
    match step.fact, step.premises, step.axiom:
        case ["sub", sub, sup], [["sub", one, first], ["sub", two, second]], ["chain", left, right, result]:
            loops = [step.node(first), step.node(second), step.node(sup)]
            return sub == one == two and loops == [["self", left], ["self", right], ["self", result]]
    return False


def self_range(step: Step) -> bool:
    """C ⊑ ∃r.Self; D is told a range of r ⊢ C ⊑ D"""
    match step.fact, step.premises, step.axiom:
        case ["sub", sub, sup], [["sub", same, loop]], ["range", role, concept]:
            return sub == same and step.node(loop) == ["self", role] and sup == concept
    return False


def self_nominal(step: Step) -> bool:
    """C ⊑ {a}, C → r → D, D ⊑ {a} ⊢ C ⊑ ∃r.Self"""
    match step.fact, step.premises, step.axiom:
        case ["sub", sub, sup], [["sub", one, nominal], ["link", source, role, target], ["sub", below, again]], []:
            is_loop = sub == one == source and target == below and nominal == again
            return is_loop and step.node(nominal)[0] == "nominal" and step.node(sup) == ["self", role]
    return False


def self_universal(step: Step) -> bool:
    """r relates all of D, C ⊑ D ⊢ C ⊑ ∃r.Self"""
    match step.fact, step.premises, step.axiom:
        case ["sub", sub, sup], [["universal", role, concept], ["sub", same, above]], []:
            return sub == same and above == concept and step.node(sup) == ["self", role]
    return False


RULES: dict[str, Rule] = {
    "reflexive": reflexive,
    "top": top,
    "told": told,
    "transitive": transitive,
    "conjunct": conjunct,
    "conjunction": conjunction,
    "absurd": absurd,
    "cases": cases,
    "link": link,
    "some": some,
    "widen": widen,
    "bottom": bottom_back,
    "role-reflexive": role_reflexive,
    "role-told": role_told,
    "role-universal": role_universal,
    "link-role": link_role,
    "chain": chain,
    "range": narrow,
    "self-link": self_link,
    "self-role": self_role,
    "self-chain": self_chain,
    "self-range": self_range,
    "self-nominal": self_nominal,
    "self-universal": self_universal,
    "nonempty": nonempty,
    "nonempty-link": nonempty_link,
    "nonempty-super": nonempty_super,
    "nominal": nominal_back,
    "inconsistent": inconsistent,
    "universal-told": universal_told,
    "universal-role": universal_role,
    "universal-chain": universal_chain,
    "universal-link": universal_link,
    "single-told": single_told,
    "functional": functional,
    "key": key,
}
