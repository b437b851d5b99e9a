"""The report of a benchmark: tables, figures and the paper's claims, computed from a store's results."""
