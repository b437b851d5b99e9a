"""The task: what is seen, what is hidden, and of whom."""
