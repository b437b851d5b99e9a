"""Stage 1: the completion rules, the closure, the hierarchy, and why."""
