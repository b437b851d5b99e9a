"""The steps of a certificate in the making: facts that others need on the way are written where they are first wanted.

Nothing is judged here: the checker says whether a step is right.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from moose.certificates.checker.rules import RULES as CHECKED
from moose.certificates.checker.theory import Step as CheckedStep
from moose.certificates.make.data_facts import meaning
from moose.certificates.make.vocabulary import DATA_FACT, Fact, Packed, Row, Vocabulary
from moose.owl.model import axioms as ax
from moose.owl.model import expressions as owl
from moose.saturation.proofs import proof as pf


class Step(NamedTuple):
    """One rule instance of a certificate: its premises are the numbers of earlier steps, its axiom is a row."""

    rule: str
    fact: Fact
    premises: tuple[int, ...] = ()
    axiom: int | None = None


class NoInstance(ValueError):
    """An inference is no instance of the rule that it names."""


class Derivation:
    """Steps in the making; an assumption is a concept that may be taken to have an element."""

    def __init__(self, vocabulary: Vocabulary, *, assumption: int | None = None, root: int | None = None) -> None:
        """Take a `root` for what the goal is about: with data, that is what shows that there is a thing."""
        self.vocabulary = vocabulary
        self.assumption = assumption
        self.root = root
        self.assumed = assumption
        """What the certificate assumes to have an element; the root, where no other way shows that there is a thing."""
        self.steps: list[Step] = []
        self.known: dict[Fact, int] = {}
        """Each fact, and the step that shows it."""
        self.given: list[Fact] = []
        """Facts that are taken as shown, numbered before the steps."""
        self._concepts: list[list[object]] = []
        """The vocabulary's concepts so far, as the checker reads them."""

    # ── Steps ──

    def give(self, facts: Iterable[Fact]) -> None:
        """Take facts as shown."""
        for fact in facts:
            self.known[fact] = len(self.given)
            self.given.append(fact)

    def step(self, rule: str, fact: Fact, premises: Sequence[int] = (), row: int | None = None) -> int:
        """Write a step, unless its fact is known; return the number of the step that shows the fact."""
        known = self.known.get(fact)
        return self.write(rule, fact, premises, row) if known is None else known

    def write(self, rule: str, fact: Fact, premises: Sequence[int] = (), row: int | None = None) -> int:
        """Write a step, and return its number."""
        number = len(self.given) + len(self.steps)
        self.steps.append(Step(rule, fact, tuple(premises), row))
        return self.known.setdefault(fact, number)

    def is_instance(self, rule: str, fact: Fact, premises: Sequence[int], row: Row) -> bool:
        """Return whether the checker's rule accepts a step by a row that an axiom tells; so the right row is found."""
        self._concepts += [list(node) for node in self.vocabulary.nodes[len(self._concepts) :]]
        shown = [list(self.fact(premise)) for premise in premises]
        told = [list(part) if isinstance(part, tuple) else part for part in row]
        return CHECKED[rule](CheckedStep(self._concepts, list(fact), shown, told, self.assumed))

    def fact(self, number: int) -> Fact:
        """Return the fact that a step shows."""
        return self.given[number] if number < len(self.given) else self.steps[number - len(self.given)].fact

    def written_fact(self, fact: pf.Fact) -> Fact:
        """Write a fact over numbers."""
        concept, role = self.vocabulary.concept, self.vocabulary.role
        match fact:
            case pf.Subsumption(sub, sup):
                return "sub", concept(sub), concept(sup)
            case pf.Link(source, by, target):
                return "link", concept(source), role(by), concept(target)
            case pf.RoleInclusion(low, high):
                return "role", role(low), role(high)
            case pf.NonEmpty(one):
                return "nonempty", concept(one)

    def packed(self) -> Packed:
        """Write the steps as JSON has them."""
        rows = [[step.rule, list(step.fact), list(step.premises), *step[3:]] for step in self.steps]
        return {"assumed": self.assumed, "steps": [row if row[3] is not None else row[:3] for row in rows]}

    # ── Facts that need no premise ──

    def same(self, concept: int) -> int:
        """C ⊑ C"""
        return self.step("reflexive", ("sub", concept, concept))

    def is_anything(self, concept: int) -> int:
        """C ⊑ ⊤"""
        return self.step("top", ("sub", concept, self.vocabulary.top))

    def is_thing(self, concept: int) -> int:
        """C ⊑ owl:Thing, by what C is made of"""
        words = self.vocabulary
        if words.thing == words.top:
            return self.is_anything(concept)
        if concept == words.thing:
            return self.same(concept)
        known = self.known.get(("sub", concept, words.thing))
        if known is not None:
            return known
        match words.nodes[concept]:
            case ("class" | "nominal", _):
                return self.meant(concept, words.thing)
            case ("bottom",):
                return self.step("absurd", ("sub", concept, words.thing), [self.same(concept)])
            case ("and", int(first), _):
                below = self.step("conjunct", ("sub", concept, first), [self.same(concept)])
                return self.step("transitive", ("sub", concept, words.thing), [below, self.is_thing(first)])
            case ("some", int(role), int(filler)):
                link = self.step("link", ("link", concept, role, filler), [self.same(concept)])
            case ("self", int(role)):
                link = self.step("self-link", ("link", concept, role, concept), [self.same(concept)])
            case _:
                raise NoInstance
        some = self.has_successor(link)
        return self.told(some, self.has_successor_row(role))

    def has_successor(self, link: int) -> int:
        """C → r → D ⊢ C ⊑ ∃r.⊤"""
        _, source, role, target = numbers(self.fact(link))
        some = self.vocabulary.some(role, self.vocabulary.top)
        return self.step("some", ("sub", source, some), [link, self.is_anything(target)])

    def has_successor_row(self, role: int) -> int:
        """∃r.⊤ ⊑ owl:Thing"""
        return self.vocabulary.row(("sub", self.vocabulary.some(role, self.vocabulary.top), self.vocabulary.thing))

    def meant(self, sub: int, sup: int, *, origin: int = -1) -> int:
        """C ⊑ D, which holds by the meaning of OWL, or as a fact about data"""
        return self.told(self.same(sub), self.vocabulary.row(("sub", sub, sup), origin=origin))

    def told(self, below: int, row: int) -> int:
        """C ⊑ D; D ⊑ E is told ⊢ C ⊑ E"""
        _, _, sup = numbers(self.vocabulary.told_rows[row])
        return self.step("told", ("sub", self.fact(below)[1], sup), [below], row)

    # ── Conjunctions ──

    def conjoin(self, sub: int, whole: int, premises: Sequence[int]) -> int:
        """C ⊑ D₁, …, C ⊑ Dₙ ⊢ C ⊑ E, where each conjunct of E is one of some Dᵢ"""
        words = self.vocabulary
        if not words.parts(whole):
            return self.is_thing(sub)
        if (
            whole in words.ranges
            and whole == words.literal
            and not any(whole in words.parts(sup_of(self.fact(one))) for one in premises)
        ):
            return self.meant(sub, whole, origin=DATA_FACT)
        for premise in premises:
            if sup_of(self.fact(premise)) == whole:
                return premise
        match words.nodes[whole]:
            case ("and", int(first), int(second)):
                both = [self.conjoin(sub, part, premises) for part in (first, second)]
                return self.step("conjunction", ("sub", sub, whole), both)
        for premise in premises:
            if whole in words.parts(sup_of(self.fact(premise))):
                return self.take_out(premise, whole)
        raise NoInstance

    def take_out(self, premise: int, part: int) -> int:
        """C ⊑ D ⊓ … ⊢ C ⊑ D"""
        words = self.vocabulary
        while sup_of(self.fact(premise)) != part:
            _, sub, whole = numbers(self.fact(premise))
            sides = [side for side in words.nodes[whole][1:] if part in words.parts(int(side))]
            premise = self.step("conjunct", ("sub", sub, int(sides[0])), [premise])
        return premise

    def retarget(self, link: int, whole: int) -> int:
        """C → r → D ⊢ C → r → E, where E is D with its conjuncts in order"""
        _, source, role, target = numbers(self.fact(link))
        if target == whole:
            return link
        inside = self.conjoin(target, whole, [self.same(target)])
        return self.step("widen", ("link", source, role, whole), [link, inside])

    # ── Roles that relate everything ──

    @property
    def universal_role(self) -> int:
        """owl:topObjectProperty"""
        return self.vocabulary.role(owl.TOP_OBJECT_PROPERTY)

    def universal(self) -> int:
        """owl:topObjectProperty relates all things"""
        fact = ("universal", self.universal_role, self.vocabulary.thing)
        return self.step("universal-told", fact, (), self.vocabulary.row(fact))

    def universal_above(self, inclusion: int) -> int:
        """u ⊑ r ⊢ r relates all things"""
        _, _, role = numbers(self.fact(inclusion))
        return self.step("universal-role", ("universal", role, self.vocabulary.thing), [self.universal(), inclusion])

    def universal_some(self, universal: int, source: int, inside: int, element: int) -> int:
        """r relates all things, D ⊑ E, D has an element ⊢ C ⊑ ∃r.E"""
        _, role, _ = numbers(self.fact(universal))
        _, target, filler = numbers(self.fact(inside))
        premises = [universal, element, self.is_thing(source), self.is_thing(target)]
        link = self.step("universal-link", ("link", source, role, target), premises)
        return self.step("some", ("sub", source, self.vocabulary.some(role, filler)), [link, inside])

    def within(self, role: int, universal: int) -> int:
        """s relates all things ⊢ r ⊑ s"""
        words = self.vocabulary
        starts = self.is_thing(words.some(role, words.top))
        fact = ("role", role, self.fact(universal)[1])
        return self.step("role-universal", fact, [universal, starts], words.row(("range", role, words.thing)))

    # ── Axioms ──

    def path(self, start: int, goal: int, kind: str, axiom: ax.Axiom) -> list[int]:
        """Return the rows of an axiom that lead from one concept or role to another."""
        rows = [row for row in self.vocabulary.told(axiom) if row[0] == kind]
        came: dict[object, list[Row]] = {}
        queue: list[tuple[object, list[Row]]] = [(start, [])]
        for position, path in queue:  # grows while it is read
            for row in rows:
                if row[1] == position and row[2] not in came:
                    came[row[2]] = [*path, row]
                    queue.append((row[2], came[row[2]]))
        return [self.vocabulary.row(row, axiom) for row in came[goal]]

    def only(self, axiom: ax.Axiom, kind: str) -> Row:
        """Return the one row of an axiom of a kind."""
        (row,) = self.vocabulary.told(axiom)
        if row[0] != kind:
            raise NoInstance
        return row

    def chain(self, axiom: ax.Axiom, length: int) -> list[tuple[int, int, int, int]]:
        """Return the rows r ∘ s ⊑ t, with their numbers, that a chain of some length is cut into."""
        rows = self.vocabulary.told(axiom)
        if len(rows) != length - 1 or rows[0][0] != "chain":
            raise NoInstance
        return [(*numbers(row)[1:], self.vocabulary.row(row, axiom)) for row in rows]  # type: ignore[misc]

    # ── Data ranges that are spelt in several ways ──

    def respelt(self, sub: int, sup: int) -> int:
        """⊢ C ⊑ D, where D is C but for the spelling of data ranges"""
        words = self.vocabulary
        if sub == sup:
            return self.same(sub)
        if words.is_range(sub):
            return self.meant(sub, sup, origin=DATA_FACT)
        match words.nodes[sub], words.nodes[sup]:
            case ("some", int(role), int(filler)), ("some", _, int(other)):
                link = self.step("link", ("link", sub, role, filler), [self.same(sub)])
                return self.step("some", ("sub", sub, sup), [link, self.respelt(filler, other)])
        parts = {meaning(words, part): part for part in sorted(words.parts(sub))}
        parts_shown = []
        for part in sorted(words.parts(sup)):
            mine = parts[meaning(words, part)]
            below = self.conjoin(sub, mine, [self.same(sub)])
            parts_shown.append(self.step("transitive", ("sub", sub, part), [below, self.respelt(mine, part)]))
        return self.conjoin(sub, sup, parts_shown)


def numbers(row: Sequence[object]) -> tuple[int, ...]:
    """Return a row whose parts, but for the first, are numbers."""
    return tuple(part if isinstance(part, int) else -1 for part in row)


def sup_of(fact: Fact) -> int:
    """Return D of C ⊑ D."""
    kind, _, sup = fact
    if kind != "sub":
        raise NoInstance
    return int(sup)
