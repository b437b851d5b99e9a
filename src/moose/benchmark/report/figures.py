"""All figures of the report, drawn from the records of the headline plan."""

from __future__ import annotations

from moose.benchmark.report.figures_confusion import confusion_matrices
from moose.benchmark.report.figures_reliability import reliability_diagrams
from moose.benchmark.report.figures_trade_off import trade_offs

__all__ = ["confusion_matrices", "reliability_diagrams", "trade_offs"]
