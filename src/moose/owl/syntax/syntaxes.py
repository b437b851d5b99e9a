"""The list of all syntaxes. A new one is a folder of its own and a place here."""

from __future__ import annotations

from moose.owl.syntax.common.syntax import Syntax
from moose.owl.syntax.functional.functional_syntax import SYNTAX as FUNCTIONAL
from moose.owl.syntax.manchester.manchester_syntax import SYNTAX as MANCHESTER
from moose.owl.syntax.obo.obo_syntax import SYNTAX as OBO
from moose.owl.syntax.owlxml.owlxml_syntax import SYNTAX as OWLXML
from moose.owl.syntax.rdf.rdf_syntaxes import NTRIPLES, RDFXML, TURTLE

SYNTAXES: tuple[Syntax, ...] = (FUNCTIONAL, OWLXML, RDFXML, TURTLE, NTRIPLES, OBO, MANCHESTER)
"""Every syntax that is read, in the order in which messages name them and in which they are asked whether a document
is theirs."""
