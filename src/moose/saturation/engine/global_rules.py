"""Rules that look at the whole closure at once: nominals, the universal role, keys, functional data properties.

Each is rare, and is applied outside the kernel between two of its runs: it reads the facts and returns what to add.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

import numpy as np

from moose.owl.model.expressions import NamedIndividual
from moose.owl.normal.functional_values import FunctionalValues
from moose.owl.normal.normal_form import TOP, Kind, NormalForm
from moose.saturation.engine.arrays import Flags
from moose.saturation.engine.facts import Facts
from moose.saturation.engine.run import Added

NewLink = tuple[int, int, int]


def needs_whole_closure(form: NormalForm) -> bool:
    """Return whether any rule of this file can apply."""
    return bool(len(form.individuals) or form.universal_role >= 0 or len(form.functional.rows))


def conclude(facts: Facts) -> list[Added]:
    """Return what holds in every model and is not yet known."""
    everywhere = facts.reachable(np.append(facts.form.nominal_concepts, TOP))
    conclusions = [*nominals(facts, everywhere), *universal(facts, everywhere), *keys(facts)]
    return list(dict.fromkeys(conclusions))


def nominals(facts: Facts, has_element: Flags) -> Iterator[Added]:
    """Rnominal: what is only a, and is there, is all of {a}

    D ⊑ {a}    D has an element
    ────────────────────────────
            {a} ⊑ D
    """
    is_nominal = facts.form.kinds == Kind.NOMINAL
    candidates = is_nominal[facts.concepts] & (facts.contexts != facts.concepts) & has_element[facts.contexts]
    candidates &= ~facts.is_bottom[facts.contexts]
    candidates[np.flatnonzero(candidates)[is_known_back(facts, candidates)]] = False
    for concept, nominal in zip(facts.contexts[candidates].tolist(), facts.concepts[candidates].tolist(), strict=True):
        if not is_known_of(facts, concept, nominal):
            yield Added("Rnominal", nominal, concept)


def is_known_back(facts: Facts, candidates: Flags) -> Flags:
    """Tell for which of the chosen D ⊑ {a} also {a} ⊑ D was derived."""
    size = len(facts.form.kinds)
    known = facts.contexts.astype(np.int64) * size + facts.concepts
    back = facts.concepts[candidates].astype(np.int64) * size + facts.contexts[candidates]
    return np.isin(back, known)


def is_known_of(facts: Facts, concept: int, nominal: int) -> bool:
    """Return whether all that D ⊑ E says is known of {a} too; a conjunction that no rule asks for may be missing."""
    form = facts.form
    if facts.is_bottom[nominal]:
        return True
    missing = np.setdiff1d(facts.subsumers(concept), facts.subsumers(nominal), assume_unique=True)
    return bool(np.all((form.kinds[missing] == Kind.CONJUNCTION) & ~form.is_negative[missing]))


def universal(facts: Facts, has_element: Flags) -> Iterator[Added]:
    """Runiversal: a role that relates everything to everything relates it to each D that is there

    D ⊑ E    D has an element    r relates everything    ∃r.E occurs on a left-hand side
    ─────────────────────────────────────────────────────────────────────────────────────
                                       ⊤ ⊑ ∃r.E
    """
    form = facts.form
    if form.universal_role < 0:
        return
    is_universal = form.is_subrole[form.universal_role]
    somes = np.flatnonzero((form.kinds == Kind.SOME) & form.is_negative)
    inhabited = np.zeros(len(form.kinds), dtype=np.bool_)
    inhabited[facts.concepts[has_element[facts.contexts]]] = True
    for some in somes[is_universal[form.first[somes]] & inhabited[form.second[somes]]].tolist():
        if not facts.has(TOP, some):
            yield Added("Runiversal", TOP, some)


def keys(facts: Facts) -> Iterator[Added]:
    """Rkey: named instances that agree on every key are one

    {a} ⊑ C    {a} ⊑ ∃r.{c} …    {b} ⊑ C    {b} ⊑ ∃r.{c} …    HasKey(C (r …)) is told
    ──────────────────────────────────────────────────────────────────────────────────
                                        {a} ⊑ {b}
    """
    form = facts.form
    for key in form.keys:
        holders: dict[tuple[int, ...], int] = {}
        for nominal in named_nominals(form):
            if not facts.has(nominal, key.concept):
                continue
            for values in product(*(sorted(fillers(facts, nominal, role)) for role in key.roles)):
                other = holders.setdefault(values, nominal)
                if not facts.has(nominal, other):
                    yield Added("Rkey", nominal, other, key.axiom)
                    yield Added("Rkey", other, nominal, key.axiom)


def named_nominals(form: NormalForm) -> list[int]:
    """Return the nominals of the individuals that have a name."""
    is_named = [isinstance(individual, NamedIndividual) for individual in form.individuals]
    return [int(nominal) for nominal, named in zip(form.nominal_concepts, is_named, strict=True) if named]


def fillers(facts: Facts, source: int, role: int) -> set[int]:
    """Return the nominals of named individuals, and the single data values, that an individual surely has."""
    form = facts.form
    if form.universal_role >= 0 and form.is_subrole[form.universal_role, role]:
        return set(named_nominals(form))
    roles, targets = facts.links_from(source)
    certain: set[int] = set()
    for target in np.unique(targets[form.is_subrole[roles, role]]).tolist():
        if form.kinds[target] == Kind.VALUES:
            values = form.value_sets[form.first[target]]
            certain |= {target} if values.single is not None else set()
            continue
        above = facts.subsumers(target)
        for concept in above[form.kinds[above] == Kind.NOMINAL].tolist():
            if isinstance(form.individuals[form.first[concept]], NamedIndividual):
                certain.add(concept)
    return certain


def functional_links(facts: Facts) -> Iterator[NewLink]:
    """Rfunctional: the values of a functional property are one

    C → d → D    C → e → E    d, e ⊑* f    f is told functional
    ────────────────────────────────────────────────────────────
                         C → d → D ⊓ E
    """
    form = facts.form
    numbers = {values: int(concept) for values, concept in zip(form.value_sets, form.value_concepts, strict=True)}
    together = FunctionalValues(form.value_sets)
    for functional in np.unique(form.functional.column(0)).tolist():
        is_below = form.is_subrole[facts.roles, functional]
        links: dict[int, list[tuple[int, int]]] = {}
        for link in np.flatnonzero(is_below & ~facts.is_bottom[facts.sources]).tolist():
            links.setdefault(int(facts.sources[link]), []).append((int(facts.roles[link]), int(facts.targets[link])))
        for source, row in links.items():
            targets = {target for _, target in row}
            if len(targets) > 1:
                shared = together.shared(form.value_sets[form.first[target]] for target in sorted(targets))
                for role in sorted({role for role, _ in row}):
                    yield from ((source, role, numbers[values]) for values in shared)


def conditional(facts: Facts, has_element: Flags) -> frozenset[Added]:
    """Return what follows, by the rules above, where further concepts have an element."""
    return frozenset([*nominals(facts, has_element), *universal(facts, has_element)])
