"""The kinds of modules, for those who choose one before anything is loaded."""

from __future__ import annotations

from enum import StrEnum


class ModuleMethod(StrEnum):
    """Which names outside the terms may stand for nothing, and which for everything."""

    bot = "bot"
    """Others are empty: keeps all that is above the terms."""
    top = "top"
    """Others are everything: keeps all that is below the terms."""
    star = "star"
    """Both in turns until nothing changes: the smallest, keeps what holds between the terms."""
