"""Each format against the part of its consumer's schema that the consumer insists on."""
from __future__ import annotations

import csv
import datetime
import io
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import benchctl
from benchctl import formats
from benchctl.formats import t4

jsonschema = pytest.importorskip("jsonschema")
NUMBER, TEXT, COUNT = {"type": "number"}, {"type": "string", "minLength": 1}, {"type": "integer", "minimum": 0}


def strict(**properties: Any) -> dict[str, Any]:
    return {"type": "object", "properties": properties, "required": list(properties)}


def items(schema: dict[str, Any]) -> dict[str, Any]:
    return {"type": "array", "items": schema, "minItems": 1}


SCHEMAS: dict[str, Any] = {
    # What tools/compare.py and gbench/util.py of google/benchmark read.
    "google-benchmark": strict(
        context=strict(date=TEXT, host_name=TEXT, executable=TEXT, num_cpus=COUNT, mhz_per_cpu=NUMBER, cpu_scaling_enabled={"type": "boolean"},
                       caches={"type": "array"}, load_avg={"type": "array"}, library_build_type={"enum": ["release", "debug"]},
                       json_schema_version={"const": 1}),
        benchmarks=items(strict(name=TEXT, family_index=COUNT, per_family_instance_index=COUNT, run_name=TEXT, run_type={"enum": ["iteration", "aggregate"]},
                                repetitions=COUNT, repetition_index=COUNT, threads=COUNT, iterations=COUNT, real_time=NUMBER, cpu_time=NUMBER,
                                time_unit={"enum": ["ns", "us", "ms", "s"]}) | {
            "dependentRequired": {"error_occurred": ["error_message"]}})),
    # The T4 results schema of the auto-tuning community, version 1.0.0.
    "t4": strict(schema_version={"const": "1.0.0"}, results=items(strict(
        timestamp={"type": "string", "format": "date-time"}, configuration={"type": "object", "minProperties": 1},
        times=strict(compilation_time=NUMBER, runtimes={"type": "array", "items": NUMBER}),
        invalidity={"enum": ["timeout", "compile", "runtime", "correctness", "constraints", "correct"]}, correctness=NUMBER,
        measurements={"type": "array", "items": strict(name=TEXT, value=NUMBER, unit={"type": "string"})}, objectives=items(TEXT)))),
    # Bencher Metric Format: benchmark → measure → metric.
    "bmf": {"type": "object", "minProperties": 1, "additionalProperties": {"type": "object", "minProperties": 1, "additionalProperties": {
        "type": "object", "properties": {"value": NUMBER, "lower_value": NUMBER, "upper_value": NUMBER}, "required": ["value"], "additionalProperties": False}}},
    # customSmallerIsBetter of github-action-benchmark.
    "github-action-benchmark": items({"type": "object", "properties": {"name": TEXT, "unit": TEXT, "value": NUMBER, "range": TEXT, "extra": TEXT},
                                      "required": ["name", "unit", "value"], "additionalProperties": False}),
}


@pytest.fixture(scope="module")
def run(stored: Path) -> benchctl.Run:
    return benchctl.load(stored, 1)


@pytest.mark.parametrize("name", SCHEMAS)
def test_the_consumer_accepts_it(run: benchctl.Run, name: str) -> None:
    document = json.loads(formats.text(run, name))
    jsonschema.Draft202012Validator(SCHEMAS[name]).validate(document)


def test_every_json_format_has_a_schema() -> None:
    assert SCHEMAS.keys() | {"otava"} == formats.FORMATS.keys()
    with pytest.raises(ValueError, match="the format 'x' is not one of google-benchmark, t4, bmf"):
        formats.text(None, "x")  # type: ignore[arg-type]


def test_google_benchmark_has_times_and_failures(run: benchctl.Run) -> None:
    benchmarks = formats.FORMATS["google-benchmark"](run)["benchmarks"]
    assert len({benchmark["name"] for benchmark in benchmarks}) == 8
    right = [benchmark for benchmark in benchmarks if "/steady/" in benchmark["name"]]
    assert [benchmark["real_time"] for benchmark in right] == [100_000, 200_000] * 2
    assert all("/n:" in benchmark["name"] and benchmark["iterations"] >= 20 and benchmark["time_unit"] == "ns" and "error_occurred" not in benchmark for benchmark in right)
    wrong = [benchmark for benchmark in benchmarks if benchmark not in right]
    assert all(benchmark["error_occurred"] and benchmark["error_message"].startswith("wrong: error norm") for benchmark in wrong)


def test_bmf_and_github_action_have_the_median_and_its_range(run: benchctl.Run) -> None:
    medians = [row["median_ns"] for row in run.rows if row["status"] == "ok"]
    bmf = formats.FORMATS["bmf"](run)
    assert [metric["latency"] for metric in bmf.values()] == [{"value": ns, "lower_value": ns, "upper_value": ns} for ns in medians]
    action = formats.FORMATS["github-action-benchmark"](run)
    assert [(entry["value"], entry["unit"], entry["range"]) for entry in action] == [(ns, "ns", f"{ns:.6g} to {ns:.6g}") for ns in medians]
    assert [entry["name"] for entry in action] == list(bmf)
    spread = benchctl.Run(run.document | {"rows": [run.rows[0] | {"status": "ok", "median_ns": 5.0, "range_low_ns": 4.0, "range_high_ns": 7.5,
                                                                  "ci_low_ns": None, "ci_high_ns": None, "n_samples": 9}]})
    assert formats.FORMATS["github-action-benchmark"](spread)[0] | {"name": ""} == {
        "name": "", "unit": "ns", "value": 5.0, "range": "4 to 7.5", "extra": "9 samples, ok"}
    assert list(formats.FORMATS["bmf"](spread).values()) == [{"latency": {"value": 5.0}}]


def test_otava_has_a_line_a_run_and_a_column_a_point(stored: Path) -> None:
    head, *lines = csv.reader(io.StringIO(formats.text(benchctl.load(stored, "all"), "otava")))
    assert head[:3] == ["time", "run", "benchctl"] and len(head) == 7
    times = [datetime.datetime.fromisoformat(line[0]) for line in lines]
    assert times == sorted(times) and times[0].tzinfo is not None
    column = next(index for index, name in enumerate(head) if "/n:16/" in name and "/ns:200000/" in name)
    assert [float(line[column]) for line in lines] == [200_000, 300_000]


def test_t4_is_read_back(run: benchctl.Run, tmp_path: Path) -> None:
    (tmp_path / "t4.json").write_text(formats.text(run, "t4"), encoding="utf-8")
    space = t4.read(tmp_path / "t4.json")
    expected = {(row["variant"], row["problem"]["n"], row["tunables"]["ns"]): row["median_ns"] for row in run.rows}
    place = {name: list(space.axes).index(name) for name in ("variant", "n", "ns")}
    found = {tuple(key[place[name]] for name in ("variant", "n", "ns")): ns for key, ns in space.times_ns.items()}
    assert found == pytest.approx(expected)
    assert benchctl.simulate(space, "random", repeats=5).optimum_ns == pytest.approx(100_000)


def test_files_of_kernel_tuner_and_ktt_are_read(tmp_path: Path) -> None:
    result = {"timestamp": "2026-01-01T00:00:00Z", "times": {"compilation": 400.0, "benchmark": 12.0, "runtimes": [1.5]}, "correctness": 1}
    file = tmp_path / "a.json"
    file.write_text(json.dumps({"results": [
        result | {"configuration": {"block_size_x": 32}, "invalidity": "correct", "objectives": ["time"],
                  "measurements": [{"name": "time", "value": 1.5, "unit": "ms"}, {"name": "GFLOP/s", "value": 3, "unit": ""}]},
        result | {"configuration": {"block_size_x": 64}, "invalidity": "correct", "objectives": ["TotalDuration"],
                  "measurements": [{"name": "Power", "value": 9, "unit": "W"}, {"name": "TotalDuration", "value": 700, "unit": "Microseconds"}]},
        result | {"configuration": {"block_size_x": 128}, "invalidity": "compile", "measurements": [], "objectives": ["time"]},
        result | {"configuration": {"block_size_x": 4096}, "invalidity": "constraints", "measurements": [], "objectives": ["time"]},
    ]}), encoding="utf-8")
    assert t4.read(file).times_ns == {(32,): 1.5e6, (64,): pytest.approx(7e5), (128,): None}
    file.write_text(json.dumps({"device_name": "x", "kernel_name": "k", "tune_params_keys": ["bx", "unroll"], "tune_params": {"bx": [32, 64], "unroll": [1]}, "cache": {
        "32,1": {"bx": 32, "unroll": 1, "time": 0.25, "times": [0.25], "compile_time": 300.0},
        "64,1": {"bx": 64, "unroll": 1, "time": "CompilationFailedConfig"}}}), encoding="utf-8")
    space = t4.read(file)
    assert space.axes == {"bx": [32, 64], "unroll": [1]} and space.times_ns == {(32, 1): 2.5e5, (64, 1): None}
    file.write_text(json.dumps({"results": [result | {"configuration": {"a": 1}, "invalidity": "correct", "objectives": ["time"],
                                                      "measurements": [{"name": "time", "value": 1, "unit": "fortnights"}]}]}), encoding="utf-8")
    with pytest.raises(ValueError, match="the unit 'fortnights' of time is not one of ns, us"):
        t4.read(file)
    file.write_text("[]", encoding="utf-8")
    with pytest.raises(ValueError, match="neither the `results` of T4 nor the `cache` of Kernel Tuner"):
        t4.read(file)


def test_a_command_writes_them(stored: Path, run: benchctl.Run) -> None:
    def call(*words: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run([sys.executable, "-m", "benchctl.formats", *words], cwd=Path(__file__).parents[1], capture_output=True, encoding="utf-8", check=False)

    done = call("bmf", str(stored), "1")
    assert done.returncode == 0 and done.stdout == formats.text(run, "bmf")
    done = call("bmf", str(stored), "99")
    assert done.returncode == 2 and "'99' names no run" in done.stderr and done.stdout == ""
    done = call("csv", str(stored))
    assert done.returncode == 2 and "the format 'csv' is not one of" in done.stderr
    done = call()
    assert done.returncode == 2 and "google-benchmark, t4" in done.stderr
