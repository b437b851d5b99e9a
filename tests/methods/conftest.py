"""The same surroundings as the tests of learning have: one thread, and each theory compiled once."""

from __future__ import annotations

from tests.learning.conftest import _compile_once, _one_thread, compiled

__all__ = ["_compile_once", "_one_thread", "compiled"]
