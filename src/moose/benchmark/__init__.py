"""The paper's experiments as something to rerun: plans as data, runs that can be interrupted, statistics."""
