"""What may stand where in an OWL 2 construct: the sorts of arguments, and the shapes that check them before building.

An argument is a value of the model or, while its sort is still open, a bare token (`str`) of functional syntax such as
`<http://example.org/A>`, `:A` or `"1"^^xsd:integer`: the sort of the position decides what the token stands for.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import get_args

from moose.base.errors import MooseError
from moose.owl.model import expressions as model
from moose.owl.model.axioms import Annotation, AnnotationAssertion, Annotations, Axiom, Declaration

RULE_REASON = "a SWRL rule is outside OWL 2"

Names = Sequence[Mapping[str, object]]
"""For each sort, at its index, what a bare token stands for there."""

Build = Callable[[list[object], Names], object]
"""Builds one construct from its arguments, or raises `IllFormed`."""


class IllFormed(MooseError):
    """A construct got arguments that it cannot have; `culprit` is the argument to point at, if there is one."""

    def __init__(self, message: str, culprit: object = None) -> None:
        super().__init__(message)
        self.culprit = culprit


@dataclass(frozen=True, slots=True)
class Sort:
    """A kind of argument: where in `Names` its bare tokens are looked up, its name in messages, its built values."""

    index: int
    phrase: str
    types: frozenset[type]


def _types(union: object) -> frozenset[type]:
    return frozenset(get_args(union))


CLASS = Sort(0, "a class expression", _types(model.ClassExpression))
NAMED_CLASS = Sort(0, "a named class", frozenset({model.Class}))
OBJECT_PROPERTY = Sort(1, "an object property expression", _types(model.ObjectPropertyExpression))
NAMED_OBJECT_PROPERTY = Sort(1, "a named object property", frozenset({model.ObjectProperty}))
DATA_PROPERTY = Sort(2, "a data property", frozenset({model.DataProperty}))
INDIVIDUAL = Sort(3, "an individual", _types(model.Individual))
DATA_RANGE = Sort(4, "a data range", _types(model.DataRange))
DATATYPE = Sort(4, "a datatype", frozenset({model.Datatype}))
LITERAL = Sort(5, "a literal", frozenset({model.Literal}))
IRI = Sort(6, "an IRI", frozenset())
ANNOTATION_SUBJECT = Sort(7, "an IRI or an anonymous individual", frozenset({model.AnonymousIndividual}))
ANNOTATION_VALUE = Sort(
    8, "an IRI, a literal or an anonymous individual", frozenset({model.AnonymousIndividual, model.Literal})
)
CARDINALITY = Sort(9, "a number", frozenset())
ENTITY = Sort(10, "an entity such as Class(…) or ObjectProperty(…)", _types(model.Entity))
SORT_COUNT = 11

_STATEMENTS = _types(Axiom) | {Declaration, AnnotationAssertion}
_PHRASES = {
    "Group": "arguments in bare parentheses",
    "RuleText": "a part of a DLSafeRule(…)",
    "Document": "Ontology(…)",
}


def describe(argument: object) -> str:
    """Say in a few words what came, for an error message."""
    if not isinstance(argument, str):
        name = type(argument).__name__
        if type(argument) in _STATEMENTS:
            return f"the axiom {name}(…), as if a ')' were missing before it"
        return _PHRASES.get(name, f"{name}(…)")
    if argument == '"':
        return "a literal whose closing '\"' is missing"
    if argument == "<":
        return "a '<' that begins no IRI (a '>' is missing, or the IRI contains a space)"
    kind = "the literal" if argument.startswith('"') else "the number" if argument.isdecimal() else "the name"
    return f"{kind} {argument if len(argument) <= 80 else argument[:80] + '…'}"


def convert(argument: object, sort: Sort, names: Names) -> object:
    """Return the value that an argument has in a position of this sort, or raise `IllFormed`."""
    value = names[sort.index][argument] if isinstance(argument, str) else argument
    if not isinstance(argument, str) and type(value) not in sort.types:
        raise IllFormed(f"expected {sort.phrase}, but got {describe(argument)}", argument)
    return value


def split_annotations(arguments: list[object]) -> tuple[Annotations, list[object]]:
    """Part the leading annotations from the other arguments."""
    annotations: list[Annotation] = []
    for argument in arguments:
        if not isinstance(argument, Annotation):
            break
        annotations.append(argument)
    return tuple(annotations), arguments[len(annotations) :]


def check_count(arguments: list[object], least: int, most: int, expected: str) -> None:
    """Refuse too few or too many arguments; of too many, point at an axiom that has slipped in, if there is one."""
    if least <= len(arguments) <= most:
        return
    for argument in arguments[most:]:
        if type(argument) in _STATEMENTS:
            raise IllFormed(f"expected {expected}, but then came {describe(argument)}", argument)
    raise IllFormed(f"expected {expected}, but got {_counted(len(arguments))}")


def _counted(count: int) -> str:
    return "no argument" if count == 0 else "1 argument" if count == 1 else f"{count} arguments"


def fixed(
    make: Callable[..., object],
    *sorts: Sort,
    annotated: bool = False,
    plain: Callable[..., object] | None = None,
) -> Build:
    """Return the builder of a construct whose every position has its sort; `plain` makes it without annotations."""
    expected = " and ".join(sort.phrase for sort in sorts)

    def build(arguments: list[object], names: Names) -> object:
        annotations, rest = split_annotations(arguments) if annotated else ((), arguments)
        check_count(rest, len(sorts), len(sorts), expected)
        values = [convert(argument, sort, names) for argument, sort in zip(rest, sorts, strict=True)]
        return make(*values, annotations) if annotations else make(*values)

    match sorts:
        case (only,):
            return _single(plain or make, build, only)
        case (first, second):
            return _pair(plain or make, build, first, second)
        case (first, second, third):
            return _triple(plain or make, build, (first, second, third))
    return build


def _single(make: Callable[..., object], otherwise: Build, sort: Sort) -> Build:
    """Shorten the way for one argument without annotations: declarations are many."""
    index, types = sort.index, sort.types

    def build(arguments: list[object], names: Names) -> object:
        if len(arguments) != 1:
            return otherwise(arguments, names)
        only = arguments[0]
        if only.__class__ is str:
            only = names[index][only]
        elif only.__class__ not in types:
            return otherwise(arguments, names)
        return make(only)

    return build


def _pair(make: Callable[..., object], otherwise: Build, first: Sort, second: Sort) -> Build:
    """Shorten the way for two arguments without annotations: most of a large ontology is made of these."""
    first_index, first_types = first.index, first.types
    second_index, second_types = second.index, second.types

    def build(arguments: list[object], names: Names) -> object:
        if len(arguments) != 2:
            return otherwise(arguments, names)
        left, right = arguments
        if left.__class__ is str:
            left = names[first_index][left]
        elif left.__class__ not in first_types:
            return otherwise(arguments, names)
        if right.__class__ is str:
            right = names[second_index][right]
        elif right.__class__ not in second_types:
            return otherwise(arguments, names)
        return make(left, right)

    return build


def _triple(make: Callable[..., object], otherwise: Build, sorts: tuple[Sort, Sort, Sort]) -> Build:
    """Shorten the way for three bare names without annotations: graphs have millions of role assertions."""
    first, second, third = (sort.index for sort in sorts)

    def build(arguments: list[object], names: Names) -> object:
        if len(arguments) != 3:
            return otherwise(arguments, names)
        one, two, three = arguments
        if one.__class__ is two.__class__ is three.__class__ is str:
            return make(names[first][one], names[second][two], names[third][three])
        return otherwise(arguments, names)

    return build


def several(make: Callable[..., object], sort: Sort, *, annotated: bool = False) -> Build:
    """Return the builder of a construct over one or more arguments of one sort.

    The specification asks for two in most of these; writers of ontologies leave one, and its meaning is plain.
    """
    index, types = sort.index, sort.types

    def build(arguments: list[object], names: Names) -> object:
        memo = names[index]
        values = [memo[item] if item.__class__ is str else item for item in arguments]
        if values and types.issuperset(map(type, values)):
            return make(tuple(values))
        annotations, rest = split_annotations(arguments) if annotated else ((), arguments)
        check_count(rest, 1, len(rest), f"{sort.phrase}, once or more")
        operands = tuple([convert(item, sort, names) for item in rest])
        return make(operands, annotations) if annotations else make(operands)

    return build


def last_apart(make: Callable[..., object], sort: Sort, last: Sort) -> Build:
    """Return the builder of a construct with one or more arguments of one sort and a last one of another."""

    def build(arguments: list[object], names: Names) -> object:
        check_count(arguments, 2, max(2, len(arguments)), f"{sort.phrase}, once or more, and {last.phrase}")
        front = tuple([convert(argument, sort, names) for argument in arguments[:-1]])
        return make(front, convert(arguments[-1], last, names))

    return build


def counted(make: Callable[..., object], sort: Sort, filler: Sort, default: object) -> Build:
    """Return the builder of a cardinality restriction; where the filler is left out, it is the `default`."""
    expected = f"a number, {sort.phrase} and perhaps {filler.phrase}"

    def build(arguments: list[object], names: Names) -> object:
        check_count(arguments, 2, 3, expected)
        number = convert(arguments[0], CARDINALITY, names)
        role = convert(arguments[1], sort, names)
        return make(number, role, convert(arguments[2], filler, names) if len(arguments) == 3 else default)

    return build
