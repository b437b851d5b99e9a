"""From a proof to the steps of a certificate: each inference becomes one step, or a few, of the checker's finer rules.

Nothing is judged here: a step is written as its rule wants it, from its premises and its axiom alone, and the checker
says whether that is right. An inference that cannot be written so is refused as no instance of its rule.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from moose.certificates.make.data_facts import meaning
from moose.certificates.make.proof_steps import Derivation, NoInstance, numbers, sup_of
from moose.certificates.make.vocabulary import DATA_FACT, Fact, Unwritable
from moose.owl.model import axioms as ax
from moose.owl.model import expressions as owl
from moose.saturation.proofs import proof as pf
from moose.saturation.rules import RULES as COMPLETION_RULES


class Line(NamedTuple):
    """An inference over numbers, with the steps that show its premises."""

    conclusion: Fact
    premises: list[Fact]
    shown_by: list[int]
    axioms: tuple[ax.Axiom, ...]


def add_inferences(steps: Derivation, inferences: Iterable[pf.Inference]) -> int:
    """Write the inferences of a proof; return the step that shows what the last one concludes."""
    concluded: dict[Fact, int] = {}
    last = -1
    for inference in inferences:
        premises = [concluded[steps.written_fact(premise)] for premise in inference.premises]
        last = add_inference(steps, inference, premises)
        concluded[steps.fact(last)] = last
    return last


def add_inference(steps: Derivation, inference: pf.Inference, shown_by: Sequence[int]) -> int:
    """Write an inference whose premises are shown by some steps; return the step that shows its conclusion."""
    rule = RULES[inference.rule]
    conclusion = steps.written_fact(inference.conclusion)
    line = Line(conclusion, [steps.fact(number) for number in shown_by], list(shown_by), inference.axioms)
    if len(line.axioms) not in rule.axioms:
        raise NoInstance
    try:
        number = rule.write(steps, line)
    except Unwritable:
        raise
    except (ValueError, LookupError):  # what has another shape than the rule's cannot be taken apart
        raise NoInstance from None
    if steps.fact(number) != conclusion:
        raise NoInstance
    return number


# ── The rules of proofs ───────────────────────────────────────────────────────────────────────────────────────────

Write = Callable[[Derivation, Line], int]


def same_step(rule: str) -> Write:
    """Return how to write a rule that is one of the checker's: as it stands."""
    return lambda steps, line: steps.write(rule, line.conclusion, line.shown_by)


def step_by_row(rule: str) -> Write:
    """Return how to write a rule that is one of the checker's and cites an axiom: by the row of it that fits.

    Where no row leads to the conclusion by itself, that is one that does to the first of several inclusions.
    """

    def write(steps: Derivation, line: Line) -> int:
        words, axiom = steps.vocabulary, line.axioms[0]
        for row in words.told(axiom):
            if steps.is_instance(rule, line.conclusion, line.shown_by, row):
                return steps.write(rule, line.conclusion, line.shown_by, words.row(row, axiom))
        _, sub, sup = line.conclusion
        for kind, *ends in words.told(axiom):
            first = ("sub", sub, int(str(ends[-1])))
            if kind == "sub" and steps.is_instance(rule, first, line.shown_by, (kind, *ends)):
                below = steps.step(rule, first, line.shown_by, words.row((kind, *ends), axiom))
                for onward in steps.path(first[2], int(sup), "sub", axiom):
                    below = steps.told(below, onward)
                return below
        raise NoInstance

    return write


def top(steps: Derivation, line: Line) -> int:
    """C ⊑ owl:Thing"""
    () = line.premises
    return steps.is_thing(int(line.conclusion[1]))


def told(steps: Derivation, line: Line) -> int:
    """Follow the inclusions that the axiom lists; a range of owl:topObjectProperty is one of ∃r.Self."""
    (below,) = line.shown_by
    kind, _, sup = line.conclusion
    match line.axioms[0]:
        case ax.ObjectPropertyRange(role) if role == owl.TOP_OBJECT_PROPERTY:
            thing = steps.vocabulary.thing
            loop = self_top(steps, Line(("sub", thing, steps.vocabulary.loop(steps.universal_role)), [], [], ()))
            inside = self_range(steps, Line(line.conclusion, [steps.fact(loop)], [loop], line.axioms))
            return steps.step("transitive", ("sub", steps.fact(below)[1], sup_of(steps.fact(inside))), [below, inside])
    for row in steps.path(sup_of(steps.fact(below)), int(sup), str(kind), line.axioms[0]):
        below = steps.told(below, row)
    return below


def conjunct(steps: Derivation, line: Line) -> int:
    """Take the conjuncts out, and put them together where there are several."""
    (premise,) = line.shown_by
    sup = sup_of(line.conclusion)
    if steps.vocabulary.is_range(sup) != steps.vocabulary.is_range(sup_of(steps.fact(premise))):
        raise NoInstance
    return steps.conjoin(int(steps.fact(premise)[1]), sup, [premise])


def conjunction(steps: Derivation, line: Line) -> int:
    """Put all conjuncts together."""
    words = steps.vocabulary
    _, sub, sup = numbers(line.conclusion)
    wholes = [sup_of(fact) for fact in line.premises]
    if any(fact[1] != sub for fact in line.premises) or words.conjunction(wholes) != sup:
        raise NoInstance
    return steps.conjoin(sub, sup, line.shown_by)


def disjoint(steps: Derivation, line: Line) -> int:
    """C ⊑ D, C ⊑ E ⊢ C ⊑ D ⊓ E ⊢ C ⊑ ⊥"""
    if not isinstance(line.axioms[0], ax.DisjointClasses | ax.DifferentIndividuals):
        raise NoInstance
    one, other = (sup_of(fact) for fact in line.premises)
    both = steps.vocabulary.pair(one, other)
    inside = steps.step("conjunction", ("sub", line.premises[0][1], both), line.shown_by)
    return steps.told(inside, steps.vocabulary.row(("sub", both, steps.vocabulary.bottom), line.axioms[0]))


def cases(steps: Derivation, line: Line) -> int:
    """C ⊑ D; C ⊓ Dᵢ ⊑ E for each i, the conjuncts put together as the checker wants them"""
    words = steps.vocabulary
    whole, *parts = line.shown_by
    _, sub, sup = numbers(line.conclusion)
    row = steps.only(line.axioms[0], "cases")
    members = row[2]
    if not isinstance(members, tuple) or len(members) != len(parts):
        raise NoInstance
    shown = []
    for member, part in zip(members, parts, strict=True):
        both = words.pair(sub, member)
        inside = steps.conjoin(both, int(steps.fact(part)[1]), [steps.same(both)])
        shown.append(steps.step("transitive", ("sub", both, sup), [inside, part]))
    return steps.write("cases", line.conclusion, [whole, *shown], words.row(row, line.axioms[0]))


def link_range(steps: Derivation, line: Line) -> int:
    """C → r → D ⊢ C → r → D ⊓ E, and E's conjuncts put with D's"""
    (_, source, role, target), _ = map(numbers, line.premises)
    row = steps.only(line.axioms[0], "range")
    both = steps.vocabulary.pair(target, int(str(row[2])))
    fact = ("link", source, role, both)
    narrowed = steps.step("range", fact, line.shown_by, steps.vocabulary.row(row, line.axioms[0]))
    return steps.retarget(narrowed, steps.vocabulary.conjunction([both]))


def functional(steps: Derivation, line: Line) -> int:
    """C → d → D, C → e → E ⊢ C → d → D ⊓ E, and E's conjuncts put with D's"""
    (_, source, role, one), (_, _, _, other), _, _ = map(numbers, line.premises)
    row = steps.vocabulary.row(steps.only(line.axioms[0], "functional"), line.axioms[0])
    both = steps.vocabulary.pair(one, other)
    narrowed = steps.step("functional", ("link", source, role, both), line.shown_by, row)
    return steps.retarget(narrowed, steps.vocabulary.conjunction([both]))


def told_role(steps: Derivation, line: Line) -> int:
    """Follow the inclusions that the axiom lists; of empty roles and of those that relate everything, none."""
    (below,) = line.shown_by
    (_, low, middle), (_, _, high) = numbers(line.premises[0]), numbers(line.conclusion)
    if not line.axioms:
        return steps.write("role-told", ("role", low, high), [below], steps.vocabulary.row(("role", middle, high)))
    for row in steps.path(middle, high, "role", line.axioms[0]):
        _, _, above = numbers(steps.vocabulary.told_rows[row])
        below = steps.step("role-told", ("role", low, above), [below], row)
    return below


def universal_chain(steps: Derivation, line: Line) -> int:
    """All roles of the chain relate everything, and so does what it leads to."""
    first, *parts = line.shown_by
    _, low, high = numbers(steps.fact(first))
    if high != steps.universal_role:
        raise NoInstance
    left = steps.universal_above(parts[0])
    for (*_, result, row), part in zip(steps.chain(line.axioms[0], len(parts)), parts[1:], strict=True):
        fact = ("universal", result, steps.vocabulary.thing)
        left = steps.step("universal-chain", fact, [left, steps.universal_above(part)], row)
    return steps.within(low, left)


def role_chain(steps: Derivation, line: Line) -> int:
    """One link after the other, by the prefixes of the chain"""
    left = line.shown_by[0]
    for (*_, result, row), part in zip(steps.chain(line.axioms[0], len(line.premises)), line.shown_by[1:], strict=True):
        fact = ("link", line.premises[0][1], result, steps.fact(part)[3])
        left = steps.step("chain", fact, [left, part], row)
    return left


def self_top(steps: Derivation, line: Line) -> int:
    """C ⊑ owl:Thing ⊢ C ⊑ ∃u.Self"""
    () = line.premises
    concept = int(line.conclusion[1])
    fact = ("sub", concept, steps.vocabulary.loop(steps.universal_role))
    return steps.step("self-universal", fact, [steps.universal(), steps.is_thing(concept)])


def self_chain(steps: Derivation, line: Line) -> int:
    """One loop after the other, by the prefixes of the chain"""
    left = line.shown_by[0]
    for (*_, result, row), part in zip(steps.chain(line.axioms[0], len(line.premises)), line.shown_by[1:], strict=True):
        fact = ("sub", line.premises[0][1], steps.vocabulary.loop(result))
        left = steps.step("self-chain", fact, [left, part], row)
    return left


def self_range(steps: Derivation, line: Line) -> int:
    """C ⊑ ∃r.Self ⊢ C ⊑ D"""
    row = steps.only(line.axioms[0], "range")
    fact = ("sub", line.premises[0][1], int(str(row[2])))
    return steps.step("self-range", fact, line.shown_by, steps.vocabulary.row(row, line.axioms[0]))


def bottom_role(steps: Derivation, line: Line) -> int:
    """C → r → D ⊢ C ⊑ ∃r.⊤ ⊢ C ⊑ ⊥; where C ⊑ ∃r.Self, a link first"""
    words = steps.vocabulary
    (link,) = line.shown_by
    if line.premises[0][0] == "sub":
        _, sub, loop = numbers(line.premises[0])
        link = steps.step("self-link", ("link", sub, int(words.nodes[loop][1]), sub), [link])
    _, _, role, _ = numbers(steps.fact(link))
    return steps.told(steps.has_successor(link), words.row(("sub", words.some(role, words.top), words.bottom)))


def nonempty(steps: Derivation, line: Line) -> int:
    """⊤, {a} and the assumption have an element; with data, owl:Thing has one where its subject or some {a} has."""
    () = line.premises
    words = steps.vocabulary
    concept = int(line.conclusion[1])
    if concept == words.thing and concept != words.top:
        if steps.assumed is None:
            steps.assumed = steps.root
        nominals = (number for number, node in enumerate(words.nodes) if node[0] == "nominal")
        known = steps.assumed if steps.assumed is not None else next(nominals, None)
        if known is None:
            raise NoInstance
        element = steps.step("nonempty", ("nonempty", known))
        return steps.step("nonempty-super", ("nonempty", concept), [element, steps.is_thing(known)])
    if concept not in (words.thing, steps.assumption) and words.nodes[concept][0] != "nominal":
        raise NoInstance
    return steps.write("nonempty", line.conclusion)


def universal_some(steps: Derivation, line: Line) -> int:
    """D ⊑ E, D has an element ⊢ C → u → D ⊢ C ⊑ ∃u.E"""
    inside, element = line.shown_by
    return steps.universal_some(steps.universal(), int(line.conclusion[1]), inside, element)


def universal_superrole(steps: Derivation, line: Line) -> int:
    """The same by a role above owl:topObjectProperty"""
    up, element, inside = line.shown_by
    return steps.universal_some(steps.universal_above(up), int(line.conclusion[1]), inside, element)


def key(steps: Derivation, line: Line) -> int:
    """{a} ⊑ ∃r.{c} ⊢ {a} → r → {c} for each filler"""
    words = steps.vocabulary
    row = steps.only(line.axioms[0], "key")
    roles, data_roles = len(row[2]), len(row[3])  # type: ignore[arg-type]
    premises = line.shown_by[:2]
    rest = line.shown_by[2:]
    if len(rest) != 2 * (roles + data_roles):
        raise NoInstance
    for position in range(roles + data_roles):
        for premise in rest[2 * position : 2 * position + 2]:
            _, sub, some = numbers(steps.fact(premise))
            _, role, filler = numbers(words.nodes[some])
            premises.append(steps.step("link", ("link", sub, role, filler), [premise]))
        if position >= roles:
            fact = ("single", int(steps.fact(premises[-1])[3]))
            premises.append(steps.step("single-told", fact, (), words.row(fact)))
    return steps.write("key", line.conclusion, premises, words.row(row, line.axioms[0]))


def data(steps: Derivation, line: Line) -> int:
    """A fact about data"""
    () = line.premises
    kind, sub, sup = line.conclusion
    if kind != "sub":
        raise NoInstance
    return steps.meant(int(sub), int(sup), origin=DATA_FACT)


def data_top(steps: Derivation, line: Line) -> int:
    """C ⊑ owl:Thing; owl:Thing ⊑ ∃d.D is a fact about data"""
    () = line.premises
    words = steps.vocabulary
    _, sub, some = numbers(line.conclusion)
    wanted = words.some(words.role(owl.TOP_DATA_PROPERTY), int(words.nodes[some][2]))
    return steps.told(steps.is_thing(sub), words.row(("sub", words.thing, wanted), origin=DATA_FACT))


def data_spelling(steps: Derivation, line: Line) -> int:
    """C ⊑ D ⊢ C ⊑ E by what D and E are made of"""
    (premise,) = line.shown_by
    (_, sub, middle), (_, _, sup) = numbers(line.premises[0]), numbers(line.conclusion)
    if line.premises[0][0] != "sub" or meaning(steps.vocabulary, middle) != meaning(steps.vocabulary, sup):
        raise NoInstance
    return steps.step("transitive", ("sub", sub, sup), [premise, steps.respelt(middle, sup)])


class Rule(NamedTuple):
    """A rule of proofs: its sequent, how many axioms it takes, and how it is written in the checker's rules."""

    sequent: str
    write: Write
    axioms: tuple[int, ...] = (0,)


ONE = (1,)
OWN: dict[str, Rule] = {
    "R0": Rule("⊢ C ⊑ C", same_step("reflexive")),
    "R⊤": Rule("⊢ C ⊑ ⊤", top),
    "R⊑": Rule("C ⊑ D; an axiom that tells D ⊑ E ⊢ C ⊑ E", told, ONE),
    "R⊑⊑": Rule("C ⊑ D, D ⊑ E ⊢ C ⊑ E", same_step("transitive")),
    "R⊓−": Rule("C ⊑ D₁ ⊓ … ⊓ Dₙ ⊢ C ⊑ any of the Dᵢ, or several of them", conjunct),
    "R⊓+": Rule("C ⊑ D₁, …, C ⊑ Dₙ ⊢ C ⊑ D₁ ⊓ … ⊓ Dₙ", conjunction),
    "R∃−": Rule("C ⊑ ∃r.D ⊢ C →r→ D", same_step("link")),
    "R∃+": Rule("C →r→ D, D ⊑ E ⊢ C ⊑ ∃r.E", same_step("some")),
    "Rrange": Rule("C →r→ D, r ⊑ s; an axiom that gives s the range E ⊢ C →r→ D ⊓ E", link_range, ONE),
    "R⊥": Rule("C →r→ D, D ⊑ ⊥ ⊢ C ⊑ ⊥", same_step("bottom")),
    "R⊥⊑": Rule("C ⊑ ⊥ ⊢ C ⊑ D", same_step("absurd")),
    "Rrefl-role": Rule("⊢ r ⊑ r", same_step("role-reflexive")),
    "Rrole": Rule(
        "⊢ r ⊑ t from r ⊑ s; an axiom that tells s ⊑ t (none where s is a bottom role or t a top role)",
        told_role,
        (0, 1),
    ),
    "Runiversal-chain": Rule(
        "r ⊑ u, u ⊑ r₁, …, u ⊑ rₙ; an axiom that tells r₁ ∘ … ∘ rₙ ⊑ s ⊢ r ⊑ s, where u is owl:topObjectProperty",
        universal_chain,
        ONE,
    ),
    "Rrinc": Rule("C →r→ D, r ⊑ s ⊢ C →s→ D", same_step("link-role")),
    "Rrchain": Rule("C₀ →r₁→ C₁, …, Cₙ₋₁ →rₙ→ Cₙ; an axiom that tells r₁ ∘ … ∘ rₙ ⊑ s ⊢ C₀ →s→ Cₙ", role_chain, ONE),
    "Rself": Rule("C ⊑ ∃r.Self ⊢ C →r→ C", same_step("self-link")),
    "Rself-⊤": Rule("⊢ C ⊑ ∃r.Self, where r is owl:topObjectProperty", self_top),
    "Rself-inc": Rule("C ⊑ ∃r.Self, r ⊑ s ⊢ C ⊑ ∃s.Self", same_step("self-role")),
    "Rself-chain": Rule(
        "C ⊑ ∃r₁.Self, …, C ⊑ ∃rₙ.Self; an axiom that tells r₁ ∘ … ∘ rₙ ⊑ s ⊢ C ⊑ ∃s.Self", self_chain, ONE
    ),
    "Rself-range": Rule("C ⊑ ∃r.Self; an axiom that gives r the range D ⊢ C ⊑ D", self_range, ONE),
    "Rself-nominal": Rule("C ⊑ {a}, C →r→ D, D ⊑ {a} ⊢ C ⊑ ∃r.Self", same_step("self-nominal")),
    "Rdisjoint": Rule(
        "C ⊑ D, C ⊑ E; an axiom that tells D and E disjoint (or two individuals different) ⊢ C ⊑ ⊥", disjoint, ONE
    ),
    "Rcases": Rule("C ⊑ D, C ⊓ D₁ ⊑ E, …, C ⊓ Dₙ ⊑ E; an axiom that tells D ⊑ D₁ ⊔ … ⊔ Dₙ ⊢ C ⊑ E", cases, ONE),
    "R⊥role": Rule("C →r→ D or C ⊑ ∃r.Self, where r is a bottom role ⊢ C ⊑ ⊥", bottom_role),
    "Rnonempty": Rule("⊢ C is not empty, where C is ⊤, {a} or the proof's assumption", nonempty),
    "Rnonempty-link": Rule("C is not empty, C →r→ D ⊢ D is not empty", same_step("nonempty-link")),
    "Rnonempty-⊑": Rule("C is not empty, C ⊑ D ⊢ D is not empty", same_step("nonempty-super")),
    "Rnominal": Rule("D ⊑ {a}, D is not empty ⊢ {a} ⊑ D", same_step("nominal")),
    "Runiversal": Rule("D ⊑ E, D is not empty ⊢ C ⊑ ∃r.E, where r is owl:topObjectProperty", universal_some),
    "Runiversal-role": Rule(
        "⊢ C ⊑ ∃r.E from s ⊑ r, D is not empty, D ⊑ E, where s is owl:topObjectProperty", universal_superrole
    ),
    "Rinconsistent": Rule("D is not empty, D ⊑ ⊥ ⊢ C ⊑ ⊥", same_step("inconsistent")),
    "Rkey": Rule(
        "{a} ⊑ C, {b} ⊑ C, {a} ⊑ ∃rᵢ.{cᵢ}, {b} ⊑ ∃rᵢ.{cᵢ} for each i; C has the key r₁, …, rₙ ⊢ {a} ⊑ {b}", key, ONE
    ),
    "Rfunctional": Rule("C →d→ D, C →e→ E, d ⊑ f, e ⊑ f; f is functional ⊢ C →d→ D ⊓ E", functional, ONE),
    "Rdata": Rule("⊢ D ⊑ E for data ranges with every value of D in E; ⊢ D ⊑ ⊥ where D has no value", data),
    "Rdata-top": Rule("⊢ C ⊑ ∃d.D, where d is owl:topDataProperty and D has a value", data_top),
    "Rdata-≡": Rule(
        "C ⊑ D ⊢ C ⊑ E, where E is D but for data ranges that are written otherwise and have the same values",
        data_spelling,
    ),
}
"""The rules of proofs that take more than their row in the table of completion rules, or another sequent."""

RULES = OWN | {
    rule.name: Rule(rule.sequent, (step_by_row if rule.axioms else same_step)(*rule.checker), (rule.axioms,))
    for rule in COMPLETION_RULES.values()
    if rule.name not in OWN and len(rule.checker) == 1
}
"""The rules of proofs, by name: a completion rule that is one of the checker's needs no entry above."""
