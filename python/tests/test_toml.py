from __future__ import annotations

import random
import tomllib
from pathlib import Path
from typing import Any

import pytest

from benchctl import toml

CONFIG = {
    "experiment": {"name": "x", "title": 'a "title" with \\ and \t and é and \x7f and \x01'},
    "top": 1,
    "workload": {"w": {"parameters": {"n": {"default": 3, "minimum": 0}}, "buffer": [{"name": "a", "fill": {"uniform": [0, 1.5]}}]}},
    "kernel": [
        {"name": "k", "text": "line 1\n  line '2'\n", "arguments": ["x", {"f32": "0.5"}, 4], "tunables": {"T": 1}},
        {"name": "l", "text": "ends in a quote\n'", "launch": [{"entry": "a"}, {"entry": "b", "defines": {"odd key": True}}]},
        {"name": "m", "text": "three '''\nquotes", "empty": {}, "none": []},
        {"name": "n", "text": "carriage\r\nreturn", "first\nkey": [[1, 2], [3.0, -4]]},
    ],
    "numbers": {"large": 2**63 - 1, "small": -(2**63), "real": 1e300, "whole": 2.0, "tiny": 5e-324, "inf": float("-inf")},
}


def test_is_read_back_equal() -> None:
    assert tomllib.loads(toml.dumps(CONFIG)) == CONFIG


def test_source_code_stays_readable() -> None:
    assert "text = '''\nline 1\n  line '2'\n'''" in toml.dumps(CONFIG)


def test_other_types_of_python_and_numpy() -> None:
    numpy = pytest.importorskip("numpy")
    written = toml.dumps({"a": range(3), "b": (1, 2), "c": Path("x") / "y", "d": numpy.float32(0.5), "e": numpy.arange(2), "f": numpy.bool_(True)})
    assert tomllib.loads(written) == {"a": [0, 1, 2], "b": [1, 2], "c": "x/y", "d": 0.5, "e": [0, 1], "f": True}


@pytest.mark.parametrize(("config", "error", "words"), [
    ({"sweep": [{"parameters": {"n": None}}]}, TypeError, "sweep.parameters.n: TOML has nothing for None"),
    ({"a": {"b": [1, 2**63]}}, ValueError, r"a\.b\[1\]: 9223372036854775808 does not fit"),
    ({"a": {1: 2}}, TypeError, "a: the key 1 is not a text"),
    ({"a": [1, {2: 2}]}, TypeError, "the key 2 is not a text"),
    ({"a": "\ud800"}, ValueError, "a: a text that is not Unicode"),
    ({"a": b"x"}, TypeError, "a: TOML has nothing for bytes"),
    ({"a": {1, 2}}, TypeError, "a: TOML has nothing for set"),
])
def test_what_toml_cannot_say_is_named(config: dict[str, Any], error: type[Exception], words: str) -> None:
    with pytest.raises(error, match=words):
        toml.dumps(config)


def test_anything_nested_is_read_back_equal() -> None:
    source = random.Random(5)

    def value(depth: int) -> Any:
        kind = source.randrange(7 if depth else 4)
        if kind == 0:
            return "".join(source.choice("a'\"\\\n\t\x00\x7fé.=[]{}#") for _ in range(source.randrange(8)))
        if kind == 1:
            return source.choice([0, -7, 2**40, True, False])
        if kind == 2:
            return source.choice([0.0, -1.5, 1e22, 1e-7])
        if kind == 3:
            return source.choice(["", [], {}])
        if kind == 4:
            return [value(depth - 1) for _ in range(source.randrange(4))]
        return table(depth - 1)

    def table(depth: int) -> dict[str, Any]:
        return {source.choice(["a", "b-c", "d e", "", "é", "\n'", "f.g", "0"]): value(depth) for _ in range(source.randrange(4))}

    for _ in range(300):
        config = table(4)
        assert tomllib.loads(toml.dumps(config)) == config
