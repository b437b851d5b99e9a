from __future__ import annotations

from tests.searching import load_profile

load_profile()
