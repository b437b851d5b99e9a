"""The completion rules with every instance kept: what may follow once some facts, not known yet, are given.

The same rules as in the kernel, run with every fact that evidence may bring taken as possible, and with each rule
instance kept: the instances are a propositional Horn program whose least model, under any evidence, is what the
reasoner derives from it. Individuals are the contexts {a}; what existentials bring into being are the contexts of the
fillers, one each. Nothing is cut short by ⊥, because what clashes under one evidence may not under another.

Each `conclude` names the rule of `moose.saturation.rules` that it is an instance of. The rules about individuals stand
in `individual_rules.py`, those about roles in `role_rules.py` (links put together, inclusions as premises), case
distinction in `case_rules.py`.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection

from moose.base.errors import TimeIsOver, TooManyInstances
from moose.base.memory import paused_collection
from moose.owl.normal.normal_form import BOTTOM, LITERAL, TOP, Kind, NormalForm
from moose.saturation.recorded.case_rules import CaseRules
from moose.saturation.recorded.horn import DerivedFacts
from moose.saturation.recorded.individual_rules import between_individuals, keys, named_target, nominal, share
from moose.saturation.recorded.role_rules import LinkRules, RoleFacts
from moose.saturation.recorded.rule_instance import Arrow, Fact, Inhabited, Recorded, Sub, Told, as_set
from moose.saturation.recorded.told_index import told_index

HornRule = tuple[tuple[int, ...], int]
"""Body and head, as positions in `Calculus.facts`."""
FACTS_BETWEEN = 16
"""How many facts are found between two looks at the clock."""


class Calculus:
    """A growing set of possible facts, and every rule instance among them."""

    def __init__(  # noqa: PLR0913  # how the rules are to be run
        self,
        form: NormalForm,
        uncertain: Collection[int] = (),
        *,
        is_goal_directed: bool = False,
        are_paths_one_way: bool = False,
        is_sparing: bool = False,
        are_rules_named: bool = True,
        most: int | None = None,
    ) -> None:
        """Take the axioms that may fail to hold; rule instances name these among their premises.

        If `is_sparing`, instances are kept only until their conclusion is derived by those that are: enough for one
        derivation of everything, where all the instances might be too many.

        If `are_paths_one_way`, of a transitive role only paths that grow at their beginning are put together: the other
        ways to put a path together lead to the same links by the same axioms, and there are as many as trees with that
        many leaves. Not where evidence may bring links.

        For proofs of single goals, `is_goal_directed`: paths are one-way, and contexts are opened by `widen` only, ring
        by ring around those that were started.

        Who needs bodies and heads alone says that instances need not be kept with their rules, by `are_rules_named`.
        With `most`, `TooManyInstances` is raised when there are more instances than that.
        """
        self.form = form
        self.uncertain = frozenset(uncertain)
        self.is_certain = not self.uncertain
        """What is derived holds, so that one way to derive it is as good as another."""
        self.index = told_index(form)
        self.facts: list[Fact] = []
        self.rules: dict[HornRule, list[Recorded]] = {}
        """The instances by body and head; several where axioms that are certain say the same."""
        self.asserted: set[int] = set()
        """What holds of {a} not by a rule about its concepts: it must be said of all that is a."""
        self._positions: dict[Fact, int] = {}
        self._told: dict[int, tuple[int, ...]] = {}
        """The premises that axioms hold, as far as they were needed."""
        self._waiting: list[int] = []
        self.subsumers: defaultdict[int, dict[int, int]] = defaultdict(dict)
        self._telling: defaultdict[int, dict[int, int]] = defaultdict(dict)
        """Of the subsumers, those that tell whoever has a link there something."""
        self.known_as: defaultdict[int, dict[int, int]] = defaultdict(dict)
        """For each {a}, the other contexts that lie in it, and the facts that say so."""
        self.outgoing: defaultdict[int, list[tuple[int, int, int]]] = defaultdict(list)
        self.incoming: defaultdict[int, list[tuple[int, int, int]]] = defaultdict(list)
        self._inhabited: dict[int, int] = {}
        self.contexts: dict[int, None] = {}
        self._decomposed: set[int] = set()
        self._somewhere: dict[int, None] = {}
        self._is_goal_directed = is_goal_directed
        self._derived = DerivedFacts() if is_sparing else None
        self._are_rules_named = are_rules_named
        self._pending: dict[int, None] = {}
        self._most = most
        self.roles, self.cases = RoleFacts(self), CaseRules(self)
        self.links = LinkRules(self, are_paths_one_way=is_goal_directed or are_paths_one_way)
        if not is_goal_directed:
            for individual in form.nominal_concepts.tolist():
                self.start(individual)

    # ── Facts and rules ──

    def position(self, fact: Fact) -> int:
        """Number a fact and queue it when it is new."""
        position = self._positions.get(fact)
        if position is None:
            position = self._positions[fact] = len(self.facts)
            self.facts.append(fact)
            self._waiting.append(position)
        return position

    def find(self, fact: Fact) -> int | None:
        """Return the number of a fact that is possible, or None."""
        return self._positions.get(fact)

    def is_derived(self, fact: tuple[int, ...]) -> bool:
        """Return whether a fact needs no further instance, because few are kept and those derive it."""
        return self._derived is not None and self._positions.get(fact) in self._derived.facts  # type: ignore[call-overload]

    def allow(self, fact: Sub | Arrow) -> int:
        """Take a fact as possible because evidence may bring it."""
        self.is_certain = False
        position = self.assert_later(fact)
        self.decompose_later(position)
        if isinstance(fact, Arrow) and self.index.is_universal(fact.role):
            self.give(fact)
        return position

    def give(self, fact: Fact) -> None:
        """Take a fact as holding by itself."""
        self.conclude("given", fact)

    def axiom(self, axiom: int) -> tuple[int, ...]:
        """Return the premise that an axiom holds; one that is certain is none."""
        premise = self._told.get(axiom)
        if premise is None:
            premise = self._told[axiom] = (self.position(Told(axiom)),) if axiom in self.uncertain else ()
        return premise

    def assert_later(self, fact: Sub | Arrow) -> int:
        """Mark a fact as asserted; at once when its turn has come and gone."""
        position = self.position(fact)
        if position not in self.asserted:
            self.asserted.add(position)
            if isinstance(fact, Sub) and fact.sup in self.subsumers[fact.sub]:
                share(self, fact.sub, position)
        return position

    def conclude(  # noqa: PLR0913  # an instance, and what its premises leave open
        self,
        rule: str,
        head: Fact,
        *premises: int,
        axioms: tuple[int, ...] = (),
        below: tuple[int, ...] = (),
        details: tuple[int, ...] = (),
        composed: bool = False,
    ) -> int:
        """Keep a rule instance, and return the number of its conclusion; what is composed on the left stays whole.

        `below` are the premises that role inclusions are, where these are uncertain.
        """
        if self._derived is not None and self._positions.get(head) in self._derived.facts:
            position = self._positions[head]
        else:
            body = premises + below if below else premises
            for axiom in axioms:
                body += self.axiom(axiom)
            found = self._positions.get(head)
            position = self.position(head) if found is None else found
            self.keep(position, body, Recorded(rule, premises, axioms, details) if self._are_rules_named else None)
        if not composed and type(head) is Sub:
            self.decompose_later(position)
        return position

    def keep(self, position: int, body: tuple[int, ...], recorded: Recorded | None) -> None:
        """Keep an instance unless its conclusion is among its premises."""
        if position not in body:
            instance = (as_set(body), position)
            known = self.rules.setdefault(instance, [])
            if recorded is not None and recorded not in known:
                known.append(recorded)
            if self._derived is not None:
                self._derived.add(body, position)

    def start(self, context: int) -> None:
        """R0, R⊤: open a context.

        ──────          ──────
        C ⊑ C           C ⊑ ⊤
        """
        if context in self.contexts:
            return
        self.contexts[context] = None
        is_data = self.kind(context) == Kind.VALUES
        self.conclude("R0", Sub(context, context))
        self.conclude("Rdata" if is_data else "R⊤", Sub(context, LITERAL if is_data else TOP))
        for concept in self._somewhere:
            self.everywhere(concept, context)

    def kind(self, context: int) -> Kind:
        """Return what a context is; one that is apart for a role's fillers is like a class."""
        kinds = self.index.kinds
        return kinds[context] if context < len(kinds) else Kind.CLASS

    def widen(self) -> bool:
        """Open the contexts met so far, or else those of all individuals; return whether there were any."""
        pending, self._pending = self._pending, {}
        if not pending:
            individuals = self.form.nominal_concepts.tolist()
            pending = dict.fromkeys(one for one in individuals if one not in self.contexts)
        for context in pending:
            self.start(context)
        return bool(pending)

    def start_later(self, context: int) -> None:
        """Open a context; if goal-directed, with the next ring."""
        if not self._is_goal_directed:
            self.start(context)
        elif context not in self.contexts:
            self._pending[context] = None

    def run(self, is_over: Callable[[], bool] | None = None) -> None:
        """Apply the rules until no fact and no instance is new; `TimeIsOver` when it is over before, to be run on."""
        with paused_collection():
            self._run(is_over)

    def release(self) -> None:
        """Let go of all facts and instances; as its parts refer back to it, only the cycle collector would do so."""
        self.__dict__.clear()

    def _run(self, is_over: Callable[[], bool] | None) -> None:
        most = self._most
        while self._waiting:
            while self._waiting:
                if is_over is not None and not len(self.facts) % FACTS_BETWEEN and is_over():
                    raise TimeIsOver("expected to derive all that can matter in time, but it is over")
                if most is not None and len(self.rules) > most:
                    raise TooManyInstances(f"expected at most {most:,} rule instances, but there are more")
                position = self._waiting.pop()
                fact = self.facts[position]
                if isinstance(fact, Sub):
                    self.subsumer(*fact, position)
                elif isinstance(fact, Arrow):
                    self.arrow(*fact, position)
                elif isinstance(fact, Inhabited):
                    self.inhabited(fact.concept, position)
            keys(self)

    # ── C ⊑ D ──

    def subsumer(self, context: int, concept: int, position: int) -> None:
        """Apply every rule that has C ⊑ D as a premise."""
        index = self.index
        row = self.subsumers[context]
        row[concept] = position
        if position in self._decomposed:
            self.decompose(context, concept, position)
        for above, axiom in index.told.get(concept, ()):
            self.conclude("R⊑", Sub(context, above), position, axioms=(axiom,))
        if concept in index.disjoint:
            for other, axiom in index.disjoint_among(concept, row):
                self.conclude("Rdisjoint", Sub(context, BOTTOM), position, row[other], axioms=(axiom,))
        for other, both in index.conjunctions.get(concept, ()):
            if other in row:
                self.conclude("R⊓+", Sub(context, both), position, row[other], composed=True)
        if concept in index.telling:
            self.tell_predecessors(context, concept, position)
        for filler, premises, axioms in self.roles.unfold(context, concept, position):
            self.conclude("Rrange", filler, *premises, axioms=axioms)
        if concept in index.nominals and concept != context:
            nominal(self, context, concept, position)
        if context in index.nominals and position in self.asserted:
            share(self, context, position)
        if concept in index.somewhere:
            self.exists(context, concept, position)
        self.cases.subsumer(context, concept, position)

    def tell_predecessors(self, context: int, concept: int, position: int) -> None:
        """R∃+ and R⊥, for all links to a context that turns out to be below a concept."""
        self._telling[context][concept] = position
        for source, role, arrow in self.incoming[context]:
            if concept in self.index.somes[role] or concept == BOTTOM:
                self.some_plus(source, role, arrow, concept, position)

    def decompose_later(self, position: int) -> None:
        """Mark a fact to be taken apart; at once when its turn has come and gone."""
        fact = self.facts[position]
        if position in self._decomposed or not isinstance(fact, Sub):
            return
        self._decomposed.add(position)
        if fact.sup in self.subsumers[fact.sub]:
            self.decompose(fact.sub, fact.sup, position)

    def decompose(self, context: int, concept: int, position: int) -> None:
        """R⊓−, R∃− (with the ranges of r in D′), Rself

        C ⊑ D ⊓ E         C ⊑ ∃r.D         C ⊑ ∃r.Self
        ──────────────    ────────────     ────────────
        C ⊑ D    C ⊑ E     C → r → D′       C → r → C
        """
        kind, first = self.kind(concept), self.index.first
        if kind is Kind.CONJUNCTION:
            self.conclude("R⊓−", Sub(context, first[concept]), position)
            self.conclude("R⊓−", Sub(context, self.index.second[concept]), position)
        elif kind is Kind.SOME:
            self.links.first_step("R∃−", Arrow(context, first[concept], self.roles.target(concept)), position)
        elif kind is Kind.SELF:
            self.links.first_step("Rself", Arrow(context, first[concept], context), position)

    def some_plus(self, source: int, role: int, arrow: int, concept: int, position: int) -> None:
        """R∃+, R⊥

        E → r → C    C ⊑ D    r ⊑* s        E → r → C    C ⊑ ⊥
        ────────────────────────────        ───────────────────
                 E ⊑ ∃s.D                          E ⊑ ⊥
        """
        row = self.subsumers[source]
        for above, some in self.index.somes[role].get(concept, ()):
            if self._derived is not None and row.get(some) in self._derived.facts:
                continue
            below = self.roles.below(role, above)
            self.conclude("R∃+", Sub(source, some), arrow, position, below=below, composed=True)
        if concept == BOTTOM:
            self.conclude("R⊥", Sub(source, BOTTOM), arrow, position)

    # ── What has an element ──

    def element(self, context: int) -> tuple[int, ...]:
        """Return the premise that a context has an element; an individual's has one."""
        return () if context in self.index.nominals else (self.position(Inhabited(context)),)

    def inhabited(self, context: int, position: int) -> None:
        """Rnonempty-link, met from its first premise"""
        self._inhabited[context] = position
        for _, target, arrow in list(self.outgoing[context]):
            if target not in self.index.nominals:
                self.conclude("Rnonempty-link", Inhabited(target), position, arrow)

    def exists(self, context: int, concept: int, position: int) -> None:
        """Runiversal: a role that relates everything to everything relates it to each D that is there

        C ⊑ D    C has an element    r relates everything    ∃r.D occurs on a left-hand side
        ─────────────────────────────────────────────────────────────────────────────────────
                                   ⊤ ⊑ ∃r.D
        """
        for some in self.index.somewhere[concept]:
            self.conclude("Runiversal", Inhabited(some), position, *self.element(context))
            if some not in self._somewhere:
                self._somewhere[some] = None
                for other in list(self.contexts):
                    self.everywhere(some, other)

    def everywhere(self, some: int, context: int) -> None:
        """Say of a context that it has what is somewhere."""
        if self.kind(context) != Kind.VALUES:
            self.conclude("Runiversal", Sub(context, some), self.position(Inhabited(some)), composed=True)

    # ── C → r → D ──

    def arrow(self, source: int, role: int, target: int, position: int) -> None:
        """Apply every rule that has C → r → D as a premise."""
        index = self.index
        self.start_later(target)
        self.outgoing[source].append((role, target, position))
        self.incoming[target].append((source, role, position))
        self.links.listed.add(position)
        somes = index.somes[role]
        for concept, below in list(self._telling[target].items()):
            if concept in somes or concept == BOTTOM:
                self.some_plus(source, role, position, concept, below)
            if concept in index.nominals and concept != target:
                named_target(self, position, concept, below)
        self.links.chains(source, role, target, position)
        self.links.functional(source, role, target, position)
        if target not in index.nominals:
            self.nonempty(source, target, position)
        elif source in index.nominals:
            between_individuals(self, source, role, target, position)

    def nonempty(self, source: int, target: int, position: int) -> None:
        """Rnonempty-link

        C has an element    C → r → D
        ──────────────────────────────
               D has an element
        """
        if source in self.index.nominals:
            self.conclude("Rnonempty-link", Inhabited(target), position)
        elif source in self._inhabited:
            self.conclude("Rnonempty-link", Inhabited(target), self._inhabited[source], position)
