"""T4, the results format of Kernel Tuner and KTT, both ways; Kernel Tuner's own cache files, too. T4 has times in ms."""
from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from ..results import Run
from ..simulation import Space

_INVALIDITY = {"wrong": "correctness", "implausible": "correctness", "compile_error": "compile", "timeout": "timeout", "skipped": "constraints"}
_TO_NS = {"ns": 1.0, "us": 1e3, "µs": 1e3, "ms": 1e6, "s": 1e9, "": 1e6, "nanoseconds": 1.0, "microseconds": 1e3, "milliseconds": 1e6, "seconds": 1e9}


def convert(run: Run) -> dict[str, Any]:
    """A result for each point that was measured or ruled out."""
    return {"schema_version": "1.0.0", "results": [_result(row, run.document["runs"]) for row in run.rows if row["status"] != "not_run"]}


def _result(row: dict[str, Any], runs: list[dict[str, Any]]) -> dict[str, Any]:
    ok = row["status"] in ("ok", "unstable") and row["expect"] == "right"
    milliseconds = row["median_ns"] / 1e6 if ok else None
    return {
        "timestamp": next(run["created_at"] for run in runs if run["id"] == row["run"]),
        "configuration": {"workload": row["workload"], "variant": row["variant"], "device": row["device"], **row["problem"], **row["tunables"]},
        "times": {"compilation_time": (row.get("compile_ns") or 0.0) / 1e6, "runtimes": [milliseconds] if ok else []},
        "invalidity": "correct" if ok else "correctness" if row["expect"] == "wrong" else _INVALIDITY.get(row["status"], "runtime"),
        "correctness": int(ok),
        "measurements": [{"name": "time", "value": milliseconds, "unit": "ms"}] if ok else [],
        "objectives": ["time"],
    }


def read(path: str | Path) -> Space:
    """The recorded space of a T4 file, or of a cache file of Kernel Tuner; what failed has no time.

    Raises ValueError for another kind of file and for an unknown unit of time.
    """
    document = json.loads(Path(path).read_text(encoding="utf-8"))
    if isinstance(document, dict) and isinstance(document.get("results"), list):
        return Space.of([(result["configuration"], _time(result)) for result in document["results"]
                         if result["invalidity"] != "constraints"])
    if isinstance(document, dict) and isinstance(document.get("cache"), dict):
        names = document["tune_params_keys"]
        return Space.of([({name: entry[name] for name in names}, entry["time"] * 1e6 if isinstance(entry["time"], (int, float)) else None)
                         for entry in document["cache"].values()])
    raise ValueError(f"{path} has neither the `results` of T4 nor the `cache` of Kernel Tuner")


def _time(result: dict[str, Any]) -> float | None:
    """In ns: the measurement that the result's objective names."""
    objective = (result.get("objectives") or ["time"])[0]
    for measurement in result["measurements"] if result["invalidity"] == "correct" else ():
        if measurement["name"] == objective:
            unit = str(measurement.get("unit", "")).lower()
            if unit not in _TO_NS:
                raise ValueError(f"the unit '{unit}' of {objective} is not one of {', '.join(filter(None, _TO_NS))}")
            return float(measurement["value"]) * _TO_NS[unit]
    return None
