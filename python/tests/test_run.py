from __future__ import annotations

import json
import os
import signal
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import benchctl
from benchctl import program as programs
from conftest import scripted_config

SUMMARY = {"format": 4, "type": "summary", "run": 1, "store": "x.db", "exit_code": 0, "meaning": "fine"}


def test_a_dictionary_is_measured_and_stays_in_the_store(scripted: Path) -> None:
    run = benchctl.run(scripted_config(["steady"], n=[8, 16], ns=[100_000, 250_000]))
    assert [(row["problem"]["n"], row["median_ns"]) for row in run.rows] == [(8, 100_000), (8, 250_000), (16, 100_000), (16, 250_000)]
    assert run.exit_code == 0
    assert (scripted / "benchctl.db").exists()
    assert benchctl.load("benchctl.db").rows == run.rows


def test_a_file_with_options(scripted: Path) -> None:
    (scripted / "c.toml").write_text(benchctl.toml.dumps(scripted_config(["steady", "twin"], ns=[1000])), encoding="utf-8")
    run = benchctl.run(Path("c.toml"), db="other.db", set={"n": [4], "ns": [3000]}, filter=["*steady*"], fresh=True, reuse=False)
    assert [(row["variant"], row["problem"]["n"], row["median_ns"]) for row in run.rows] == [("steady", 4, 3000)]
    assert (scripted / "other.db").exists()


def test_options_become_words() -> None:
    assert programs.options_of({"fresh": True, "strict": False, "budget": None, "filter": ["a", "b"], "max_points": 3, "set": {"n": [1, 2], "p": "'x'"}}) == [
        "--fresh", "--filter", "a", "--filter", "b", "--max-points", "3", "--set", "n=[1, 2]", "--set", "p='x'"]


def test_an_error_in_the_config_has_the_words_of_the_program(scripted: Path) -> None:
    config = scripted_config(["steady"])
    config["sweep"][0]["workload"] = "matmull"
    with pytest.raises(benchctl.Refused, match=r"standard input:\d+:\d+: error: .*matmull.*\n.*matmul") as caught:
        benchctl.run(config)
    assert caught.value.exit_code == 2
    assert caught.value.run is None


def test_a_point_that_fails_raises_and_the_results_are_there(scripted: Path) -> None:
    config = scripted_config(["steady", "wrong", "throws"])
    with pytest.raises(benchctl.PointsFailed, match=r"matmul/throws .*: launch_error: verifying: scripted failure") as caught:
        benchctl.run(config)
    assert caught.value.exit_code == 1
    assert caught.value.run is not None
    assert {row["variant"]: row["status"] for row in caught.value.run.rows} == {"steady": "ok", "wrong": "wrong", "throws": "launch_error"}
    assert benchctl.run(config, check=False, fresh=True).exit_code == 1


def test_what_is_expected_to_be_wrong_is_not_named_as_a_failure(scripted: Path) -> None:
    config = scripted_config(["wrong", "steady"])
    config["sweep"][0]["expect"] = {"wrong": "wrong", "steady": "wrong"}
    with pytest.raises(benchctl.PointsFailed) as caught:
        benchctl.run(config)
    assert "matmul/wrong" not in str(caught.value)
    assert "but they were right" in str(caught.value)
    assert caught.value.run is not None
    assert {result["invalidity"] for result in benchctl.formats.FORMATS["t4"](caught.value.run)["results"]} == {"correctness"}


def test_nothing_left_to_measure_is_incomplete(scripted: Path) -> None:
    config = scripted_config(["steady"])
    config["sweep"][0]["where"] = ["n > 100"]
    with pytest.raises(benchctl.Incomplete) as caught:
        benchctl.run(config)
    assert caught.value.exit_code == 6
    assert caught.value.run is not None and caught.value.run.rows[0]["status"] == "skipped"


def test_progress_counts_each_point_once(scripted: Path) -> None:
    seen: list[tuple[int, str, bool]] = []
    benchctl.run(scripted_config(["steady", "wrong"], ns=[2_000_000, 3_000_000]), check=False,
                 progress=lambda progress: seen.append((len(progress.rows), str(progress), progress.done)))
    assert sorted({count for count, _, _ in seen}) == [0, 1, 2, 3, 4]
    assert seen[-1][0] == 4 and seen[-1][2] and not seen[0][2]
    assert any(" of 4 points, " in text and text.endswith(", verifying") for _, text, _ in seen)
    assert ", 2 failed; shortest 2 ms: matmul/steady" in seen[-1][1]


def test_progress_knows_how_many_points_there_are() -> None:
    progress = benchctl.Progress()
    progress.add({"type": "progress", "doing": "compiling", "label": "a", "done": 0, "total": 16})
    row = {"point": 3, "median_ns": None, "status": "skipped", "reused": False, "expect": "right", "label": "a"}
    for changed in ({}, {"point": 4, "status": "ok", "median_ns": 1234.0}, {"point": 5, "status": "crashed"},
                    {"point": 6, "status": "ok", "median_ns": 2000.0, "reused": True}):
        progress.add({"type": "point", "row": row | changed})
    assert str(progress) == "benchctl: 2 of 16 points, 0 s, compiling, 1 failed; shortest 1.23 µs: a"
    progress.done = True
    assert ", compiling" not in str(progress)


def test_ctrl_c_ends_the_program_in_order_and_the_same_call_resumes(scripted: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BENCHCTL_FAKE_SLEEP_US", "20000")
    config = scripted_config(["steady"], n=list(range(20, 32)))

    sent: list[int] = []

    def interrupt(progress: benchctl.Progress) -> None:
        if progress.rows and not sent:
            sent.append(1)
            signal.raise_signal(signal.SIGINT)

    with pytest.raises(benchctl.Interrupted) as caught:
        benchctl.run(config, progress=interrupt)
    assert caught.value.run is not None
    assert caught.value.run.document["runs"][0]["state"] == "interrupted"
    assert 0 < len([row for row in caught.value.run.rows if row["status"] == "ok"]) < 12
    monkeypatch.delenv("BENCHCTL_FAKE_SLEEP_US")
    resumed = benchctl.run(config)
    assert [row["status"] for row in resumed.rows] == ["ok"] * 12
    assert resumed.document["runs"][0]["id"] == 1


def test_ctrl_c_reaches_the_program_once(folder: Path, pretend: Callable[[str], Path]) -> None:
    pretend(f"""count = []
signal.signal(signal.SIGINT, lambda *_: count.append(1))
print(json.dumps({{"format": 4, "type": "note"}}), flush=True)
while not count: time.sleep(0.01)
time.sleep(0.1)
sys.stderr.write(f"interrupted {{len(count)}} times\\n")
sys.exit(130)""")
    stream = programs.Stream(["run"], None)
    stream.listen(lambda event: signal.raise_signal(signal.SIGINT))
    assert (stream.exit_code, stream.interrupted, stream.errors) == (130, True, "interrupted 1 times\n")


def test_ctrl_c_of_a_terminal_does_not_reach_the_program_beside_ours(folder: Path, pretend: Callable[[str], Path]) -> None:
    """A terminal sends it to all of the group that is in front."""
    pretend("sys.exit(f'leads its group: {os.getpgrp() == os.getpid()}')")
    with pytest.raises(benchctl.PointsFailed, match="^leads its group: True$"):
        benchctl.run("x.toml")


def test_results_of_a_run_that_was_refused_do_not_hide_that(folder: Path, pretend: Callable[[str], Path]) -> None:
    empty = {"schema": "benchctl.report", "schema_version": 4, "rows": [], "runs": [], "headlines": []}
    pretend(f"print(json.dumps({empty} if sys.argv[1] == 'export' else {SUMMARY})); sys.exit(0 if sys.argv[1] == 'export' else 2)")
    with pytest.raises(benchctl.Refused, match="^fine$") as caught:
        benchctl.run("x.toml", check=False)
    assert caught.value.run is not None and str(caught.value.run) == "no points"


def test_what_raises_while_it_listens_stops_the_program(folder: Path, pretend: Callable[[str], Path]) -> None:
    pretend(f"print(json.dumps({SUMMARY}), flush=True)\ntime.sleep(60)")
    stream = programs.Stream(["run"], None)
    with pytest.raises(ZeroDivisionError):
        stream.listen(lambda event: print(1 / 0))
    assert stream.exit_code == -signal.SIGTERM


def test_a_program_that_dies_is_told(folder: Path, pretend: Callable[[str], Path]) -> None:
    pretend("sys.stdout.write('{\"format\": 4, \"ty'); sys.stdout.flush(); print('the last words', file=sys.stderr); os.kill(os.getpid(), signal.SIGKILL)")
    with pytest.raises(benchctl.BenchctlError, match="ended by signal 9\nthe last words") as caught:
        benchctl.run("x.toml")
    assert caught.value.exit_code == -9


def test_another_version_of_the_format_is_refused(folder: Path, pretend: Callable[[str], Path]) -> None:
    pretend(f"print(json.dumps({SUMMARY | {'format': 5}}), flush=True)")
    with pytest.raises(ValueError, match="reads version 4 of benchctl's JSON, and found 5"):
        benchctl.run("x.toml")


def test_a_config_larger_than_a_pipe(folder: Path, pretend: Callable[[str], Path]) -> None:
    pretend("text = sys.stdin.read(); sys.exit(f'benchctl: error: {len(text)} characters')")
    with pytest.raises(benchctl.PointsFailed, match=r"^100\d\d\d\d characters$"):
        benchctl.run({"title": "x" * 1_000_000})


def test_a_program_that_does_not_read_its_config(folder: Path, pretend: Callable[[str], Path]) -> None:
    pretend("sys.stdin.close(); print('[1/2] x: 1 ns', file=sys.stderr); print('benchctl: error: busy', file=sys.stderr); sys.exit(2)")
    with pytest.raises(benchctl.Refused, match="^busy$"):
        benchctl.run({"title": "x" * 1_000_000})


def test_the_program_is_looked_for(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("BENCHCTL_PROGRAM", "/nowhere/benchctl")
    with pytest.raises(benchctl.ProgramMissing, match="there is no program '/nowhere/benchctl'"):
        programs.find()
    assert programs.find(sys.executable) == Path(sys.executable)
    monkeypatch.delenv("BENCHCTL_PROGRAM")
    for place, package in (("bin/benchctl", "lib/python3/dist-packages/benchctl"), ("build/release/bin/benchctl", "python/benchctl")):
        root = tmp_path / package.replace("/", "_")
        (root / place).parent.mkdir(parents=True)
        (root / place).write_text("#!/bin/sh\n", encoding="utf-8")
        (root / place).chmod(0o755)
        monkeypatch.setattr(programs, "__file__", str(root / package / "program.py"))
        assert programs.find() == root / place
    monkeypatch.setattr(programs, "__file__", str(tmp_path / "program.py"))
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(benchctl.ProgramMissing, match="install its package"):
        programs.find()


@pytest.mark.parametrize("option", ["format", "in_process"])
def test_options_that_run_decides_itself(option: str) -> None:
    options: dict[str, Any] = {option: "json"}
    with pytest.raises(TypeError, match=f"takes no option {option}"):
        benchctl.run("x.toml", **options)


def test_a_terminal_shows_one_line(scripted: Path, program: Path) -> None:
    pty = pytest.importorskip("pty")
    body = f"import sys; sys.path[:0] = {sys.path!r}; import benchctl; benchctl.run({json.dumps(scripted_config(['steady'], ns=[1000, 2000]))})"
    (scripted / "show.py").write_text(body, encoding="utf-8")
    shown = b""

    def read(descriptor: int) -> bytes:
        nonlocal shown
        piece = os.read(descriptor, 1024)
        shown += piece
        return piece

    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TERM", "xterm")
        pty.spawn([sys.executable, "show.py"], read)
    text = shown.decode()
    assert "\rbenchctl: 1" in text and text.count("\n") == 1 and "shortest 1 µs" in text
