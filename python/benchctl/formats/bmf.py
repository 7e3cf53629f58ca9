"""Bencher Metric Format: JSON of `bencher run --adapter json`. `latency` is in ns."""
from __future__ import annotations

from typing import Any

from ..results import Run
from .google_benchmark import name


def convert(run: Run) -> dict[str, Any]:
    """The median of each point with a time, and the 95 % interval where it has one."""
    return {name(row): {"latency": {"value": row["median_ns"]} | _interval(row)} for row in run.rows if row["status"] in ("ok", "unstable")}


def _interval(row: dict[str, Any]) -> dict[str, float]:
    if row["ci_low_ns"] is None or row["ci_high_ns"] is None:
        return {}
    return {"lower_value": row["ci_low_ns"], "upper_value": row["ci_high_ns"]}
