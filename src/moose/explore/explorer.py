"""Every answer that the page asks for, by its name, as values that JSON can hold."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from functools import cached_property
from itertools import islice
from threading import RLock, Thread

from moose.base.errors import MooseError
from moose.circuit.limits import Limits
from moose.explore.class_axioms import ClassAxioms
from moose.explore.class_tree import ROOT, ClassTree
from moose.explore.label_index import LabelIndex
from moose.explore.proof_pictures import explanation_json
from moose.explore.shown_text import ShownText
from moose.explore.sliders import Sliders
from moose.owl.model.annotations import AnnotationAxioms
from moose.owl.model.axioms import SubClassOf
from moose.owl.model.expressions import NOTHING, THING, Class, Literal
from moose.owl.names import SYNONYMS, Names, short_name
from moose.owl.ontology import Ontology
from moose.owl.syntax.functional.write_functional import render
from moose.queries.justify.justifications import justifications, repairs
from moose.queries.probabilities.probabilities import Probabilities, probabilities_of
from moose.saturation.answers.taxonomy import Taxonomy, classify
from moose.saturation.answers.unsatisfiable import UnsatisfiableClass, unsatisfiable_classes
from moose.saturation.proofs.explain import explain
from moose.shortcuts.count.find_shortcuts import Effort, solve
from moose.shortcuts.count.verdict import verdict
from moose.shortcuts.problem.problem import Problem

MOST_MATCHES = 50
MOST_CHILDREN = 200
"""Children that are sent at once; the page asks for more."""
MOST_USES = 50
MOST_NAMES = 500
"""Classes of one relation that the answer to a DL query lists."""
MOST_SETS = 5
LONGEST_TEXT = 4_000
SECONDS = 10.0
"""For justifications and repairs; more is for the command line."""
SHORTCUT_SECONDS = 60.0

Values = dict[str, object]
Parameters = Mapping[str, str]


class Explorer:
    """One ontology, classified, and what a page can ask of it."""

    def __init__(
        self,
        ontology: Ontology,
        *,
        taxonomy: Taxonomy | None = None,
        names: Names | None = None,
        probabilities: Probabilities | None = None,
        problem: Problem | None = None,
    ) -> None:
        self.ontology = ontology
        self.taxonomy = taxonomy or classify(ontology)
        self.names = names or Names(ontology)
        self.problem = problem
        self._stated = probabilities
        self.shown = ShownText(self.names.show, frozenset([*ontology.classes, ROOT, NOTHING.iri]))
        self.tree = ClassTree(self.taxonomy, self._sorting_name)
        self._sliders: dict[str, Sliders] = {}
        self._reasoning = RLock()
        self._reading = RLock()
        self._synonym_reader: Thread | None = None
        # What only looks something up runs at any time; what reasons, one at a time: its libraries are not for threads.
        self.lookups: dict[str, Callable[[Parameters], Values]] = {
            "about": self.about,
            "search": self.search,
            "children": self.children,
            "path": self.path,
            "class": self.describe,
            "annotations": self.annotations,
        }
        self.questions: dict[str, Callable[[Parameters], Values]] = {
            "why": self.why,
            "query": self.query,
            "unsatisfiable": self.unsatisfiable,
            "sets": self.justifications_and_repairs,
            "probability": self.probability,
            "shortcuts": self.shortcuts,
        }

    def answer(self, name: str, parameters: Parameters) -> Values:
        """Answer a question by its name; KeyError if there is none of this name."""
        if name in self.lookups:
            return self.lookups[name](parameters)
        ask = self.questions[name]
        with self._reasoning:
            return ask(parameters)

    def prepare(self) -> None:
        """Make the indexes that the first search, the first branch and the first class need."""
        self._index.search("a", 1)
        self.children({"iri": ROOT})
        self.describe({"iri": ROOT})

    def read_synonyms(self) -> None:
        """Read the file again for synonyms while others look things up: of a large one that takes a while."""
        self._synonym_reader = Thread(target=self._by_synonym, args=("",), name="synonyms", daemon=True)
        self._synonym_reader.start()

    # ── Looking something up ──────────────────────────────────────────────────────────────────────────────────────

    def about(self, parameters: Parameters) -> Values:  # noqa: ARG002  # all take parameters
        """Say what ontology this is."""
        taxonomy = self.taxonomy
        return {
            "iri": self.ontology.iri,
            "classes": len(taxonomy.classes),
            "axioms": len(self.ontology.axioms),
            "unsatisfiable": len(taxonomy.unsatisfiable),
            "is_consistent": taxonomy.is_consistent,
            "outside_el": len(self.ontology.profile.outside),
            "unused": len(taxonomy.unused),
            "has_task": self.problem is not None,
            "root": ROOT,
        }

    def search(self, parameters: Parameters) -> Values:
        """Find classes by label, short name or CURIE; by synonym where none of these fits."""
        text = text_of(parameters, "text")
        found = self._index.search(text, MOST_MATCHES)
        is_reading = not found and self._synonym_reader is not None and self._synonym_reader.is_alive()
        if not found and not is_reading:
            found = self._by_synonym(text)
        matches = [self.shown.entity(iri) for iri in found]
        return {"matches": matches, "is_cut": len(found) >= MOST_MATCHES, "is_reading": is_reading}

    def children(self, parameters: Parameters) -> Values:
        """Return the classes directly below a class, some at a time."""
        iri = self._class(parameters, "iri")
        start = whole_number(parameters.get("from", "0"))
        below = self.tree.children(iri)
        nodes = [self._node(one) for one in below[start : start + MOST_CHILDREN]]
        return {"children": nodes, "total": len(below)}

    def path(self, parameters: Parameters) -> Values:
        """Return a way from the root to a class."""
        return {"path": [self._node(one) for one in self.tree.path(self._class(parameters, "iri"))]}

    def describe(self, parameters: Parameters) -> Values:
        """Return a class: its names, its axioms, its inferred place."""
        iri = self._class(parameters, "iri")
        is_named = iri not in (THING.iri, NOTHING.iri)
        asserted = self._axioms.asserted_parents(iri)
        uses, use_count = self._axioms.other(iri, MOST_USES)
        parents = self.taxonomy.parents(f"<{iri}>") if is_named else ()
        return {
            **self.shown.entity(iri),
            "label": self.names.label(iri),
            "is_satisfiable": iri == THING.iri or iri in self.taxonomy.row_numbers,
            "axioms": [self.shown.axiom(one) for one in self._axioms.own(iri)],
            "uses": [self.shown.axiom(one) for one in uses],
            "use_count": use_count,
            "parents": [{**self.shown.entity(one), "is_asserted": one in asserted} for one in parents],
            "equivalents": [self.shown.entity(one) for one in self.taxonomy.equivalents(f"<{iri}>")]
            if is_named
            else [],
            "child_count": self.tree.count(iri),
        }

    def annotations(self, parameters: Parameters) -> Values:
        """Return what is annotated to a class; the file is read again when this is first asked."""
        told = self._annotations().of(self._class(parameters, "iri"))
        rows = [
            {
                "property": self.shown.entity(one.property)["name"],
                "value": one.value.lexical if isinstance(one.value, Literal) else render(one.value, self.names.show),
                "language": one.value.language if isinstance(one.value, Literal) else "",
            }
            for one in told
        ]
        return {"annotations": rows}

    # ── Reasoning ─────────────────────────────────────────────────────────────────────────────────────────────────

    def why(self, parameters: Parameters) -> Values:
        """Return proofs that a class is below another."""
        sub, sup = self._class(parameters, "sub"), self._class(parameters, "sup")
        explanation = explain(self.ontology, SubClassOf(Class(sub), Class(sup)))
        head = {"sub": self.shown.entity(sub), "sup": self.shown.entity(sup)}
        return {**head, "proofs": None if explanation is None else explanation_json(explanation, self.shown)}

    def query(self, parameters: Parameters) -> Values:
        """Answer a DL query."""
        found = self.taxonomy.query(text_of(parameters, "text"))
        relations = {
            "equivalent": found.equivalents,
            "parents": found.parents,
            "ancestors": found.ancestors,
            "children": found.children,
            "descendants": found.descendants,
            "instances": found.instances,
        }
        return {
            "is_satisfiable": found.is_satisfiable,
            "relations": {
                name: {"names": [self.shown.entity(iri) for iri in iris[:MOST_NAMES]], "total": len(iris)}
                for name, iris in relations.items()
            },
        }

    def unsatisfiable(self, parameters: Parameters) -> Values:  # noqa: ARG002  # all take parameters
        """Return the unsatisfiable classes, roots first."""
        if not self.taxonomy.is_consistent:
            return {"is_consistent": False, "classes": []}
        return {
            "is_consistent": True,
            "classes": [
                {
                    **self.shown.entity(one.iri),
                    "is_root": one.is_root,
                    "derives_from": [self.shown.entity(iri) for iri in one.derives_from],
                    "roots": [self.shown.entity(iri) for iri in one.roots],
                }
                for one in self._unsatisfiable
            ],
        }

    def justifications_and_repairs(self, parameters: Parameters) -> Values:
        """Return a few justifications of one class's being below another, and what to leave out so that it is not."""
        goal = SubClassOf(Class(self._class(parameters, "sub")), Class(self._class(parameters, "sup")))
        reasons = [one.axioms for one in islice(justifications(self.ontology, goal, limit=SECONDS), MOST_SETS)]
        mended = [one.axioms for one in islice(repairs(self.ontology, goal, limit=SECONDS), MOST_SETS)]
        write = self.shown.axiom
        return {
            "justifications": [[write(axiom) for axiom in axioms] for axioms in reasons],
            "repairs": [[write(axiom) for axiom in axioms] for axioms in mended],
        }

    def probability(self, parameters: Parameters) -> Values:
        """Return how likely a goal is, where some axioms have probabilities that the page says."""
        text = text_of(parameters, "goal")
        if text not in self._sliders:
            made = Sliders(self.ontology, text, stated=self._probabilities)
            self._sliders = {text: made}  # one at a time: the page has one goal
        sliders = self._sliders[text]
        moved = {
            whole_number(name.removeprefix("p")): fraction(value)
            for name, value in parameters.items()
            if name.startswith("p") and name[1:].isascii() and name[1:].isdigit()
        }
        values, slopes = {**sliders.values, **moved}, sliders.slopes(moved)
        return {
            "goal": sliders.goal.text,
            "probability": float(sliders.probability(moved)),
            "is_exact": sliders.is_exact,
            "axioms": [
                {
                    "position": one,
                    "axiom": self.shown.axiom(sliders.axiom(one)),
                    "probability": float(values[one]),
                    "slope": float(slopes[one]),
                }
                for one in sliders.values
            ],
            "justifications": [[self.shown.axiom(axiom) for axiom in axioms] for axioms in sliders.justifications],
        }

    def shortcuts(self, parameters: Parameters) -> Values:  # noqa: ARG002  # all take parameters
        """Return which wrong readings of latent concepts the task allows."""
        if self.problem is None:
            raise MooseError("expected a task, but got none; start with `moose explore FILE --task TASK`")
        return self._shortcuts

    # ── What is computed once ─────────────────────────────────────────────────────────────────────────────────────

    @cached_property
    def _index(self) -> LabelIndex:
        names = self.names

        def names_of(iri: str) -> list[str]:
            several = (names.label(iri), short_name(iri), names.curie(iri))
            return [one for one in several if one]

        return LabelIndex((iri, names_of(iri)) for iri in self.ontology.classes)

    @cached_property
    def _synonyms(self) -> LabelIndex:
        return LabelIndex((iri, self.synonyms_of(iri)) for iri in self.ontology.classes)

    def synonyms_of(self, iri: str) -> list[str]:
        """Return the exact synonyms of a class; the file is read again when this is first asked."""
        return [one.lexical for one in self._annotations().texts(iri, *SYNONYMS)]

    def _by_synonym(self, text: str) -> list[str]:
        """Search among synonyms; find nothing where the file is gone that they would be read from."""
        try:
            with self._reading:
                index = self._synonyms
        except MooseError:
            return []
        return index.search(text, MOST_MATCHES)

    def _annotations(self) -> AnnotationAxioms:
        """Return the annotations, which one thread reads while others wait."""
        with self._reading:
            return self.ontology.annotations

    @cached_property
    def _axioms(self) -> ClassAxioms:
        return ClassAxioms(self.ontology.axioms)

    @cached_property
    def _unsatisfiable(self) -> tuple[UnsatisfiableClass, ...]:
        return unsatisfiable_classes(self.ontology)

    @cached_property
    def _probabilities(self) -> Probabilities:
        return probabilities_of(self.ontology) if self._stated is None else self._stated

    @cached_property
    def _shortcuts(self) -> Values:
        assert self.problem is not None
        found = solve(self.problem, Effort(Limits(seconds=SHORTCUT_SECONDS)))
        return {
            "maps": str(found.maps),
            "shortcuts": str(found.shortcuts),
            "verdict": verdict(found),
            "identifiable": list(found.identifiable),
            "confused": {value: list(others) for value, others in found.confused.items()},
            "nearest": [{"text": one.text, "wrong": float(one.wrong)} for one in found.nearest(MOST_SETS * 2)],
        }

    def _node(self, iri: str) -> Values:
        return {**self.shown.entity(iri), "child_count": self.tree.count(iri)}

    def _sorting_name(self, iri: str) -> str:
        return self.names.label(iri) or short_name(iri)

    def _class(self, parameters: Parameters, name: str) -> str:
        """Return the IRI of a class that a parameter names."""
        iri = text_of(parameters, name)
        if iri in (ROOT, NOTHING.iri) or self._is_class(iri):
            return iri
        return self.names.resolve_class(iri).iri

    def _is_class(self, iri: str) -> bool:
        return iri in self.taxonomy.row_numbers or iri in self._unsatisfiable_iris

    @cached_property
    def _unsatisfiable_iris(self) -> frozenset[str]:
        return frozenset(self.taxonomy.unsatisfiable)


def text_of(parameters: Parameters, name: str) -> str:
    """Return a parameter that must be there and have no more than a few thousand letters."""
    text = parameters.get(name, "")
    if not text.strip():
        raise MooseError(f"expected a text as `{name}`, but got none; type something")
    if len(text) > LONGEST_TEXT:
        raise MooseError(f"expected at most {LONGEST_TEXT:,} letters as `{name}`, but got {len(text):,}; shorten it")
    return text


def whole_number(text: str) -> int:
    """Read a whole number that is not negative."""
    if not (text.isascii() and text.isdigit() and len(text) < 10):
        raise MooseError(f"expected a whole number from 0, but got {text[:40]!r}; write digits alone")
    return int(text)


def fraction(text: str) -> Fraction:
    """Read a probability in decimals, exactly."""
    whole, _, rest = text.partition(".")
    if not (
        len(text) <= 20 and whole.isascii() and whole.isdigit() and (not rest or (rest.isascii() and rest.isdigit()))
    ):
        raise MooseError(f"expected a probability such as 0.75, but got {text[:40]!r}; write it in decimals")
    return Fraction(text)
