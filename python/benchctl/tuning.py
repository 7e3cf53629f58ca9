"""Tuning one kernel with NumPy's arrays as inputs and as the right answer."""
from __future__ import annotations

import inspect
import sys
import tempfile
import textwrap
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from . import toml
from .errors import need
from .results import Run
from .running import run

if TYPE_CHECKING:
    import numpy

    Arguments = Sequence[Any] | Mapping[str, Any]
    Made = Callable[..., Arguments]

TYPES = {"float16": "f16", "float32": "f32", "float64": "f64", "int8": "i8", "int16": "i16", "int32": "i32", "int64": "i64",
         "uint8": "u8", "uint16": "u16", "uint32": "u32", "uint64": "u64"}
"""Element types of configs by NumPy's names."""


def tune(kernel: str, source: str | Path, arguments: Arguments | Made, tunables: Mapping[str, Sequence[Any]], *,
         answer: Arguments | Made,
         block: Any, grid: Any, where: Sequence[str] = (), backend: str | None = None, inout: Sequence[str | int] = (),
         relative: float | str | None = None, absolute: float | str | None = None, flops: float = 0,
         search: Mapping[str, Any] | None = None, measure: Mapping[str, Any] | None = None, table: Mapping[str, Any] | None = None,
         folder: str | Path | None = None, **options: Any) -> Run:
    """Measures one kernel in all its configurations, each verified, and returns the results: best()["tunables"] is the fastest.

    kernel     name of the kernel function
    source     the source as a text, or its file as a Path
    arguments  the function's arguments in order: arrays for buffers, numbers for scalars (an int is an int32, a float a
               float32; NumPy's numbers keep their type). A list names them a0, a1, …; a dictionary names them itself.
               Expressions may use the names of whole numbers.
               Or a function of a seed that gives them: each audit then has inputs of its own, and a kernel that keeps results
               is found out. Numbers and shapes must be the same for every seed
    tunables   values to try, by name; each becomes a macro of the kernel
    answer     what the kernel must leave in its outputs: in a list an array at the place of each output, None at all
               others; in a dictionary by name. An output must be written completely, and is not given to the kernel. If
               `arguments` is a function, a function of the arguments that gives this. Both are run by a process of their own
               from their text: what they use but np, NumPy, they import themselves
    inout      names or places of outputs that the kernel also reads: restored before every execution
    block      threads per block, grid: blocks; one to three expressions: ("BX", "BY"), ("ceil_div(n, BX)", "n // 4")
    where      conditions on tunables, such as "BX * BY <= 1024"
    backend    "opencl", "cuda" or "vulkan"; default: by the source
    relative, absolute   a result is right if abs(value - answer) <= absolute + relative * abs(answer). Defaults: 1e-5 and
               1e-8, those of numpy.allclose; 0 if all outputs are integers
    flops      operations of one execution, for rates
    search     keys of [search] for large spaces, such as {"strategy": "hill_climb", "max_points": 100}
    measure    keys of [measure]
    table      more keys of [[kernel]], such as {"shared_bytes": "4 * BX"}
    folder     keeps the config and its arrays there, for the command line, and so that the same call resumes after Ctrl-C;
               default: a temporary folder
    options    those of run(), such as db="runs.db"; points that fail do not raise unless check=True

    Raises TypeError or ValueError for arguments that do not fit together, and what run() raises. Needs NumPy.
    """
    program = _program(arguments, answer) if callable(arguments) or callable(answer) else ""
    if callable(arguments) and callable(answer):
        arguments = arguments(1)
        answer = answer(**arguments) if isinstance(arguments, Mapping) else answer(*arguments)
    assert not callable(arguments) and not callable(answer)
    named, answers = _named(arguments, answer)
    exact = all(value.dtype.kind in "iu" for value in answers.values())
    rule = {"relative": (0 if exact else 1e-5) if relative is None else relative, "absolute": (0 if exact else 1e-8) if absolute is None else absolute}
    buffers, files, parameters, words = _split(named, answers, _restored(inout, answers))
    truth = {"files": {name: f"{name}_answer.npy" for name in answers}}
    if program:
        files, answers, truth = {}, {}, {}
        for buffer in buffers:
            buffer.pop("fill", None)
    values = {name: _values(name, listed) for name, listed in tunables.items()}
    is_text = isinstance(source, str)
    config: dict[str, Any] = {
        "experiment": {"name": kernel, "title": f"{kernel}: the fastest configuration", "roofs": "none"},
        **{key: dict(given) for key, given in (("measure", measure), ("search", search)) if given},
        "workload": {kernel: {**({"parameters": parameters} if parameters else {}), "cost": {"flops": str(flops)}, "buffer": buffers,
                              **({"data": {"run": [sys.executable, f"{kernel}_data.py"]}} if program else {}), "check": rule | truth}},
        "kernel": [{"name": kernel, "workload": kernel, "backend": backend or _backend(source), "entry": kernel, "arguments": words,
                    "block": block, "grid": grid, "defines": list(values), "tunables": {name: given[0] for name, given in values.items()},
                    "text" if is_text else "source": source if is_text else Path(source).resolve(), **(table or {})}],
        "sweep": [{"workload": kernel, "where": list(where), "parameters": values}],
    }
    with tempfile.TemporaryDirectory() as temporary:
        place = Path(temporary if folder is None else folder)
        place.mkdir(parents=True, exist_ok=True)
        _save(place, files | {f"{name}_answer": value for name, value in answers.items()})
        if program:
            (place / f"{kernel}_data.py").write_text(program, encoding="utf-8")
        file = place / f"{kernel}.toml"
        file.write_text(toml.dumps(config), encoding="utf-8")
        given: dict[str, Any] = {"check": False, "allow_outside": not is_text, "allow_programs": bool(program)} | options
        return run(file, **given)


PROGRAM = """# Made by benchctl.tune(): inputs of a seed, and the answers to them.
from __future__ import annotations

import json
import sys

import numpy as np

{functions}

request = json.load(sys.stdin)
given = {arguments}(request["seed"])
is_named = hasattr(given, "keys")
named = dict(given) if is_named else {{f"a{{place}}": value for place, value in enumerate(given)}}
copies = {{name: np.copy(value) if getattr(value, "shape", ()) else value for name, value in named.items()}}
answers = {answer}(**copies) if is_named else {answer}(*copies.values())
if not is_named:
    answers = {{f"a{{place}}": value for place, value in enumerate(answers)}}
for buffer in request["buffers"]:
    name = buffer["name"]
    if buffer["role"] != "out":
        np.save(name + ".npy", np.ravel(named[name]))
    if buffer["role"] != "in":
        np.save(name + (".npy" if buffer["role"] == "out" else ".truth.npy"), np.ravel(answers[name]))
"""


def _program(arguments: Any, answer: Any) -> str:
    """The data program of two functions."""
    texts = []
    for name, function in (("arguments", arguments), ("answer", answer)):
        if not inspect.isfunction(function) or function.__name__ == "<lambda>":
            raise TypeError(f"{name} must be a function made by def: arguments and answer are both functions, or both arrays")
        try:
            texts.append(textwrap.dedent(inspect.getsource(function)))
        except OSError:
            raise TypeError(f"the text of the function {function.__name__} is not known: define it in a file") from None
    return PROGRAM.format(functions="\n\n".join(texts), arguments=arguments.__name__, answer=answer.__name__)


def _restored(inout: Sequence[str | int], answers: Mapping[str, Any]) -> set[str]:
    names = {f"a{item}" if isinstance(item, int) else item for item in inout}
    for name in names - answers.keys():
        raise ValueError(f"inout names {name}, which has no answer: each output needs one")
    return names


def _named(arguments: Arguments, answer: Arguments) -> tuple[dict[str, Any], dict[str, numpy.ndarray[Any, Any]]]:
    """Arguments and answers by name. Lists are named by place."""
    if isinstance(arguments, Mapping) != isinstance(answer, Mapping):
        raise TypeError("arguments and answer are both lists, or both dictionaries")
    if isinstance(arguments, Mapping) and isinstance(answer, Mapping):
        named, answers = dict(arguments), dict(answer)
        for name in answers.keys() - named.keys():
            raise ValueError(f"answer names {name}, which is not an argument; the arguments are {', '.join(named)}")
    else:
        if len(answer) != len(arguments):
            raise ValueError(f"answer has {len(answer)} elements for {len(arguments)} arguments: write None for what is not an output")
        named = {f"a{place}": value for place, value in enumerate(arguments)}
        answers = {f"a{place}": value for place, value in enumerate(answer) if value is not None}
    if not answers:
        raise ValueError("answer is empty: it says what the kernel must compute")
    for name, value in answers.items():
        given = named[name]
        if not hasattr(given, "shape") or not hasattr(value, "shape") or given.shape != value.shape or given.dtype != value.dtype or not given.shape:
            raise ValueError(f"{name}: argument and answer must be arrays of one shape and type; they are {_kind(given)} and {_kind(value)}")
    return named, answers


def _split(named: dict[str, Any], answers: Mapping[str, Any], restored: set[str]) -> tuple[list[dict[str, Any]], dict[str, Any], dict[str, Any], list[Any]]:
    """Buffers of the workload, the files that fill them, its parameters, and the arguments of the kernel."""
    buffers: list[dict[str, Any]] = []
    files: dict[str, Any] = {}
    parameters: dict[str, Any] = {}
    words: list[Any] = []
    for name, value in named.items():
        if getattr(value, "shape", ()):
            role = "in" if name not in answers else "inout" if name in restored else "out"
            buffers.append({"name": name, "type": _type(name, value.dtype), "count": str(value.size), "role": role})
            if role != "out":
                buffers[-1]["fill"] = {"file": f"{name}.npy"}
                files[name] = value
            words.append(name)
            continue
        number = value.item() if hasattr(value, "item") else value
        if not isinstance(number, (int, float)) or isinstance(number, bool):
            raise TypeError(f"{name} is {_kind(value)}: an argument is an array or a number")
        kind = _type(name, value.dtype) if hasattr(value, "dtype") else "i32" if isinstance(number, int) else "f32"
        if isinstance(number, int):
            parameters[name] = {"default": number, "minimum": min(number, 1), "maximum": max(number, 2**31 - 1)}
        words.append({kind: name if isinstance(number, int) else repr(number)})
    return buffers, files, parameters, words


def _save(folder: Path, arrays: Mapping[str, Any]) -> None:
    numpy = need("numpy", "tune()")
    for name, value in arrays.items():
        numpy.save(folder / f"{name}.npy", numpy.ascontiguousarray(value).ravel())


def _values(name: str, values: Sequence[Any]) -> list[Any]:
    found = [values] if isinstance(values, (str, int, float)) else list(values)
    if not found:
        raise ValueError(f"the tunable {name} has no values")
    return found


def _type(name: str, dtype: Any) -> str:
    if str(dtype) not in TYPES:
        raise TypeError(f"{name} has the element type {dtype}; buffers may have {', '.join(TYPES)}")
    return TYPES[str(dtype)]


def _kind(value: Any) -> str:
    return f"{value.dtype} of shape {value.shape}" if hasattr(value, "shape") else type(value).__name__


def _backend(source: str | Path) -> str:
    text = source if isinstance(source, str) else source.read_text(encoding="utf-8")
    for mark, backend in (("__global__", "cuda"), ("__kernel", "opencl"), ("layout(", "vulkan")):
        if mark in text:
            return backend
    raise ValueError("the source does not tell its backend: name it, such as backend=\"cuda\"")
