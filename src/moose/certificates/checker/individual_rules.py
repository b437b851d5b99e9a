"""The rules of derivations about what has an element, about individuals, keys, and roles that relate everything.

Like those in `rules.py`, whose table has them all: one function each, its sequent its docstring.
"""

from __future__ import annotations

from moose.certificates.checker.theory import BOTTOM, Fact, Step

# ── What has an element, and roles that relate everything ─────────────────────────────────────────────────────────


def nonempty(step: Step) -> bool:
    """⊢ C has an element, where C is ⊤, {a} or what is assumed to have one"""
    match step.fact, step.premises, step.axiom:
        case ["nonempty", concept], [], []:
            return concept == step.assumed or step.node(concept)[0] in ("top", "nominal")
    return False


def nonempty_link(step: Step) -> bool:
    """C has an element, C → r → D ⊢ D has an element"""
    match step.fact, step.premises, step.axiom:
        case ["nonempty", concept], [["nonempty", before], ["link", source, _, target]], []:
            return concept == target and before == source
    return False


def nonempty_super(step: Step) -> bool:
    """C has an element, C ⊑ D ⊢ D has an element"""
    match step.fact, step.premises, step.axiom:
        case ["nonempty", concept], [["nonempty", before], ["sub", sub, sup]], []:
            return concept == sup and before == sub
    return False


def nominal_back(step: Step) -> bool:
    """D ⊑ {a}, D has an element ⊢ {a} ⊑ D"""
    match step.fact, step.premises, step.axiom:
        case ["sub", sub, sup], [["sub", concept, nominal], ["nonempty", same]], []:
            return sub == nominal and sup == concept == same and step.node(nominal)[0] == "nominal"
    return False


def inconsistent(step: Step) -> bool:
    """D has an element, D ⊑ ⊥ ⊢ C ⊑ ⊥"""
    match step.fact, step.premises, step.axiom:
        case ["sub", _, sup], [["nonempty", concept], ["sub", same, bottom]], []:
            return concept == same and step.node(sup) == step.node(bottom) == BOTTOM
    return False


def universal_told(step: Step) -> bool:
    """r is told to relate all of C ⊢ r relates all of C"""
    return step.fact[0] == "universal" and not step.premises and step.axiom == step.fact


def universal_role(step: Step) -> bool:
    """r relates all of C, r ⊑ s ⊢ s relates all of C"""
    match step.fact, step.premises, step.axiom:
        case ["universal", role, concept], [["universal", below, same], ["role", sub, sup]], []:
            return role == sup and below == sub and concept == same
    return False


def universal_chain(step: Step) -> bool:
    """r and s relate all of C; r ∘ s ⊑ t is told ⊢ t relates all of C"""
    match step.fact, step.premises, step.axiom:
        case (
            ["universal", role, concept],
            [["universal", first, one], ["universal", second, two]],
            ["chain", left, right, result],
        ):
            return [first, second, role] == [left, right, result] and concept == one == two
    return False


def universal_link(step: Step) -> bool:
    """r relates all of E, D has an element, C ⊑ E, D ⊑ E ⊢ C → r → D"""
    match step.fact, step.premises, step.axiom:
        case (
            ["link", source, role, target],
            [["universal", by, concept], ["nonempty", end], ["sub", low, one], ["sub", other, two]],
            [],
        ):
            return role == by and target == end == other and source == low and concept == one == two
    return False


# ── Data values and keys ──────────────────────────────────────────────────────────────────────────────────────────


def single_told(step: Step) -> bool:
    """C is told to have one element at most ⊢ C has one element at most"""
    return step.fact[0] == "single" and not step.premises and step.axiom == step.fact


def functional(step: Step) -> bool:
    """C → d → D, C → e → E, d ⊑ f, e ⊑ f; f is told functional ⊢ C → d → D ⊓ E"""
    match step.fact, step.premises, step.axiom:
        case (
            ["link", source, role, target],
            [["link", one, by, first], ["link", two, also, second], ["role", low, up], ["role", below, above]],
            ["functional", told_role],
        ):
            is_one = source == one == two and role == by == low and also == below and up == above == told_role
            return is_one and step.node(target) == ["and", first, second]
    return False


def key(step: Step) -> bool:
    """{a} ⊑ C, {b} ⊑ C, {a} → r → D, {b} → r → D for each r of a key of C, D a {c} or one value ⊢ {a} ⊑ {b}, all named"""  # noqa: E501  # one sequent
    match step.fact, step.premises, step.axiom:
        case (
            ["sub", one, two],
            [["sub", first, held], ["sub", second, also], *links],
            ["key", concept, [*roles], [*data_roles]],
        ):
            people, values = links[: 2 * len(roles)], links[2 * len(roles) :]
            shared: list[Fact] = []
            for role, fact in zip(roles, people[::2], strict=False):
                shared += [["link", one, role, fact[-1]], ["link", two, role, fact[-1]]]
            for role, fact in zip(data_roles, values[::3], strict=False):
                shared += [["link", one, role, fact[-1]], ["link", two, role, fact[-1]], ["single", fact[-1]]]
            is_whole = links == shared and len(shared) == 2 * len(roles) + 3 * len(data_roles)
            is_held = [first, second, held, also] == [one, two, concept, concept]
            people_named = (step.node(person) for person in (one, two, *(fact[-1] for fact in people)))
            return is_whole and is_held and all(map(_is_named, people_named))
    return False


def _is_named(node: list[object]) -> bool:
    return node[0] == "nominal" and not str(node[1]).startswith("_:")
