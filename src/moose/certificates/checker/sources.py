"""That the axioms of a certificate are what the axioms of the ontology say: these stand in it in functional syntax."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from itertools import combinations

from moose.certificates.checker.reading import refuse, shortened
from moose.certificates.checker.terms import OWL, THING, Terms
from moose.certificates.checker.theory import DATA, MEANING, Theory

TOKEN = re.compile(
    r'\s*(<[^<>]*>|_:\S+?(?=[\s()]|$)|"(?:[^"\\]|\\.)*"(?:\^\^<[^<>]*>|@[\w-]+)?|[A-Za-z]+|[()])', re.DOTALL
)
MOST_DISJOINT = 2000
LITERAL = "<http://www.w3.org/2000/01/rdf-schema#Literal>"
OBJECT_ROLES = (f"<{OWL}topObjectProperty>", f"<{OWL}bottomObjectProperty>")
DATA_ROLES = (f"<{OWL}topDataProperty>", f"<{OWL}bottomDataProperty>")

Expression = str | tuple[str, list["Expression"]]
"""A name or a literal, or a constructor and what stands in its parentheses."""

Told = tuple[object, ...]
"""An axiom as in `theory`, with terms for concepts and names for roles."""


def check_sources(theory: Theory, *, wholly: bool, claim: str | None = None) -> Terms:
    """Refuse an axiom that its source does not say; if `wholly`, also a source of which something was left out."""
    terms = Terms(theory)
    reader = Reader(terms)
    said = [reader.told(parse(source)) for source in theory.sources]
    if claim is not None:
        reader.told(parse(claim))  # which says of roles whether they are of individuals or of data
    if reader.data_roles and not terms.has_thing:
        refuse("the sources speak of data, so that owl:Thing must be a concept of its own")
    for role in sorted(reader.data_roles & reader.object_roles):
        refuse(f"the sources speak of {shortened(role)} as an object property and as a data property")
    written_as: list[set[Told]] = [set() for _ in said]
    for position, (axiom, origin) in enumerate(zip(theory.axioms, theory.origins, strict=True)):
        told = spelt(axiom, theory, terms)
        if origin == MEANING:
            is_right = holds_by_meaning(axiom, theory, reader)
        elif origin == DATA:
            is_right = speaks_of_data(axiom, theory)
        else:
            is_right = said[origin] is not None and told in said[origin]  # type: ignore[operator]  # not None
            written_as[origin].add(told)
        if not is_right:
            refuse(f"axiom {position}, {shortened(axiom)}, is not what its source says", axiom=position)
    if wholly:
        check_reserved_roles(theory, terms)
    for position, expected in enumerate(said) if wholly else ():
        if expected is None:
            source = shortened(theory.sources[position])
            refuse(f"source {position} is of a kind that a saturated set does not cover: {source}")
        if not {told for told in expected if told[0] != "sub" or told[1] != told[2]} <= written_as[position]:
            refuse(f"source {position} says more than the axioms made of it: {shortened(theory.sources[position])}")
    return terms


def check_reserved_roles(theory: Theory, terms: Terms) -> None:
    """Refuse to pass over what OWL means by a role that relates everything, or nothing."""
    if terms.spellings and f"<{OWL}topObjectProperty>" in theory.roles:
        refuse("a saturated set does not cover owl:topObjectProperty beside data")
    meant = {
        tuple(spelt(axiom, theory, terms)) for axiom, origin in zip(theory.axioms, theory.origins) if origin == MEANING
    }
    wanted: dict[str, list[Told]] = {
        "topObjectProperty": [("universal", f"<{OWL}topObjectProperty>", terms.thing)],
        "bottomObjectProperty": [
            ("sub", terms.some(f"<{OWL}bottomObjectProperty>", filler), terms.bottom)
            for filler in (terms.thing, terms.top)
        ],
        "bottomDataProperty": [
            ("sub", terms.some(f"<{OWL}bottomDataProperty>", filler), terms.bottom)
            for filler in (terms.data(LITERAL), terms.top)
        ],
    }
    for role, told in wanted.items():
        if f"<{OWL}{role}>" in theory.roles and not meant.intersection(told):
            refuse(f"the axioms pass over what owl:{role} means")


def claimed(claim: str, terms: Terms) -> list[tuple[int, int]]:
    """Return the inclusions that a claim comes down to."""
    said = Reader(terms).told(parse(claim))
    pairs = [] if said is None else [told for told in said if told[0] == "sub"]
    if said is None or len(pairs) != len(said):
        refuse(f"the claim is of a kind that cannot be certified: {shortened(claim)}")
    return [(int(str(sub)), int(str(sup))) for _, sub, sup in pairs]


def spelt(axiom: list[object], theory: Theory, terms: Terms) -> Told:
    """Write an axiom with terms for its concepts and names for its roles."""
    role = theory.roles.__getitem__
    match axiom:
        case ["sub", int(sub), int(sup)]:
            return "sub", terms.of_place[sub], terms.of_place[sup]
        case ["range", int(by), int(concept)]:
            return "range", role(by), terms.of_place[concept]
        case ["key", int(concept), [*roles], [*data_roles]]:
            names = [tuple(role(int(str(each))) for each in part) for part in (roles, data_roles)]
            return "key", terms.of_place[concept], *names
        case ["universal", int(by), int(concept)]:
            return "universal", role(by), terms.of_place[concept]
        case ["single", int(concept)]:
            return "single", terms.of_place[concept]
        case ["cases", int(concept), [*members]]:
            return "cases", terms.of_place[concept], tuple(terms.of_place[int(str(each))] for each in members)
        case [kind, *roles]:
            return kind, *(role(int(str(each))) for each in roles)
    return ()


def holds_by_meaning(axiom: list[object], theory: Theory, reader: Reader) -> bool:
    """Return whether an axiom holds in every ontology: for the reserved roles, and that what is no value is a thing."""
    terms = reader.terms
    match axiom:
        case ["universal", int(role), int(concept)]:
            return theory.roles[role] == f"<{OWL}topObjectProperty>" and terms.of_place[concept] == terms.thing
        case ["range", int(role), int(concept)]:
            return not reader.is_data_role(theory.roles[role]) and terms.of_place[concept] == terms.thing
        case ["role", int(low), int(high)]:
            return reader.is_below(theory.roles[low], theory.roles[high])
        case ["single", int(concept)]:
            return theory.concepts[concept][0] == "data" and any(map(is_one_value, theory.concepts[concept][1:]))
        case ["sub", int(sub), int(sup)]:
            node, below, above = theory.concepts[sub], terms.of_place[sub], terms.of_place[sup]
            if node[0] == "some" and above == terms.bottom:
                empty = [terms.some(f"<{OWL}bottomObjectProperty>", filler) for filler in (terms.thing, terms.top)]
                empty.append(terms.some(f"<{OWL}bottomDataProperty>", terms.top))
                if LITERAL in terms.spellings:
                    empty.append(terms.some(f"<{OWL}bottomDataProperty>", terms.data(LITERAL)))
                return below in empty
            is_thing = node[0] in ("class", "nominal") or (
                node[0] == "some" and theory.concepts[int(str(node[2]))] == ["top"]
            )
            return is_thing and above == terms.thing
    return False


def speaks_of_data(axiom: list[object], theory: Theory) -> bool:
    """Return whether an axiom is a fact about data ranges; that it is a true one is taken for granted."""
    match axiom:
        case ["sub", int(sub), int(sup)]:
            above = theory.concepts[sup]
            if above[0] == "some" and theory.roles[int(str(above[1]))] == f"<{OWL}topDataProperty>":
                return theory.concepts[sub] == ["class", THING] and _is_range(theory, int(str(above[2])))
            return _is_range(theory, sub) and (above[0] == "bottom" or _is_range(theory, sup))
    return False


def _is_range(theory: Theory, concept: int) -> bool:
    node = theory.concepts[concept]
    return node[0] == "data" or (node[0] == "and" and all(_is_range(theory, int(str(part))) for part in node[1:]))


def is_one_value(spelling: object) -> bool:
    """Return whether a data range is spelt as one literal."""
    match parse(str(spelling)):
        case ("DataOneOf", [str(literal)]):
            return literal[0] == '"'
    return False


# ── Functional syntax ─────────────────────────────────────────────────────────────────────────────────────────────


def parse(text: str) -> Expression:
    """Read one expression."""
    stack: list[tuple[str, list[Expression]]] = [("", [])]
    position, name = 0, ""
    text = text.strip()
    while position < len(text):
        token = TOKEN.match(text, position)
        if token is None:
            refuse(f"expected functional syntax, but at character {position} it is not: {shortened(text)}")
        position, sign = token.end(), token[1]
        if sign == "(":
            stack.append((name, []))
            name = ""
        elif sign == ")" and len(stack) > 1 and not name:
            stack[-2][1].append(stack.pop())
        elif sign[0].isalpha() and not name:
            name = sign
        elif not name and sign != ")":
            stack[-1][1].append(sign)
        else:
            refuse(f"expected functional syntax, but at character {position} it is not: {shortened(text)}")
    if len(stack) > 1 or len(stack[0][1]) != 1 or name:
        refuse(f"expected one whole axiom in functional syntax, but got {shortened(text)}")
    return stack[0][1][0]


def written(expression: Expression) -> str:
    """Write an expression as it was read."""
    if isinstance(expression, str):
        return expression
    return f"{expression[0]}({' '.join(map(written, expression[1]))})"


class Reader:
    """What axioms of OWL 2 EL say, as terms."""

    def __init__(self, terms: Terms) -> None:
        self.terms = terms
        self.data_roles: set[str] = set()
        self.object_roles: set[str] = set()

    def told(self, axiom: Expression) -> set[Told] | None:
        """Return what an axiom says; None for one that certificates do not speak of."""
        if isinstance(axiom, str):
            refuse(f"expected an axiom, but got the name {axiom}")
        name, arguments = axiom
        if name not in AXIOM_READERS:
            return None
        arity, read = AXIOM_READERS[name]
        if len(arguments) != arity and (arity or len(arguments) < 2):
            refuse(f"{name} takes {arity or 'at least 2'} arguments, but has {len(arguments)}")
        return set(read(self, arguments))

    # ── Parts ──

    def name(self, expression: Expression) -> str:
        """Return a name."""
        if not isinstance(expression, str) or expression[0] == '"':
            refuse(f"expected a name, but got {shortened(written(expression))}")
        return expression

    def data_role(self, expression: Expression) -> str:
        """Return the name of a data property."""
        name = self.name(expression)
        self.data_roles.add(name)
        return name

    def role(self, expression: Expression) -> str:
        """Return the name of an object property."""
        name = self.name(expression)
        self.object_roles.add(name)
        return name

    def is_data_role(self, name: str) -> bool:
        """Return whether a role relates individuals to values; one that nothing is said of may do either."""
        return name in self.data_roles or name in DATA_ROLES

    def is_below(self, low: str, high: str) -> bool:
        """Return whether a role is empty or relates everything of its sort, and so is below, or above, another."""
        if low in (f"<{OWL}bottomObjectProperty>", f"<{OWL}bottomDataProperty>"):
            return True
        if high == f"<{OWL}topObjectProperty>":
            return not self.is_data_role(low)
        return high == f"<{OWL}topDataProperty>" and low not in self.object_roles and low not in OBJECT_ROLES

    def nominal(self, expression: Expression) -> int:
        """Return {a}."""
        return self.terms.nominal(self.name(expression))

    def value(self, expression: Expression) -> int:
        """Return {v} for a literal."""
        return self.terms.data(f"DataOneOf({written(expression)})")

    def data_range(self, expression: Expression) -> int:
        """Return a data range: by its spelling or, where an intersection is not spelt so, by its parts."""
        match expression:
            case ("DataIntersectionOf", [_, *_] as operands) if written(expression) not in self.terms.spellings:
                parts = {self.data_range(operand) for operand in operands}
                return self.terms.conjunction(parts - {self.terms.data(LITERAL)} or parts)
        return self.terms.data(written(expression))

    def concept(self, expression: Expression) -> int:
        """Return a class expression."""
        terms = self.terms
        match expression:
            case str():
                return terms.named(self.name(expression))
            case ("ObjectIntersectionOf", [_, *_] as operands):
                return terms.conjunction([self.concept(operand) for operand in operands])
            case ("ObjectSomeValuesFrom", [role, filler]):
                return terms.some(self.role(role), self.concept(filler))
            case ("ObjectHasValue", [role, individual]):
                return terms.some(self.role(role), self.nominal(individual))
            case ("ObjectOneOf", [individual]):
                return self.nominal(individual)
            case ("ObjectHasSelf", [role]):
                return terms.loop(self.role(role))
            case ("DataSomeValuesFrom", [role, data_range]):
                return terms.some(self.data_role(role), self.data_range(data_range))
            case ("DataHasValue", [role, value]):
                return terms.some(self.data_role(role), self.value(value))
        return refuse(f"expected a class expression of OWL 2 EL, but got {shortened(written(expression))}")

    # ── Shapes that several axioms share ──

    def cycle(self, members: Sequence[int]) -> list[Told]:
        """C ≡ D ≡ …"""
        return [("sub", one, other) for one, other in zip(members, (*members[1:], members[0]), strict=True)]

    def role_cycle(self, names: Sequence[str]) -> list[Told]:
        """r ≡ s ≡ …"""
        pairs = zip(names, (*names[1:], names[0]), strict=True)
        return [("role", one, other) for one, other in pairs if one != other]

    def apart(self, members: Sequence[int]) -> list[Told]:
        """No two share an element."""
        if len(members) > MOST_DISJOINT:
            refuse(
                f"a disjointness of {len(members)} members is too long: at most {MOST_DISJOINT} are taken two by two"
            )
        return [("sub", self.terms.conjunction(pair), self.terms.bottom) for pair in combinations(members, 2)]

    def inclusion(self, sub: Expression, sup: Expression) -> list[Told]:
        """C ⊑ D, or C ⊑ D₁ ⊔ … ⊔ Dₙ"""
        match sup:
            case ("ObjectUnionOf", [_, _, *_] as members):
                return [("cases", self.concept(sub), tuple(self.concept(member) for member in members))]
        return [("sub", self.concept(sub), self.concept(sup))]

    def denied(self, source: int, claim: int) -> list[Told]:
        """{a} ⊓ C ⊑ ⊥"""
        return [("sub", self.terms.conjunction([source, claim]), self.terms.bottom)]

    def inclusion_of_roles(self, sub: Expression, sup: Expression) -> list[Told]:
        """r ⊑ s, or r₁ ∘ … ∘ rₙ ⊑ s through roles that are named by the prefixes of the chain."""
        if isinstance(sub, str) or sub[0] != "ObjectPropertyChain":
            return [("role", self.role(sub), self.role(sup))]
        names = [self.role(role) for role in sub[1]]
        if len(names) < 2:
            refuse("a chain of properties has at least two")
        rows: list[Told] = []
        left = names[0]
        for length in range(2, len(names)):
            prefix = f"ObjectPropertyChain({' '.join(names[:length])})"
            self.object_roles.add(prefix)
            rows.append(("chain", left, names[length - 1], prefix))
            left = prefix
        return [*rows, ("chain", left, names[-1], self.role(sup))]

    def key(self, concept: Expression, roles: Expression, data_roles: Expression) -> list[Told]:
        """Named instances that agree on all the roles are one."""
        if isinstance(roles, str) or isinstance(data_roles, str) or roles[0] or data_roles[0]:
            refuse("a key has its properties in two pairs of parentheses")
        named, valued = tuple(map(self.role, roles[1])), tuple(map(self.data_role, data_roles[1]))
        return [("key", self.concept(concept), named, valued)]


Arguments = list[Expression]
AXIOM_READERS: dict[str, tuple[int, Callable[[Reader, Arguments], list[Told]]]] = {
    "SubClassOf": (2, lambda r, a: r.inclusion(a[0], a[1])),
    "EquivalentClasses": (0, lambda r, a: r.cycle([r.concept(each) for each in a])),
    "DisjointClasses": (0, lambda r, a: r.apart([r.concept(each) for each in a])),
    "HasKey": (3, lambda r, a: r.key(a[0], a[1], a[2])),
    "SubObjectPropertyOf": (2, lambda r, a: r.inclusion_of_roles(a[0], a[1])),
    "EquivalentObjectProperties": (0, lambda r, a: r.role_cycle([r.role(each) for each in a])),
    "ObjectPropertyDomain": (2, lambda r, a: [("sub", r.terms.some(r.role(a[0]), r.terms.thing), r.concept(a[1]))]),
    "ObjectPropertyRange": (2, lambda r, a: [("range", r.role(a[0]), r.concept(a[1]))]),
    "TransitiveObjectProperty": (1, lambda r, a: [("chain", r.role(a[0]), r.role(a[0]), r.role(a[0]))]),
    "ReflexiveObjectProperty": (1, lambda r, a: [("sub", r.terms.thing, r.terms.loop(r.role(a[0])))]),
    "ClassAssertion": (2, lambda r, a: [("sub", r.nominal(a[1]), r.concept(a[0]))]),
    "ObjectPropertyAssertion": (
        3,
        lambda r, a: [("sub", r.nominal(a[1]), r.terms.some(r.role(a[0]), r.nominal(a[2])))],
    ),
    "NegativeObjectPropertyAssertion": (
        3,
        lambda r, a: r.denied(r.nominal(a[1]), r.terms.some(r.role(a[0]), r.nominal(a[2]))),
    ),
    "SameIndividual": (0, lambda r, a: r.cycle([r.nominal(each) for each in a])),
    "DifferentIndividuals": (0, lambda r, a: r.apart([r.nominal(each) for each in a])),
    "FunctionalDataProperty": (1, lambda r, a: [("functional", r.data_role(a[0]))]),
    "SubDataPropertyOf": (2, lambda r, a: [("role", r.data_role(a[0]), r.data_role(a[1]))]),
    "EquivalentDataProperties": (0, lambda r, a: r.role_cycle([r.data_role(each) for each in a])),
    "DataPropertyDomain": (
        2,
        lambda r, a: [("sub", r.terms.some(r.data_role(a[0]), r.terms.data(LITERAL)), r.concept(a[1]))],
    ),
    "DataPropertyRange": (2, lambda r, a: [("range", r.data_role(a[0]), r.data_range(a[1]))]),
    "DataPropertyAssertion": (
        3,
        lambda r, a: [("sub", r.nominal(a[1]), r.terms.some(r.data_role(a[0]), r.value(a[2])))],
    ),
    "NegativeDataPropertyAssertion": (
        3,
        lambda r, a: r.denied(r.nominal(a[1]), r.terms.some(r.data_role(a[0]), r.value(a[2]))),
    ),
}
"""For each kind of axiom how many arguments it takes (0: any number), and what it says."""
