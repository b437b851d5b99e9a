"""A plain writer of Manchester syntax, for tests: full IRIs, every operand in parentheses, no code of the reader."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import fields, is_dataclass

from moose.owl.model import axioms as ax
from moose.owl.model import expressions as owl
from moose.owl.model.expressions import STRING_IRI, XSD

# The facets that the syntax has words for, in the order in which `expressible` deals them out.
FACETS = {
    XSD + "minInclusive": ">=",
    XSD + "maxExclusive": "<",
    XSD + "length": "length",
    XSD + "pattern": "pattern",
    XSD + "totalDigits": "totalDigits",
}
QUANTIFIERS = {"SomeValuesFrom": "some", "AllValuesFrom": "only"}
COUNTS = {"MinCardinality": "min", "MaxCardinality": "max", "ExactCardinality": "exactly"}
SUFFIXES: dict[type, str] = {
    owl.Class: "-class",
    owl.ObjectProperty: "-role",
    owl.DataProperty: "-data",
    owl.Datatype: "-type",
    owl.NamedIndividual: "-one",
}


def expressible(value: object) -> object:
    """Return a value without what Manchester syntax cannot say: names of two kinds, lists of one, odd facets."""
    if type(value) in SUFFIXES:
        return type(value)(value.iri + SUFFIXES[type(value)])  # type: ignore[attr-defined,call-arg]  # an entity
    if isinstance(value, tuple):
        return tuple(map(expressible, value))
    if isinstance(value, owl.DatatypeRestriction):
        dealt = zip(FACETS, value.facets)
        datatype = owl.Datatype(value.datatype.iri + "-type")
        return owl.DatatypeRestriction(datatype, tuple((facet, literal) for facet, (_, literal) in dealt))
    if not is_dataclass(value) or isinstance(value, owl.Literal | owl.AnonymousIndividual | ax.Annotation):
        return value
    parts = {field.name: expressible(getattr(value, field.name)) for field in fields(value)}
    if type(value).__name__.endswith(("IntersectionOf", "UnionOf")) and len(parts["operands"]) == 1:  # type: ignore[arg-type]
        return parts["operands"][0]  # type: ignore[index]  # a tuple
    if "properties" in parts:
        parts["properties"] = parts["properties"][:1]  # type: ignore[index]  # a tuple
    kind: Callable[..., object] = type(value)
    return kind(**parts)


# ── Expressions ───────────────────────────────────────────────────────────────────────────────────────────────────


def write(value: object) -> str:
    """Write an entity, literal, data range or class expression."""
    match value:
        case owl.Literal(language=""):
            return quoted(value.lexical) + ("" if value.datatype == STRING_IRI else f"^^<{value.datatype}>")
        case owl.Literal():
            return f"{quoted(value.lexical)}@{value.language}"
        case owl.AnonymousIndividual():
            return f"_:{value.node}"
        case owl.ObjectInverseOf():
            return f"inverse {write(value.property)}"
        case str():
            return f"<{value}>"
    return f"<{value.iri}>" if hasattr(value, "iri") else combined(value)


def combined(value: object) -> str:
    match value:
        case owl.ObjectIntersectionOf() | owl.DataIntersectionOf():
            return " and ".join(f"({write(operand)})" for operand in value.operands)
        case owl.ObjectUnionOf() | owl.DataUnionOf():
            return " or ".join(f"({write(operand)})" for operand in value.operands)
        case owl.ObjectComplementOf() | owl.DataComplementOf():
            return f"not ({write(value.operand)})"
        case owl.ObjectOneOf():
            return f"{{{listed(value.individuals)}}}"
        case owl.DataOneOf():
            return f"{{{listed(value.literals)}}}"
        case owl.DatatypeRestriction():
            facets = ", ".join(f"{FACETS[facet]} {write(literal)}" for facet, literal in value.facets)
            return f"{write(value.datatype)}[{facets}]"
        case owl.ObjectHasSelf():
            return f"{write(value.property)} Self"
        case owl.ObjectHasValue():
            return f"{write(value.property)} value {write(value.individual)}"
        case owl.DataHasValue():
            return f"{write(value.property)} value {write(value.literal)}"
    return restriction(value)


def restriction(value: object) -> str:
    kind = type(value).__name__.removeprefix("Object").removeprefix("Data")
    filler = write(getattr(value, "filler", None) or value.range)  # type: ignore[attr-defined]
    role = write(value.properties[0] if hasattr(value, "properties") else value.property)  # type: ignore[attr-defined]
    if kind in QUANTIFIERS:
        return f"{role} {QUANTIFIERS[kind]} ({filler})"
    return f"{role} {COUNTS[kind]} {value.cardinality} ({filler})"  # type: ignore[attr-defined]


def quoted(text: str) -> str:
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


def listed(values: Iterable[object]) -> str:
    return ", ".join(map(write, values))


# ── Frames ────────────────────────────────────────────────────────────────────────────────────────────────────────


def noted(notes: ax.Annotations) -> str:
    if not notes:
        return ""
    inner = (f"{noted(note.annotations)} <{note.property}> {write(note.value)}" for note in notes)
    return "Annotations: " + ", ".join(inner) + " "


def frame(axiom: ax.Axiom) -> str:
    """Write an axiom as a frame of its own."""
    kind, subject, section, item = parts(axiom)
    return f"{kind}: {subject}\n    {section}: {noted(axiom.annotations)}{item}\n"


def parts(axiom: ax.Axiom) -> tuple[str, str, str, str]:
    """Return the frame, its subject, its section and the one item there."""
    match axiom:
        case ax.SubClassOf():
            return "Class", write(axiom.sub), "SubClassOf", write(axiom.sup)
        case ax.DisjointUnion():
            return "Class", write(axiom.cls), "DisjointUnionOf", listed(axiom.operands)
        case ax.HasKey():
            keys = " ".join(map(write, (*axiom.object_properties, *axiom.data_properties)))
            return "Class", write(axiom.cls), "HasKey", keys
        case ax.ClassAssertion():
            return "Individual", write(axiom.individual), "Types", write(axiom.cls)
        case ax.ObjectPropertyAssertion() | ax.DataPropertyAssertion():
            value = axiom.target if isinstance(axiom, ax.ObjectPropertyAssertion) else axiom.literal
            fact = f"{'not ' * axiom.negative}{write(axiom.property)} {write(value)}"
            return "Individual", write(axiom.source), "Facts", fact
        case ax.DatatypeDefinition():
            return "Datatype", write(axiom.datatype), "EquivalentTo", write(axiom.range)
    return property_parts(axiom)


def property_parts(axiom: ax.Axiom) -> tuple[str, str, str, str]:
    name = type(axiom).__name__
    match axiom:
        case ax.SubObjectPropertyOf(chain=(one,)):
            return "ObjectProperty", write(one), "SubPropertyOf", write(axiom.sup)
        case ax.SubObjectPropertyOf():
            return "ObjectProperty", write(axiom.sup), "SubPropertyChain", " o ".join(map(write, axiom.chain))
        case ax.InverseObjectProperties():
            return "ObjectProperty", write(axiom.first), "InverseOf", write(axiom.second)
        case ax.ObjectPropertyCharacteristic():
            return "ObjectProperty", write(axiom.property), "Characteristics", axiom.characteristic
        case ax.FunctionalDataProperty():
            return "DataProperty", write(axiom.property), "Characteristics", "Functional"
        case ax.SubDataPropertyOf():
            return "DataProperty", write(axiom.sub), "SubPropertyOf", write(axiom.sup)
        case ax.ObjectPropertyDomain() | ax.DataPropertyDomain():
            return name.removesuffix("Domain"), write(axiom.property), "Domain", write(axiom.domain)
        case ax.ObjectPropertyRange() | ax.DataPropertyRange():
            return name.removesuffix("Range"), write(axiom.property), "Range", write(axiom.range)
    raise AssertionError(f"a frame of several: {name}")


def together(axiom: ax.Axiom) -> str:
    """Write an axiom over several operands as a frame without a subject."""
    name = type(axiom).__name__.replace("ObjectProperties", "Properties").replace("DataProperties", "Properties")
    operands = getattr(axiom, "operands", None) or axiom.individuals  # type: ignore[union-attr]
    return f"{name}: {noted(axiom.annotations)}{listed(operands)}\n"


def write_axioms(found: Iterable[ax.Axiom]) -> str:
    """Write axioms, each as a frame, behind a frame for every property and datatype among their parts."""
    axioms = list(found)
    known = dict.fromkeys(entity for axiom in axioms for entity in named(axiom))
    frames = [f"{type(entity).__name__}: <{entity.iri}>\n" for entity in known]
    for axiom in axioms:
        is_together = hasattr(axiom, "individuals") or (hasattr(axiom, "operands") and not hasattr(axiom, "cls"))
        frames.append(together(axiom) if is_together else frame(axiom))
    return "Ontology:\n" + "".join(frames)


def named(value: object) -> Iterable[owl.ObjectProperty | owl.DataProperty | owl.Datatype]:
    if isinstance(value, owl.ObjectProperty | owl.DataProperty | owl.Datatype):
        yield value
    elif isinstance(value, tuple):
        for part in value:
            yield from named(part)
    elif is_dataclass(value):
        for field in fields(value):
            yield from named(getattr(value, field.name))
