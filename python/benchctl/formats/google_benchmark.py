"""Google Benchmark's JSON, for its compare.py and all that read it. Times in ns."""
from __future__ import annotations

from typing import Any

from ..results import Run, has_failed


def convert(run: Run) -> dict[str, Any]:
    """A benchmark for each point that has a time or failed; `cpu_time` repeats `real_time`, since the program has one clock."""
    first = run.document["runs"][0]
    environment = {entry["key"]: entry["value"] for entry in first["environment"]}
    benchmarks = []
    for index, row in enumerate(row for row in run.rows if row["median_ns"] is not None or has_failed(row)):
        benchmark = {
            "name": name(row), "family_index": index, "per_family_instance_index": 0, "run_name": name(row), "run_type": "iteration",
            "repetitions": 1, "repetition_index": 0, "threads": 1, "iterations": (row["n_samples"] or 0) * (row["batch"] or 0),
            "real_time": row["median_ns"] or 0.0, "cpu_time": row["median_ns"] or 0.0, "time_unit": "ns", "label": row["status"],
        }
        if has_failed(row):
            benchmark |= {"error_occurred": True, "error_message": f"{row['status']}: {row['reason']}"}
        benchmarks.append(benchmark)
    return {
        "context": {
            "date": first["created_at"], "host_name": environment.get("system.host", ""), "executable": "benchctl",
            "num_cpus": int(environment.get("cpu.usable", 0)), "mhz_per_cpu": 0, "cpu_scaling_enabled": False, "caches": [], "load_avg": [],
            "library_version": first["benchctl"], "library_build_type": "release", "json_schema_version": 1,
        },
        "benchmarks": benchmarks,
    }


def name(row: dict[str, Any]) -> str:
    """`matmul/tiled/cuda:0/n:512/tile:16/…`, as Google Benchmark names arguments."""
    arguments = row["problem"] | row["tunables"] | {key: row[key] for key in ("layout", "basis", "cache", "launch") if row[key]}
    return "/".join([row["workload"], row["variant"], row["device"], *(f"{key}:{value}" for key, value in arguments.items())])
