"""The normal form of an ontology as rows that a certificate can hold: concepts, roles, axioms with their sources."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, fields, is_dataclass, replace

from moose.owl.model import axioms as ax
from moose.owl.model import expressions as owl
from moose.owl.model.datatypes import value_set
from moose.owl.normal.normal_form import BOTTOM, LITERAL, NO_AXIOM, TOP, Kind, NormalForm
from moose.owl.syntax.functional.write_functional import render


def spell_ranges(
    form: NormalForm, sources: Sequence[ax.Axiom], asked: Sequence[owl.ClassExpression]
) -> dict[int, tuple[str, ...]]:
    """Return the spellings of each data range: those that axioms use, else a number."""
    numbers = {values: int(number) for values, number in zip(form.value_sets, form.value_concepts, strict=True)}
    found: dict[int, dict[str, None]] = {number: {} for number in numbers.values()}
    for data_range in ranges_in([*sources, *asked]):
        number = numbers.get(value_set(data_range))
        if number is not None:
            found[number][render(data_range)] = None
    for number, spellings in found.items():
        if not spellings:
            spellings[render(owl.LITERAL) if number == LITERAL else f"the data range number {number}"] = None
    return {number: tuple(spellings) for number, spellings in found.items()}


def ranges_in(values: Sequence[object]) -> Iterator[owl.DataRange]:
    """Yield every data range that axioms or expressions name, that of a single literal included."""
    stack: list[object] = list(values)
    while stack:
        value = stack.pop()
        if isinstance(value, owl.DataRange):
            yield value
        elif isinstance(value, owl.DataHasValue | ax.DataPropertyAssertion):
            yield owl.DataOneOf((value.literal,))
        elif isinstance(value, tuple):
            stack += value
        elif is_dataclass(value) and not isinstance(value, ax.Declaration | owl.Literal):
            stack += [getattr(value, each.name) for each in fields(value) if each.name != "annotations"]


Node = tuple[str | int, ...]
"""A concept: ("top",), ("bottom",), ("class", name), ("nominal", name), ("data", spelling, …), ("and", C, D),
("some", r, C) or ("self", r)."""

Row = tuple[str | int | tuple[int, ...], ...]
"""An axiom: ("sub", C, D), ("role", r, s), ("chain", r, s, t), ("range", r, C), ("key", C, (r, …)) or
("universal", r)."""

MEANING, DATA_FACT = NO_AXIOM, -2
"""In place of a source: the axiom holds by what OWL means, or it is a fact about data."""

THING: Node = ("class", render(owl.THING))

ROLE_AXIOMS = (
    ax.SubObjectPropertyOf,
    ax.EquivalentObjectProperties,
    ax.ObjectPropertyRange,
    ax.SubDataPropertyOf,
    ax.EquivalentDataProperties,
    ax.DataPropertyRange,
)
"""Axioms whose rows among the told ones are the engine's shortcuts for ∃r.Self; a certificate derives those itself."""


@dataclass(frozen=True)
class Theory:
    """Concepts and axioms by number, as the engine numbers them, and the source of each axiom.

    Where there are data, owl:Thing is a class like any other, and ⊤ is everything, things and values.
    """

    nodes: list[Node]
    roles: list[str]
    axioms: list[Row] = field(default_factory=list)
    origins: list[int] = field(default_factory=list)
    """For each axiom the position of its source, or MEANING, or DATA_FACT."""
    sources: Sequence[ax.Axiom] = ()
    everything: int = TOP
    """The number of ⊤."""
    uncovered: list[str] = field(default_factory=list)
    """What certificates do not speak of."""

    def tell(self, row: Row, origin: int) -> None:
        """Add an axiom."""
        self.axioms.append(row)
        self.origins.append(origin)

    def source_text(self, position: int) -> str:
        """Write a source in functional syntax with full IRIs, without its annotations."""
        return render(replace(self.sources[position], annotations=()))


def read_theory(form: NormalForm, sources: Sequence[ax.Axiom], asked: Sequence[owl.ClassExpression] = ()) -> Theory:
    """Take the rows out of a normal form that knows what is asked; what certificates do not speak of is listed."""
    has_data = any(isinstance(role, owl.DataProperty) for role in form.roles)
    nodes = _nodes(form, spell_ranges(form, sources, asked) if has_data else {})
    theory = Theory(nodes, _roles(form), sources=sources, everything=len(nodes) if has_data else TOP)
    if has_data:
        nodes[TOP] = THING
        nodes.append(("top",))
    for row, origin in _rows(form, sources):
        if row[0] == "key" and _has_data_role(form, row[2]):
            theory.uncovered.append(theory.source_text(origin))
        elif row[0] == "universal" and has_data:
            theory.uncovered.append("owl:topObjectProperty beside data properties")
        else:
            theory.tell(row, origin)
    theory.uncovered.extend(theory.source_text(axiom) for _, axiom in form.functional.rows.tolist())
    _tell_disjoint(theory, form)
    if has_data:
        _tell_sorts(theory)
        _tell_narrowed(theory, form)
    return theory


def _nodes(form: NormalForm, ranges: dict[int, tuple[str, ...]]) -> list[Node]:
    nodes: list[Node] = []
    rows = zip(form.kinds.tolist(), form.first.tolist(), form.second.tolist(), strict=True)
    for number, (kind, first, second) in enumerate(rows):
        match Kind(kind):
            case Kind.CLASS:
                fixed: dict[int, Node] = {TOP: ("top",), BOTTOM: ("bottom",)}
                nodes.append(fixed.get(number, ("class", f"<{form.classes[first]}>")))
            case Kind.NOMINAL:
                nodes.append(("nominal", render(form.individuals[first])))
            case Kind.CONJUNCTION:
                nodes.append(("and", first, second))
            case Kind.SOME:
                nodes.append(("some", first, second))
            case Kind.SELF:
                nodes.append(("self", first))
            case Kind.VALUES:
                nodes.append(("data", *ranges.get(number, ())))
    return nodes


def _roles(form: NormalForm) -> list[str]:
    """Name the roles; the prefix of a chain is named by the chain that it is, so that nothing is invented."""
    names = [render(role) for role in form.roles]
    parts: dict[int, tuple[int, ...]] = {number: (number,) for number in range(len(names))}
    for left, right, result, _ in form.compositions.rows.tolist():
        if result >= len(form.roles) and result not in parts:
            parts[result] = (*parts[left], right)
    for number in range(len(form.roles), form.role_count):
        names.append(f"ObjectPropertyChain({' '.join(names[part] for part in parts[number])})")
    return names


def _rows(form: NormalForm, sources: Sequence[ax.Axiom]) -> list[tuple[Row, int]]:
    rows: list[tuple[Row, int]] = []
    for sub, sup, axiom in form.told.rows.tolist():
        origin = _origin(form, sub, axiom, sources)
        if origin is not None:
            rows.append((("sub", sub, sup), origin))
    for sub, sup, axiom in form.inclusions.rows.tolist():
        source = sources[axiom]
        if not (isinstance(source, ax.SubObjectPropertyOf) and len(source.chain) > 1):
            rows.append((("role", sub, sup), axiom))
    rows += [(("chain", *row[:3]), row[3]) for row in form.compositions.rows.tolist()]
    rows += [(("range", *row[:2]), row[2]) for row in form.ranges.rows.tolist()]
    rows += [(("key", key.concept, key.roles), key.axiom) for key in form.keys]
    if form.universal_role >= 0:
        rows.append((("universal", form.universal_role), MEANING))
    return rows


def _origin(form: NormalForm, sub: int, axiom: int, sources: Sequence[ax.Axiom]) -> int | None:
    """Return where a told row comes from; None for one that a certificate derives."""
    if axiom != NO_AXIOM:
        source = sources[axiom]
        is_chain = isinstance(source, ax.ObjectPropertyCharacteristic) and source.characteristic == "Transitive"
        return None if is_chain or isinstance(source, ROLE_AXIOMS) else axiom
    if form.kinds[sub] == Kind.VALUES:
        return DATA_FACT
    if form.kinds[sub] == Kind.SOME:
        return MEANING  # of an empty role
    everything = owl.TOP_DATA_PROPERTY in form.roles
    return DATA_FACT if sub == TOP and everything else None


def _has_data_role(form: NormalForm, roles: object) -> bool:
    assert isinstance(roles, tuple)
    return any(isinstance(form.roles[role], owl.DataProperty) for role in roles)


def _tell_disjoint(theory: Theory, form: NormalForm) -> None:
    """Add C ⊓ D ⊑ ⊥ for each two members of a disjointness."""
    known = {node: number for number, node in enumerate(theory.nodes) if node[0] == "and"}
    for members, axiom in form.disjoint:
        for position, one in enumerate(members):
            for other in members[position + 1 :]:
                node: Node = ("and", one, other)
                if node not in known:
                    known[node] = len(theory.nodes)
                    theory.nodes.append(node)
                theory.tell(("sub", known[node], BOTTOM), axiom)


def _tell_sorts(theory: Theory) -> None:
    """Add that classes, individuals and what has a successor are things, and that data are literals."""
    for number, node in enumerate(list(theory.nodes)):
        if node[0] in ("class", "nominal") and number != TOP:
            theory.tell(("sub", number, TOP), MEANING)
        elif node[0] == "data" and number != LITERAL:
            theory.tell(("sub", number, LITERAL), DATA_FACT)
    for role in range(len(theory.roles)):
        theory.nodes.append(("some", role, theory.everything))
        theory.tell(("sub", len(theory.nodes) - 1, TOP), MEANING)


def _tell_narrowed(theory: Theory, form: NormalForm) -> None:
    """Add that a data range narrowed by the ranges of a property is the intersection that the engine numbers."""
    known = {node: number for number, node in enumerate(theory.nodes) if node[0] == "and"}
    rows = form.ranges.rows.tolist()
    for number, node in enumerate(list(theory.nodes)):
        match node:
            case ("some", int(role), int(filler)) if theory.nodes[filler][0] == "data":
                narrowed = filler
                for above in sorted(set(range(form.role_count))):
                    for by, concept, _ in rows:
                        if by == above and form.is_subrole[role, above]:
                            pair: Node = ("and", narrowed, concept)
                            if pair not in known:
                                known[pair] = len(theory.nodes)
                                theory.nodes.append(pair)
                            narrowed = known[pair]
                if narrowed != filler:
                    theory.tell(("sub", narrowed, int(form.some_target[number])), DATA_FACT)
