"""Measurements beside other reasoners, and the tools that take expectations from them. Not part of the package."""
