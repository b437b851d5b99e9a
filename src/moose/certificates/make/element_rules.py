"""Rules about what has an element: nominals, roles that relate everything, keys."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

from moose.certificates.make.derive import Derivation, Fact
from moose.owl.normal.normal_form import BOTTOM, TOP


def learn(derivation: Derivation) -> bool:
    """Conclude what follows from something having an element; tell whether that was anything new."""
    before = len(derivation.learnt), sum(map(len, derivation.learnt.values()))
    reached = Reached(derivation)
    learn_nominals(derivation, reached)
    learn_universal(derivation, reached)
    learn_keys(derivation, reached)
    return before != (len(derivation.learnt), sum(map(len, derivation.learnt.values())))


class Reached:
    """The concepts that have an element, and how that is seen."""

    def __init__(self, derivation: Derivation) -> None:
        self._derivation = derivation
        roots = {derivation.indices.everything, *derivation.indices.nominals}
        if derivation.assumed is not None:
            roots.add(derivation.assumed)
        self.came: dict[int, tuple[int, int] | None] = dict.fromkeys(sorted(roots))
        queue = list(self.came)
        for source in queue:  # grows while it is read
            for (_, target), link in derivation.links_from.get(source, {}).items():
                if target not in self.came:
                    self.came[target] = (source, link)
                    queue.append(target)

    def step(self, concept: int) -> int:
        """Show that a concept has an element."""
        path = [concept]
        while (came := self.came[path[-1]]) is not None:
            path.append(came[0])
        number = self._derivation.step("nonempty", ("nonempty", path[-1]))
        for target in reversed(path[:-1]):
            came = self.came[target]
            assert came is not None, "only the first is there by itself"
            number = self._derivation.step("nonempty-link", ("nonempty", target), (number, came[1]))
        return number


def conclude(
    derivation: Derivation, rule: str, fact: Fact, premises: tuple[int, ...], axiom: int | None = None
) -> None:
    """Add C ⊑ D, and D to all that are below C now or later."""
    _, sub, sup = fact
    assert isinstance(sub, int) and isinstance(sup, int)
    if sup in derivation.subsumers[sub]:
        return
    derivation.add_subsumer(rule, sub, sup, premises, axiom)
    number = derivation.subsumers[sub][sup]
    derivation.learnt.setdefault(sub, []).append((sup, number))
    for context, above in list(derivation.subsumers.items()):
        if sub in above and context != sub:
            derivation.add_subsumer("transitive", context, sup, (above[sub], number))


def learn_nominals(derivation: Derivation, reached: Reached) -> None:
    """D ⊑ {a}, D has an element ⊢ {a} ⊑ D"""
    nominals = set(derivation.indices.nominals)
    for concept in reached.came if nominals else ():
        for nominal in nominals & derivation.subsumers[concept].keys():
            if concept not in derivation.subsumers[nominal]:
                premises = (derivation.subsumers[concept][nominal], reached.step(concept))
                conclude(derivation, "nominal", ("sub", nominal, concept), premises)


def learn_universal(derivation: Derivation, reached: Reached) -> None:
    """D ⊑ E, D has an element, r relates everything ⊢ ⊤ ⊑ ∃r.E and ⊤ ⊑ ∃r.Self"""
    indices = derivation.indices
    for role in indices.everywhere:
        if role in indices.selves:
            conclude(
                derivation, "self-universal", ("sub", TOP, indices.selves[role]), (derivation.universal_fact(role),)
            )
    wanted = {(filler, role): whole for filler, rows in indices.somes.items() for role, whole in rows}
    for (filler, role), whole in wanted.items():
        if role in indices.everywhere and whole not in derivation.subsumers[TOP]:
            target = next((concept for concept in reached.came if filler in derivation.subsumers[concept]), None)
            if target is not None:
                premises = (
                    universal_link(derivation, reached, TOP, role, target),
                    derivation.subsumers[target][filler],
                )
                conclude(derivation, "some", ("sub", TOP, whole), premises)


def universal_link(derivation: Derivation, reached: Reached, source: int, role: int, target: int) -> int:
    """D has an element, r relates everything ⊢ C → r → D"""
    premises = (derivation.universal_fact(role), reached.step(target))
    return derivation.step("universal-link", ("link", source, role, target), premises)


def learn_keys(derivation: Derivation, reached: Reached) -> None:
    """{a} ⊑ C, {b} ⊑ C, {a} → r → {c}, {b} → r → {c} for each r of a key of C ⊢ {a} ⊑ {b}"""
    nodes = derivation.indices.nodes
    named = [one for one in derivation.indices.nominals if not str(nodes[one][1]).startswith("_:")]
    for concept, roles, axiom in derivation.indices.keys:
        holders = [one for one in named if concept in derivation.subsumers[one]]
        for one, other in combinations(holders, 2):
            shared = [next(shared_fillers(derivation, reached, (one, other), role, named), None) for role in roles]
            if other in derivation.subsumers[one] and one in derivation.subsumers[other]:
                continue
            if None not in shared:
                links = [link for pair in shared if pair is not None for link in pair]
                parts = [derivation.subsumers[each][concept] for each in (one, other)]
                conclude(derivation, "key", ("sub", one, other), (*parts, *links), axiom)
                back = [link for pair in shared if pair is not None for link in pair[::-1]]
                conclude(derivation, "key", ("sub", other, one), (*parts[::-1], *back), axiom)


def shared_fillers(
    derivation: Derivation, reached: Reached, pair: tuple[int, int], role: int, named: list[int]
) -> Iterator[tuple[int, int]]:
    """Yield, for each named filler that two individuals share, the two links that show it."""
    for filler in named:
        links = [next(links_to_named(derivation, reached, one, role, filler), None) for one in pair]
        if links[0] is not None and links[1] is not None:
            yield links[0], links[1]


def links_to_named(derivation: Derivation, reached: Reached, source: int, role: int, filler: int) -> Iterator[int]:
    """Yield a step that shows {a} → r → {c}."""
    if role in derivation.indices.everywhere:
        yield universal_link(derivation, reached, source, role, filler)
    for (by, target), link in list(derivation.links_from.get(source, {}).items()):
        if role in derivation.indices.above[by] and filler in derivation.subsumers[target]:
            raised = derivation.raised(source, by, target, role, link)
            yield derivation.step(
                "widen", ("link", source, role, filler), (raised, derivation.subsumers[target][filler])
            )


def conclude_inconsistency(derivation: Derivation, context: int) -> None:
    """D has an element, D ⊑ ⊥ ⊢ C ⊑ ⊥"""
    reached = Reached(derivation)
    for concept in reached.came:
        if BOTTOM in derivation.subsumers[concept]:
            premises = (reached.step(concept), derivation.subsumers[concept][BOTTOM])
            derivation.add_subsumer("inconsistent", context, BOTTOM, premises)
            return
