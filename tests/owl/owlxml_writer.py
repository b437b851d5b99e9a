"""A plain writer of OWL/XML, for tests: it shares no code with the reader and none with functional syntax."""

from __future__ import annotations

from dataclasses import fields
from xml.sax.saxutils import escape, quoteattr

from moose.owl.model import axioms as ax
from moose.owl.model import expressions as owl
from moose.owl.model.axioms import Document

XMLNS = "http://www.w3.org/2002/07/owl#"


def write_owlxml(document: Document) -> bytes:
    """Write a document with full IRIs. Rules are left out."""
    names = {"ontologyIRI": document.iri, "versionIRI": document.version_iri}
    attributes = {"xmlns": XMLNS, **{name: iri for name, iri in names.items() if iri}}
    children = [element("Prefix", "", name=prefix, IRI=iri) for prefix, iri in document.prefixes.items()]
    children += [element("Import", escape(iri)) for iri in document.imports]
    parts = (document.annotations, document.declarations, document.axioms, document.annotation_assertions)
    children += [write(statement) for part in parts for statement in part]
    return element("Ontology", "\n".join(children), **attributes).encode()


def element(name: str, content: str, /, **attributes: str) -> str:
    written = "".join(f" {key.replace('__', ':')}={quoteattr(value)}" for key, value in attributes.items())
    return f"<{name}{written}>{content}</{name}>"


def iri(value: object) -> str:
    return element("IRI", escape(value)) if isinstance(value, str) else write(value)


def write(value: object) -> str:
    name = type(value).__name__
    notes = "".join(map(write, getattr(value, "annotations", ())))
    match value:
        case (
            owl.Class()
            | owl.ObjectProperty()
            | owl.DataProperty()
            | owl.Datatype()
            | owl.NamedIndividual()
            | owl.AnnotationProperty()
        ):
            return element(name, "", IRI=value.iri)
        case owl.AnonymousIndividual():
            return element(name, "", nodeID=f"_:{value.node}")
        case owl.Literal(language=""):
            return element(name, escape(value.lexical), datatypeIRI=value.datatype)
        case owl.Literal():
            return element(name, escape(value.lexical), xml__lang=value.language)
        case owl.DatatypeRestriction():
            facets = [element("FacetRestriction", write(literal), facet=facet) for facet, literal in value.facets]
            return element(name, write(value.datatype) + "".join(facets))
        case ax.Annotation():
            return element(name, notes + element("AnnotationProperty", "", IRI=value.property) + iri(value.value))
        case ax.AnnotationAssertion():
            content = element("AnnotationProperty", "", IRI=value.property) + iri(value.subject) + iri(value.value)
            return element(name, notes + content)
        case ax.SubObjectPropertyOf():
            chain = "".join(map(write, value.chain))
            wrapped = element("ObjectPropertyChain", chain) if len(value.chain) > 1 else chain
            return element(name, notes + wrapped + write(value.sup))
        case ax.ObjectPropertyCharacteristic():
            return element(f"{value.characteristic}ObjectProperty", notes + write(value.property))
        case ax.ObjectPropertyAssertion() | ax.DataPropertyAssertion():
            target = value.target if isinstance(value, ax.ObjectPropertyAssertion) else value.literal
            prefix = "Negative" if value.negative else ""
            return element(prefix + name, notes + write(value.property) + write(value.source) + write(target))
        case _:
            return _by_fields(value, name, notes)


def _by_fields(value: object, name: str, content: str) -> str:
    attributes = {}
    for field in fields(value):  # type: ignore[arg-type]  # every other value of the model is a dataclass
        part = getattr(value, field.name)
        if field.name == "annotations":
            continue
        if isinstance(part, int):
            attributes["cardinality"] = str(part)
        else:
            content += "".join(map(write, part if isinstance(part, tuple) else (part,)))
    return element(name, content, **attributes)
