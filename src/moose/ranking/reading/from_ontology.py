"""Hypotheses from an ontology: `Disease ⊑ ∃hasFinding.Fever` with a probability is a coin."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import partial

import numpy as np

from moose.base.errors import InconsistentOntology, MooseError
from moose.owl.model.axioms import Axiom, EquivalentClasses, SubClassOf
from moose.owl.model.expressions import (
    OBO,
    Class,
    ClassExpression,
    ObjectIntersectionOf,
    ObjectProperty,
    ObjectSomeValuesFrom,
)
from moose.owl.names import Names
from moose.owl.ontology import Ontology
from moose.owl.syntax.functional.write_functional import render
from moose.queries.probabilities.probabilities import Probabilities, probabilities_of
from moose.ranking.findings import Findings
from moose.ranking.hypotheses import Coin, Hypotheses, make_hypotheses
from moose.ranking.noise import Listing, Noise
from moose.saturation.answers.properties import property_pairs
from moose.saturation.answers.taxonomy import Taxonomy, classify

FAMILY, ROLE = "Disease", "hasFinding"
"""What is looked for if nothing else is named."""
REPLACED_BY = f"{OBO}IAO_0100001"


@dataclass(frozen=True, slots=True)
class OntologyNames:
    """Findings are called by IRI, CURIE, short name, label or synonym, or as they were called before."""

    names: Names
    replacements: Mapping[str, str] = field(default_factory=dict)

    def finding(self, text: str) -> str:
        """Return the IRI that a word stands for; of a class that another took the place of, that other."""
        iri = self.names.resolve_class(text).iri
        return self.replacements.get(iri, iri)

    def shown(self, name: str) -> str:
        """Return what people read for an IRI."""
        return self.names.show(name)


def replacements_in(ontology: Ontology) -> dict[str, str]:
    """Return which class took the place of each that is deprecated (`IAO:0100001`, term replaced by)."""
    return {
        str(one.subject): one.value
        for one in ontology.annotations.assertions
        if one.property == REPLACED_BY and isinstance(one.value, str)
    }


@dataclass(frozen=True, slots=True)
class Told:
    """An axiom that gives a class a finding."""

    subject: str
    finding: str
    frequency: Fraction
    text: str


def hypotheses_of(  # noqa: PLR0913  # all but the ontology have a default
    ontology: Ontology,
    *,
    family: str = FAMILY,
    role: str = ROLE,
    probabilities: Probabilities | None = None,
    priors: Mapping[str, float] | None = None,
    noise: Noise | Listing | None = None,
) -> Hypotheses:
    """Return the lowest classes below `family` as hypotheses that exclude each other.

    A hypothesis has the coins of all classes above it. Those of the family itself are the background: every hypothesis
    has them. An axiom without a probability is a coin that always holds.

    >>> import moose
    >>> moose.hypotheses(moose.load(moose.PIZZERIA.with_name("ward.ofn")))
    Hypotheses(9 of 34 coins at 42 findings)
    """
    names = Names(ontology)
    top = _resolved(names.resolve_class, family, "ranked are the lowest classes below the family (--family)")
    stated = probabilities_of(ontology) if probabilities is None else probabilities
    how = "hypotheses have their findings by this role (role=…, on the command line --property)"
    roles = roles_below(ontology, _resolved(partial(names.resolve, ObjectProperty), role, how))
    told = list(told_findings(ontology, stated, roles, names))
    taxonomy = classify(ontology)
    if not taxonomy.is_consistent:
        raise InconsistentOntology("expected a consistent ontology, but this one is not; `moose explain` says why")
    findings = findings_of(taxonomy)
    if empty := next((one for one in told if one.finding not in findings.numbers), None):
        raise MooseError(f"expected findings that can be there, but nothing can be in that of {empty.text}; mend it")
    members = lowest_below(taxonomy, top)
    if not members:
        raise MooseError(f"expected classes below {names.show(top)} to rank, but there are none; name another family")
    coins, leak = place_coins(taxonomy, findings, members, told)
    by_iri = {names.resolve_class(name).iri: value for name, value in priors.items()} if priors is not None else None
    spelling = OntologyNames(names, replacements_in(ontology))
    return make_hypotheses(findings, members, coins, leak=leak, priors=by_iri, noise=noise, spelling=spelling)


def _resolved(resolve: Callable[[str], Class | ObjectProperty], name: str, what: str) -> str:
    """Return the IRI of a name; if there is none, and nobody wrote that name, say what it is for."""
    try:
        return resolve(name).iri
    except MooseError as error:
        if name not in (FAMILY, ROLE):
            raise
        raise MooseError(f"{error}; {what}") from None


def findings_of(taxonomy: Taxonomy) -> Findings:
    """Return all satisfiable classes of an ontology as possible findings, in their hierarchy."""
    rows = taxonomy.rows
    return Findings(rows.names, rows.pointers.astype(np.int64), rows.above.astype(np.int64))


def lowest_below(taxonomy: Taxonomy, family: str) -> list[str]:
    """Return the classes below the family that no other class is strictly below."""
    return [iri for iri in taxonomy.descendants(family) if not taxonomy.descendants(iri)]


def place_coins(
    taxonomy: Taxonomy, findings: Findings, members: Sequence[str], told: Sequence[Told]
) -> tuple[list[Coin], np.ndarray[tuple[int], np.dtype[np.float64]]]:
    """Give each hypothesis the coins of the classes above it; those that are above all are the background's."""
    rows = {iri: frozenset(taxonomy.ancestors(iri)) | {iri} for iri in members}
    shared = frozenset.intersection(*rows.values()) if len(members) > 1 else frozenset[str]()
    log_off = np.zeros(findings.count)
    coins = []
    for one in told:
        number = findings.numbers[one.finding]
        if one.subject in shared:
            with np.errstate(divide="ignore"):
                log_off[number] += np.log1p(-float(one.frequency))
            continue
        coins += [
            Coin(owner, number, float(one.frequency), one.text)
            for owner, iri in enumerate(members)
            if one.subject in rows[iri]
        ]
    return coins, -np.expm1(log_off)


# ── Which axioms say so ───────────────────────────────────────────────────────────────────────────────────────────


def roles_below(ontology: Ontology, role: str) -> frozenset[str]:
    """Return a property and all that are below it."""
    below: dict[str, set[str]] = {}
    for sub, sup in property_pairs(ontology):
        below.setdefault(sup, set()).add(sub)
    found, waiting = {role}, [role]
    while waiting:
        new = below.get(waiting.pop(), set()) - found
        found |= new
        waiting += new
    return frozenset(found)


def told_findings(
    ontology: Ontology, probabilities: Probabilities, roles: frozenset[str], names: Names
) -> Iterator[Told]:
    """Yield the axioms that give a named class a finding, and refuse other axioms that are uncertain."""
    for position, axiom in enumerate(ontology.axioms):
        value = probabilities[position]
        if value == 0:
            continue
        rows = [(sub, part) for sub, sup in inclusions(axiom) for part in conjuncts(sup)]
        fillers = [(sub, filler) for sub, part in rows if (filler := filler_of(part, roles)) is not None]
        if value < 1 and not (len(rows) == len(fillers) == 1 and isinstance(fillers[0][1], Class)):
            raise MooseError(
                f"expected uncertain axioms of the form SubClassOf(C ObjectSomeValuesFrom(r D)) with one of the "
                f"properties that are ranked by, but got {shown_axiom(axiom, names.show)}; ask `moose.query` about it"
            )
        for subject, filler in fillers:
            if isinstance(filler, Class):
                yield Told(subject, filler.iri, value, shown_axiom(axiom, names.show))


def inclusions(axiom: Axiom) -> list[tuple[str, ClassExpression]]:
    """Return what an axiom says a named class is below."""
    if isinstance(axiom, SubClassOf):
        return [(axiom.sub.iri, axiom.sup)] if isinstance(axiom.sub, Class) else []
    if isinstance(axiom, EquivalentClasses):
        named = [one.iri for one in axiom.operands if isinstance(one, Class)]
        return [(iri, one) for iri in named for one in axiom.operands if not isinstance(one, Class)]
    return []


def conjuncts(expression: ClassExpression) -> list[ClassExpression]:
    """Return the parts of a conjunction, or the expression itself."""
    if isinstance(expression, ObjectIntersectionOf):
        return [part for one in expression.operands for part in conjuncts(one)]
    return [expression]


def filler_of(part: ClassExpression, roles: frozenset[str]) -> ClassExpression | None:
    """Return C of an expression ∃r.C with one of the properties, and None for any other."""
    if isinstance(part, ObjectSomeValuesFrom) and isinstance(part.property, ObjectProperty):
        return part.filler if part.property.iri in roles else None
    return None


def shown_axiom(axiom: Axiom, show: Callable[[str], str]) -> str:
    """Write an axiom in short names, without annotations."""
    return render(replace(axiom, annotations=()), show)
