"""Inclusions to ask for, and what the naive reasoner says of them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from hypothesis import strategies as st

from moose.owl.model import axioms as ax
from moose.owl.model.axioms import Axiom
from moose.owl.model.expressions import (
    NOTHING,
    THING,
    Class,
    ClassExpression,
    NamedIndividual,
    ObjectIntersectionOf,
    ObjectOneOf,
    ObjectSomeValuesFrom,
)
from moose.owl.normal.normal_form import BOTTOM
from moose.saturation.answers.taxonomy import Taxonomy
from moose.saturation.proofs.explain import write
from moose.saturation.proofs.proof import Proof
from moose.saturation.proofs.writer import Writer
from moose.saturation.recorded.derivations import Derivations
from moose.saturation.recorded.rule_instance import Sub
from tests.saturation.answers import naive_answer
from tests.saturation.naive import naive_closure
from tests.saturation.random_ontologies import ALL_FEATURES, CLASSES, INDIVIDUALS, NAMESPACE, ROLES, Draw, concept

PEOPLE = tuple(ObjectOneOf((one,)) for one in INDIVIDUALS)
Inclusion = tuple[ClassExpression, ClassExpression]

# ── Between the names of a random ontology ────────────────────────────────────────────────────────────────────────


def entailed(axioms: list[Axiom]) -> set[Inclusion]:
    """List, with the naive reasoner, what follows between the names: subsumptions, ⊥ above the impossible, types."""
    answer = naive_answer(axioms)
    if not answer.is_consistent:
        return set(asked())
    found: set[Inclusion] = {(Class(sub), Class(sup)) for sub, sup in answer.closure}
    impossible = [Class(name) for (name,) in answer.unsatisfiable]
    found |= {(sub, sup) for sub in impossible for sup in (*CLASSES, NOTHING) if sub != sup}
    found |= {(ObjectOneOf((NamedIndividual(one),)), Class(name)) for one, name in answer.types}
    same = {(NamedIndividual(one), NamedIndividual(other)) for one, other in answer.same}
    return found | {(ObjectOneOf((x,)), ObjectOneOf((y,))) for one in same for x, y in (one, one[::-1])}


def asked() -> list[Inclusion]:
    """List every inclusion between names that is worth asking."""
    found: list[Inclusion] = [(sub, sup) for sub in CLASSES for sup in (*CLASSES, NOTHING) if sub != sup]
    found += [(one, sup) for one in PEOPLE for sup in (*CLASSES, NOTHING)]
    return [*found, *((one, other) for one in PEOPLE for other in PEOPLE if one != other), (THING, NOTHING)]


# ── Between complex concepts ──────────────────────────────────────────────────────────────────────────────────────


@st.composite
def complex_goals(draw: st.DrawFn, axioms: list[Axiom]) -> Inclusion:
    """Draw an inclusion of concepts: often one that an axiom tells, since it may follow, in a larger frame."""
    source = draw(st.randoms(use_true_random=False))
    told_pairs = [(one.sub, one.sup) for one in axioms if isinstance(one, ax.SubClassOf)]
    told_pairs += [(one.operands[0], one.operands[1]) for one in axioms if isinstance(one, ax.EquivalentClasses)]
    dealer = Draw(source, ALL_FEATURES)
    told_pairs += [(sup, sub) for sub, sup in told_pairs]
    drawn = (concept(dealer), concept(dealer))
    sub, sup = drawn if not told_pairs or source.randrange(3) == 0 else source.choice(told_pairs)
    for _ in range(source.randrange(3)):
        extra = concept(dealer, 1)
        frames: list[Inclusion] = [
            (ObjectSomeValuesFrom(ROLES[0], sub), ObjectSomeValuesFrom(ROLES[0], sup)),
            (ObjectIntersectionOf((extra, sub)), sup),
            (ObjectIntersectionOf((sub, extra)), ObjectIntersectionOf((extra, sup))),
        ]
        sub, sup = source.choice(frames)
    return sub, sup


def follows_by_names(axioms: list[Axiom], goal: Inclusion) -> bool:
    """Ask the naive reasoner about two new names for the two sides."""
    one, other = (Class(NAMESPACE + name) for name in ("Sub", "Sup"))
    named = [*axioms, ax.EquivalentClasses((one, goal[0])), ax.EquivalentClasses((other, goal[1]))]
    pairs, unsatisfiable, is_consistent = naive_closure(named, [one.iri, other.iri])
    return not is_consistent or one.iri in unsatisfiable or (one.iri, other.iri) in pairs


# ── Of a real ontology ────────────────────────────────────────────────────────────────────────────────────────────


def goals_of(taxonomy: Taxonomy) -> list[Inclusion]:
    """List all subsumptions between different named classes, with ⊥ above the unsatisfiable ones."""
    found: list[Inclusion] = [(Class(sub), Class(sup)) for sub, sup in taxonomy.closure_pairs()]
    return found + [(Class(sub), NOTHING) for sub in taxonomy.unsatisfiable]


def proofs_of(taxonomy: Taxonomy, goals: Sequence[Inclusion]) -> Iterator[tuple[Inclusion, Proof]]:
    """Prove many goals from one closure: what `prove` does anew for each of them is done once for each subclass."""
    form, axioms = taxonomy.closure.form, taxonomy.ontology.profile.el_axioms
    views: dict[int, Derivations] = {}
    for goal in goals:
        sub, sup = (form.class_number(side.iri) for side in goal if isinstance(side, Class))
        assert sub is not None and sup is not None and sub not in taxonomy.closure.worlds
        if sub not in views:
            views[sub] = Derivations(form, sub)
        writer = Writer(form, axioms)
        is_impossible = bool(taxonomy.closure.base.is_bottom[sub])
        write(lambda sub=sub, **_: views[sub], writer, Sub(sub, BOTTOM if is_impossible else sup))
        conclusion = writer.fact(Sub(sub, sup))
        if is_impossible and sup != BOTTOM:
            writer.step("R⊥⊑", conclusion, [writer.fact(Sub(sub, BOTTOM))])
        yield goal, Proof(conclusion, writer.steps_to(conclusion))
