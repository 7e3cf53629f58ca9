from __future__ import annotations

import signal
import tomllib
from pathlib import Path
from typing import Any

import pytest

import benchctl

numpy = pytest.importorskip("numpy")
QUICK = {"samples": 5, "max_seconds": 0.1, "warmup_seconds": 0.0}
N = 4096
RAMP = """__kernel void ramp(__global float* y, int n, float step) {
  const int first = get_global_id(0) * PER;
  for (int i = first; i < min(first + PER, n); ++i) y[i] = step * i + SHIFT;
}"""
SMOOTH = """__kernel void smooth(__global const float* x, __global float* y, int n) {
  const int i = get_global_id(0);
  if (i < n) y[i] = 0.25f * x[max(i - 1, 0)] + 0.5f * x[i] + 0.25f * x[min(i + 1, n - 1)];
}"""


def ramp(shift: list[int], **options: Any) -> benchctl.Run:
    y = numpy.zeros(N, numpy.float32)
    answer = 0.5 * numpy.arange(N, dtype=numpy.float32)
    return benchctl.tune("ramp", RAMP, [y, N, 0.5], {"GROUP": [32, 64], "PER": [1, 4], "SHIFT": shift}, answer=[answer, None, None],
                         block="GROUP", grid="ceil_div(a1, GROUP * PER)", where=["GROUP * PER < 256"], measure=QUICK, **options)


def test_a_kernel_is_tuned_and_verified_on_a_device(pocl: Path) -> None:
    run = ramp([0, 1])
    status = {tuple(row["tunables"][name] for name in ("GROUP", "PER", "SHIFT")): row["status"] for row in run.rows}
    for (group, per, shift), found in status.items():
        expected = {"skipped"} if group * per >= 256 else {"wrong"} if shift else {"ok", "unstable"}
        assert found in expected, (group, per, shift, found)
    assert len(status) == 8
    assert run.best()["tunables"]["SHIFT"] == 0
    assert run.exit_code == 1


def test_check_raises_for_a_wrong_answer(pocl: Path) -> None:
    with pytest.raises(benchctl.PointsFailed, match="ramp/ramp .* SHIFT=1: wrong: "):
        ramp([1], check=True)


def test_an_interrupted_call_with_a_folder_is_resumed(pocl: Path) -> None:
    sent: list[int] = []

    def interrupt(progress: benchctl.Progress) -> None:
        if not sent:
            sent.append(1)
            signal.raise_signal(signal.SIGINT)

    with pytest.raises(benchctl.Interrupted) as caught:
        ramp([0], progress=interrupt, folder="kept")
    assert caught.value.run is not None and "not_run" in {row["status"] for row in caught.value.run.rows}
    resumed = ramp([0], folder="kept")
    assert resumed.document["runs"][0]["id"] == 1, resumed.messages
    assert "not_run" not in {row["status"] for row in resumed.rows}


def test_a_source_file_with_an_include(pocl: Path) -> None:
    (pocl / "kernels").mkdir()
    (pocl / "kernels" / "ramp.cl").write_text(f'#include "shift.h"\n{RAMP}', encoding="utf-8")
    (pocl / "kernels" / "shift.h").write_text("#define SHIFT 0\n", encoding="utf-8")
    y = numpy.zeros(N, numpy.float32)
    run = benchctl.tune("ramp", Path("kernels/ramp.cl"), {"y": y, "n": numpy.int32(N), "step": numpy.float32(2)}, {"PER": [1, 2]},
                        answer={"y": 2 * numpy.arange(N, dtype=numpy.float32)}, block=64, grid="ceil_div(n, 64 * PER)", measure=QUICK)
    assert [row["status"] for row in run.rows if row["status"] not in ("ok", "unstable")] == []
    assert run.best()["variant"] == "ramp"


def smooth(folder: Path, **options: Any) -> benchctl.Run:
    x = numpy.random.default_rng(1).random(N, numpy.float32)
    left, right = numpy.concatenate([x[:1], x[:-1]]), numpy.concatenate([x[1:], x[-1:]])
    return benchctl.tune("smooth", SMOOTH, [x, numpy.zeros_like(x), N], {"GROUP": [32, 64]}, answer=[None, 0.25 * left + 0.5 * x + 0.25 * right, None],
                         block="GROUP", grid="ceil_div(a2, GROUP)", measure=QUICK, folder=folder, **options)


def test_arrays_go_in(pocl: Path) -> None:
    run = smooth(pocl / "kept")
    assert [row["reason"] for row in run.rows if row["status"] not in ("ok", "unstable")] == []
    other = numpy.load(pocl / "kept" / "a0.npy")
    other[N // 2] += 1  # one input that is not what the answer was computed from
    numpy.save(pocl / "kept" / "a0.npy", other)
    changed = benchctl.run("kept/smooth.toml", check=False, fresh=True)
    assert {row["status"] for row in changed.rows} == {"wrong"}


def numbers(seed: int) -> list[Any]:
    x = np.random.default_rng(seed).random(1024, np.float32)  # type: ignore[name-defined]  # noqa: F821
    return [x, np.zeros_like(x), len(x)]  # type: ignore[name-defined]  # noqa: F821


def doubled(x: Any, y: Any, n: int) -> list[Any]:
    return [None, 2 * x, None]


def test_functions_make_inputs_and_answers_for_every_audit(pocl: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(globals(), "np", numpy)
    source = "__kernel void twice(__global const float* x, __global float* y, int n) { const int i = get_global_id(0); y[i] = FACTOR * x[i]; }"
    run = benchctl.tune("twice", source, numbers, {"FACTOR": [2, 3]}, answer=doubled, block=64, grid="a2 // 64", measure=QUICK, folder="kept")
    assert [row["status"] == "wrong" for row in run.rows] == [False, True], run.messages
    assert not any("notes" in row and "audits keep" in str(row["notes"]) for row in run.rows)
    assert not list(Path("kept").glob("*.npy"))
    with pytest.raises(TypeError, match="answer must be a function made by def"):
        benchctl.tune("twice", source, numbers, {"FACTOR": [2]}, answer=lambda x, y, n: [None, 2 * x, None], block=64, grid=1)


def test_an_output_may_be_an_input(pocl: Path) -> None:
    source = "__kernel void twice(__global int* x) { x[get_global_id(0)] *= FACTOR; }"
    x = numpy.arange(N, dtype=numpy.int32)
    run = benchctl.tune("twice", source, [x], {"FACTOR": [2, 3]}, answer=[2 * x], inout=[0], block=64, grid=N // 64, measure=QUICK)
    assert [row["status"] == "wrong" for row in run.rows] == [False, True]
    assert run.best()["tunables"] == {"FACTOR": 2}


def test_what_is_written(folder: Path, pretend: Any) -> None:
    pretend("sys.exit('benchctl: error: looked at ' + sys.argv[2])")
    with pytest.raises(benchctl.PointsFailed, match=f"looked at {folder}/kept/smooth.toml"):
        smooth(folder / "kept", search={"strategy": "random"}, flops=4 * N, table={"shared_bytes": "4 * GROUP"})
    config = tomllib.loads((folder / "kept" / "smooth.toml").read_text(encoding="utf-8"))
    workload, (kernel,), (sweep,) = config["workload"]["smooth"], config["kernel"], config["sweep"]
    assert workload["buffer"] == [{"name": "a0", "type": "f32", "count": "4096", "role": "in", "fill": {"file": "a0.npy"}},
                                  {"name": "a1", "type": "f32", "count": "4096", "role": "out"}]
    assert workload["check"] == {"relative": 1e-5, "absolute": 1e-8, "files": {"a1": "a1_answer.npy"}}
    assert workload["parameters"]["a2"] == {"default": N, "minimum": 1, "maximum": 2**31 - 1}
    assert workload["cost"] == {"flops": str(4 * N)}
    assert kernel["arguments"] == ["a0", "a1", {"i32": "a2"}] and kernel["backend"] == "opencl" and kernel["text"] == SMOOTH
    assert kernel["tunables"] == {"GROUP": 32} and kernel["defines"] == ["GROUP"] and kernel["shared_bytes"] == "4 * GROUP"
    assert sweep["parameters"] == {"GROUP": [32, 64]} and config["search"] == {"strategy": "random"} and config["measure"] == QUICK
    assert sorted(file.name for file in (folder / "kept").glob("*.npy")) == ["a0.npy", "a1_answer.npy"]
    assert numpy.array_equal(numpy.load(folder / "kept" / "a0.npy"), numpy.random.default_rng(1).random(N, numpy.float32))


def test_types_and_places_of_arguments(folder: Path, pretend: Any) -> None:
    pretend("sys.exit(2)")
    table = numpy.asfortranarray(numpy.arange(6, dtype=numpy.int64).reshape(2, 3))
    with pytest.raises(benchctl.Refused):
        benchctl.tune("k", "__global__ void k", [table, numpy.uint32(7), numpy.float64(0.1), -5, 1.5, numpy.zeros(3, numpy.uint8)], {"T": range(2), "WORD": "a"},
                      answer=[table, None, None, None, None, numpy.zeros(3, numpy.uint8)], inout=[0], block=("T", 1), grid=["a3", 2, 3], folder="kept")
    config = tomllib.loads(Path("kept/k.toml").read_text(encoding="utf-8"))
    assert config["kernel"][0]["arguments"] == ["a0", {"u32": "a1"}, {"f64": "0.1"}, {"i32": "a3"}, {"f32": "1.5"}, "a5"]
    assert config["kernel"][0]["backend"] == "cuda" and config["kernel"][0]["block"] == ["T", 1] and config["kernel"][0]["grid"] == ["a3", 2, 3]
    assert [(buffer["type"], buffer["role"], buffer.get("fill")) for buffer in config["workload"]["k"]["buffer"]] == [
        ("i64", "inout", {"file": "a0.npy"}), ("u8", "out", None)]
    assert config["workload"]["k"]["parameters"]["a3"]["minimum"] == -5
    assert config["workload"]["k"]["check"]["relative"] == 0 and config["workload"]["k"]["check"]["absolute"] == 0
    assert config["sweep"][0]["parameters"] == {"T": [0, 1], "WORD": ["a"]}
    assert numpy.load("kept/a0.npy").tolist() == [0, 1, 2, 3, 4, 5]  # rows, whatever the order in memory


F = numpy.zeros(4, numpy.float32)


@pytest.mark.parametrize(("change", "error", "words"), [
    ({"answer": [F]}, ValueError, "answer has 1 elements for 2 arguments: write None"),
    ({"answer": [None, None]}, ValueError, "answer is empty"),
    ({"answer": {"a1": F}}, TypeError, "both lists, or both dictionaries"),
    ({"answer": [None, numpy.zeros(4)]}, ValueError, r"a1: .* they are float32 of shape \(4,\) and float64 of shape \(4,\)"),
    ({"answer": [None, numpy.zeros(5, numpy.float32)]}, ValueError, r"a1: argument and answer must be arrays of one shape"),
    ({"arguments": {"x": F, "y": F}, "answer": {"z": F}}, ValueError, "answer names z, which is not an argument; the arguments are x, y"),
    ({"arguments": ["text", F]}, TypeError, "a0 is str: an argument is an array or a number"),
    ({"arguments": [numpy.zeros(4, complex), F]}, TypeError, "a0 has the element type complex128; buffers may have float16"),
    ({"tunables": {"T": []}}, ValueError, "the tunable T has no values"),
    ({"inout": [0]}, ValueError, "inout names a0, which has no answer"),
    ({"source": "void k() {}"}, ValueError, "the source does not tell its backend"),
])
def test_arguments_that_do_not_fit_are_named(change: dict[str, Any], error: type[Exception], words: str) -> None:
    given: dict[str, Any] = {"kernel": "k", "source": "__kernel void k", "arguments": [F, F], "tunables": {"T": [1]}, "answer": [None, F], "block": 1, "grid": 1}
    with pytest.raises(error, match=words):
        benchctl.tune(**(given | change))
