"""Moose: an OWL 2 EL reasoner that explains what it derives.

>>> import moose
>>> taxonomy = moose.classify(moose.load(moose.PIZZERIA))
>>> taxonomy.unsatisfiable
('https://example.org/pizzeria#VeganSalami',)

Names are looked up when they are first used, so that `import moose` is quick and loads neither numba nor torch.
"""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

__version__ = "0.1.0"

PIZZERIA = Path(__file__).parent / "ontologies" / "pizzeria.ofn"
"""A small ontology to try things on."""

if TYPE_CHECKING:
    from moose.errors import MissingImport as MissingImport
    from moose.errors import MooseError as MooseError
    from moose.errors import ParseError as ParseError
    from moose.errors import UnknownName as UnknownName
    from moose.owl.load import load as load
    from moose.owl.merge import ontology_from_axioms as ontology
    from moose.owl.names import Names as Names
    from moose.owl.ontology import Ontology as Ontology
    from moose.saturation.checker import check_proof as check_proof
    from moose.saturation.explain import Explanation as Explanation
    from moose.saturation.explain import explain as explain
    from moose.saturation.proof import Proof as Proof
    from moose.saturation.realise import Realisation as Realisation
    from moose.saturation.realise import realise as realise
    from moose.saturation.saturate import Closure as Closure
    from moose.saturation.saturate import saturate as saturate
    from moose.saturation.taxonomy import Taxonomy as Taxonomy
    from moose.saturation.taxonomy import classify as classify

_HOMES = {
    "Closure": "moose.saturation.saturate:Closure",
    "Explanation": "moose.saturation.explain:Explanation",
    "MissingImport": "moose.errors:MissingImport",
    "MooseError": "moose.errors:MooseError",
    "Names": "moose.owl.names:Names",
    "Ontology": "moose.owl.ontology:Ontology",
    "ParseError": "moose.errors:ParseError",
    "Proof": "moose.saturation.proof:Proof",
    "Realisation": "moose.saturation.realise:Realisation",
    "Taxonomy": "moose.saturation.taxonomy:Taxonomy",
    "UnknownName": "moose.errors:UnknownName",
    "check_proof": "moose.saturation.checker:check_proof",
    "classify": "moose.saturation.taxonomy:classify",
    "explain": "moose.saturation.explain:explain",
    "load": "moose.owl.load:load",
    "ontology": "moose.owl.merge:ontology_from_axioms",
    "realise": "moose.saturation.realise:realise",
    "saturate": "moose.saturation.saturate:saturate",
}
"""Public name to `module:attribute`."""

__all__ = [
    "PIZZERIA",
    "Closure",
    "Explanation",
    "MissingImport",
    "MooseError",
    "Names",
    "Ontology",
    "ParseError",
    "Proof",
    "Realisation",
    "Taxonomy",
    "UnknownName",
    "__version__",
    "check_proof",
    "classify",
    "explain",
    "load",
    "ontology",
    "realise",
    "saturate",
]


def __getattr__(name: str) -> object:
    home = _HOMES.get(name)
    if home is None:
        raise AttributeError(f"module 'moose' has no attribute {name!r}")
    module, _, attribute = home.partition(":")
    value: object = getattr(import_module(module), attribute)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
