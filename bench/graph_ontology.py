"""An ontology made of a knowledge graph's own triples: what the training part says of its roles.

Every entity is a class, below those that its `isa` triples name. A role has a domain and a range, each a named class
above those classes of which a large enough share is seen on that side; a role is below another, or symmetric, if that
holds of a large enough share of its pairs. With chains, a role is handed down along `isa`. All shares are counted in
the training part alone. A role that holds everywhere shows a share of some 80 % there, as the rest of its triples was
taken for validation and test.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import numpy.typing as npt

import moose
from moose.owl.ontology import Ontology

Cube = npt.NDArray[np.bool_]
"""role × entity × entity."""
ISA, BASE, SUPPORT = "isa", "http://example.org/graph#", 10
"""A role with fewer triples has no inclusions."""
PARTS = ("train", "valid", "test")


@dataclass(frozen=True, eq=False)
class Graph:
    """Entities, roles, and the triples of each part: train, valid, test, and what was left out of train."""

    entities: tuple[str, ...]
    roles: tuple[str, ...]
    parts: Mapping[str, Cube]

    @property
    def isa(self) -> int:
        """The number of the role of subclasses."""
        return self.roles.index(ISA)


@dataclass(frozen=True, slots=True)
class Thresholds:
    """How large a share must be; above 1 for never."""

    inclusion: float = 2.0
    cover: float = 2.0
    chain: float = 2.0


@dataclass(frozen=True, eq=False)
class Rules:
    """What was mined: numbers of roles, and for each role who may be first and who may be second."""

    inclusions: tuple[tuple[int, int], ...]
    symmetric: tuple[int, ...]
    down_first: tuple[int, ...]
    """isa ∘ r ⊑ r."""
    down_second: tuple[int, ...]
    """r ∘ isa⁻ ⊑ r."""
    covers: tuple[tuple[tuple[int, ...], tuple[int, ...]], ...] | None
    """For each role the classes that its domain is above, and those of its range; None if there are no domains."""


def read_graph(folder: Path) -> Graph:
    """Read `train.txt`, `valid.txt` and `test.txt`: first, role, second."""
    triples = {
        part: [line.split("\t") for line in (folder / f"{part}.txt").read_text("utf-8").splitlines()] for part in PARTS
    }
    everything = [triple for part in triples.values() for triple in part]
    entities = sorted({name for first, _, second in everything for name in (first, second)})
    roles = sorted({role for _, role, _ in everything})
    numbers = {name: number for number, name in enumerate(entities)}
    parts = {}
    for part, own in triples.items():
        parts[part] = np.zeros((len(roles), len(entities), len(entities)), bool)
        for first, role, second in own:
            parts[part][roles.index(role), numbers[first], numbers[second]] = True
    return Graph(tuple(entities), tuple(roles), parts)


def thinned(graph: Graph, share: float, *, seed: int) -> Graph:
    """Return the graph with some of the training triples, drawn at random; all `isa` triples are kept."""
    train = graph.parts["train"]
    kept = train & (np.random.default_rng(seed).random(train.shape) < share)
    kept[graph.isa] = train[graph.isa]
    return Graph(graph.entities, graph.roles, {**graph.parts, "train": kept, "left out": train & ~kept})


def members_of(graph: Graph) -> npt.NDArray[np.bool_]:
    """Return entity × class: which entities are in which class by the training part; each is in its own."""
    above: npt.NDArray[np.bool_] = graph.parts["train"][graph.isa] | np.eye(len(graph.entities), dtype=bool)
    while (more := np.asarray(above.astype(np.int64) @ above > 0, dtype=bool)).sum() > above.sum():
        above = more
    return above


def mine(graph: Graph, thresholds: Thresholds) -> Rules:
    """Find the rules of which the training part has shares as large as asked for."""
    train, isa, above = graph.parts["train"], graph.isa, members_of(graph)
    strict = (above & ~np.eye(len(above), dtype=bool)).astype(np.int64)
    counts = train.sum((1, 2))
    usual = [role for role in range(len(train)) if role != isa and counts[role] >= SUPPORT]
    inclusions = [
        (low, high)
        for low in usual
        for high in usual
        if low != high and (train[low] & train[high]).sum() >= thresholds.inclusion * counts[low]
    ]
    symmetric = [role for role in usual if (train[role] & train[role].T).sum() >= thresholds.inclusion * counts[role]]
    downs: tuple[list[int], list[int]] = ([], [])
    for role in usual:
        for found, handed in zip(downs, (strict @ train[role] > 0, train[role] @ strict.T > 0), strict=True):
            if handed.any() and (handed & train[role]).sum() >= thresholds.chain * handed.sum():
                found.append(role)
    rules = Rules(tuple(inclusions), tuple(symmetric), tuple(downs[0]), tuple(downs[1]), None)
    if thresholds.cover > 1:
        return rules
    whole = saturated(graph, rules) if rules.down_first or rules.down_second else closed(train, rules)
    covers = [
        (cover(seen.any(1), above, thresholds.cover), cover(seen.any(0), above, thresholds.cover)) for seen in whole
    ]
    return Rules(rules.inclusions, rules.symmetric, rules.down_first, rules.down_second, tuple(covers))


def cover(seen: npt.NDArray[np.bool_], above: npt.NDArray[np.bool_], share: float) -> tuple[int, ...]:
    """Return the classes, least ones left out, of whose members such a share is seen; and who is seen besides.

    >>> above = np.eye(4, dtype=bool); above[:3, 3] = True  # 0, 1 and 2 are below 3
    >>> cover(np.array([True, True, False, False]), above, 0.5)
    (3,)
    >>> cover(np.array([True, False, False, False]), above, 1.0)
    (0,)
    """
    sizes, hits = above.sum(0), (above & seen[:, None]).sum(0)
    good = np.flatnonzero((hits >= share * sizes) & (hits > 0))
    highest = [one for one in good.tolist() if not any(above[one, other] for other in good.tolist() if other != one)]
    lonely = np.flatnonzero(seen & ~above[:, highest].any(1)).tolist() if highest else np.flatnonzero(seen).tolist()
    return tuple(sorted({*highest, *lonely}))


def closed(cube: Cube, rules: Rules) -> Cube:
    """Return triples with those that inclusions and symmetry add, pair by pair."""
    whole, before = cube.copy(), -1
    while whole.sum() != before:
        before = whole.sum()
        for low, high in rules.inclusions:
            whole[high] |= whole[low]
        for role in rules.symmetric:
            whole[role] |= whole[role].T
    return whole


def side(graph: Graph, role: int, place: int) -> str:
    """Return the name of the class that is the domain (0) or the range (1) of a role."""
    return f"{('Source', 'Target')[place]}_{role_name(graph, role)}"


def role_name(graph: Graph, role: int) -> str:
    """Return the name of a role."""
    return graph.roles[role].replace("-", "_")


def pair_ontology(graph: Graph, rules: Rules) -> Ontology:
    """Return what is said of any two entities: classes, domains, ranges, inclusions; nobody is related to himself."""
    names = [role_name(graph, role) for role in range(len(graph.roles))]
    lines = [f"Declaration(ObjectProperty(:{name})) IrreflexiveObjectProperty(:{name})" for name in names]
    lines += inclusion_axioms(graph, rules)
    if rules.covers is not None:
        lines += [f"Declaration(Class(:C_{name}))" for name in graph.entities]
        lines += [
            f"SubClassOf(:C_{graph.entities[low]} :C_{graph.entities[high]})"
            for low, high in np.argwhere(graph.parts["train"][graph.isa]).tolist()
        ]
        for role, covers in enumerate(rules.covers):
            for place, kind in enumerate(("Domain", "Range")):
                name = side(graph, role, place)
                lines += [
                    f"Declaration(Class(:{name}))",
                    f"ObjectProperty{kind}(:{role_name(graph, role)} :{name})",
                    *(f"SubClassOf(:C_{graph.entities[one]} :{name})" for one in covers[place]),
                ]
    return loaded(lines)


def inclusion_axioms(graph: Graph, rules: Rules) -> list[str]:
    """Return the inclusions between roles."""
    names = [role_name(graph, role) for role in range(len(graph.roles))]
    lines = [f"SubObjectPropertyOf(:{names[low]} :{names[high]})" for low, high in rules.inclusions]
    return lines + [f"SymmetricObjectProperty(:{names[role]})" for role in rules.symmetric]


def saturated(graph: Graph, rules: Rules) -> Cube:
    """Return all triples that follow from the training part by inclusions and chains, as the reasoner finds them.

    Of `isa`, and of its inverse by which second places are handed down, all training pairs are told.
    """
    names = [role_name(graph, role) for role in range(len(graph.roles))]
    lines = [f"Declaration(ObjectProperty(:{name}))" for name in (*names, "subtype")]
    lines += [f"Declaration(NamedIndividual(:{name}))" for name in graph.entities]
    lines += [line for line in inclusion_axioms(graph, rules) if line.startswith("Sub")]
    lines += [f"TransitiveObjectProperty(:{name})" for name in (ISA, "subtype")]
    lines += [
        f"SubObjectPropertyOf(ObjectPropertyChain(:{ISA} :{names[one]}) :{names[one]})" for one in rules.down_first
    ]
    lines += [
        f"SubObjectPropertyOf(ObjectPropertyChain(:{names[one]} :subtype) :{names[one]})" for one in rules.down_second
    ]
    told = closed(graph.parts["train"], rules)
    lines += [edge(names[role], graph.entities, first, second) for role, first, second in np.argwhere(told).tolist()]
    lines += [edge("subtype", graph.entities, second, first) for first, second in np.argwhere(told[graph.isa]).tolist()]
    whole = told.copy()
    roles = {name: role for role, name in enumerate(names)}
    entities = {name: number for number, name in enumerate(graph.entities)}
    for first, role, second in moose.realise(loaded(lines)).role_assertions():
        if (name := role.removeprefix(BASE)) in roles:
            whole[roles[name], entities[first.removeprefix(BASE)], entities[second.removeprefix(BASE)]] = True
    return closed(whole, rules)


def edge(role: str, entities: Sequence[str], first: int, second: int) -> str:
    """Write a triple."""
    return f"ObjectPropertyAssertion(:{role} :{entities[first]} :{entities[second]})"


def loaded(lines: Sequence[str]) -> Ontology:
    """Load axioms in functional syntax."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "graph.ofn"
        path.write_text(
            f"Prefix(:=<{BASE}>)\nOntology(<http://example.org/graph>\n" + "\n".join(lines) + "\n)\n", "utf-8"
        )
        return moose.load(path)
