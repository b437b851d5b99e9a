"""Parts of constructs that are no values of the model: on their way into one, or into text."""

from __future__ import annotations

from dataclasses import dataclass

from moose.owl.model import expressions as model


@dataclass(frozen=True, slots=True)
class ObjectPropertyChain:
    """r₁ ∘ … ∘ rₙ, on its way into a `SubObjectPropertyOf`."""

    properties: tuple[model.ObjectPropertyExpression, ...]


@dataclass(frozen=True, slots=True)
class FacetRestriction:
    """A facet IRI and its literal, on their way into a `DatatypeRestriction`."""

    facet: str
    literal: model.Literal


@dataclass(frozen=True, slots=True)
class Import:
    """The IRI of an imported ontology, on its way into a `Document`."""

    iri: str


@dataclass(frozen=True, slots=True)
class Group:
    """Arguments in parentheses without a name, as in HasKey(C (r …) (d …))."""

    arguments: tuple[object, ...]


@dataclass(frozen=True, slots=True)
class RuleText:
    """A part of a SWRL rule, as text with full IRIs."""

    text: str
