"""Stage 7: from clauses to an exact circuit, and every question that one pass over it answers."""
