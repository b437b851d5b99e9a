"""One small ontology with probabilities as annotations, written by hand in every syntax."""

from __future__ import annotations

from fractions import Fraction

DISPONTE = "https://sites.google.com/a/unife.it/ml/disponte#"
XSD = "http://www.w3.org/2001/XMLSchema#"

ALL_STATED = {
    "SubClassOf(A B)": Fraction(3, 10),
    "EquivalentClasses(C ObjectSomeValuesFrom(r B))": Fraction(1, 3),
    "ClassAssertion(A a)": Fraction(1, 2),
}
OBO_STATED = {
    "SubClassOf(X_1 X_2)": Fraction(3, 10),
    "SubClassOf(X_1 ObjectSomeValuesFrom(part_of X_2))": Fraction(1, 3),
}

FUNCTIONAL = f"""
Prefix(:=<http://e.org/>)
Prefix(d:=<{DISPONTE}>)
Prefix(moose:=<urn:moose:>)
Prefix(xsd:=<{XSD}>)
Ontology(<http://e.org/o>
  SubClassOf(Annotation(d:probability "0.3"^^xsd:decimal) :A :B)
  EquivalentClasses(Annotation(moose:probability "1/3") :C ObjectSomeValuesFrom(:r :B))
  ClassAssertion(Annotation(<http://ml.unife.it/disponte#probability> "0.5") :A :a)
)"""

OWLXML = f"""<?xml version="1.0"?>
<Ontology xmlns="http://www.w3.org/2002/07/owl#" xml:base="http://e.org/" ontologyIRI="http://e.org/o">
  <SubClassOf>
    <Annotation>
      <AnnotationProperty IRI="{DISPONTE}probability"/><Literal datatypeIRI="{XSD}decimal">0.3</Literal>
    </Annotation>
    <Class IRI="A"/><Class IRI="B"/>
  </SubClassOf>
  <EquivalentClasses>
    <Annotation><AnnotationProperty IRI="urn:moose:probability"/><Literal>1/3</Literal></Annotation>
    <Class IRI="C"/>
    <ObjectSomeValuesFrom><ObjectProperty IRI="r"/><Class IRI="B"/></ObjectSomeValuesFrom>
  </EquivalentClasses>
  <ClassAssertion>
    <Annotation><AnnotationProperty IRI="{DISPONTE}probability"/><Literal>0.5</Literal></Annotation>
    <Class IRI="A"/><NamedIndividual IRI="a"/>
  </ClassAssertion>
</Ontology>"""

TURTLE = f"""
@prefix : <http://e.org/> .
@prefix owl: <http://www.w3.org/2002/07/owl#> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix d: <{DISPONTE}> .
@prefix moose: <urn:moose:> .
<http://e.org/o> a owl:Ontology .
d:probability a owl:AnnotationProperty .
moose:probability a owl:AnnotationProperty .
:r a owl:ObjectProperty .
:B a owl:Class .
:A a owl:Class ; rdfs:subClassOf :B .
:C a owl:Class ; owl:equivalentClass _:some .
_:some a owl:Restriction ; owl:onProperty :r ; owl:someValuesFrom :B .
:a a owl:NamedIndividual, :A .
[] a owl:Axiom ; owl:annotatedSource :A ; owl:annotatedProperty rdfs:subClassOf ; owl:annotatedTarget :B ;
  d:probability 0.3 .
[] a owl:Axiom ; owl:annotatedSource :C ; owl:annotatedProperty owl:equivalentClass ; owl:annotatedTarget _:some ;
  moose:probability "1/3" .
[] a owl:Axiom ; owl:annotatedSource :a ; owl:annotatedTarget :A ; d:probability 5e-1 ;
  owl:annotatedProperty <http://www.w3.org/1999/02/22-rdf-syntax-ns#type> .
"""

RDFXML = f"""<?xml version="1.0"?>
<rdf:RDF xml:base="http://e.org/o" xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"
  xmlns:rdfs="http://www.w3.org/2000/01/rdf-schema#" xmlns:owl="http://www.w3.org/2002/07/owl#"
  xmlns:disponte="{DISPONTE}" xmlns:moose="urn:moose:">
<owl:Ontology rdf:about="http://e.org/o"/>
<owl:ObjectProperty rdf:about="http://e.org/r"/>
<owl:Class rdf:about="http://e.org/B"/>
<owl:Class rdf:about="http://e.org/A"><rdfs:subClassOf rdf:resource="http://e.org/B"/></owl:Class>
<owl:Class rdf:about="http://e.org/C"><owl:equivalentClass rdf:nodeID="some"/></owl:Class>
<owl:Restriction rdf:nodeID="some">
  <owl:onProperty rdf:resource="http://e.org/r"/><owl:someValuesFrom rdf:resource="http://e.org/B"/>
</owl:Restriction>
<owl:NamedIndividual rdf:about="http://e.org/a"><rdf:type rdf:resource="http://e.org/A"/></owl:NamedIndividual>
<owl:Axiom>
  <disponte:probability rdf:datatype="{XSD}decimal">0.3</disponte:probability>
  <owl:annotatedSource rdf:resource="http://e.org/A"/><owl:annotatedTarget rdf:resource="http://e.org/B"/>
  <owl:annotatedProperty rdf:resource="http://www.w3.org/2000/01/rdf-schema#subClassOf"/>
</owl:Axiom>
<owl:Axiom>
  <moose:probability>1/3</moose:probability>
  <owl:annotatedSource rdf:resource="http://e.org/C"/><owl:annotatedTarget rdf:nodeID="some"/>
  <owl:annotatedProperty rdf:resource="http://www.w3.org/2002/07/owl#equivalentClass"/>
</owl:Axiom>
<owl:Axiom>
  <disponte:probability>0.5</disponte:probability>
  <owl:annotatedSource rdf:resource="http://e.org/a"/><owl:annotatedTarget rdf:resource="http://e.org/A"/>
  <owl:annotatedProperty rdf:resource="http://www.w3.org/1999/02/22-rdf-syntax-ns#type"/>
</owl:Axiom>
</rdf:RDF>"""

MANCHESTER = f"""
Prefix: : <http://e.org/>
Prefix: d: <{DISPONTE}>
Prefix: moose: <urn:moose:>
Prefix: xsd: <{XSD}>
Ontology: <http://e.org/o>
AnnotationProperty: d:probability
AnnotationProperty: moose:probability
ObjectProperty: r
Class: B
Class: A
  SubClassOf: Annotations: d:probability "0.3"^^xsd:decimal B
Class: C
  EquivalentTo: Annotations: moose:probability "1/3" r some B
Individual: a
  Types: Annotations: d:probability "0.5" A
"""

OBO = f"""format-version: 1.2
ontology: o
idspace: moose urn:moose:
idspace: d {DISPONTE}

[Term]
id: X:1
is_a: X:2 {{moose:probability="0.3"}}
relationship: part_of X:2 {{d:probability="1/3"}}

[Term]
id: X:2

[Typedef]
id: part_of
"""

SYNTAXES = {
    "o.ofn": FUNCTIONAL,
    "o.owx": OWLXML,
    "o.ttl": TURTLE,
    "o.owl": RDFXML,
    "o.omn": MANCHESTER,
    "o.obo": OBO,
}
