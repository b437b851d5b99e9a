"""All figures of the report, drawn from the records of the headline plan."""

from __future__ import annotations

from moose.benchmark.report.figures.confusion import confusion_matrices
from moose.benchmark.report.figures.reliability import reliability_diagrams
from moose.benchmark.report.figures.trade_off import trade_offs

__all__ = ["confusion_matrices", "reliability_diagrams", "trade_offs"]
