"""Which of the assumptions beyond the ontology are switched on."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, fields, replace

from moose.base.suggestions import unknown_word

CLOSURE_COMPONENTS = ("mutex", "cover", "profiles", "only")
"""The parts of the closure Φ."""
USUAL_CLOSURE = ("mutex", "cover", "profiles")
"""Those that a task has unless it says otherwise: `only` is a claim about the world that must be made by name."""
ON_DEMAND = ("closed_domain",)
"""What is off unless a task's closure, or `Components` itself, asks for it."""


@dataclass(frozen=True, slots=True)
class Components:
    """What a grounding adds to what the ontology entails; each part can be switched off.

    >>> Components.without("reverse_links", "profiles").names
    ('mutex', 'cover', 'only', 'links', 'outside_el')
    """

    mutex: bool = True
    """Φ: two members of a family exclude each other."""
    cover: bool = True
    """Φ: some member of a family holds."""
    profiles: bool = True
    """Φ: who has the properties of some members of a family is one of them."""
    only: bool = True
    """Φ: a member of a family has no property of the others' profiles but those of its own."""
    links: bool = True
    """A ⊑ ∃R.B is read as A(a) ∧ R(a,b) → B(b)."""
    reverse_links: bool = True
    """And as R(a,b) ∧ B(b) → A(a), where A has no other R-link."""
    outside_el: bool = True
    """Axioms outside OWL 2 EL are clauses over the named individuals, which are different."""
    closed_domain: bool = False
    """There are no other individuals, so that what A ⊑ ∃R.B says there is has a name. Off unless asked for."""

    @classmethod
    def just(cls, *names: str) -> Components:
        """Switch on these and nothing else.

        >>> Components.just("mutex", "cover").closure
        ('mutex', 'cover')
        """
        chosen = checked_components(names)
        return cls(**{name: name in chosen for name in component_names()})

    @classmethod
    def without(cls, *names: str) -> Components:
        """Switch off these and nothing else; what is off anyway stays off."""
        return cls(**dict.fromkeys(checked_components(names), False))

    @property
    def names(self) -> tuple[str, ...]:
        """The components that are on."""
        return tuple(name for name in component_names() if getattr(self, name))

    @property
    def closure(self) -> tuple[str, ...]:
        """The components of Φ that are on."""
        return tuple(name for name in self.names if name in CLOSURE_COMPONENTS)

    def narrowed(self, closure: Iterable[str]) -> Components:
        """Switch off every component of Φ that is not among these, and on what they ask for beyond the usual.

        >>> Components().narrowed(["mutex"]).names
        ('mutex', 'links', 'reverse_links', 'outside_el')
        """
        kept = set(closure)
        off = {name: False for name in CLOSURE_COMPONENTS if name not in kept}
        return replace(self, **off, **{name: True for name in ON_DEMAND if name in kept})


def component_names() -> tuple[str, ...]:
    """Return the names of all components."""
    return tuple(field.name for field in fields(Components))


def checked_components(names: Iterable[str], *, among: Iterable[str] = ()) -> tuple[str, ...]:
    """Return names of components as they came, or say which is none."""
    known = tuple(among) or component_names()
    given = tuple(names)
    for name in given:
        if name not in known:
            raise unknown_word("a component", name, known)
    return given
