"""Graphs of examples: who is there, and which pairs the known roles join. Examples of one shape have one theory."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from moose.base.canonical import Certificate, canonical_order, certificate
from moose.base.errors import MooseError
from moose.base.suggestions import unknown_word
from moose.grounding.task.kinds import kinds_of_individuals
from moose.grounding.task.task import Task

Pairs = tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True)
class Graph:
    """The individuals of an example, by number in `task.individuals`, and the pairs of its known roles."""

    individuals: tuple[int, ...]
    """Ascending."""
    roles: tuple[tuple[str, Pairs], ...]
    """Roles by name, with their pairs; those of the task itself are among them."""


@dataclass(frozen=True, slots=True)
class Shape:
    """What two graphs share that differ in names alone."""

    colours: tuple[str, ...]
    """The different colours of its individuals: their kinds, or their names where these matter."""
    roles: tuple[str, ...]
    certificate: Certificate


def read_graphs(
    task: Task,
    individuals: Sequence[Sequence[str]] | None,
    roles: Sequence[Mapping[str, Iterable[Sequence[str]]]] | None,
    *,
    count: int,
) -> tuple[Graph, ...]:
    """Check who is in each of `count` examples and which pairs its roles join, and add what the task says of all.

    A role that some example lists is known in all; an example that does not list it has no pair of it, but for those
    that the task itself lists.
    """
    for name, values in (("individuals", individuals), ("roles", roles)):
        given: object = values
        is_list = isinstance(given, Sequence) and not isinstance(given, str)
        if values is not None and not (is_list and len(values) == count):
            got = f"{len(values)} entries" if is_list else repr(given)
            raise MooseError(f"expected {name} with one entry for each of the {count} examples, but got {got}")
    numbers = {name: number for number, name in enumerate(task.individuals)}
    names = {role.name: role for role in task.role_predicates}
    listed = dict.fromkeys(key for one in roles or () for key in _table(one))
    for role in listed:
        if role not in names:
            raise unknown_word("a role of the task in the roles of an example", str(role), tuple(names))
        if names[role].is_latent:
            raise MooseError(f"the role {role!r} is latent in the task, so that no example can list its pairs")
    known = list(dict.fromkeys((*task.edges, *listed)))
    everybody = tuple(range(len(numbers)))
    graphs = []
    for row in range(count):
        present = everybody if individuals is None else _present(numbers, individuals[row], row)
        own = {} if roles is None else roles[row]
        pairs = [(role, _pairs(task, numbers, own.get(role, ()), (role, row, frozenset(present)))) for role in known]
        graphs.append(Graph(present, tuple(pairs)))
    return tuple(graphs)


def write_graphs(
    task: Task, graphs: Iterable[Graph]
) -> tuple[list[tuple[str, ...]], list[dict[str, tuple[tuple[str, str], ...]]]]:
    """Return the individuals and the roles of graphs by name, as `read_graphs` takes them."""
    names = task.individuals
    people, roles = [], []
    for graph in graphs:
        people.append(tuple(names[one] for one in graph.individuals))
        roles.append({role: tuple((names[one], names[other]) for one, other in pairs) for role, pairs in graph.roles})
    return people, roles


def _table(value: object) -> Mapping[str, object]:
    if not isinstance(value, Mapping):
        raise MooseError(f"expected a table from roles to lists of pairs for each example, but got {value!r}")
    return value


def _present(numbers: Mapping[str, int], names: object, row: int) -> tuple[int, ...]:
    if isinstance(names, str) or not isinstance(names, Iterable):
        raise MooseError(f"expected a list of individuals for example {row}, but got {names!r}")
    chosen = list(names)
    for name in chosen:
        if not isinstance(name, str) or name not in numbers:
            raise unknown_word(f"an individual of the task in example {row}", str(name), tuple(numbers))
    if not chosen or len(set(chosen)) != len(chosen):
        raise MooseError(f"expected each individual of example {row} once, and at least one, but got {chosen}")
    return tuple(sorted(numbers[name] for name in chosen))


def _pairs(task: Task, numbers: Mapping[str, int], pairs: object, where: tuple[str, int, frozenset[int]]) -> Pairs:
    role, row, present = where
    if isinstance(pairs, str | Mapping) or not isinstance(pairs, Iterable):
        raise MooseError(f"expected a list of pairs of individuals for {role} of example {row}, but got {pairs!r}")
    shared = {(numbers[one], numbers[other]) for one, other in task.edges.get(role, ())}
    own = {pair for pair in shared if present.issuperset(pair)}
    for pair in pairs:
        if not isinstance(pair, list | tuple) or len(pair) != 2:
            raise MooseError(f"expected a pair of individuals for {role} of example {row}, but got {pair!r}")
        for name in pair:
            if not isinstance(name, str) or name not in numbers or numbers[name] not in present:
                raise MooseError(
                    f"{role} of example {row} joins {name!r}, which is no individual of that example; "
                    f"list it there, or leave the pair out"
                )
        own.add((numbers[pair[0]], numbers[pair[1]]))
    return tuple(sorted(own))


def shape_of(task: Task, graph: Graph) -> tuple[Shape, tuple[int, ...]]:
    """Return the shape of a graph, and its individuals in the order in which all graphs of that shape agree."""
    colour_of = individual_colours(task)
    colours = sorted({colour_of[one] for one in graph.individuals})
    ranks = {colour: rank for rank, colour in enumerate(colours)}
    local = {individual: node for node, individual in enumerate(graph.individuals)}
    painted = [ranks[colour_of[one]] for one in graph.individuals]
    edges = [(label, local[one], local[other]) for label, (_, pairs) in enumerate(graph.roles) for one, other in pairs]
    order = canonical_order(painted, edges)
    shape = Shape(tuple(colours), tuple(role for role, _ in graph.roles), certificate(painted, edges, order))
    return shape, tuple(graph.individuals[node] for node in order)


def individual_colours(task: Task) -> list[str]:
    """Return what tells individuals apart: their kind; of those that the ontology or a fact names, their name."""
    kind_of = kinds_of_individuals(dict(task.kinds or {}))
    named = {name for atom in task.known for name in atom.arguments}
    return [
        f"is {name}" if name in named or task.iris[name] is not None else f"of {kind_of.get(name, '')}"
        for name in task.individuals
    ]


def task_of_shape(task: Task, shape: Shape, graph: Graph, order: Sequence[int]) -> Task:
    """Return the task of all examples of a shape, in the names of the graph that comes first."""
    if shape not in task.tasks_by_shape:
        task.tasks_by_shape[shape] = task_of_graph(task, graph, order)
    return task.tasks_by_shape[shape]


def task_of_graph(task: Task, graph: Graph, order: Sequence[int]) -> Task:
    """Return the task of the examples that have this graph, its individuals in an order of theirs."""
    names = [task.individuals[one] for one in order]
    chosen = set(names)
    kinds = {
        key: replace(kind, individuals=[name for name in kind.individuals if name in chosen])
        for key, kind in (task.kinds or {}).items()
    }
    facts = [
        f"{'' if is_true else 'not '}{atom}"
        for atom, is_true in task.known.items()
        if chosen.issuperset(atom.arguments)
    ]
    roles = {
        role: [(task.individuals[one], task.individuals[other]) for one, other in pairs] for role, pairs in graph.roles
    }
    return replace(task, individuals=names, roles=roles, facts=facts, kinds=kinds)
