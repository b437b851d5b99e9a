"""What could be changed about a task or its evidence so that fewer maps agree with it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from moose.base.suggestions import unknown_word
from moose.grounding.task.components import CLOSURE_COMPONENTS
from moose.grounding.task.task import Task
from moose.grounding.task.vocabulary import readable_name
from moose.owl.atom_text import split_names, written
from moose.owl.model.expressions import Class, ObjectProperty
from moose.owl.names import Names
from moose.owl.ontology import Ontology
from moose.owl.profile.check_profile import check_profile
from moose.owl.syntax.goal_text import parse_axiom
from moose.shortcuts.problem.options import Showing
from moose.shortcuts.problem.problem import TrueState
from moose.shortcuts.problem.states import Vocabulary

KINDS = ("show", "negatives", "declare", "close", "family", "relate", "axiom", "supervise")
"""What a change is about; those that cost least come first."""
LITERALS = ("show", "negatives", "declare", "supervise")
"""The kinds that only add literals to the evidence."""
MOST_CLASSES = 60
"""Classes that an ontology may have for those that the task leaves out to be proposed."""
WORDS = {
    "show": "show literals of {}",
    "negatives": "say what does not hold, too",
    "declare": "declare {} as observed, and show its literals",
    "close": "close the families by {}",
    "family": "declare the family {}",
    "relate": "show pairs that are known to stand in {}",
    "axiom": "add {}",
    "supervise": "label the latent {}",
}
NEEDS = {
    "show": "observation",
    "negatives": "observation",
    "declare": "observation",
    "relate": "observation",
    "supervise": "label",
    "close": "knowledge",
    "family": "knowledge",
    "axiom": "knowledge",
}
"""What a change asks for: an observation that can be recorded, a label that somebody has to give to each example, since
the concept is hidden, or knowledge of the domain."""


@dataclass(frozen=True, slots=True, order=True)
class Change:
    """One change: its kind, and the name of what it is about."""

    kind: str
    name: str = ""

    def __post_init__(self) -> None:
        if self.kind not in KINDS:
            raise unknown_word("a kind of change", self.kind, KINDS)

    @property
    def needs(self) -> str:
        """An `observation` that can be recorded, a `label` that has to be annotated, or `knowledge` of the domain."""
        return NEEDS[self.kind]

    def __str__(self) -> str:
        return WORDS[self.kind].format(self.name)


def candidates(
    task: Task, showing: Showing, true_states: Iterable[TrueState], axioms: Sequence[str] = ()
) -> list[Change]:
    """List what could be changed, the least costly first."""
    shown = set(showing.shown_in(task))
    predicates = (*task.concepts, *task.role_predicates)
    changes = [Change("show", one.name) for one in predicates if not one.is_latent and one.name not in shown]
    changes = [one for one in changes if one.name not in task.edges]
    if showing.literals == "positive":
        changes.append(Change("negatives"))
    names = Names(task.ontology)
    declared = {one.iri for one in predicates}
    left = [iri for iri in task.ontology.classes if iri not in declared]
    changes += [Change("declare", readable_name(names, Class(iri))) for iri in left if len(left) <= MOST_CLASSES]
    if task.families:
        changes += [Change("close", name) for name in CLOSURE_COMPONENTS if name not in task.closure]
    family = undeclared_family(Vocabulary.of(task), true_states)
    if family:
        changes.append(Change("family", ", ".join(map(written, family))))
    roles = [readable_name(names, ObjectProperty(iri)) for iri in task.ontology.object_properties]
    if not task.is_typed:  # a pair of what, with kinds?
        changes += [Change("relate", role) for role in roles if role not in task.edges]
    changes += [Change("axiom", text) for text in axioms]
    latent = (concept.name for concept in task.concepts if concept.is_latent and concept.name not in shown)
    return changes + [Change("supervise", name) for name in latent]


def undeclared_family(words: Vocabulary, true_states: Iterable[TrueState]) -> tuple[str, ...]:
    """Return the latent concepts outside families, if just one of them holds in every state that is shown."""
    loose = tuple(name for name in words.latent if name not in words.in_family)
    return loose if len(loose) > 1 and all(len(state & set(loose)) == 1 for _, state in true_states) else ()


def changed_tasks(task: Task, changes: Iterable[Change]) -> list[Task]:
    """Return the tasks after some changes: the task itself, and one of a pair for each role that is to be known."""
    by_kind = sort_by_kind(changes)
    families = [*task.families, *(split_names(name) for name in by_kind["family"])]
    ontology = with_axioms(task, by_kind["axiom"]) if by_kind["axiom"] else task.ontology
    changed = replace(
        task,
        ontology=ontology,
        observed=[*task.observed, *by_kind["declare"]],
        closure=[*task.closure, *by_kind["close"]],
        families=families,
    )
    return [changed, *(pair_task(changed, role) for role in by_kind["relate"])]


def changed_showing(task: Task, showing: Showing, changes: Iterable[Change]) -> Showing:
    """Return what is shown after some changes."""
    by_kind = sort_by_kind(changes)
    shown = dict.fromkeys((*showing.shown_in(task), *by_kind["show"], *by_kind["declare"], *by_kind["supervise"]))
    return Showing(tuple(shown), "both" if by_kind["negatives"] else showing.literals, showing.most, showing.states)


def sort_by_kind(changes: Iterable[Change]) -> dict[str, list[str]]:
    """Return the names of changes by kind."""
    by_kind: dict[str, list[str]] = {kind: [] for kind in KINDS}
    for change in sorted(changes):
        by_kind[change.kind].append(change.name)
    return by_kind


def pair_task(task: Task, role: str) -> Task:
    """Return a task of two new individuals that are known to stand in a role, with the same concepts."""
    return Task(
        task.ontology,
        [_new_name(task, "x"), _new_name(task, "y")],
        [concept.name for concept in task.concepts if not concept.is_latent],
        [concept.name for concept in task.concepts if concept.is_latent],
        task.families,
        {role: [(_new_name(task, "x"), _new_name(task, "y"))]},
        profiles=task.profiles,
        closure=task.closure,
    )


def _new_name(task: Task, name: str) -> str:
    while name in task.individuals:
        name += "'"
    return name


def with_axioms(task: Task, texts: Sequence[str]) -> Ontology:
    """Return the ontology of a task with more axioms, written in functional syntax."""
    names = Names(task.ontology)
    added = tuple(parse_axiom(text, "an axiom to add", names.resolve) for text in texts)
    axioms = tuple(dict.fromkeys((*task.ontology.axioms, *added)))
    return replace(task.ontology, axioms=axioms, profile=check_profile(axioms))
