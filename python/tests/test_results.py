from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import benchctl
from benchctl import program as programs
from conftest import scripted_config

pandas = pytest.importorskip("pandas")


def test_a_row_for_each_point_with_its_run(stored: Path) -> None:
    df = benchctl.load(stored, 1).df()
    assert list(df["n"]) == [8, 8, 8, 8, 16, 16, 16, 16]
    assert list(df["ns"]) == [100_000, 200_000] * 4
    assert set(df["variant"]) == {"steady", "wrong"}
    assert (df["median_ns"][df["variant"] == "steady"] == df["ns"][df["variant"] == "steady"]).all()
    assert df["median_ns"][df["variant"] == "wrong"].isna().all()
    assert set(df["run_name"]) == {"scripted"} and set(df["store"]) == {str(stored)} and set(df["benchctl"]) != {""}
    assert str(df["created_at"].dtype) == "datetime64[ns, UTC]"
    assert set(df["device_name"]) != {""} and set(df["host"]) != {""}
    assert df["verdict"].dtype == float


def test_names_of_columns_tell_units_and_do_not_collide() -> None:
    row = {"point": 0, "run": 1, "status": "ok", "expect": "right", "device": "d:0", "median_ns": 5.0, "power": 7.0, "sm_clock": 1.0, "temperature": 2.0,
           "energy": 3.0, "gflops": 4.0, "batch": 2, "problem": {"batch": 16, "n": 1}, "tunables": {"n": 3}, "notes": {"threads": "2"}, "samples_ns": [1.0]}
    run = {"label": "run 1", "id": 1, "store": "s", "name": "x", "created_at": "2026-01-02T03:04:05.678Z", "environment": [], "devices": [],
           "benchctl": "9", "first_row": 0, "row_count": 1}
    units = {"median_ns": "ns", "power": "W", "sm_clock": "MHz", "temperature": "°C", "energy": "J", "gflops": "GFLOP/s"}
    df = benchctl.Run({"rows": [row], "runs": [run], "units": units, "headlines": [], "platforms": [{"lane": "d:0", "roofs": {"fma_f32": 1.0}}]}).df()
    assert df.loc[0, ["power_w", "sm_clock_mhz", "temperature_celsius", "energy_j", "median_ns", "gflops"]].to_list() == [7, 1, 2, 3, 5, 4]
    assert df.loc[0, ["batch", "problem.batch", "n", "tunables.n"]].to_list() == [2, 16, 1, 3]
    assert df.loc[0, "notes.threads"] == "2"
    assert df.attrs["parameters"] == ["n", "problem.batch", "tunables.n"]
    assert df.attrs["roofs"] == {"d:0": {"fma_f32": 1.0}}
    assert "samples_ns" not in df.columns


def test_every_unit_of_the_program_is_in_a_name(stored: Path) -> None:
    in_names = {"ns": "ns", "GFLOP/s": "gflops", "GB/s": "gbytes_per_s", "B": "bytes"}
    for name, unit in benchctl.load(stored).document["units"].items():
        assert unit in benchctl.results.UNITS_NOT_IN_NAMES or in_names[unit] in name, f"{name} does not tell its unit {unit}"


def test_the_best_of_a_problem(stored: Path) -> None:
    run = benchctl.load(stored, 1)
    assert run.best(n=16)["median_ns"] == 100_000
    assert run.best(n=16)["tunables"]["ns"] == 100_000
    with pytest.raises(LookupError, match=r"2 problems and devices .*: choose one by k, m, n, such as best\(k=8, m=8, n=8\)"):
        run.best()
    with pytest.raises(LookupError, match="no point has n=17: 8 points"):
        run.best(n=17)
    assert {row["problem"]["n"] for row in run.select(variant="steady", ns=200_000)} == {8, 16}


def test_without_a_winner_a_reason_is_told(scripted: Path) -> None:
    with pytest.raises(LookupError, match=r"no fastest point: 1 point: 1 launch_error\nmatmul/throws .*scripted failure"):
        benchctl.run(scripted_config(["throws"]), check=False).best()


def test_samples_are_all_there_in_order(stored: Path) -> None:
    samples = benchctl.load(stored, 1).samples()
    exported = programs.document(["export", "1", "--db", str(stored), "--samples"])["rows"]
    assert list(samples.columns) == ["run", "point", "label", "sample", "time_ns", "batch"]
    assert list(samples["time_ns"]) == [ns for row in exported for ns in row.get("samples_ns", [])]
    assert list(samples[samples["point"] == exported[0]["point"]]["sample"]) == list(range(20))
    assert samples["time_ns"].isin([100_000, 200_000]).all()


def test_a_document_keeps_what_was_exported(stored: Path, tmp_path: Path) -> None:
    for options, expected in (([], None), (["--samples"], 80)):
        programs.call(["export", "1", "--db", str(stored), "--format", "json", "-o", str(tmp_path / "run.json"), *options])
        text = (tmp_path / "run.json").read_text(encoding="utf-8").replace(str(stored), "/gone.db")
        (tmp_path / "run.json").write_text(text, encoding="utf-8")
        run = benchctl.load(tmp_path / "run.json")
        assert run.best(n=8)["median_ns"] == 100_000
        if expected is None:
            with pytest.raises(LookupError, match="benchctl export --format json --samples"):
                run.samples()
        else:
            assert len(run.samples()) == expected


def test_a_slower_run_is_found(stored: Path) -> None:
    before, after = benchctl.load(stored, 1), benchctl.load(stored, 2)
    found = after.compare(before, process_spread=0.001)
    assert found.exit_code == 3
    df = found.df()
    slower = df[df["outcome"] == "slower"]
    assert len(slower) == 4 and slower["ratio"].round(6).eq(1.5).all() and slower["fails"].all()
    assert (slower["new_median_ns"] == 1.5 * slower["base_median_ns"]).all()
    assert (slower["ratio_low"] <= slower["ratio"]).all() and (slower["ratio"] <= slower["ratio_high"]).all()
    assert str(found) in found._repr_html_()
    assert before.compare(after, process_spread=0.001).exit_code == 0
    document = json.loads(json.dumps(before.document).replace(str(stored), "/gone.db"))
    with pytest.raises(LookupError, match="/gone.db is not there"):
        after.compare(benchctl.Run(document))
    with pytest.raises(ValueError, match="compare takes one run on each side; here are 2"):
        after.compare(benchctl.load(stored, "all"))
    with pytest.raises(benchctl.Refused, match="threshold"):
        after.compare(before, threshold="a lot")


def test_several_runs_are_loaded_together(stored: Path) -> None:
    df = benchctl.load(stored, "all").df()
    assert sorted(df["run"].unique()) == [1, 2] and len(df) == 16
    assert list(benchctl.load(stored, 2, 1).df()["run"].unique()) == list(dict.fromkeys(benchctl.load(stored, 2, 1).df()["run"]))
    assert benchctl.load(stored).document["runs"][0]["id"] == 2


def test_what_cannot_be_loaded(stored: Path, tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        benchctl.load(tmp_path / "nothing.db")
    with pytest.raises(benchctl.Refused, match="'99' names no run"):
        benchctl.load(stored, 99)
    file = tmp_path / "a.json"
    for text in ("{}", "[1]", "name,time\na,1\n", json.dumps({"schema": "benchctl.compare", "schema_version": 4})):
        file.write_text(text, encoding="utf-8")
        with pytest.raises(ValueError, match="neither a store nor a document of `benchctl export --format json`"):
            benchctl.load(file)
    file.write_text(json.dumps({"schema": "benchctl.report", "schema_version": 3}), encoding="utf-8")
    with pytest.raises(ValueError, match="reads version 4 .* found 3"):
        benchctl.load(file)
    file.write_text(json.dumps({"schema": "benchctl.report", "schema_version": 4}), encoding="utf-8")
    with pytest.raises(ValueError, match="runs can only be chosen from a store"):
        benchctl.load(file, 1)


def test_a_notebook_shows_the_answer_of_the_program(stored: Path) -> None:
    run = benchctl.load(stored, 1)
    line: dict[str, Any] = run.document["headlines"][0]["devices"][0]
    shown = run._repr_html_()
    assert f"<td>{line['time']}</td>" in shown and "4 ok, 4 wrong" in shown
    run.document["headlines"][0]["title"] = "<script>"
    assert "<script>" not in run._repr_html_()
    assert "scripted (run 1" in repr(run) and str(run) == run.document["headlines"][0]["text"]


def test_without_pandas_the_package_to_install_is_named(stored: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    run = benchctl.load(stored, 1)
    monkeypatch.setitem(__import__("sys").modules, "pandas", None)
    with pytest.raises(ImportError, match="a DataFrame needs pandas: install the Debian package python3-pandas"):
        run.df()
    assert run.best(n=8)["median_ns"] == 100_000
