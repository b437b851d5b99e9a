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
    from moose.saturation import Closure as Closure
    from moose.saturation import Realisation as Realisation
    from moose.saturation import Taxonomy as Taxonomy
    from moose.saturation import classify as classify
    from moose.saturation import realise as realise
    from moose.saturation import saturate as saturate

_HOMES = {
    "Closure": "moose.saturation:Closure",
    "MissingImport": "moose.errors:MissingImport",
    "MooseError": "moose.errors:MooseError",
    "Names": "moose.owl.names:Names",
    "Ontology": "moose.owl.ontology:Ontology",
    "ParseError": "moose.errors:ParseError",
    "Realisation": "moose.saturation:Realisation",
    "Taxonomy": "moose.saturation:Taxonomy",
    "UnknownName": "moose.errors:UnknownName",
    "classify": "moose.saturation:classify",
    "load": "moose.owl.load:load",
    "ontology": "moose.owl.merge:ontology_from_axioms",
    "realise": "moose.saturation:realise",
    "saturate": "moose.saturation:saturate",
}
"""Public name to `module:attribute`."""

__all__ = [
    "PIZZERIA",
    "Closure",
    "MissingImport",
    "MooseError",
    "Names",
    "Ontology",
    "ParseError",
    "Realisation",
    "Taxonomy",
    "UnknownName",
    "__version__",
    "classify",
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
