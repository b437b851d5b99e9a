"""The concepts, roles, axioms and sources of a certificate in the making, numbered as they are met.

Expressions that OWL writes in several ways are one concept: conjunctions are sets of their parts, without ⊤ and
repetition, nested in the order of their numbers; `ObjectHasValue(r a)` is ∃r.{a}, `DataHasValue(d v)` is ∃d.{v}.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from moose.base.errors import MooseError
from moose.owl.model import axioms as ax
from moose.owl.model import expressions as owl
from moose.owl.syntax.functional.write_functional import render

Node = tuple[str | int, ...]
"""A concept: ("top",), ("bottom",), ("class", name), ("nominal", name), ("data", spelling, …), ("and", C, D),
("some", r, C) or ("self", r)."""

Row = tuple[str | int | tuple[int, ...], ...]
"""An axiom: ("sub", C, D), ("role", r, s), ("chain", r, s, t), ("range", r, C), ("key", C, (r, …), (d, …)),
("functional", d), ("universal", r, C), ("single", C) or ("cases", C, (D, …))."""

Fact = tuple[str | int, ...]
"""("sub", C, D), ("link", C, r, D), ("role", r, s), ("nonempty", C), ("universal", r, C) or ("single", C)."""

Packed = dict[str, object]
HEAD: Packed = {"format": "moose-certificate", "version": 2}

MEANING, DATA_FACT = -1, -2
"""In place of a source: the axiom holds by what OWL means, or it is a fact about data."""

Expression = owl.ClassExpression | owl.DataRange
Role = owl.ObjectPropertyExpression | owl.DataProperty
TOP: Node = ("top",)
BOTTOM: Node = ("bottom",)
THING: Node = ("class", render(owl.THING))
LITERAL = render(owl.LITERAL)


class Unwritable(MooseError):
    """A certificate cannot say this: it is outside OWL 2 EL, or takes one name for two sorts of role."""


class NeedsThing(Exception):  # no error: it asks to begin anew
    """Data are spoken of, so that owl:Thing must be a class of its own."""


class Vocabulary:
    """Numbers for what a certificate speaks of; where there are data, owl:Thing is a class, and ⊤ holds values too."""

    def __init__(self, *, has_data: bool) -> None:
        self.nodes: list[Node] = []
        self.roles: dict[str, int] = {}
        self.rows: dict[tuple[Row, int], int] = {}
        """Each axiom, with the position of its source, by number."""
        self.told_rows: list[Row] = []
        self.sources: dict[str, int] = {}
        self.ranges: dict[int, owl.DataRange] = {}
        """The data ranges that are no intersections."""
        self._sorts: list[bool] = []
        self._numbers: dict[Node, int] = {}
        self._known: dict[Expression, int] = {}
        self._parts: dict[int, frozenset[int]] = {}
        self._sets: dict[frozenset[int], int] = {}
        self.top, self.bottom = self.number(TOP), self.number(BOTTOM)
        self.has_data = has_data
        self.thing = self.number(THING) if has_data else self.top

    # ── Concepts ──

    def number(self, node: Node) -> int:
        """Return the number of a node, a new one where there was none."""
        known = self._numbers.get(node)
        if known is None:
            known = self._numbers[node] = len(self.nodes)
            self.nodes.append(node)
        return known

    def concept(self, expression: Expression) -> int:
        """Return the number of a class expression or data range."""
        known = self._known.get(expression)
        if known is None:
            is_range = isinstance(expression, owl.DataRange)
            known = self._known[expression] = (
                self._data_range(expression) if is_range else self._class(expression)  # type: ignore[arg-type]
            )
        return known

    def _class(self, expression: owl.ClassExpression) -> int:
        match expression:
            case owl.Class(iri):
                reserved = {owl.THING.iri: self.thing, owl.NOTHING.iri: self.bottom}
                return reserved[iri] if iri in reserved else self.number(("class", f"<{iri}>"))
            case owl.ObjectIntersectionOf(operands):
                return self.conjunction(map(self.concept, operands))
            case owl.ObjectSomeValuesFrom(role, filler):
                return self.some(self.role(role), self.concept(filler))
            case owl.ObjectHasValue(role, individual):
                return self.some(self.role(role), self.nominal(individual))
            case owl.ObjectOneOf((individual,)):
                return self.nominal(individual)
            case owl.ObjectHasSelf(role):
                return self.loop(self.role(role))
            case owl.DataSomeValuesFrom((role,), data_range):
                return self.some(self.role(role), self.concept(data_range))
            case owl.DataHasValue(role, literal):
                return self.some(self.role(role), self.value(literal))
        raise Unwritable(f"expected a class expression of OWL 2 EL, but got {render(expression)}")

    def _data_range(self, data_range: owl.DataRange) -> int:
        if not self.has_data:
            raise NeedsThing
        match data_range:
            case owl.DataIntersectionOf(operands):
                return self.conjunction(map(self.concept, operands))
        number = self.number(("data", render(data_range)))
        self.ranges[number] = data_range
        return number

    @property
    def literal(self) -> int:
        """rdfs:Literal"""
        return self.concept(owl.LITERAL)

    def nominal(self, individual: owl.Individual) -> int:
        """{a}"""
        return self.number(("nominal", render(individual)))

    def value(self, literal: owl.Literal) -> int:
        """{v}"""
        return self.concept(owl.DataOneOf((literal,)))

    def some(self, role: int, filler: int) -> int:
        """∃r.C"""
        return self.number(("some", role, filler))

    def loop(self, role: int) -> int:
        """∃r.Self"""
        return self.number(("self", role))

    def pair(self, first: int, second: int) -> int:
        """C ⊓ D with just these two parts in this order."""
        return self.number(("and", first, second))

    def conjunction(self, concepts: Iterable[int]) -> int:
        """C ⊓ D ⊓ …; of data ranges without rdfs:Literal, where there is another"""
        whole = frozenset(part for concept in concepts for part in self.parts(concept))
        parts = whole - {self._numbers.get(("data", LITERAL))} or whole
        known = self._sets.get(parts)
        if known is None:
            ordered = sorted(parts)
            known = ordered[0] if ordered else self.thing
            for part in ordered[1:]:
                known = self.pair(known, part)
            self._sets[parts] = known
        return known

    def parts(self, concept: int) -> frozenset[int]:
        """Return the conjuncts of a concept; owl:Thing has none."""
        known = self._parts.get(concept)
        if known is None:
            known = self._parts[concept] = self._find_parts(concept)
        return known

    def _find_parts(self, concept: int) -> frozenset[int]:
        match self.nodes[concept]:
            case ("and", int(first), int(second)):
                return self.parts(first) | self.parts(second)
        return frozenset() if concept in (self.thing, self.top) else frozenset([concept])

    def is_range(self, concept: int) -> bool:
        """Return whether a concept is a data range."""
        return all(self.nodes[part][0] == "data" for part in self.parts(concept)) and bool(self.parts(concept))

    # ── Roles ──

    def role(self, role: Role) -> int:
        """Return the number of a role."""
        if isinstance(role, owl.ObjectInverseOf):
            raise Unwritable(f"expected a property, but got {render(role)}")
        is_data = isinstance(role, owl.DataProperty)
        if is_data and not self.has_data:
            raise NeedsThing
        number = self._role(render(role), is_data=is_data)
        if self._sorts[number] != is_data:
            raise Unwritable(
                f"{render(role)}: cannot be certified, as it is an object property and a data property, and "
                "certificates have one name for a property; give one of them another"
            )
        return number

    def _role(self, name: str, *, is_data: bool) -> int:
        if name not in self.roles:
            self.roles[name] = len(self.roles)
            self._sorts.append(is_data)
        return self.roles[name]

    # ── Axioms ──

    def row(self, row: Row, source: ax.Axiom | None = None, *, origin: int = MEANING) -> int:
        """Return the number of an axiom, a new one where there was none."""
        if source is not None:
            text = render(replace(source, annotations=()))
            origin = self.sources.setdefault(text, len(self.sources))
        known = self.rows.get((row, origin))
        if known is None:
            known = self.rows[row, origin] = len(self.rows)
            self.told_rows.append(row)
        return known

    def told(self, axiom: ax.Axiom) -> list[Row]:
        """Return what an axiom says, but for what it says apart (see `disjoint`)."""
        return self._told_of_concepts(axiom) or self._told_of_roles(axiom)

    def _told_of_concepts(self, axiom: ax.Axiom) -> list[Row]:
        match axiom:
            case ax.SubClassOf(sub, owl.ObjectUnionOf(members)):
                return [("cases", self.concept(sub), tuple(map(self.concept, members)))]
            case ax.SubClassOf(sub, sup):
                return [("sub", self.concept(sub), self.concept(sup))]
            case ax.EquivalentClasses(operands):
                return cycle("sub", [self.concept(operand) for operand in operands])
            case ax.SameIndividual(individuals):
                return cycle("sub", [self.nominal(one) for one in individuals])
            case ax.ObjectPropertyDomain(role, domain):
                return [("sub", self.some(self.role(role), self.thing), self.concept(domain))]
            case ax.DataPropertyDomain(data_role, domain):
                return [("sub", self.some(self.role(data_role), self.literal), self.concept(domain))]
            case ax.ObjectPropertyCharacteristic("Reflexive", role):
                return [("sub", self.thing, self.loop(self.role(role)))]
            case ax.ClassAssertion(concept, individual):
                return [("sub", self.nominal(individual), self.concept(concept))]
            case ax.ObjectPropertyAssertion(role, source, target, negative):
                return self._assertion(source, owl.ObjectHasValue(role, target), negative=negative)
            case ax.DataPropertyAssertion(data_role, source, literal, negative):
                return self._assertion(source, owl.DataHasValue(data_role, literal), negative=negative)
            case ax.HasKey(concept, roles, data_roles):
                numbers = [tuple(map(self.role, part)) for part in (roles, data_roles)]
                return [("key", self.concept(concept), *numbers)]
        return []

    def _assertion(self, source: owl.Individual, claim: owl.ClassExpression, *, negative: bool) -> list[Row]:
        one, other = self.nominal(source), self.concept(claim)
        return [("sub", self.conjunction([one, other]), self.bottom)] if negative else [("sub", one, other)]

    def _told_of_roles(self, axiom: ax.Axiom) -> list[Row]:
        match axiom:
            case ax.SubObjectPropertyOf((sub,), sup):
                return [("role", self.role(sub), self.role(sup))]
            case ax.SubObjectPropertyOf(chain, sup):
                return self._chain(chain, self.role(sup))
            case ax.ObjectPropertyCharacteristic("Transitive", role):
                return [("chain", self.role(role), self.role(role), self.role(role))]
            case ax.SubDataPropertyOf(data_sub, data_sup):
                return [("role", self.role(data_sub), self.role(data_sup))]
            case ax.EquivalentObjectProperties(operands) | ax.EquivalentDataProperties(operands):
                return cycle("role", [self.role(operand) for operand in operands])
            case ax.ObjectPropertyRange(role, concept):
                return [("range", self.role(role), self.concept(concept))]
            case ax.DataPropertyRange(data_role, data_range):
                return [("range", self.role(data_role), self.concept(data_range))]
            case ax.FunctionalDataProperty(data_role):
                return [("functional", self.role(data_role))]
        return []

    def _chain(self, chain: Sequence[owl.ObjectPropertyExpression], sup: int) -> list[Row]:
        """r₁ ∘ … ∘ rₙ ⊑ s, through roles that are named by the prefixes of the chain."""
        numbers = [self.role(role) for role in chain]
        rows: list[Row] = []
        left = numbers[0]
        for length in range(2, len(chain)):
            name = f"ObjectPropertyChain({' '.join(map(render, chain[:length]))})"
            rows.append(("chain", left, numbers[length - 1], self._role(name, is_data=False)))
            left = self._role(name, is_data=False)
        return [*rows, ("chain", left, numbers[-1], sup)]

    # ── Out ──

    def theory(self) -> Packed:
        """Write concepts, roles, axioms and their sources."""
        return {
            "roles": list(self.roles),
            "concepts": [list(node) for node in self.nodes],
            "sources": list(self.sources),
            "axioms": [[*map(listed, row), origin] for row, origin in self.rows],
        }


def listed(value: object) -> object:
    """Write a part of an axiom as JSON has it."""
    return list(value) if isinstance(value, tuple) else value


def cycle(kind: str, members: Sequence[int]) -> list[Row]:
    """C ≡ D ≡ … as inclusions, each in the next and the last in the first."""
    return [(kind, one, other) for one, other in zip(members, (*members[1:], members[0]), strict=True)]
