"""The circuit as a differentiable torch module."""
