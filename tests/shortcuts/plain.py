"""Maps counted the slow way: every assignment, every world, every function from states to states."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations, permutations, product

import numpy as np
import numpy.typing as npt
from hypothesis import strategies as st

from moose.grounding.atoms import Atom
from moose.grounding.clauses import Clauses
from moose.grounding.ground import ground
from moose.grounding.task.task import Task
from moose.owl.model.axioms import Axiom, DisjointClasses, SubClassOf
from moose.owl.model.expressions import Class, ObjectIntersectionOf, ObjectProperty, ObjectSomeValuesFrom
from moose.owl.ontology import ontology_from_axioms
from moose.shortcuts.problem.options import Encoder, Showing

State = frozenset[str]
Signs = npt.NDArray[np.int8]
Table = dict[tuple[str, State], State]


def models(clauses: Clauses) -> list[dict[Atom, bool]]:
    """List every assignment of all atoms that satisfies the clauses."""
    rows = list(clauses)
    return [
        dict(zip(clauses.atoms, values)) | clauses.fixed
        for values in product((False, True), repeat=len(clauses.atoms))
        if all(any(values[abs(literal) - 1] == (literal > 0) for literal in row) for row in rows)
    ]


@dataclass(frozen=True)
class Shown:
    states: tuple[tuple[str, State], ...]
    evidence: tuple[tuple[Atom, bool], ...]


def shown(task: Task, showing: Showing) -> list[Shown]:
    """List what can be seen: in each latent state what follows from it, and else that it does not hold."""
    latent = [concept.name for concept in task.concepts if concept.is_latent]
    pool = showing.shown_in(task)
    closed = tuple({*task.closure, "mutex", "cover"})
    by_state: dict[tuple[tuple[str, State], ...], list[dict[Atom, bool]]] = {}
    for model in models(ground(replace(task, closure=closed))):
        key = tuple((name, frozenset(c for c in latent if model[Atom(c, (name,))])) for name in task.individuals)
        visible = {atom: truth for atom, truth in model.items() if atom.predicate in task.observed}
        by_state.setdefault(key, []).append(visible)
    found = []
    for states, seen in by_state.items():
        least = {atom: all(one[atom] for one in seen) for atom in seen[0]}
        for observed in [least] if least in seen else seen:
            literals = [(a, t) for a, t in observed.items() if a.predicate in pool]
            literals = [(a, t) for a, t in literals if t or showing.literals == "both"]
            size = len(literals) if showing.most is None else min(showing.most, len(literals))
            found += [Shown(states, chosen) for chosen in combinations(literals, size)]
    return found


def maps(task: Task, showing: Showing, encoder: Encoder) -> list[Table]:
    """List every consistent map of a whole-state encoder."""
    latent = [concept.name for concept in task.concepts if concept.is_latent]
    sights = shown(task, showing)
    worlds = models(ground(task))
    allowed = {
        one: {
            tuple((name, frozenset(c for c in latent if model[Atom(c, (name,))])) for name in task.individuals)
            for model in worlds
            if all(model[atom] == truth for atom, truth in one.evidence)
        }
        for one in sights
    }

    def place(name: str, state: State) -> tuple[str, State]:
        return ("" if encoder.is_shared else name, state)

    places = sorted({place(*pair) for one in sights for pair in one.states}, key=str)
    every = [frozenset(chosen) for size in range(len(latent) + 1) for chosen in combinations(latent, size)]
    found = []
    for images in product(every, repeat=len(places)):
        table = dict(zip(places, images))
        read = (tuple((name, table[place(name, state)]) for name, state in one.states) for one in sights)
        if all(image in allowed[one] for image, one in zip(read, sights)) and (
            not encoder.is_injective or is_injective(table)
        ):
            found.append(table)
    return found


def is_injective(table: Table) -> bool:
    return all(table[one] != table[other] for one, other in combinations(table, 2) if one[0] == other[0])


def orbits(found: Sequence[Table], symmetries: Sequence[dict[str, str]]) -> int:
    """Count maps that no symmetry leads to one another."""
    seen: set[frozenset[tuple[tuple[str, State], State]]] = set()
    count = 0
    for table in found:
        if frozenset(table.items()) in seen:
            continue
        count += 1
        for one in symmetries:
            seen.add(frozenset((place, frozenset(one[c] for c in read)) for place, read in table.items()))
    return count


def allowed_states(task: Task, showing: Showing) -> list[tuple[State, ...]]:
    """List the joint states that some evidence allows."""
    return [row for rows in allowed_by_evidence(task, showing) for row in rows]


def allowed_by_evidence(task: Task, showing: Showing) -> list[set[tuple[State, ...]]]:
    """List the joint states that each evidence allows."""
    latent = [concept.name for concept in task.concepts if concept.is_latent]
    worlds = models(ground(task))
    return [
        {
            tuple(frozenset(c for c in latent if model[Atom(c, (name,))]) for name in task.individuals)
            for model in worlds
            if all(model[atom] == truth for atom, truth in case)
        }
        for case in {one.evidence for one in shown(task, showing)}
    ]


def symmetries(task: Task, showing: Showing) -> Iterator[dict[str, str]]:
    """Yield the permutations of latent concepts that turn what evidence allows into itself, families into families."""
    latent = [concept.name for concept in task.concepts if concept.is_latent]
    families = {frozenset(family) for family in task.families}
    allowed = allowed_by_evidence(task, showing)
    for image in permutations(latent):
        one = dict(zip(latent, image))
        if {frozenset(one[c] for c in family) for family in families} == families and all(
            {tuple(frozenset(one[c] for c in state) for state in row) for row in rows} == rows for rows in allowed
        ):
            yield one


@st.composite
def small_tasks(draw: st.DrawFn, most_individuals: int = 2) -> Task:
    """Draw a task of two or three latent concepts, in a family or not, and two observed ones."""
    kind = draw(st.sampled_from(["family", "pair", "atoms", "mixed"]))
    latent = {"family": ["F1", "F2", "F3"], "pair": ["F1", "F2"], "atoms": ["A", "B"], "mixed": ["F1", "F2", "A"]}[kind]
    families = {"family": [latent], "pair": [latent], "atoms": [], "mixed": [["F1", "F2"]]}[kind]
    count = draw(st.integers(1, 1 if kind == "mixed" else most_individuals))
    names = [*latent, "P", "Q"]
    axioms = draw(st.lists(random_axiom(names), min_size=2, max_size=6))
    declared = [Class(name) for name in names]
    how = draw(st.sampled_from(["known", "observed", "latent", "left out"])) if count == 2 else "left out"
    roles = {"r": [("a", "b")]} if how == "known" else None
    facts = draw(st.sampled_from([[], [], [], ["P(a)"], [f"{latent[0]}(a)"], [f"not {latent[1]}(a)"]]))
    observed = ["P", "Q", *["r"] * (how == "observed")]
    ontology = ontology_from_axioms(axioms, declarations=[*declared, ObjectProperty("r")])
    closure = draw(st.sampled_from([("mutex", "cover", "profiles"), ("mutex", "cover"), ("mutex",), ()]))
    hidden = [*latent, *["r"] * (how == "latent")]
    unread = ["r"] if how == "latent" else []
    return Task(
        ontology, ["a", "b"][:count], observed, hidden, families, roles, facts=facts, closure=closure, unread=unread
    )


def random_axiom(names: list[str]) -> st.SearchStrategy[Axiom]:
    concept = st.sampled_from(names).map(Class)
    both = st.lists(concept, min_size=2, max_size=2, unique=True).map(lambda pair: ObjectIntersectionOf(tuple(pair)))
    some = concept.map(lambda one: ObjectSomeValuesFrom(ObjectProperty("r"), one))
    pair = st.lists(concept, min_size=2, max_size=2, unique=True)
    return st.one_of(
        st.builds(SubClassOf, concept, concept),
        st.builds(SubClassOf, concept, concept),
        pair.map(lambda two: DisjointClasses(tuple(two))),
        st.builds(SubClassOf, both, concept),
        st.builds(SubClassOf, concept, some),
        st.builds(SubClassOf, some, concept),
    )
