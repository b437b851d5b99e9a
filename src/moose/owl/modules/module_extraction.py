"""The axioms that can matter for a goal: modules by syntactic locality, over all of OWL 2.

Starting from the names of a goal, axioms that are not local are taken in with all their names, until nothing changes.
Whatever model these axioms have becomes a model of all by letting the other names stand for nothing (or everything): so
they entail the goal, in whatever combination, just when the same combination of all axioms does.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence

from moose.owl.model import axioms as ax
from moose.owl.model import expressions as owl
from moose.owl.model.nesting import shallow_enough
from moose.owl.model.signature import PARTS, walk
from moose.owl.modules.gates import ALWAYS, Gate, Gates, Name, Opening
from moose.owl.modules.locality import Locality
from moose.owl.profile.check_profile import resolve_definitions

Inclusion = tuple[owl.ClassExpression, owl.ClassExpression]
NAME_KINDS = (owl.Class, owl.ObjectProperty, owl.DataProperty, owl.Datatype)


class Modules:
    """The axioms of an ontology, by the names that bring them in.

    >>> a, b, c = map(owl.Class, "abc")
    >>> modules = Modules([ax.SubClassOf(a, b), ax.SubClassOf(c, b), ax.SubClassOf(b, owl.ObjectUnionOf((a, c)))])
    >>> modules.module([a])
    [0, 1, 2]
    >>> modules.module([owl.Class("d")])
    []
    """

    def __init__(
        self, axioms: Sequence[ax.Axiom], *, are_others_empty: bool = True, names: list[list[Name] | None] | None = None
    ) -> None:
        """Take axioms, and the names in each as far as they are known already."""
        self._axioms = axioms
        self._names: list[list[Name] | None] = [None] * len(axioms) if names is None else names
        self._gates = Gates()
        self._always: list[int] = []
        self._at: defaultdict[Gate, list[int]] = defaultdict(list)
        self._unread = frozenset(position for position, axiom in enumerate(axioms) if type(axiom) is ax.UnreadAxiom)
        definable = resolve_definitions(axiom for axiom in axioms if isinstance(axiom, ax.DatatypeDefinition))
        locality = Locality(self._gates, are_others_empty=are_others_empty, definable=definable)
        with shallow_enough("the ontology"):
            for position, axiom in enumerate(axioms):
                gate = locality.gate(axiom)
                if gate >= 0:
                    self._at[gate].append(position)
                elif gate == ALWAYS:
                    self._always.append(position)

    def module(self, names: Iterable[Name], *, absent: Collection[int] = ()) -> list[int]:
        """Return the positions, sorted, of the axioms that can matter where these names are as they are.

        Axioms that are absent are as if they were not there.
        """
        included: dict[int, None] = {}
        opening = Opening(self._gates)
        stack: list[Name] = [*names]
        if self._unread.difference(absent):  # nobody knows which names it speaks of
            stack += self._gates.names
        seen: set[Name] = set()
        ready = self._always
        while True:
            for position in ready:
                if position not in included and position not in absent:
                    included[position] = None
                    stack += self._names_in(position)
            if not stack:
                return sorted(included)
            ready = []
            name = stack.pop()
            if name not in seen:
                seen.add(name)
                gate = self._gates.names.get(name)
                opened = [] if gate is None else opening.open(gate)
                ready = [position for one in opened for position in self._at.get(one, ())]

    def within(self, positions: Sequence[int], names: Iterable[Name], *, are_others_empty: bool) -> list[int]:
        """Return the positions of the module inside some of the axioms."""
        known: list[list[Name] | None] = [self._names_in(one) for one in positions]
        inner = Modules([self._axioms[one] for one in positions], are_others_empty=are_others_empty, names=known)
        return [positions[one] for one in inner.module(names)]

    def _names_in(self, position: int) -> list[Name]:
        names = self._names[position]
        if names is None:
            names = self._names[position] = names_in(self._axioms[position])
        return names


def names_in(value: object) -> list[Name]:
    """Return the classes, properties and datatypes inside an axiom or expression."""
    names: list[Name] = []
    stack = [value]
    while stack:  # as `walk` goes, in half the time: names have no parts of interest
        node = stack.pop()
        if isinstance(node, NAME_KINDS):
            names.append(node)
        elif isinstance(node, tuple):
            stack.extend(node)
        else:
            stack.extend([getattr(node, part) for part in PARTS.get(type(node), ())])
    return names


def datatypes_in(value: object) -> Iterator[owl.Datatype]:
    """Yield the datatypes inside an axiom or expression."""
    for part in walk(value):
        if isinstance(part, owl.Datatype):
            yield part


def goal_module(modules: Modules, goal: Inclusion, *, absent: Collection[int] = ()) -> list[int]:
    """Return the positions, sorted, of axioms that entail C ⊑ D just when all do, C and D being of OWL 2 EL.

    What is empty outside a signature leaves C as it is, if its names are in it, and makes D at most smaller, as EL has
    no negation; what is everything there leaves D and makes C at most larger. So the two kinds of modules, of C's names
    and of D's, are taken in turn, each out of the last, until they stay the same (Sattler, Schneider, Zakharyaschev
    2009 for the turns). `modules` are those of all axioms with others empty.
    """
    sub, sup = goal
    below, above = [*names_in(sub), *datatypes_in(sup)], [*names_in(sup), *datatypes_in(sub)]
    module = modules.module(below, absent=absent)
    while True:
        smaller = modules.within(module, above, are_others_empty=False)
        if smaller == module:
            return module
        module = modules.within(smaller, below, are_others_empty=True)
        if module == smaller:
            return module
