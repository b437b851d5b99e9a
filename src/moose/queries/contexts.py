"""Axioms that hold in contexts, and a Bayesian network over what contexts are made of: exact probabilities of goals.

From Ceylan and Peñaloza 2014, "The Bayesian Description Logic BEL", IJCAR, and 2017, "The Bayesian Ontology Language
BEL", Journal of Automated Reasoning 58. An axiom is labelled by a context, a conjunction of literals over Boolean
variables; a world is a value for each variable, and entails what follows from the axioms whose contexts hold in it:

    P(goal | given) = Σ { P(w) : w ⊨ given, { α : w ⊨ κ_α } ⊨ goal } / P(given)
    P(w) = Π over variables v of P(v = w(v) | w(parents of v))

Worlds are not listed. Each row of a table P(v | parents) is a coin of its own, independent of all others, and

    v  =  ⋁ over values u of its parents of (u ∧ coin(v, u))

is a diagram over coins. The diagram of the goal is that of `moose.query`, with the diagram of its context in the place
of each axiom. So everything is exact, in fractions. An axiom may have a probability besides; one without a context or a
probability always holds.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import count, product
from pathlib import Path
from typing import TYPE_CHECKING, cast

from moose.base.errors import MooseError
from moose.base.suggestions import unknown_word
from moose.circuit.inference.evaluate import wmc
from moose.owl.model import axioms as ax
from moose.owl.modules.unused import unused_positions
from moose.owl.names import Names
from moose.owl.ontology import Ontology
from moose.queries.exact_answer import conjunction, label_of
from moose.queries.probabilities.numbers import Number, read_probability
from moose.queries.probabilities.probabilities import GivenProbabilities, Probabilities, Reading, stated_for
from moose.queries.program.brackets import bracket
from moose.queries.program.fact_diagrams import Labels
from moose.queries.program.goal_conditions import Conditions
from moose.queries.program.goals import read_goal
from moose.queries.program.program import NO_SUCH_AXIOM

if TYPE_CHECKING:
    from pysdd.sdd import SddNode

Context = Mapping[str, bool]
"""Variables and their values, all of which are to hold."""
MOST_ROWS = 4096
"""Of all tables together."""


@dataclass(frozen=True)
class Variable:
    """A Boolean variable, and how likely it is given its parents."""

    name: str
    parents: tuple[str, ...]
    table: Mapping[tuple[bool, ...], Fraction]
    """P(true) for each value of the parents."""


@dataclass(frozen=True)
class BayesianNetwork:
    """Variables, parents before children."""

    variables: tuple[Variable, ...]

    def __post_init__(self) -> None:
        if sum(len(one.table) for one in self.variables) > MOST_ROWS:
            raise MooseError(f"expected a small network, with at most {MOST_ROWS} rows in its tables, but it has more")

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the variables."""
        return tuple(one.name for one in self.variables)

    def worlds(self) -> Iterator[tuple[dict[str, bool], Fraction]]:
        """Yield every world and its probability: for small networks, and for tests."""
        for values in product((True, False), repeat=len(self.variables)):
            world, probability = dict(zip(self.names, values)), Fraction(1)
            for variable in self.variables:
                chance = variable.table[tuple(world[parent] for parent in variable.parents)]
                probability *= chance if world[variable.name] else 1 - chance
            yield world, probability


def read_network(given: Mapping[str, Number | Mapping[str, Number]]) -> BayesianNetwork:
    """Read a network: for each variable a number, or a number for each value of its parents, which stand before it.

    >>> network = read_network({"winter": "0.3", "flu": {"winter": "1/5", "not winter": 0.05}})
    >>> network.variables[1].parents, [str(one) for one in network.variables[1].table.values()]
    (('winter',), ['1/5', '1/20'])
    """
    variables = dict[str, Variable]()
    for name, said in given.items():
        if not name or name != name.strip() or name.startswith("not ") or "," in name:
            raise MooseError(
                f"expected the name of a variable without a comma, without `not` and without spaces around it, "
                f"but got {name!r}"
            )
        rows = said if isinstance(said, Mapping) else {"": said}
        contexts = [(read_context(text, variables, f"{name} that stands before it"), n) for text, n in rows.items()]
        parents = tuple(contexts[0][0]) if contexts else ()
        table = {
            tuple(context.get(parent, False) for parent in parents): read_probability(number, f"P({name} | …)")
            for context, number in contexts
        }
        is_whole = len(contexts) == len(table) == 2 ** len(parents)
        if any(set(context) != set(parents) for context, _ in contexts) or not is_whole:
            raise MooseError(
                f"expected P({name}) for every value of its parents ({', '.join(parents) or 'none'}) once, "
                f"but got it for {'; '.join(rows) or 'none'}"
            )
        variables[name] = Variable(name, parents, table)
    return BayesianNetwork(tuple(variables.values()))


def read_context(text: str, known: Iterable[str], where: str) -> dict[str, bool]:
    """Read a context such as `winter, not flu`; the empty one always holds.

    >>> read_context("winter, not flu", ["flu", "winter"], "the context")
    {'winter': True, 'flu': False}
    """
    names, context = tuple(known), dict[str, bool]()
    for part in (one.strip() for one in text.split(",") if one.strip()):
        name = part.removeprefix("not ").strip()
        if name not in names:
            raise unknown_word(f"a variable in {where}", name, names)
        if context.setdefault(name, part == name) != (part == name):
            raise MooseError(f"{where}: {name} cannot hold and not hold; keep one of the two")
    return context


@dataclass(frozen=True, eq=False)
class ContextualOntology:
    """An ontology some of whose axioms hold in contexts."""

    ontology: Ontology
    network: BayesianNetwork
    contexts: Mapping[int, Context]
    """By the position of the axiom."""
    probabilities: Probabilities = field(repr=False)

    @classmethod
    def of(
        cls,
        ontology: Ontology,
        network: Mapping[str, Number | Mapping[str, Number]],
        contexts: Mapping[str | ax.Axiom, str],
        probabilities: GivenProbabilities = None,
    ) -> ContextualOntology:
        """Read a network and the contexts of axioms, which may be written in functional syntax with short names."""
        reading, read = Reading(ontology), read_network(network)
        by_position = dict[int, Context]()
        for axiom, text in contexts.items():
            where = f"the context of {axiom}"
            context = read_context(text, read.names, where)
            for position in reading.find(axiom, where):
                if by_position.setdefault(position, context) != context:
                    raise MooseError(f"{where}: the axiom has another context already; keep one of the two")
        return cls(ontology, read, by_position, stated_for(ontology, probabilities))


def read_contexts(path: Path | str, ontology: Ontology) -> ContextualOntology:
    """Read a TOML file with the tables `network` and `contexts`, as `ContextualOntology.of` takes them."""
    try:
        content = tomllib.loads(Path(path).read_text("utf-8-sig"))
    except OSError as error:
        raise MooseError(f"{path}: expected a TOML file, but it cannot be read ({error.strerror})") from None
    except (UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise MooseError(f"{path}: expected TOML, but it is broken: {error}") from None
    if set(content) != {"network", "contexts"} or not all(isinstance(one, dict) for one in content.values()):
        raise MooseError(
            f"{path}: expected the tables [network] and [contexts], but got {', '.join(content) or 'none'}"
        )
    wrong = next((axiom for axiom, text in content["contexts"].items() if not isinstance(text, str)), None)
    if wrong is not None:
        raise MooseError(f"{path}: expected the context of {wrong} as text such as `winter, not flu`")
    return ContextualOntology.of(
        ontology,
        cast(Mapping[str, Number], content["network"]),
        cast(Mapping[str | ax.Axiom, str], content["contexts"]),
    )


@dataclass(frozen=True)
class ContextAnswer:
    """How likely a goal is in a context."""

    goal: str
    given: Context
    lower: Fraction
    upper: Fraction
    """Equal, unless axioms outside EL that can matter are not used whole."""

    @property
    def probability(self) -> Fraction:
        """The probability; an error where only bounds are known."""
        if self.lower != self.upper:
            raise MooseError(
                f"axioms outside EL are not used whole: the probability of {self.goal} lies between "
                f"{float(self.lower):.6g} and {float(self.upper):.6g}; read `lower` and `upper`"
            )
        return self.lower


def query_in_context(contextual: ContextualOntology, goal: str | ax.Axiom, *, given: str = "") -> ContextAnswer:
    """Return how likely a goal is to be entailed, given a context such as `winter, not flu`."""
    ontology, stated = contextual.ontology, contextual.probabilities
    read = read_goal(goal, Names(ontology))
    uncertain = frozenset(contextual.contexts).union(stated.uncertain)
    condition = Conditions(ontology, absent=stated.absent).condition(read, uncertain, is_reduced=False)
    around = bracket(condition, unused_positions(ontology, read.inclusions, absent=stated.absent), uncertain)
    context = read_context(given, contextual.network.names, "what is given")
    worlds = WorldDiagrams(contextual)
    where = worlds.of_context(context)
    whole = worlds.weight(where)
    if not whole:
        raise MooseError(f"expected a context that can hold as given, but {given!r} has probability 0; leave it out")
    bounds = []
    for one in (around.surely, around.possibly):
        label = label_of(worlds.labels, one)
        bounds.append(worlds.weight(worlds.labels.manager.conjoin(label, where)) / whole)
    return ContextAnswer(read.text, context, *bounds)


class WorldDiagrams:
    """Diagrams over coins: of variables, of contexts, and of the axioms that hold in them."""

    def __init__(self, contextual: ContextualOntology) -> None:
        numbers = count(NO_SUCH_AXIOM)
        coins = {
            (variable.name, values): (next(numbers), chance)
            for variable in contextual.network.variables
            for values, chance in variable.table.items()
        }
        chances = dict(coins.values()) | contextual.probabilities.uncertain
        self.labels = Labels(list(chances))
        self._weights = self.labels.weights(lambda one: (chances[one], 1 - chances[one]))
        self._holds: dict[str, SddNode] = {}
        manager = self.labels.manager
        for variable in contextual.network.variables:
            holds = manager.false()
            for values in variable.table:
                row = self.of_context(dict(zip(variable.parents, values, strict=True)))
                coin = self.labels.axiom(coins[variable.name, values][0])
                holds = manager.disjoin(holds, manager.conjoin(row, coin))
            self._holds[variable.name] = holds
        for position, context in contextual.contexts.items():
            own = [self.labels.axiom(position)] if position in contextual.probabilities.uncertain else []
            self.labels.defined[position] = conjunction(manager, [self.of_context(context), *own])

    def of_context(self, context: Context) -> SddNode:
        """Return the diagram of the worlds of a context."""
        manager = self.labels.manager
        literals = (
            self._holds[name] if value else manager.negate(self._holds[name]) for name, value in context.items()
        )
        return conjunction(manager, literals)

    def weight(self, label: SddNode) -> Fraction:
        """Return how likely a diagram is to hold."""
        return wmc(self.labels.diagram(label), self._weights)
