"""Derive anew what the engine found, writing down every step: the plain rules of a certificate, one at a time."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from moose.certificates.make.indices import Indices
from moose.owl.normal.normal_form import BOTTOM, TOP

Fact = tuple[str | int, ...]
"""("sub", C, D), ("link", C, r, D), ("role", r, s), ("nonempty", C) or ("universal", r)."""


@dataclass(frozen=True, slots=True)
class Step:
    """One rule instance: its premises are the numbers of earlier steps, its axiom is a row of the theory."""

    rule: str
    fact: Fact
    premises: tuple[int, ...] = ()
    axiom: int | None = None


@dataclass
class Derivation:
    """Facts in the making: from some concepts, and if wanted from one having an element, to all that follows."""

    indices: Indices
    assumed: int | None = None
    steps: list[Step] = field(default_factory=list)
    known: dict[Fact, int] = field(default_factory=dict)
    subsumers: dict[int, dict[int, int]] = field(default_factory=dict)
    """Context: its subsumers, each with the step that shows it."""
    links_from: dict[int, dict[tuple[int, int], int]] = field(default_factory=dict)
    links_to: dict[int, list[tuple[int, int, int]]] = field(default_factory=dict)
    agenda: deque[Fact] = field(default_factory=deque)
    learnt: dict[int, list[tuple[int, int]]] = field(default_factory=dict)
    """C ⊑ D that hold beyond what is told, and that all below C take over, with the step that shows each."""

    def saturate(self, roots: Iterable[int]) -> Derivation:
        """Apply every rule until nothing new follows."""
        from moose.certificates.make.element_rules import learn

        for root in (self.indices.everything, TOP, *self.indices.nominals, *roots):
            self.start(root)
        self.run()
        while learn(self):
            self.run()
        return self

    def run(self) -> None:
        """Apply the rules about concepts and links until nothing is left to do."""
        while self.agenda:
            fact = self.agenda.popleft()
            match fact:
                case ("sub", int(sub), int(sup)):
                    self.apply_subsumer(sub, sup)
                case ("link", int(source), int(role), int(target)):
                    self.apply_link(source, role, target)

    # ── Facts ──

    def step(self, rule: str, fact: Fact, premises: Sequence[int] = (), axiom: int | None = None) -> int:
        """Write a step down, unless its fact is known, and return the number of the step that shows the fact."""
        number = self.known.get(fact)
        if number is None:
            number = self.known[fact] = len(self.steps)
            self.steps.append(Step(rule, fact, tuple(premises), axiom))
        return number

    def start(self, context: int) -> None:
        """⊢ C ⊑ C and ⊢ C ⊑ ⊤"""
        if context not in self.subsumers:
            self.subsumers[context] = {}
            self.add_subsumer("reflexive", context, context)
            self.add_subsumer("top", context, self.indices.everything)

    def add_subsumer(
        self, rule: str, sub: int, sup: int, premises: Sequence[int] = (), axiom: int | None = None
    ) -> None:
        """Conclude C ⊑ D."""
        if sup not in self.subsumers[sub]:
            self.subsumers[sub][sup] = self.step(rule, ("sub", sub, sup), premises, axiom)
            self.agenda.append(("sub", sub, sup))

    def add_link(  # noqa: PLR0913, PLR0917  # a fact and why it holds
        self, rule: str, source: int, role: int, target: int, premises: Sequence[int] = (), axiom: int | None = None
    ) -> None:
        """Conclude C → r → D, unless it is known by a role below r."""
        leaving = self.links_from.setdefault(source, {})
        if (role, target) not in leaving:
            number = self.step(rule, ("link", source, role, target), premises, axiom)
            leaving[role, target] = number
            self.links_to.setdefault(target, []).append((source, role, number))
            self.agenda.append(("link", source, role, target))

    # ── C ⊑ D ──

    def apply_subsumer(self, sub: int, sup: int) -> None:
        """Apply every rule that has C ⊑ D as a premise."""
        number = self.subsumers[sub][sup]
        if sup == BOTTOM:
            for source, _, link in self.links_to.get(sub, ()):
                self.add_subsumer("bottom", source, BOTTOM, (link, number))
        for above, axiom in self.indices.told.get(sup, ()):
            self.add_subsumer("told", sub, above, (number,), axiom)
        for above, lemma in self.learnt.get(sup, ()):
            self.add_subsumer("transitive", sub, above, (number, lemma))
        for other, whole in self.indices.conjoins.get(sup, ()):
            if other in self.subsumers[sub]:
                self.conjoin(sub, whole)
        for source, role, link in list(self.links_to.get(sub, ())):
            self.exists(source, role, sub, link, sup)
        if self.steps[number].rule not in ("some", "conjunction"):  # what was put together needs no taking apart
            self.decompose(sub, sup, number)

    def conjoin(self, sub: int, whole: int) -> None:
        """C ⊑ D, C ⊑ E ⊢ C ⊑ D ⊓ E"""
        parts = [self.subsumers[sub][int(part)] for part in self.indices.nodes[whole][1:]]
        self.add_subsumer("conjunction", sub, whole, parts)

    def exists(self, source: int, role: int, target: int, link: int, filler: int) -> None:
        """C → r → D, D ⊑ E, r ⊑ s ⊢ C ⊑ ∃s.E, where ∃s.E is asked for"""
        for wanted, whole in self.indices.somes.get(filler, ()):
            if wanted in self.indices.above[role] and whole not in self.subsumers[source]:
                raised = self.raised(source, role, target, wanted, link)
                self.add_subsumer("some", source, whole, (raised, self.subsumers[target][filler]))

    def decompose(self, sub: int, sup: int, number: int) -> None:
        """Take a conjunction, an existential, ∃r.Self or a nominal apart."""
        match self.indices.nodes[sup]:
            case ("and", int(first), int(second)):
                self.add_subsumer("conjunct", sub, first, (number,))
                self.add_subsumer("conjunct", sub, second, (number,))
            case ("some", int(role), int(filler)):
                self.follow(sub, role, filler, number)
            case ("self", int(role)):
                self.add_link("self-link", sub, role, sub, (number,))
                self.self_rules(sub, role, number)
            case ("nominal", _) if self.indices.selves:
                for (role, target), link in list(self.links_from.get(sub, {}).items()):
                    self.named_loop(sub, role, target, link)
                for source, role, link in list(self.links_to.get(sub, ())):
                    self.named_loop(source, role, sub, link)

    def follow(self, sub: int, role: int, filler: int, number: int) -> None:
        """C ⊑ ∃r.D ⊢ C → r → D, narrowed by the ranges of r and of the roles above it"""
        ranges = [
            (above, concept, axiom)
            for above in sorted(self.indices.above[role])
            for concept, axiom in self.indices.ranges.get(above, ())
        ]
        if not ranges:
            self.start(filler)
            self.add_link("link", sub, role, filler, (number,))
            return
        link, target = self.step("link", ("link", sub, role, filler), (number,)), filler
        for position, (above, concept, axiom) in enumerate(ranges, start=1):
            target = self.indices.conjunction(target, concept)
            premises = (link, self.role_fact(role, above))
            if position < len(ranges):
                link = self.step("range", ("link", sub, role, target), premises, axiom)
            else:
                self.start(target)
                self.add_link("range", sub, role, target, premises, axiom)

    def self_rules(self, sub: int, role: int, number: int) -> None:
        """Conclude from C ⊑ ∃r.Self: by the roles above r, by chains and by ranges."""
        for above in self.indices.above[role]:
            if above in self.indices.selves and above != role:
                premises = (number, self.role_fact(role, above))
                self.add_subsumer("self-role", sub, self.indices.selves[above], premises)
        for concept, axiom in self.indices.ranges.get(role, ()):
            self.add_subsumer("self-range", sub, concept, (number,), axiom)
        for left, right, result, axiom in self.indices.chains:
            if role in (left, right) and result in self.indices.selves:
                loops = [self.subsumers[sub].get(self.indices.selves.get(part, -1)) for part in (left, right)]
                if loops[0] is not None and loops[1] is not None:
                    self.add_subsumer("self-chain", sub, self.indices.selves[result], (loops[0], loops[1]), axiom)

    def named_loop(self, source: int, role: int, target: int, link: int) -> None:
        """C ⊑ {a}, C → r → D, D ⊑ {a} ⊢ C ⊑ ∃r.Self"""
        for nominal in self.indices.nominals:
            if nominal in self.subsumers[source] and nominal in self.subsumers[target]:
                for above in self.indices.above[role]:
                    if above in self.indices.selves:
                        raised = self.raised(source, role, target, above, link)
                        premises = (self.subsumers[source][nominal], raised, self.subsumers[target][nominal])
                        self.add_subsumer("self-nominal", source, self.indices.selves[above], premises)

    # ── C → r → D ──

    def apply_link(self, source: int, role: int, target: int) -> None:
        """Apply every rule that has C → r → D as a premise."""
        number = self.links_from[source][role, target]
        if BOTTOM in self.subsumers[target]:
            self.add_subsumer("bottom", source, BOTTOM, (number, self.subsumers[target][BOTTOM]))
        for filler in list(self.subsumers[target]):
            self.exists(source, role, target, number, filler)
        if self.indices.selves and self.indices.nominals:
            self.named_loop(source, role, target, number)
        above = self.indices.above[role]
        for left, right, result, axiom in self.indices.chains:
            if left in above:
                for (second, end), link in list(self.links_from.get(target, {}).items()):
                    if right in self.indices.above[second]:
                        self.compose(
                            (source, role, target, number), (target, second, end, link), (left, right, result, axiom)
                        )
            if right in above:
                for begin, first, link in list(self.links_to.get(source, ())):
                    if left in self.indices.above[first]:
                        self.compose(
                            (begin, first, source, link), (source, role, target, number), (left, right, result, axiom)
                        )

    def compose(
        self, one: tuple[int, int, int, int], two: tuple[int, int, int, int], chain: tuple[int, int, int, int]
    ) -> None:
        """C → r → D, D → s → E; r ∘ s ⊑ t is told ⊢ C → t → E"""
        left, right, result, axiom = chain
        if (result, two[2]) not in self.links_from.get(one[0], {}):
            first = self.raised(one[0], one[1], one[2], left, one[3])
            second = self.raised(two[0], two[1], two[2], right, two[3])
            self.add_link("chain", one[0], result, two[2], (first, second), axiom)

    def raised(self, source: int, role: int, target: int, wanted: int, link: int) -> int:
        """C → r → D, r ⊑ s ⊢ C → s → D"""
        if role == wanted:
            return link
        return self.step("link-role", ("link", source, wanted, target), (link, self.role_fact(role, wanted)))

    def role_fact(self, sub: int, sup: int) -> int:
        """Show r ⊑ s along a shortest way of told inclusions, or by s relating everything."""
        known = self.known.get(("role", sub, sup))
        if known is not None:
            return known
        if sup in self.indices.everywhere:
            return self.step("role-universal", ("role", sub, sup), (self.universal_fact(sup),))
        return self.told_role_fact(sub, sup)

    def told_role_fact(self, sub: int, sup: int) -> int:
        """Show r ⊑ s along a shortest way of told inclusions."""
        number = self.step("role-reflexive", ("role", sub, sub))
        came: dict[int, int] = {sub: number}
        queue = deque([sub])
        while sup not in came:
            role = queue.popleft()
            for above, axiom in self.indices.inclusions.get(role, ()):
                if above not in came:
                    came[above] = self.step("role-told", ("role", sub, above), (came[role],), axiom)
                    queue.append(above)
        return came[sup]

    def universal_fact(self, role: int) -> int:
        """Show that a role relates everything."""
        match self.indices.everywhere[role]:
            case (axiom,):
                return self.step("universal-told", ("universal", role), (), axiom)
            case (below, _):
                premises = (self.universal_fact(below), self.told_role_fact(below, role))
                return self.step("universal-role", ("universal", role), premises)
            case (left, right, axiom):
                premises = (self.universal_fact(left), self.universal_fact(right))
                return self.step("universal-chain", ("universal", role), premises, axiom)
        raise AssertionError("a role relates everything by one, two or three numbers")
