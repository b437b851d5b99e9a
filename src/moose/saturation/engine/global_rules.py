"""Rules that look at the whole closure at once: nominals, the universal role, keys, functional data, unions.

Each is rare, and is applied outside the kernel between two of its runs: it reads the facts and returns what to add.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import reduce
from itertools import combinations

import numpy as np

from moose.owl.model.expressions import NamedIndividual
from moose.owl.normal.functional_values import FunctionalValues
from moose.owl.normal.normal_form import BOTTOM, TOP, Kind, NormalForm, Union
from moose.saturation.engine.arrays import Flags, Indices
from moose.saturation.engine.facts import Added, Facts

NewLink = tuple[int, int, int]
MOST_GROUPS_EACH = 16
"""Of individuals that agree on a part of a key: in how many an individual may be before they are taken two by two."""

BATCH = 1 << 12
"""How many D ⊑ {a} are looked at together; of each, all that D and {a} are below is gone through."""


def needs_whole_closure(form: NormalForm) -> bool:
    """Return whether any rule of this file can apply."""
    return bool(len(form.individuals) or form.universal_role >= 0 or len(form.functional.rows) or form.unions)


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
    concepts, nominals = facts.contexts[candidates], facts.concepts[candidates]
    if not len(concepts):
        return
    is_new = ~is_known_of(facts, concepts, nominals)
    for concept, nominal in zip(concepts[is_new].tolist(), nominals[is_new].tolist(), strict=True):
        yield Added("Rnominal", nominal, concept)


def is_known_back(facts: Facts, candidates: Flags) -> Flags:
    """Tell for which of the chosen D ⊑ {a} also {a} ⊑ D was derived."""
    size = len(facts.form.kinds)
    nominals, concepts = facts.concepts[candidates], facts.contexts[candidates]
    is_left, is_right = np.zeros(size, dtype=np.bool_), np.zeros(size, dtype=np.bool_)
    is_left[nominals], is_right[concepts] = True, True
    known = is_left[facts.contexts] & is_right[facts.concepts]  # few, and only these need be put in order
    ordered = np.sort(facts.contexts[known].astype(np.int64) * size + facts.concepts[known])
    back = nominals.astype(np.int64) * size + concepts
    found = np.searchsorted(ordered, back)
    return np.asarray(np.append(ordered, -1)[found] == back)


def is_known_of(facts: Facts, concepts: Indices, nominals: Indices) -> Flags:
    """Tell for which D and {a} all that D ⊑ E says is known of {a} too.

    A conjunction that no rule asks for may be missing.
    """
    form = facts.form
    is_known = facts.is_bottom[nominals]
    is_optional = (form.kinds == Kind.CONJUNCTION) & ~form.is_negative
    for batch in np.array_split(np.flatnonzero(~is_known), max(len(is_known) // BATCH, 1)):
        rows, above = facts.subsumers_of(concepts[batch])
        is_missing = ~facts.has_each(nominals[batch][rows], above) & ~is_optional[above]
        is_known[batch] = np.bincount(rows[is_missing], minlength=len(batch)) == 0
    return is_known


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
        holders = [nominal for nominal in named_nominals(form) if facts.has(nominal, key.concept)]
        for first, *others in agreeing(
            holders, [{one: fillers(facts, one, role) for one in holders} for role in key.roles]
        ):
            for other in others:
                if not facts.has(other, first):
                    yield Added("Rkey", other, first, key.axiom)
                    yield Added("Rkey", first, other, key.axiom)


def agreeing(holders: Sequence[int], fillers_of: Sequence[Mapping[int, Collection[int]]]) -> list[tuple[int, ...]]:
    """Return groups of individuals that share a filler of every role; any two that do so are in one of them.

    One group for each choice of fillers would be exponentially many. Of the same individuals one group is enough, and
    where there still get many of them, so is one for each two individuals.
    """
    groups = {tuple(holders)} if len(holders) > 1 else set()
    for fillers_by_role in fillers_of:
        refined: set[tuple[int, ...]] = set()
        for group in groups:
            having: dict[int, list[int]] = {}
            for one in group:
                for filler in fillers_by_role[one]:
                    having.setdefault(filler, []).append(one)
            refined.update(tuple(members) for members in having.values() if len(members) > 1)
        is_many = sum(map(len, refined)) > MOST_GROUPS_EACH * len(holders)
        groups = {pair for group in refined for pair in combinations(group, 2)} if is_many else refined
    return sorted(groups)


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


def cases(facts: Facts) -> tuple[list[Added], list[int]]:
    """Rcases: what holds in every case holds

    C ⊑ D    D ⊑ D₁ ⊔ … ⊔ Dₙ is told    C ⊓ Dᵢ ⊑ E for each i
    ────────────────────────────────────────────────────────────
                              C ⊑ E

    Returns what follows, and the cases C ⊓ Dᵢ that must be looked at first.
    """
    form = facts.form
    conclusions: list[Added] = []
    waiting: list[int] = []
    order = np.argsort(facts.concepts, kind="stable") if form.unions else np.zeros(0, dtype=np.int64)
    ordered = facts.concepts[order]
    for union in form.unions:
        start, end = np.searchsorted(ordered, [union.concept, union.concept + 1]).tolist()
        members = frozenset(union.members)
        for context in facts.contexts[order[start:end]].tolist():
            if facts.is_bottom[context] or not members.isdisjoint(facts.subsumers(context).tolist()):
                continue
            opened = cases_of(form, context, union)
            if not opened:  # what it is below may have cases
                above = (one for one in facts.subsumers(context).tolist() if not facts.is_started[one])
                waiting += (one for one in above if cases_of(form, one, union))
                continue
            unknown = [part for part in opened if not facts.is_started[part]]
            waiting += unknown
            if not unknown:
                conclusions += (Added("Rcases", context, one, union.axiom) for one in shared(facts, context, opened))
    return conclusions, waiting


def cases_of(form: NormalForm, concept: int, union: Union) -> list[int]:
    """Return C ⊓ Dᵢ for the members Dᵢ of a union, or none where these have no numbers."""
    found = []
    for member in union.members:
        part = form.case_of.get((concept, member))
        if part is None:
            return []
        found.append(part)
    return found


def shared(facts: Facts, context: int, parts: list[int]) -> list[int]:
    """Return what all cases are below and the whole is not known to be; ⊥ where all are impossible."""
    live = [part for part in parts if not facts.is_bottom[part]]
    if not live:
        return [BOTTOM]
    form = facts.form
    common = reduce(np.intersect1d, (facts.subsumers(part) for part in live))
    new = np.setdiff1d(common, facts.subsumers(context), assume_unique=True)
    return [int(one) for one in new[(form.kinds[new] != Kind.CONJUNCTION) | form.is_negative[new]]]


def conditional(facts: Facts, has_element: Flags) -> frozenset[Added]:
    """Return what follows, by the rules above, where further concepts have an element."""
    return frozenset([*nominals(facts, has_element), *universal(facts, has_element)])
