"""Data sets: images of individuals, partial evidence on them, and the hidden truth, behind one interface."""
