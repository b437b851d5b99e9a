"""Check an ontology against OWL 2 EL: keep what is inside, and say what is not and what is used in its place.

A datatype that the ontology defines is replaced by its definition, so the definitions are resolved here first.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import partial

from moose.owl.model.axioms import Axiom, DatatypeDefinition, UnreadAxiom
from moose.owl.model.datatypes import is_known
from moose.owl.model.expressions import DataRange, Datatype
from moose.owl.model.signature import walk
from moose.owl.profile.bounds import LIMIT, Bounder, RangePair, bound_range
from moose.owl.profile.el import AXIOM_CHECKS, is_el_axiom
from moose.owl.profile.global_restrictions import PROPERTY_AXIOMS, find_breaches
from moose.owl.profile.profile import Joint, Outside, Profile
from moose.owl.profile.use_more import use_more
from moose.owl.profile.violations import Offence, find_offences
from moose.owl.profile.weaken import weaken
from moose.owl.profile.weaken_roles import Weakened


def check_profile(axioms: Iterable[Axiom]) -> Profile:
    """Return the EL axioms to reason with, in order, and every axiom outside OWL 2 EL with the reason.

    >>> from moose.owl.model.axioms import SubClassOf
    >>> from moose.owl.model.expressions import Class, ObjectUnionOf
    >>> a, b, c = Class("a"), Class("b"), Class("c")
    >>> check_profile([SubClassOf(ObjectUnionOf((a, b)), c)]).el_axioms == (SubClassOf(a, c), SubClassOf(b, c))
    True
    """
    told = tuple(axioms)
    checks = AXIOM_CHECKS.get
    beyond = [position for position, axiom in enumerate(told) if not ((check := checks(type(axiom))) and check(axiom))]
    outside, joint, disjunctions = _judge_all(told, beyond)
    _add_breaches(told, outside)
    el_axioms: list[Axiom] = []
    start = 0
    for position in sorted(outside):
        el_axioms += told[start:position]
        el_axioms += outside[position].used
        start = position + 1
    el_axioms += told[start:]
    el_axioms += (one.axiom for one in joint)
    return Profile(tuple(el_axioms), tuple(outside[position] for position in sorted(outside)), joint, disjunctions)


def _judge_all(
    told: Sequence[Axiom], beyond: Sequence[int]
) -> tuple[dict[int, Outside], tuple[Joint, ...], tuple[Joint, ...]]:
    """Judge the axioms at some positions, with the definitions of datatypes that are among them."""
    definitions = resolve_definitions(
        axiom for position in beyond if isinstance(axiom := told[position], DatatypeDefinition)
    )
    bounder = Bounder(definitions)
    judged = {position: _judge(told[position], bounder) for position in beyond}
    weakened = {position: one.weakened for position, one in judged.items()}
    consequences, cases = use_more(told, weakened, partial(_weaken_any, bounder=bounder))
    more: dict[int, dict[Axiom, None]] = {}
    joint = {position for one in cases for position in one.sources}
    together: list[Joint] = []
    for consequence in consequences:
        if len(consequence.sources) > 1:
            together.append(Joint(consequence.axiom, consequence.sources))
            joint.update(consequence.sources)
        else:
            (position,) = consequence.sources
            annotations = told[position].annotations
            more.setdefault(position, {})[replace(consequence.axiom, annotations=annotations)] = None
    outside = {
        position: one.outside(told[position], tuple(more.get(position, ())), is_joint=position in joint)
        for position, one in judged.items()
    }
    return outside, tuple(together), tuple(Joint(one.axiom, one.sources) for one in cases)


def _weaken_any(axiom: Axiom, bounder: Bounder) -> Weakened:
    """Return what is used of an axiom, which may be in EL."""
    bounder.start_anew()
    return Weakened((axiom,)) if is_el_axiom(axiom) else weaken(axiom, bounder)


@dataclass(frozen=True, slots=True)
class _Judged:
    """What OWL 2 EL does not have of an axiom, what is used of it, and how that is put into words."""

    offences: str
    weakened: Weakened
    is_cut: bool = False
    remedies: str = ""

    def outside(self, axiom: Axiom, more: tuple[Axiom, ...], *, is_joint: bool) -> Outside:
        """Say why an axiom is outside, with what is used beside what it says by itself."""
        used = tuple(dict.fromkeys((*self.weakened.used, *more)))
        use = self.remedies or _describe_use(axiom, replace(self.weakened, used=used), is_joint, self.is_cut)
        by_itself = len(dict.fromkeys(self.weakened.used))
        return Outside(axiom, f"{self.offences}; {use}", used, self.weakened.is_exact, is_joint, by_itself)


def _judge(axiom: Axiom, bounder: Bounder) -> _Judged:
    """Say why an axiom is outside OWL 2 EL, and what is used in its place."""
    if isinstance(axiom, UnreadAxiom):
        return _Judged(axiom.reason, Weakened(is_exact=False), remedies="it is left out")
    offences = find_offences(axiom, bounder.definitions)
    if all(offence.remedy for offence in offences):
        remedies = "; ".join(dict.fromkeys(offence.remedy for offence in offences))
        is_lossless = all(offence.is_lossless for offence in offences)
        return _Judged(_name_all(offences), Weakened((axiom,), is_lossless), remedies=remedies)
    bounder.start_anew()
    weakened = weaken(axiom, bounder)
    return _Judged(_name_all(offences), weakened, bounder.is_cut)


def _name_all(offences: Sequence[Offence]) -> str:
    """List what OWL 2 EL does not have."""
    *others, last = dict.fromkeys(f"no {offence.what}" for offence in offences)
    return f"OWL 2 EL has {', '.join(others)} and {last}" if others else f"OWL 2 EL has {last}"


def _describe_use(axiom: Axiom, weakened: Weakened, is_joint: bool, is_cut: bool) -> str:
    """Say what is used of an axiom."""
    match axiom, weakened:
        case DatatypeDefinition(), Weakened(is_exact=True):
            return "the definition is put in place of the datatype wherever that is used"
        case DatatypeDefinition(), _:
            return "the datatype is defined by itself, twice, or by OWL 2 already, so the definition is left out"
        case _, Weakened((), True):
            return "the axiom always holds, so nothing is lost"
        case _, Weakened((), False) if not is_joint:
            use = "nothing of the axiom can be said in EL, so it is left out"
        case _, Weakened(_, True):
            return "the axioms used in its place mean the same"
        case _:
            use = "only what follows from the axiom in EL, alone or with others, is used"
    return f"{use} (one part would split into more than {LIMIT:,} cases)" if is_cut else use


def _add_breaches(told: Sequence[Axiom], outside: dict[int, Outside]) -> None:
    """Add the axioms that are in OWL 2 EL taken alone, but not with the others."""
    positions: dict[Axiom, int] = {}
    for position, axiom in enumerate(told):
        if position in outside:
            positions.update((used, position) for used in outside[position].used if type(used) in PROPERTY_AXIOMS)
        elif type(axiom) in PROPERTY_AXIOMS:
            positions[axiom] = position
    for axiom, reason in find_breaches(positions):
        position = positions[axiom]
        earlier = outside.get(position)
        if earlier is None:
            outside[position] = Outside(axiom, reason, (axiom,), by_itself=1)
        else:
            outside[position] = replace(earlier, reason=f"{earlier.reason}; {reason}", is_exact=False)


def resolve_definitions(axioms: Iterable[DatatypeDefinition]) -> dict[str, RangePair]:
    """Return the bounds of each datatype that is defined once, not by itself, and not by OWL 2 already."""
    told: dict[str, list[DataRange]] = {}
    for axiom in axioms:
        told.setdefault(axiom.datatype.iri, []).append(axiom.range)
    open_ranges = {iri: ranges[0] for iri, ranges in told.items() if len(ranges) == 1 and not is_known(iri)}
    waits_for = {iri: _names(data_range) & open_ranges.keys() for iri, data_range in open_ranges.items()}
    users: dict[str, list[str]] = {}
    for iri, needed in waits_for.items():
        for name in needed:
            users.setdefault(name, []).append(iri)
    resolved: dict[str, RangePair] = {}
    ready = [iri for iri, needed in waits_for.items() if not needed]
    while ready:
        iri = ready.pop()
        resolved[iri] = bound_range(open_ranges[iri], resolved)
        for user in users.get(iri, ()):
            waits_for[user].discard(iri)
            if not waits_for[user]:
                ready.append(user)
    return resolved


def _names(data_range: DataRange) -> set[str]:
    return {part.iri for part in walk(data_range) if isinstance(part, Datatype)}
