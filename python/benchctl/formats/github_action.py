"""JSON of github-action-benchmark, its tool `customSmallerIsBetter`. Times in ns."""
from __future__ import annotations

from typing import Any

from ..results import Run
from .google_benchmark import name


def convert(run: Run) -> list[dict[str, Any]]:
    """The median of each point with a time; `range` is the middle nine tenths of its samples."""
    return [{
        "name": name(row), "unit": "ns", "value": row["median_ns"],
        "range": f"{row['range_low_ns']:.6g} to {row['range_high_ns']:.6g}",
        "extra": f"{row['n_samples']} samples, {row['status']}",
    } for row in run.rows if row["status"] in ("ok", "unstable")]
