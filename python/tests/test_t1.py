"""Tuning problems in T1, in the style of those that Kernel Tuner, KTT and their benchmark suites publish."""
from __future__ import annotations

import json
import os
import random
import subprocess
import sys
import time
import tomllib
from pathlib import Path
from typing import Any

import pytest

from benchctl import program as programs
from benchctl import toml
from conftest import ROOT

sys.path.append(str(ROOT / "examples"))
import t1_to_config as t1  # noqa: E402

SCALE = """{
  "General": { "BenchmarkName": "scale" },
  "Budget": [ { "Type": "ConfigurationCount", "BudgetValue": 10 } ],
  "ConfigurationSpace": {
    "TuningParameters": [
      { "Name": "BLOCK", "Type": "int", "Values": "list(range(32, 128 + 1, 32))", "Default": 64 },
      { "Name": "WORK", "Type": "int", "Values": "[1, 2, 4]" },
      { "Name": "WAY", "Type": "string", "Values": ["left", "right"] } ],
    "Conditions": [ { "Parameters": ["BLOCK", "WORK"], "Expression": "BLOCK * WORK <= 256 and WORK != 3" } ]
  },
  "KernelSpecification": {
    "Language": "OpenCL", "KernelName": "scale", "KernelFile": "scale.cl",
    "GlobalSize": { "X": "1024 / WORK" }, "LocalSize": { "X": "BLOCK" },
    "CompilerOptions": ["-cl-fast-relaxed-math"],
    "Arguments": [
      { "Name": "x", "Type": "float", "MemoryType": "Vector", "Size": 1024, "FillType": "Random", "AccessType": "ReadOnly" },
      { "Name": "y", "Type": "float", "MemoryType": "Vector", "Size": 1024, "AccessType": "WriteOnly" },
      { "Name": "n", "Type": "int32", "MemoryType": "Scalar", "FillValue": 1024 } ]
  }
}"""

# An image filter: the problem's size over divisors, lists of defaults, sizes of buffers as Python, a reference file.
BLUR = """{
  "General": { "BenchmarkName": "blur", "OutputFormat": "JSON" },
  "ConfigurationSpace": {
    "TuningParameters": [
      { "Name": "radius", "Type": "int", "Values": "[7]", "Default": [7] },
      { "Name": "block_size_x", "Type": "int", "Values": "[1, 2, 4, 8, 16] + [16*i for i in range(1, 17)]", "Default": "[64]" },
      { "Name": "block_size_y", "Type": "int", "Values": "[2**i for i in range(5)]", "Default": "16" },
      { "Name": "tile_size_x", "Type": "int", "Values": "[i for i in range(1, 9)]", "Default": 1 },
      { "Name": "edge", "Type": "string", "Values": "['near', 'far']", "Default": "far" } ],
    "Conditions": [
      { "Expression": "32 <= block_size_x*block_size_y <= 1024", "Parameters": ["block_size_x", "block_size_y"] },
      { "Expression": "(block_size_x*tile_size_x + radius*2) * block_size_y < 12*1024", "Parameters": [] } ]
  },
  "KernelSpecification": {
    "Language": "CUDA", "BenchmarkName": "blur", "KernelName": "blur_kernel", "KernelFile": "blur.cu",
    "GlobalSizeType": "CUDA", "CompilerOptions": null, "Stream": null, "SharedMemory": null,
    "LocalSize": { "X": "block_size_x", "Y": "block_size_y", "Z": "1" },
    "GlobalSize": { "X": "256", "Y": "128", "Z": "1" },
    "ProblemSize": [256, 128],
    "GridDivX": ["block_size_x", "tile_size_x"], "GridDivY": [],
    "Arguments": [
      { "Name": "output", "Type": "float", "MemoryType": "Vector", "AccessType": "WriteOnly",
        "Size": "ProblemSize[0] * ProblemSize[1]", "FillType": "Constant", "FillValue": 0.0 },
      { "Name": "input", "Type": "float2", "MemoryType": "Vector", "AccessType": "ReadOnly",
        "Size": "(ProblemSize[0] + max(tile_size_x)) * (ProblemSize[1] + 2 * radius)", "FillType": "Random", "FillValue": 40.0 },
      { "Name": "seeds", "Type": "int32", "MemoryType": "Vector", "AccessType": "ReadOnly",
        "Size": 16, "FillType": "Random", "FillValue": 99.5 },
      { "Name": "width", "Type": "int32", "MemoryType": "Scalar", "FillValue": "ProblemSize[0]" } ],
    "ReferenceArguments": [
      { "Name": "truth", "TargetName": "output", "Type": "float", "FillType": "BinaryRaw", "DataSource": "blurred.raw",
        "ValidationMethod": "SideBySideComparison", "ValidationThreshold": 0.01 } ]
  }
}"""
KERNEL, ARGUMENTS, PARAMETERS = "KernelSpecification", "KernelSpecification/Arguments", "ConfigurationSpace/TuningParameters"


def changed(document: str, changes: dict[str, Any]) -> str:
    """With other values at places such as `a/0/b`."""
    root = json.loads(document)
    for place, value in changes.items():
        *above, last = place.split("/")
        part = root
        for key in above:
            part = part[int(key) if key.isdigit() else key]
        part[int(last) if last.isdigit() else last] = value
    return json.dumps(root)


def read(document: str, **changes: Any) -> tuple[dict[str, Any], list[str]]:
    Path("t1.json").write_text(changed(document, changes), encoding="utf-8")
    return t1.read("t1.json")


@pytest.fixture(autouse=True)
def files(folder: Path) -> None:
    """What the documents name."""
    for kernel in ("scale.cl", "blur.cu", "blur.cl"):
        (folder / kernel).write_text("kernel\n", encoding="utf-8")
    (folder / "blurred.raw").write_bytes(bytes(4 * 256 * 128))
    (folder / "inputs.raw").write_bytes(bytes(8 * (256 + 8) * (128 + 14)))


def check(config: dict[str, Any]) -> None:
    """The program accepts it."""
    Path("made.toml").write_text(t1.text(config, []), encoding="utf-8")
    programs.call(["check", "made.toml"])


def test_it_becomes_a_config_with_its_kernel_space_conditions_and_buffers() -> None:
    config, left_out = read(SCALE)
    check(config)
    (kernel,), (sweep,), workload = config["kernel"], config["sweep"], config["workload"]["scale_t1"]
    assert kernel == {"name": "scale", "workload": "scale_t1", "backend": "opencl", "source": "scale.cl", "entry": "scale", "arguments": ["x", "y", "n"],
                      "block": ["BLOCK", "1", "1"], "grid": ["ceil_div(1024 / WORK, BLOCK)", "1", "1"], "options": ["-cl-fast-relaxed-math"],
                      "defines": {"BLOCK": "BLOCK", "WORK": "WORK", "WAY": "WAY"}, "tunables": {"BLOCK": 64, "WORK": 1, "WAY": "left"}}
    assert sweep["parameters"] == {"BLOCK": [32, 64, 96, 128], "WORK": [1, 2, 4], "WAY": ["left", "right"]}
    assert sweep["where"] == ["BLOCK * WORK <= 256 and WORK != 3"]
    assert workload["buffer"] == [{"name": "x", "type": "f32", "count": 1024, "role": "in", "fill": {"uniform": [0, 1]}},
                                  {"name": "y", "type": "f32", "count": 1024, "role": "out"}]
    assert workload["scalar"] == [{"name": "n", "type": "i32", "value": 1024}]
    assert workload["check"] == {"kernel": "scale", "relative": 1e-3, "absolute": 1e-5}
    assert left_out == ["'Budget' of the document was not converted"]


def test_expressions_and_lists_may_have_pythons_operators() -> None:
    config, left_out = read(SCALE, **{"ConfigurationSpace/Conditions/0/Expression": "1 <= BLOCK // WORK < 2**10 and not WORK in [1, 2, 0x4]",
                               f"{KERNEL}/GlobalSize/X": "1024 // WORK", f"{KERNEL}/GlobalSize/W": 1, f"{KERNEL}/SharedMemory": "BLOCK**2 % 4096"})
    check(config)
    assert left_out == ["'Budget' of the document was not converted", "'W' of GlobalSize was not converted"]
    assert config["kernel"][0]["grid"][0] == "ceil_div(1024 // WORK, BLOCK)"
    assert config["kernel"][0]["shared_bytes"] == "BLOCK ** 2 % 4096"
    assert config["sweep"][0]["where"] == ["1 <= BLOCK // WORK < 2 ** 10 and (not WORK in [1, 2, 4])"]


@pytest.mark.parametrize(("text", "values"), [
    ("[2**i for i in range(5, 9)]", [32, 64, 128, 256]),
    ("[32] + list(range(64, 128+1, 64)) + [i * 16 for i in [1, 3]]", [32, 64, 128, 16, 48]),
    ("[ i for i in range(1, 9) if 8 % i == 0 and i not in [2, 3] ]", [1, 4, 8]),
    ("range(3, 0, -1)", [3, 2, 1]),
    ("[1, 16 // 3, max(2, 7), 8 / 2, -(-7), 0.5, 1.0]", [1, 5, 7, 4, 0.5]),
    ("['a', 'b', 'a']", ["a", "b"]),
    ([1, 2, 1], [1, 2]),
])
def test_values_are_lists_or_texts_with_lists(text: Any, values: list[Any]) -> None:
    config, _ = read(SCALE, **{f"{PARAMETERS}/1/Values": text})
    assert config["sweep"][0]["parameters"]["WORK"] == values


def test_the_grid_is_the_problems_size_over_its_divisors_rounded_up() -> None:
    config, left_out = read(BLUR)
    assert config["kernel"][0]["grid"] == ["ceil_div(256, (block_size_x) * (tile_size_x))", "ceil_div(128, block_size_y)", "1"]
    assert config["kernel"][0]["block"] == ["block_size_x", "block_size_y", "1"]
    assert "'GlobalSize' was not converted: 'ProblemSize' and 'GridDiv' say how many blocks" in left_out
    changes: dict[str, Any] = {f"{KERNEL}/ProblemSize": None, f"{ARGUMENTS}/0/Size": 64, f"{ARGUMENTS}/1/Size": 64, f"{ARGUMENTS}/3/FillValue": 256}

    def grid() -> list[str]:
        config, _ = read(BLUR, **changes)
        assert config["kernel"][0]["block"] == ["block_size_x", "block_size_y", "1"]
        return list(config["kernel"][0]["grid"])

    assert grid()[0] == "ceil_div(256, (block_size_x) * (tile_size_x))"  # GlobalSize is the problem's
    changes[f"{KERNEL}/GridDivX"] = None
    assert grid() == ["256", "128", "1"]
    changes[f"{KERNEL}/GlobalSizeType"] = "OpenCL"
    assert grid() == ["ceil_div(256, block_size_x)", "ceil_div(128, block_size_y)", "1"]
    changes[f"{KERNEL}/GlobalSize"] = None
    with pytest.raises(t1.T1Error, match="neither 'GlobalSize' nor 'ProblemSize'"):
        grid()
    changes |= {f"{KERNEL}/ProblemSize": "[256, 256]", f"{KERNEL}/LocalSize": None}
    assert grid() == ["ceil_div(256, block_size_x)", "ceil_div(256, block_size_y)", "1"]


def test_defaults_may_be_lists_and_texts_and_values_are_taken_once() -> None:
    config, _ = read(BLUR)
    assert config["kernel"][0]["tunables"] == {"radius": 7, "block_size_x": 64, "block_size_y": 16, "tile_size_x": 1, "edge": "far"}
    assert len(config["sweep"][0]["parameters"]["block_size_x"]) == 20  # 16 stands in both lists


def test_buffers_have_their_sizes_vectors_and_random_values() -> None:
    def buffers(**changes: Any) -> list[dict[str, Any]]:
        return list(read(BLUR, **changes)[0]["workload"]["blur_kernel_t1"]["buffer"])

    config, _ = read(BLUR)
    assert config["workload"]["blur_kernel_t1"]["scalar"] == [{"name": "width", "type": "i32", "value": 256}]
    output, image, seeds = buffers()
    assert output["count"] == 256 * 128 and image["count"] == 2 * (256 + 8) * (128 + 14) and image["type"] == "f32"
    assert image["fill"] == {"uniform": [0, 40]} and seeds["fill"] == {"integers": [0, 99]}
    three = {f"{ARGUMENTS}/1/Type": "float3", f"{ARGUMENTS}/1/Size": 10, f"{ARGUMENTS}/1/FillValue": -3, f"{ARGUMENTS}/2/FillValue": None}
    assert buffers(**three)[1]["count"] == 30
    assert buffers(**three)[1]["fill"] == {"uniform": [-3, 0]} and buffers(**three)[2]["fill"] == "integers"
    assert buffers(**three, **{f"{KERNEL}/Language": "OpenCL"})[1]["count"] == 40


def test_reference_files_are_the_truth_if_every_output_has_one() -> None:
    def checked(**changes: Any) -> tuple[dict[str, Any], str]:
        config, left_out = read(BLUR, **changes)
        return config["workload"]["blur_kernel_t1"]["check"], "\n".join(left_out)

    found, left_out = checked()
    assert found == {"files": {"output": "blurred.raw"}, "relative": 0, "absolute": 0.01} and "input is drawn at random" in left_out
    check(read(BLUR)[0])
    reference = f"{KERNEL}/ReferenceArguments/0"
    assert checked(**{f"{reference}/ValidationMethod": "SideBySideRelativeComparison"})[0] | {"files": {}} == {
        "files": {}, "relative": 0.01, "absolute": 1e-4}
    assert checked(**{f"{reference}/ValidationThreshold": None})[0] | {"files": {}} == {"files": {}, "relative": 1e-3, "absolute": 1e-5}
    found, left_out = checked(**{f"{reference}/ValidationMethod": "AbsoluteDifference"})
    assert found["absolute"] == 0.01 and "the threshold of AbsoluteDifference is taken for single elements" in left_out
    for changes, reason in (({f"{ARGUMENTS}/2/AccessType": "ReadWrite"}, "seeds has none"),
                            ({f"{reference}/FillType": "Script"}, "FillType Script is not BinaryRaw")):
        found, left_out = checked(**changes)
        assert found["kernel"] == "blur_kernel" and reason in left_out


def test_options_templates_files_structures_and_constants_are_read() -> None:
    changes = {f"{KERNEL}/CompilerOptions": ["", "-use_fast_math -DDEPTH=3 -DON", "-DREAL=float", "-I../include", "-arch=sm_70"],
               f"{KERNEL}/KernelTypeNames": ["float", "tile_size_x"], f"{ARGUMENTS}/1/FillType": "BinaryRaw", f"{ARGUMENTS}/1/DataSource": "inputs.raw",
               f"{ARGUMENTS}/2": {"Name": "weights", "Type": "custom", "TypeSize": 12, "MemoryType": "Symbol", "AccessType": "ReadOnly", "Size": 49,
                                  "FillType": "Constant", "FillValue": 1}}
    config, left_out = read(BLUR, **changes)
    check(config)
    kernel, buffers = config["kernel"][0], config["workload"]["blur_kernel_t1"]["buffer"]
    assert kernel["entry"] == "blur_kernel<float, tile_size_x>" and kernel["arguments"] == ["output", "input", "width"]
    assert kernel["defines"] | {"DEPTH": "3", "REAL": "'float'", "ON": "1"} == kernel["defines"] and kernel["options"] == ["-use_fast_math"]
    assert kernel["constants"] == {"weights": "weights"} and buffers[1]["fill"] == {"file": "inputs.raw"}
    assert buffers[2] == {"name": "weights", "type": "u8", "count": 49 * 12, "role": "in", "fill": {"constant": 1}}
    assert sum("-I../include" in sentence or "-arch=sm_70" in sentence for sentence in left_out) == 2
    config, _ = read(BLUR, **changes | {f"{KERNEL}/Language": "OpenCL", f"{KERNEL}/KernelTypeNames": None, f"{ARGUMENTS}/2/MemoryType": "Local",
                                        f"{KERNEL}/KernelFile": "blur.cl"})
    check(config)
    assert config["kernel"][0]["arguments"] == ["output", "input", {"local_bytes": 588}, "width"]


def test_files_are_named_as_seen_from_the_working_directory(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (folder / "t1.json").write_text(BLUR, encoding="utf-8")
    (folder / "deep").mkdir()
    monkeypatch.chdir(folder / "deep")
    config, _ = t1.read("../t1.json")
    assert config["kernel"][0]["source"] == "../blur.cu"
    monkeypatch.chdir("..")
    (folder / "deep/t1.json").write_text(BLUR, encoding="utf-8")
    config, _ = t1.read(folder / "deep/t1.json")
    assert config["workload"]["blur_kernel_t1"]["check"]["files"] == {"output": "deep/blurred.raw"}


def test_a_space_with_more_combinations_than_a_sweep_may_have_is_searched() -> None:
    assert "search" not in read(BLUR)[0]
    parameters = json.loads(BLUR)["ConfigurationSpace"]["TuningParameters"]
    config, _ = read(BLUR, **{PARAMETERS: parameters + [{"Name": name, "Values": "list(range(1, 17))"} for name in ("unroll", "vector")]})
    assert config["search"] == {"strategy": "hill_climb"}


VALUES, CONDITION = f"{PARAMETERS}/0/Values", "ConfigurationSpace/Conditions/0/Expression"


@pytest.mark.parametrize(("document", "place", "value", "message"), [
    ("scale", VALUES, "__import__('os').system('x')", "unknown function"),
    ("scale", VALUES, "[].__class__", "'[].__class__' is not one of our expressions"),
    ("scale", VALUES, "[i.real for i in [1]]", "'i.real' is not one of our expressions"),
    ("scale", VALUES, "range(0, 10**12)", "too many values"),
    ("scale", VALUES, "[[i for i in range(50000)] for j in range(50000)]", "too many values"),
    ("scale", VALUES, "range(len(x))", "column 7: unknown function 'len'"),
    ("scale", VALUES, "range(1, 2, 0)", "must not be zero"),
    ("scale", VALUES, "range(0.5)", "cannot be interpreted as an integer"),
    ("scale", VALUES, "[1, ITEM]", "column 5: 'ITEM' has no value here"),
    ("scale", VALUES, "[i for i in range(3)", "column 1: '[' was never closed"),
    ("scale", VALUES, "[i * j for i in [1] for j in [2]]", "is not one of our expressions"),
    ("scale", VALUES, "[2**i for i in range(100)]", "column 2: the result is beyond 2^53"),
    ("scale", VALUES, "[9**9**9**9]", "column 5: the result is beyond 2^53"),
    ("scale", VALUES, "['a' * 2**40]", "bad operand type for unary +: 'str'"),
    ("scale", VALUES, "['a' + 'b']", "bad operand type for unary +: 'str'"),
    ("scale", VALUES, "[1] * 2**40", "bad operand type for unary +: 'list'"),
    ("scale", VALUES, "'%1000000000d' % 1", "bad operand type for unary +: 'str'"),
    ("scale", VALUES, "[1 / 0]", "by zero"),
    ("scale", VALUES, "[(-8)**0.5]", "not a real number"),
    ("scale", VALUES, "[[1]]", "neither a word nor a number"),
    ("scale", VALUES, "7", "expected a list of values"),
    ("scale", VALUES, [], "is empty"),
    ("scale", VALUES, [2**63], "nor a number below 2^63"),
    ("scale", VALUES, "[" + "-" * 5000 + "1]", "nested too deeply"),
    ("scale", CONDITION, "BLOCK // WORK >", "column 16: invalid syntax"),
    ("scale", CONDITION, "math.log2(BLOCK) > 1", "unknown function 'math.log2'; Python beyond our own expressions is not evaluated"),
    ("scale", CONDITION, "BLOCK.bit_length() > 1", "unknown function 'BLOCK.bit_length'"),
    ("scale", CONDITION, "BLOCK[0] > 1", "'BLOCK[0]' is not one of our expressions"),
    ("scale", CONDITION, "(BLOCK := 3) > 1", "is not one of our expressions"),
    ("scale", CONDITION, "BLOK > 1", "mentions 'BLOK', which is not a tuning parameter"),
    ("scale", f"{KERNEL}/Language", "Vulkan", "'Vulkan' is not supported, only CUDA, OpenCL"),
    ("scale", f"{KERNEL}/KernelName", "scale; rm", "not a name"),
    ("scale", f"{KERNEL}/KernelTypeNames", ["float"], "only kernels in CUDA can be templates"),
    ("scale", f"{KERNEL}/GlobalSize/X", "lambda p: 1", "not evaluated"),
    ("scale", f"{ARGUMENTS}/0/Type", "complex2", "element type 'complex2' is not supported"),
    ("scale", f"{ARGUMENTS}/0/FillType", "Script", "fill type 'Script'"),
    ("scale", f"{ARGUMENTS}/0/MemoryType", "Symbol", "'Symbol' is not supported, only Vector, Scalar, Local"),
    ("scale", f"{ARGUMENTS}/0/Size", -1, "not a positive integer"),
    ("scale", f"{ARGUMENTS}/1/AccessType", "ReadOnly", "no vector is WriteOnly or ReadWrite"),
    ("scale", f"{ARGUMENTS}/1/AccessType", "Maybe", "argument y, AccessType: 'Maybe' is not supported"),
    ("scale", f"{PARAMETERS}/1/Name", "BLOCK", "has BLOCK twice"),
    ("scale", f"{PARAMETERS}/1/Name", None, "a parameter: has no 'Name'"),
    ("scale", f"{PARAMETERS}/1", 3, "a parameter: is not an object"),
    ("scale", PARAMETERS, {}, "ConfigurationSpace, TuningParameters: is not a list"),
    ("scale", f"{KERNEL}/KernelFile", 3, "KernelSpecification, KernelFile: is not a string"),
    ("blur", f"{ARGUMENTS}/1/FillType", "Generator", "fill type 'Generator' is not supported"),
    ("blur", f"{ARGUMENTS}/1/Type", "custom", "TypeSize is not a positive integer"),
    ("blur", f"{ARGUMENTS}/1/FillType", "BinaryRaw", "has no 'DataSource'"),
    ("blur", f"{ARGUMENTS}/1/MemoryType", "Local", "'Local' is not supported, only Vector, Scalar, Symbol"),
    ("blur", f"{KERNEL}/CompilerOptions", ['-DA="x"'], "is not NAME=VALUE"),
    ("blur", f"{KERNEL}/CompilerOptions", ["--maxrregcount={R}"], "has braces"),
    ("blur", f"{KERNEL}/CompilerOptions", [3], "CompilerOptions: is not a list of strings"),
    ("blur", f"{ARGUMENTS}/3/Type", "float4", "a scalar of a vector type"),
    ("blur", f"{ARGUMENTS}/3/FillValue", "1\n[[kernel]]", "column"),
    ("blur", f"{ARGUMENTS}/3/FillValue", None, "argument width, FillValue: 'None' is not a number"),
    ("blur", f"{ARGUMENTS}/1/FillValue", "open(0)", "unknown function 'open'"),
    ("blur", f"{ARGUMENTS}/1/Size", "2 * tile_size_x", "'tile_size_x' has no value here"),
    ("blur", f"{ARGUMENTS}/1/Size", "0.5 * ProblemSize[0] / 256", "not a positive integer"),
    ("blur", f"{ARGUMENTS}/1/Size", "ProblemSize[2]", "'ProblemSize[2]' is not one of our expressions"),
    ("blur", f"{KERNEL}/GridDivX", ["block_size_z"], "'block_size_z', which is not a tuning parameter"),
    ("blur", f"{PARAMETERS}/3/Default", [], "Default of parameter tile_size_x"),
    ("blur", f"{PARAMETERS}/3/Default", "one", "Default of parameter tile_size_x"),
    ("blur", f"{KERNEL}/ReferenceArguments/0/TargetName", "input", "not a vector that the kernel writes"),
    ("blur", f"{KERNEL}/ReferenceArguments/0/ValidationThreshold", -1, "is negative"),
    ("blur", f"{KERNEL}/ReferenceArguments/0/DataSource", None, "the reference of output: has no 'DataSource'"),
])
def test_what_has_no_counterpart_is_refused_by_name_and_python_is_not_run(document: str, place: str, value: Any, message: str) -> None:
    begin = time.process_time()
    with pytest.raises(t1.T1Error) as error:
        read({"scale": SCALE, "blur": BLUR}[document], **{place: value})
    assert str(error.value).startswith("t1.json: ") and message in str(error.value) and "\n" not in str(error.value)
    assert time.process_time() - begin < 20


@pytest.mark.parametrize("content", [b"", b"no json", b"[]", b"\xff", b"[" * 100_000, b'{"a": ' * 100_000, b'{"ConfigurationSpace": NaN}', SCALE.replace("1024", "NaN").encode(),
                                     SCALE.replace("1024", "1e999").encode(), SCALE.replace("scale.cl", "\x00").encode()])
def test_a_broken_file_is_refused(content: bytes) -> None:
    Path("t1.json").write_bytes(content)
    with pytest.raises(t1.T1Error, match="t1.json: "):
        t1.read("t1.json")


def test_whatever_stands_anywhere_is_read_or_refused() -> None:
    def places(part: Any, place: str = "") -> list[str]:
        inner = part.items() if isinstance(part, dict) else enumerate(part) if isinstance(part, list) else ()
        return [found for key, value in inner for found in (f"{place}{key}", *places(value, f"{place}{key}/"))]

    source, read_ones = random.Random(3), 0
    values = ["BLOCK", "max(tile_size_x)", "ProblemSize[0]", "ProblemSize[9]", "[1, 2]", "[2**i for i in range(3)]", "range(4)", "1 if 2 else 3", "f'{1}'",
              "None", "", "\ud800", "'\\n", 1, 2.5, -3, 2**70, True, None, [], {}, ["a"], [[1]], {"X": []}, "OpenCL", "CUDA", "Local", "ReadWrite"]
    for _ in range(400):
        document = source.choice([SCALE, BLUR])
        try:
            config, left_out = read(document, **{source.choice(places(json.loads(document))): source.choice(values)})
        except t1.T1Error as error:
            assert str(error).startswith("t1.json: ")
            continue
        read_ones += 1
        try:
            tomllib.loads(t1.text(config, left_out))
        except ValueError as error:
            assert "not Unicode" in str(error)
    assert read_ones > 50


def test_text_cannot_end_a_comment_or_a_string_of_the_config() -> None:
    config, left_out = read(SCALE, **{"x\n[[kernel]]\n": 1, f"{KERNEL}/KernelFile": 'a"\nname = "b',
                                      f"{PARAMETERS}/2/Values": ['left"]\n[[kernel]]', "r\\"]})
    again = tomllib.loads(t1.text(config, left_out))
    assert len(again["kernel"]) == 1 and again["kernel"][0]["name"] == "scale" and again["sweep"][0]["parameters"]["WAY"] == ['left"]\n[[kernel]]', "r\\"]


def test_a_command_writes_the_config() -> None:
    Path("t1.json").write_text(SCALE, encoding="utf-8")

    def call(file: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run([ROOT / "examples/t1_to_config.py", file], env={"PATH": os.environ["PATH"]}, capture_output=True,
                              encoding="utf-8", check=False)

    done = call("t1.json")
    assert done.returncode == 0 and tomllib.loads(done.stdout) == tomllib.loads(toml.dumps(t1.read("t1.json")[0]))
    assert done.stdout.startswith("# Made from a T1 file.") and "# Left out: 'Budget' of the document was not converted\n" in done.stdout
    assert done.stderr == "t1_to_config: left out: 'Budget' of the document was not converted\n"
    Path("no.json").write_text("{", encoding="utf-8")
    Path("surrogate.json").write_text(SCALE.replace("left", "\\ud800"), encoding="utf-8")
    for file, message in (("no.json", "no.json: this is not a JSON document"), ("none.json", "No such file"), ("surrogate.json", "not Unicode")):
        done = call(file)
        assert done.returncode == 2 and message in done.stderr and done.stdout == ""
