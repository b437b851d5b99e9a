"""IRIs that the OWL 2 specification and others reserve, and the datatypes its EL profile admits."""

from __future__ import annotations

OWL = "http://www.w3.org/2002/07/owl#"
RDF = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
RDFS = "http://www.w3.org/2000/01/rdf-schema#"
XSD = "http://www.w3.org/2001/XMLSchema#"
OBO = "http://purl.obolibrary.org/obo/"

THING_IRI = OWL + "Thing"
NOTHING_IRI = OWL + "Nothing"
TOP_OBJECT_PROPERTY_IRI = OWL + "topObjectProperty"
BOTTOM_OBJECT_PROPERTY_IRI = OWL + "bottomObjectProperty"
TOP_DATA_PROPERTY_IRI = OWL + "topDataProperty"
BOTTOM_DATA_PROPERTY_IRI = OWL + "bottomDataProperty"
LITERAL_IRI = RDFS + "Literal"
PLAIN_LITERAL_IRI = RDF + "PlainLiteral"
LANGUAGE_STRING_IRI = RDF + "langString"
STRING_IRI = XSD + "string"
LABEL_IRI = RDFS + "label"

STANDARD_PREFIXES = {"owl": OWL, "rdf": RDF, "rdfs": RDFS, "xsd": XSD, "xml": "http://www.w3.org/XML/1998/namespace"}

# OWL 2 Profiles, section 2.2.1: the datatypes of OWL 2 EL, chosen so that every intersection is empty or infinite.
EL_DATATYPES = frozenset(
    [PLAIN_LITERAL_IRI, RDF + "XMLLiteral", LITERAL_IRI, OWL + "real", OWL + "rational"]
    + [
        XSD + name
        for name in (
            "decimal integer nonNegativeInteger string normalizedString token Name NCName NMTOKEN "
            "hexBinary base64Binary anyURI dateTime dateTimeStamp"
        ).split()
    ]
)

# The annotation of an axiom that says how probable it is: as TRILL and BUNDLE write it, as TRILL has written it since,
# and a short one of our own.
DISPONTE_IRI = "https://sites.google.com/a/unife.it/ml/disponte#probability"
NEWER_DISPONTE_IRI = "http://ml.unife.it/disponte#probability"
PROBABILITY_IRI = "urn:moose:probability"
PROBABILITY_IRIS = frozenset({DISPONTE_IRI, NEWER_DISPONTE_IRI, PROBABILITY_IRI})
