"""CSV of Apache Otava (formerly Hunter), which finds changes in series. Times in ns."""
from __future__ import annotations

import csv
import io

from ..results import Run
from .google_benchmark import name


def convert(run: Run) -> str:
    """A line for each run, oldest first: time, run, benchctl, and a column for each point. Load several runs: load("x.db", "all")."""
    runs = sorted(run.document["runs"], key=lambda entry: str(entry["created_at"]))
    rows = {entry["label"]: run.rows[entry["first_row"]:entry["first_row"] + entry["row_count"]] for entry in runs}
    medians = {label: {name(row): row["median_ns"] for row in of_run if row["status"] in ("ok", "unstable")} for label, of_run in rows.items()}
    points = sorted({point for of_run in medians.values() for point in of_run})
    out = io.StringIO()
    lines = csv.writer(out, lineterminator="\n")
    lines.writerow(["time", "run", "benchctl", *points])
    for entry in runs:
        of_run = medians[entry["label"]]
        lines.writerow([entry["created_at"], entry["label"], entry["benchctl"], *(of_run.get(point, "") for point in points)])
    return out.getvalue()
