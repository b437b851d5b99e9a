"""What follows from a small ontology, in one comparable value, as Moose gives it and as others do."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

Names = tuple[str, ...]
PARTS = ("unsatisfiable", "closure", "types", "roles", "same")


@dataclass(frozen=True, slots=True)
class Entailments:
    """Everything that is compared, as sorted tuples of IRIs; all empty when the ontology is inconsistent.

    `closure` is without self, owl:Thing and unsatisfiable classes; `types` without owl:Thing; `roles` without
    owl:topObjectProperty; `same` without self, in both directions.
    """

    is_consistent: bool
    unsatisfiable: tuple[Names, ...] = ()
    closure: tuple[Names, ...] = ()
    types: tuple[Names, ...] = ()
    roles: tuple[Names, ...] = ()
    same: tuple[Names, ...] = ()

    def differences(self, other: Entailments, parts: Iterable[str] = PARTS) -> list[str]:
        """List what only one of the two says: `+` self, `-` the other."""
        if self.is_consistent != other.is_consistent:
            return [f"{'+' if self.is_consistent else '-'} consistent"]
        found = []
        for part in parts:
            mine, others = set(getattr(self, part)), set(getattr(other, part))
            found += [f"+ {part} {' '.join(names)}" for names in sorted(mine - others)]
            found += [f"- {part} {' '.join(names)}" for names in sorted(others - mine)]
        return found


def our_entailments(path: Path) -> Entailments:
    """Ask Moose."""
    import moose

    ontology = moose.load(path)
    taxonomy = moose.classify(ontology)
    if not taxonomy.is_consistent:
        return Entailments(is_consistent=False)
    realisation = moose.realise(ontology)
    return Entailments(
        is_consistent=True,
        unsatisfiable=tuple((name,) for name in taxonomy.unsatisfiable),
        closure=tuple(taxonomy.closure_pairs()),
        types=tuple(realisation.types()),
        roles=tuple(realisation.role_assertions()),
        same=tuple(
            sorted(pair for one, other in realisation.same_individuals() for pair in ((one, other), (other, one)))
        ),
    )
