"""Parts of circuits that one compilation leaves to those after it."""

from __future__ import annotations

from dataclasses import dataclass, field

from moose.circuit.compile.templates import KnownBags
from moose.circuit.tables.compile_tables import Known

MOST_ROWS = 5_000_000
"""Of all tables that are kept: about a hundred megabytes. Beyond that the next compilation begins with none."""


@dataclass(eq=False)
class SharedParts:
    """Solved parts of theories over the same concepts and roles, whatever individuals they have.

    Parts that read the same in names local to them are the same, so that twenty trees of digits have a few different
    ones among them. A circuit does not depend on which theories were compiled before it.
    """

    bags: KnownBags = field(default_factory=dict)
    known: Known = field(default_factory=Known)

    def known_tables(self) -> Known:
        """Return the tables so far, or none where they have become too many to be kept."""
        if self.known.tables.row_count > MOST_ROWS:
            self.known = Known()
        return self.known
