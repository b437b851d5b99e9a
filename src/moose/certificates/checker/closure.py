"""The conditions under which a saturated set is closed, and so a model: one function each, yielding what is wrong."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

from moose.certificates.checker.model import Model
from moose.certificates.checker.reading import refuse


def check_model(model: Model) -> None:
    """Refuse a saturated set that is not closed."""
    for check in CONDITIONS:
        for fault in check(model):
            refuse(f"the saturated set is not closed: {fault}")


# ── Concepts ──────────────────────────────────────────────────────────────────────────────────────────────────────


def recognised(model: Model) -> Iterator[str]:
    """Left-hand sides, and the parts of what is recognised, are recognised."""
    for axiom in model.theory.axioms:
        if axiom[0] in ("sub", "key") and axiom[1] not in model.negative:
            yield f"concept {axiom[1]} stands on a left-hand side and is not among the negative ones"
    for concept in model.negative:
        node = model.theory.concepts[concept]
        for piece in {"and": node[1:], "some": node[2:]}.get(str(node[0]), []):
            if piece not in model.negative:
                yield f"concept {piece} is a part of the negative concept {concept} and not negative"


def without_bottom(model: Model) -> Iterator[str]:
    """No element is in ⊥; each is in ⊤, where that is recognised."""
    tops = [concept for concept in model.negative if model.theory.concepts[concept] == ["top"]]
    for position, element in enumerate(model.elements):
        if any(model.theory.concepts[concept] == ["bottom"] for concept in element):
            yield f"element {position} is in ⊥"
        if not element.issuperset(tops):
            yield f"element {position} is not in ⊤"


def conjunctions(model: Model) -> Iterator[str]:
    """A conjunction is there with its parts and, where it is recognised, its parts with it."""
    wholes: dict[int, list[tuple[int, int]]] = {}
    for whole, first, second in model.conjunctions:
        if whole in model.negative:
            wholes.setdefault(first, []).append((second, whole))
    parts = {whole: {first, second} for whole, first, second in model.conjunctions}
    for position, element in enumerate(model.elements):
        for concept in element:
            if not parts.get(concept, element) <= element:
                yield f"element {position} is in concept {concept}, a conjunction, and not in both its parts"
            for other, whole in wholes.get(concept, ()):
                if other in element and whole not in element:
                    yield f"element {position} is in both parts of concept {whole} and not in it"


def nominals(model: Model) -> Iterator[str]:
    """Each individual is one element, and the only one in its nominal."""
    for concept in model.nominals:
        if model.theory.concepts[concept][0] != "nominal":
            yield f"concept {concept} is no nominal"
    for concept, node in enumerate(model.theory.concepts):
        if node[0] == "nominal":
            home = model.nominals.get(concept)
            if home is None:
                yield f"no element is the individual {node[1]}"
            for position, element in enumerate(model.elements):
                if (concept in element) != (position == home):
                    yield f"element {position} is wrongly in, or not in, the nominal of {node[1]}"


# ── Links ─────────────────────────────────────────────────────────────────────────────────────────────────────────


def successors(model: Model) -> Iterator[str]:
    """Each ∃r.C that an element is in has a successor in C."""
    somes = {whole: (role, filler) for whole, role, filler in model.somes}
    inhabited = set().union(*model.elements)
    for position, element in enumerate(model.elements):
        ends: dict[int, list[set[int]]] = {}
        for by, end in model.leaving.get(position, ()):
            for role in model.above[by]:
                ends.setdefault(role, []).append(model.elements[end])
        for role, filler in (somes[concept] for concept in element if concept in somes):
            if role in model.universal and filler in inhabited:
                continue
            if not any(filler in end for end in ends.get(role, ())):
                yield f"element {position} has no successor by role {role} in concept {filler}"


def predecessors(model: Model) -> Iterator[str]:
    """Each successor in C makes ∃r.C, where that is recognised."""
    wanted: dict[int, list[tuple[int, int]]] = {}
    for whole, role, filler in model.somes:
        if whole in model.negative:
            wanted.setdefault(filler, []).append((role, whole))
    made: dict[tuple[int, int], set[int]] = {}
    for source, role, target in model.links:
        if (role, target) not in made:
            by_filler = [wanted[concept] for concept in model.elements[target] if concept in wanted]
            made[role, target] = {whole for row in by_filler for by, whole in row if by in model.above[role]}
        for whole in made[role, target] - model.elements[source]:
            yield f"element {source} has a successor {target} and is not in concept {whole}"


def universal_roles(model: Model) -> Iterator[str]:
    """What follows from a role that relates everything is in every element."""
    inhabited = set().union(*model.elements)
    everywhere = [
        whole
        for whole, role, filler in model.somes
        if whole in model.negative and role in model.universal and filler in inhabited
    ]
    everywhere += [loop for role, loop in model.selves.items() if role in model.universal and loop in model.negative]
    for axiom in model.theory.axioms:
        match axiom:
            case ["range", int(role), int(concept)] if role in model.universal:
                everywhere.append(concept)
            case ["universal", int(role), int(_)] if role not in model.universal:
                yield f"role {role} relates everything"
    for position, element in enumerate(model.elements):
        if not element.issuperset(everywhere):
            yield f"element {position} lacks what follows from a role that relates everything"


def loops(model: Model) -> Iterator[str]:
    """∃r.Self is a link to oneself; such a link of an individual is ∃r.Self, where that is recognised."""
    homes = set(model.nominals.values())
    for role, concept in model.selves.items():
        if concept in model.negative and role not in model.ordered | model.universal:
            yield f"role {role} is asked for loops and is not ordered"
        for position, element in enumerate(model.elements):
            if concept in element and not model.related(position, role, position):
                yield f"element {position} is in concept {concept} and has no such loop"
            if (
                concept not in element
                and role in model.ordered
                and position in homes
                and model.related(position, role, position)
            ):
                yield f"element {position} is an individual with a loop and is not in concept {concept}"


def loops_by_axioms(model: Model) -> Iterator[str]:
    """Loops by ordered roles are passed on to ordered roles above, and along chains."""
    for axiom in model.theory.axioms:
        match axiom:
            case ["role", int(sub), int(sup)] if sup in model.ordered:
                needed, result = {sub}, sup
            case ["chain", int(left), int(right), int(result)] if result in model.ordered:
                needed = {left, right}
            case _:
                continue
        for position, element in enumerate(model.elements):
            if {model.selves.get(role) for role in needed} <= element and model.selves.get(result) not in element:
                yield f"element {position} has loops that make one by role {result}, which it has not"


# ── Axioms ────────────────────────────────────────────────────────────────────────────────────────────────────────


def role_inclusions(model: Model) -> Iterator[str]:
    """The roles above each, the ordered ones and those that relate everything respect what is told of roles."""
    if model.ordered & model.universal:
        yield "a role that relates everything cannot be ordered"
    for axiom in model.theory.axioms:
        match axiom:
            case ["role", int(sub), int(sup)]:
                if any(sub in above and sup not in above for above in model.above):
                    yield f"role {sup} is above role {sub}, and not above all that this is above"
                if sub in model.universal and sup not in model.universal:
                    yield f"role {sup} is above one that relates everything"
                if sup in model.ordered and sub not in model.ordered:
                    yield f"role {sub} is below an ordered role and not ordered"


def chains(model: Model) -> Iterator[str]:
    """Where a chain leads there is a link; a chain to an ordered role is one of ordered roles, without individuals."""
    for axiom in model.theory.axioms:
        match axiom:
            case ["chain", int(left), int(right), int(result)]:
                if {left, right} & model.universal and result not in model.universal:
                    yield f"role {result} follows a chain with a role that relates everything"
                if result in model.ordered and not {left, right} <= model.ordered:
                    yield f"role {result} is ordered, and a chain of roles that are not leads to it"
                if result in model.ordered and model.nominals:
                    yield f"a chain leads to role {result}, which is ordered, and there are individuals"
                yield from chain(model, left, right, result)


def chain(model: Model, left: int, right: int, result: int) -> Iterator[str]:
    """r ∘ s ⊑ t"""
    for source, role, middle in model.links:
        if left in model.above[role]:
            for second, target in model.leaving.get(middle, ()):
                if right in model.above[second] and not model.related(source, result, target):
                    yield f"a chain leads from element {source} to {target}, and no link by role {result} does"


def inclusions(model: Model) -> Iterator[str]:
    """Who is in a concept is in all that are told above it."""
    told: dict[int, list[int]] = {}
    for axiom in model.theory.axioms:
        match axiom:
            case ["sub", int(sub), int(sup)]:
                told.setdefault(sub, []).append(sup)
    for position, element in enumerate(model.elements):
        for concept in element:
            for sup in told.get(concept, ()):
                if sup not in element:
                    yield f"element {position} is in concept {concept} and not in concept {sup}, which is told above"


def ranges(model: Model) -> Iterator[str]:
    """Links lead into the ranges of their roles."""
    told: dict[int, list[int]] = {}
    for axiom in model.theory.axioms:
        match axiom:
            case ["range", int(role), int(concept)]:
                told.setdefault(role, []).append(concept)
    for source, role, target in model.links:
        for above in model.above[role]:
            if not model.elements[target].issuperset(told.get(above, ())):
                yield f"the link from element {source} to {target} leads out of a range"


def keys(model: Model) -> Iterator[str]:
    """Individuals in a concept that share a named successor by each role of its key are one."""
    homes = sorted(set(model.nominals.values()))
    for axiom in model.theory.axioms:
        match axiom:
            case ["key", int(concept), [*roles], []]:
                holders = [home for home in homes if concept in model.elements[home]]
                for one, two in combinations(holders, 2):
                    if all(shared(model, (one, two), int(str(role)), homes) for role in roles):
                        yield f"elements {one} and {two} agree on a key and are two"


def uncovered(model: Model) -> Iterator[str]:
    """Nothing is told of what a saturated set does not cover: functional properties, single values, keys of these."""
    for axiom in model.theory.axioms:
        if axiom[0] in ("functional", "single") or (axiom[0] == "key" and axiom[3]):
            yield f"a saturated set does not cover the axiom {axiom}"


def shared(model: Model, pair: tuple[int, int], role: int, homes: list[int]) -> bool:
    """Return whether two elements have a successor in common that is an individual."""
    return any(model.related(pair[0], role, home) and model.related(pair[1], role, home) for home in homes)


CONDITIONS = (
    recognised,
    without_bottom,
    conjunctions,
    nominals,
    successors,
    predecessors,
    universal_roles,
    loops,
    loops_by_axioms,
    role_inclusions,
    chains,
    inclusions,
    ranges,
    keys,
    uncovered,
)
