"""The plainest EL++ reasoner: the oracle that the property tests hold the real one to.

It shares nothing with the reasoner: no normal form, no indices, no integers. To find what a class A is below, it
imagines one element of A and writes down everything that must then be true of it, of the named individuals and of the
elements they need, until nothing new comes (`World`). What must be true of the imagined A is what A is below: EL is
Horn, so there is one smallest such world. An element that two statements need in the same words is written down once;
that is harmless, since nothing in EL tells one element from two with the same description, except a nominal or Self,
which have rules of their own.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from itertools import combinations, permutations

from moose.owl.model.axioms import Axiom, HasKey
from moose.owl.model.expressions import (
    BOTTOM_DATA_PROPERTY,
    BOTTOM_OBJECT_PROPERTY,
    NOTHING,
    THING,
    TOP_DATA_PROPERTY,
    TOP_OBJECT_PROPERTY,
    Class,
    ClassExpression,
    DataHasValue,
    DataOneOf,
    DataProperty,
    DataRange,
    DataSomeValuesFrom,
    Individual,
    NamedIndividual,
    ObjectHasSelf,
    ObjectHasValue,
    ObjectIntersectionOf,
    ObjectOneOf,
    ObjectProperty,
    ObjectSomeValuesFrom,
)
from tests.saturation.naive_data import is_empty, is_within
from tests.saturation.naive_reading import Ontology, nominal, read

Element = frozenset[ClassExpression]
"""An element is known by the conjuncts that it was first needed for."""
Value = frozenset[DataRange]
"""An unknown literal is known by the ranges that it lies in."""


@dataclass
class World:
    """What must be true: types, links, loops (x →r→ x) and values of the elements that must exist."""

    types: dict[Element, set[ClassExpression]] = field(default_factory=dict)
    links: dict[tuple[Element, ObjectProperty], set[Element]] = field(default_factory=lambda: defaultdict(set))
    loops: set[tuple[Element, ObjectProperty]] = field(default_factory=set)
    values: set[tuple[Element, DataProperty, Value]] = field(default_factory=set)

    def size(self) -> int:
        """Count the facts: the fixpoint is reached when the count stays."""
        types = sum(len(found) + 1 for found in self.types.values())
        return types + sum(map(len, self.links.values())) + len(self.loops) + len(self.values)

    def is_impossible(self) -> bool:
        """Say whether something that must exist must not."""
        return any(NOTHING in found for found in self.types.values())


# ── What holds in a world, and what a statement adds to it ────────────────────────────────────────────────────────


def holds(world: World, element: Element, concept: ClassExpression) -> bool:
    """Say whether the facts so far make an element an instance of a concept."""
    match concept:
        case Class() | ObjectOneOf():
            return concept == THING or concept in world.types[element]
        case ObjectIntersectionOf(operands):
            return all(holds(world, element, operand) for operand in operands)
        case ObjectHasValue(role, individual):
            return holds(world, element, ObjectSomeValuesFrom(role, nominal(individual)))
        case ObjectSomeValuesFrom(ObjectProperty() as role, filler):
            return any(holds(world, target, filler) for target in world.links.get((element, role), ()))
        case ObjectHasSelf(role):
            return (element, role) in world.loops
        case DataHasValue(data_role, literal):
            return holds(world, element, DataSomeValuesFrom((data_role,), DataOneOf((literal,))))
        case DataSomeValuesFrom((data_role,), wanted):
            if data_role == TOP_DATA_PROPERTY and not is_empty(frozenset([wanted])):
                return True
            return any(x == element and d == data_role and is_within(value, wanted) for x, d, value in world.values)
    raise NotImplementedError(concept)


def state(world: World, element: Element, concept: ClassExpression) -> None:
    """Write down that an element is an instance of a concept."""
    match concept:
        case Class() | ObjectOneOf():
            world.types[element].add(concept)
        case ObjectIntersectionOf(operands):
            for operand in operands:
                state(world, element, operand)
        case ObjectHasValue(role, individual):
            state(world, element, ObjectSomeValuesFrom(role, nominal(individual)))
        case ObjectSomeValuesFrom(ObjectProperty() as role, filler):
            world.links[element, role].add(need(world, filler))
        case ObjectHasSelf(ObjectProperty() as role):
            world.loops.add((element, role))
        case DataHasValue(data_role, literal):
            world.values.add((element, data_role, frozenset([DataOneOf((literal,))])))
        case DataSomeValuesFrom((data_role,), data_range):
            world.values.add((element, data_role, frozenset([data_range])))
        case _:
            raise NotImplementedError(concept)


def need(world: World, concept: ClassExpression, base: Element = frozenset()) -> Element:
    """Return the element of a concept (and of what `base` is needed for), which must then exist."""
    operands = concept.operands if isinstance(concept, ObjectIntersectionOf) else (concept,)
    element = base.union(operands)
    if element not in world.types:
        world.types[element] = set()
        for operand in element:
            state(world, element, operand)
    return element


# ── The rules ─────────────────────────────────────────────────────────────────────────────────────────────────────


def apply_inclusions(world: World, ontology: Ontology) -> None:
    """x ∈ C and C ⊑ D is told: x ∈ D."""
    for element in list(world.types):
        for sub, sup in ontology.inclusions:
            if holds(world, element, sub):
                state(world, element, sup)


def apply_role_inclusions(world: World, ontology: Ontology) -> None:
    """x →r→ y and r ⊑ s: x →s→ y, and the same for loops and values."""
    for (source, role), targets in list(world.links.items()):
        for sup in ontology.above[role]:
            assert isinstance(sup, ObjectProperty)
            world.links[source, sup] |= targets
    for element, role in list(world.loops):
        world.loops |= {(element, sup) for sup in ontology.above[role] if isinstance(sup, ObjectProperty)}
    for element, data_role, value in list(world.values):
        world.values |= {(element, sup, value) for sup in ontology.above[data_role] if isinstance(sup, DataProperty)}


def apply_chains(world: World, ontology: Ontology) -> None:
    """x₀ →r₁→ x₁ … →rₙ→ xₙ and r₁ ∘ … ∘ rₙ ⊑ s is told: x₀ →s→ xₙ, and a loop where all the links are loops."""
    for chain, sup in ontology.chains:
        for element in world.types:
            ends = {element}
            for role in chain:
                ends = {end for middle in ends for end in world.links.get((middle, role), ())}
            world.links[element, sup] |= ends
            if all((element, role) in world.loops for role in chain):
                world.loops.add((element, sup))


def apply_ranges(world: World, ontology: Ontology) -> None:
    """x →r→ y, r ⊑ s and s has range D: x →r→ (y that is also a D); a loop's end and a value are in D themselves."""
    for role, concept in ontology.object_ranges:
        for (_, r), targets in list(world.links.items()):
            if role in ontology.above[r]:
                targets.update([need(world, concept, one) for one in targets if not holds(world, one, concept)])
        for element, r in list(world.loops):
            if role in ontology.above[r]:
                state(world, element, concept)
    for role, data_range in ontology.data_ranges:
        for element, data_role, value in list(world.values):
            if role in ontology.above[data_role]:
                world.values.add((element, data_role, value | {data_range}))


def apply_loops(world: World, _: Ontology) -> None:
    """A loop is a link; a link between two elements that are both the individual a is a loop."""
    for element, role in world.loops:
        world.links[element, role].add(element)
    for (source, role), targets in world.links.items():
        types = {one for target in targets for one in world.types[target]}
        if any(isinstance(one, ObjectOneOf) for one in world.types[source] & types):
            world.loops.add((source, role))


def apply_nominals(world: World, _: Ontology) -> None:
    """x is the individual a: all that holds of one holds of the other."""
    for element, types in list(world.types.items()):
        for one in [one for one in types if isinstance(one, ObjectOneOf)]:
            for here, there in permutations([element, need(world, one)]):
                world.types[there] |= world.types[here]
                for role in {role for source, role in world.links if source == here}:
                    world.links[there, role] |= world.links[here, role]
                world.loops |= {(there, role) for x, role in world.loops if x == here}
                world.values |= {(there, role, value) for x, role, value in world.values if x == here}


def apply_top_role(world: World, ontology: Ontology) -> None:
    """owl:topObjectProperty links everything to everything, itself included."""
    if TOP_OBJECT_PROPERTY in ontology.above:
        for element in world.types:
            world.links[element, TOP_OBJECT_PROPERTY] |= set(world.types)
            world.loops.add((element, TOP_OBJECT_PROPERTY))


def apply_bottom(world: World, _: Ontology) -> None:
    """A link by a bottom role, or a value in no literal's range, cannot be."""
    for element in (
        [source for (source, role), targets in world.links.items() if targets and role == BOTTOM_OBJECT_PROPERTY]
        + [element for element, role in world.loops if role == BOTTOM_OBJECT_PROPERTY]
        + [element for element, role, value in world.values if role == BOTTOM_DATA_PROPERTY or is_empty(value)]
    ):
        state(world, element, NOTHING)


def apply_functional(world: World, ontology: Ontology) -> None:
    """x has values by d and e, both below the functional f: the two are one value."""
    for role in ontology.functional:
        below = [fact for fact in world.values if role in ontology.above[fact[1]]]
        for (one, d, first), (other, _, second) in permutations(below, 2):
            if one == other:
                world.values.add((one, d, first | second))


def agree(world: World, individuals: Iterable[Individual], key: HasKey, named: set[Individual]) -> bool:
    """Say whether individuals are in a key's class and have on each of its properties a named filler in common."""
    concepts: list[list[ClassExpression]] = [[key.cls]]
    concepts += [[ObjectHasValue(role, other) for other in named] for role in key.object_properties]
    literals = {one for *_, value in world.values for one in value if isinstance(one, DataOneOf)}
    concepts += [[DataSomeValuesFrom((role,), one) for one in literals] for role in key.data_properties]
    elements = [need(world, nominal(individual)) for individual in individuals]
    return all(any(all(holds(world, x, one) for x in elements) for one in choice) for choice in concepts)


def apply_keys(world: World, ontology: Ontology) -> None:
    """Two named individuals agree on a key: they are the same."""
    for key in ontology.keys:
        for one, other in combinations(ontology.individuals, 2):
            if agree(world, (one, other), key, ontology.individuals):
                state(world, need(world, nominal(one)), nominal(other))


RULES = (
    apply_inclusions,
    apply_role_inclusions,
    apply_chains,
    apply_ranges,
    apply_loops,
    apply_nominals,
    apply_top_role,
    apply_bottom,
    apply_functional,
    apply_keys,
)


def imagine(ontology: Ontology, concept: ClassExpression) -> World:
    """Write down all that must be true where a concept has an element."""
    world = World()
    for root in (concept, THING, *map(nominal, ontology.individuals)):
        need(world, root)
    before = 0
    while world.size() > before and not world.is_impossible():
        before = world.size()
        for rule in RULES:
            rule(world, ontology)
    return world


def naive_closure(axioms: Iterable[Axiom], classes: Iterable[str]) -> tuple[set[tuple[str, str]], set[str], bool]:
    """Return the subsumptions between different satisfiable named classes, the unsatisfiable ones, and consistency.

    In an inconsistent ontology every class is unsatisfiable and no subsumption is listed.
    """
    ontology, names = read(axioms), sorted(set(classes))
    if imagine(ontology, THING).is_impossible():
        return set(), set(names), False
    pairs: set[tuple[str, str]] = set()
    unsatisfiable: set[str] = set()
    for name in names:
        world = imagine(ontology, Class(name))
        if world.is_impossible():
            unsatisfiable.add(name)
        else:
            types = {one.iri for one in world.types[frozenset([Class(name)])] if isinstance(one, Class)} | {THING.iri}
            pairs |= {(name, other) for other in names if other != name and other in types}
    return pairs, unsatisfiable, True


def naive_types(axioms: Iterable[Axiom], individuals: Iterable[str]) -> dict[str, set[str]] | None:
    """Return the named classes of each individual without owl:Thing, or None where the ontology is inconsistent."""
    ontology, named = read(axioms), {NamedIndividual(name) for name in individuals}
    world = imagine(replace(ontology, individuals=ontology.individuals | named), THING)
    if world.is_impossible():
        return None
    found = {one.iri: world.types[frozenset([nominal(one)])] for one in named}
    return {
        name: {one.iri for one in types if isinstance(one, Class) and one != THING} for name, types in found.items()
    }
