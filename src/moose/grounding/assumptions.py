"""What a circuit takes for granted beyond the ontology."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Assumption:
    """One thing taken for granted, and what it gives up against OWL's open world (the paper's table of assumptions)."""

    name: str
    """A short name: "closed domain", "role pinning", "reverse links", "family", "profiles", …"""
    statement: str
    """What is assumed here, with the names that it concerns."""
    departure: str
    """What the open-world reading would allow that this one does not."""

    def __str__(self) -> str:
        return f"{self.name}: {self.statement} ({self.departure})"
